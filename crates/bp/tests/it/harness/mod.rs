//! What the tests of this crate share: running the front end on a text, and reporting what it says.
use base::{Diagnostic, Sources};

/// Each diagnostic as `line:column: message`; notes follow, indented.
pub fn lines(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut lines = Vec::new();
    for diagnostic in diagnostics {
        lines.push(format!("{}{}", place(sources, diagnostic.span), diagnostic.message));
        for (note, span) in &diagnostic.notes {
            lines.push(format!("  {}{note}", place(sources, *span)));
        }
    }
    lines
}

fn place(sources: &Sources, span: Option<base::Span>) -> String {
    span.map_or(String::new(), |span| {
        let (line, column) = sources.line_column(span);
        format!("{line}:{column}: ")
    })
}

/// Everything that is wrong with a program, lowering included.
pub fn complaints(text: &str) -> Vec<String> {
    complaints_of(text, |program| bp::lower(program).err())
}

/// Everything that is wrong with a program that may be concurrent.
pub fn complaints_with_threads(text: &str, options: bp::ThreadOptions) -> Vec<String> {
    complaints_of(text, |program| bp::lower_threads(program, options).err())
}

fn complaints_of(text: &str, lower: impl Fn(&bp::Checked) -> Option<Vec<Diagnostic>>) -> Vec<String> {
    let mut sources = Sources::default();
    let diagnostics = match bp::load(&mut sources, "test.bp", text) {
        Ok((program, mut warnings)) => {
            warnings.extend(lower(&program).unwrap_or_default());
            warnings
        }
        Err(diagnostics) => diagnostics,
    };
    lines(&sources, &diagnostics)
}

/// A program that has no mistakes.
#[track_caller]
pub fn correct(text: &str) -> bp::Checked {
    let mut sources = Sources::default();
    match bp::load(&mut sources, "test.bp", text) {
        Ok((program, _)) => program,
        Err(diagnostics) => panic!("{text}\n{}", lines(&sources, &diagnostics).join("\n")),
    }
}

/// A program becomes a concurrent machine that holds together, described by these lines.
#[track_caller]
pub fn check_threads(text: &str, options: bp::ThreadOptions, expected: &[&str]) {
    let lowered = bp::lower_threads(&correct(text), options).expect("the program has no mistakes");
    assert_coherent(&lowered);
    let described = describe_threads(&lowered);
    assert_eq!(described.lines().collect::<Vec<_>>(), expected, "{text}");
}

/// A concurrent machine holds together: threads stay in the modules of their block, and these use nothing private of others.
pub fn assert_coherent(program: &rsm::Concurrent) {
    let machine = &program.machine;
    assert_eq!(machine.main, program.blocks[0].main);
    assert_starts(program);
    for block in &program.blocks {
        assert!(block.modules.is_sorted() && block.modules.contains(&block.main), "{block:?}");
        assert!(block.flag.is_none_or(|flag| block.private.contains(&flag)), "{block:?}");
        let sees = |place: rsm::Place| match place {
            rsm::Place::Global(n) => (n as usize) < program.n_shared || block.private.contains(&n),
            rsm::Place::Local(_) => true,
        };
        for module in block.modules.iter().map(|id| machine.module(*id)) {
            assert!(module.edges.is_sorted_by_key(|edge| edge.from), "{}", module.name);
            assert!(module.edges.iter().all(|edge| edge.to.index() < module.nodes.len()), "{}", module.name);
            for edge in &module.edges {
                assert!(places(&edge.action).into_iter().all(sees), "{}: {:?}", module.name, edge.action);
                let rsm::Action::Call { callee, args, results } = &edge.action else { continue };
                let callee_module = machine.module(*callee);
                assert!(block.modules.contains(callee), "{}", module.name);
                assert_eq!(
                    (args.len(), results.len()),
                    (callee_module.n_params, callee_module.results.len())
                );
                let is_inside = module.node(edge.from).in_atomic;
                assert!(!is_inside || callee_module.node(callee_module.entry).in_atomic, "{}", module.name);
            }
        }
    }
}

/// The places behind starts of threads: one statement leads there, and one step away.
fn assert_starts(program: &rsm::Concurrent) {
    for start in &program.starts {
        let module = program.machine.module(start.module);
        let away: Vec<&rsm::Edge> = module.edges_from(start.node).map(|(_, edge)| edge).collect();
        assert!(matches!(away[..], [rsm::Edge { action: rsm::Action::Skip, .. }]), "{start:?}");
        let into: Vec<&rsm::Edge> = module.edges.iter().filter(|edge| edge.to == start.node).collect();
        assert!(!into.is_empty() && into.iter().all(|edge| edge.from == into[0].from), "{start:?}");
        let next = module.node(away[0].to);
        let node = module.node(start.node);
        assert!(node.labels.is_empty() && node.in_atomic == next.in_atomic, "{start:?}");
        assert!(!program.machine.module(start.function).node(start.first).labels.is_empty(), "{start:?}");
    }
}

/// The variables that an action reads and writes.
fn places(action: &rsm::Action) -> Vec<rsm::Place> {
    use rsm::Action;
    let (exprs, mut places): (Vec<&rsm::Expr>, Vec<rsm::Place>) = match action {
        Action::Skip => (vec![], vec![]),
        Action::Assume(condition) | Action::Assert(condition) => (vec![condition], vec![]),
        Action::Assign { targets, values, constrain } => {
            (values.iter().chain(constrain).collect(), targets.clone())
        }
        Action::Call { args, results, .. } => {
            (args.iter().collect(), results.iter().flatten().copied().collect())
        }
        Action::Return { values } => (values.iter().collect(), vec![]),
    };
    places.extend(exprs.into_iter().flat_map(|expr| expr.reads().chain(expr.reads_next())));
    places
}

/// A concurrent machine as text: the blocks, the machine, and what its own text does not tell, which nodes lie in
/// atomic blocks, which of several modules of one name is called, and where threads begin at a label.
pub fn describe_threads(program: &rsm::Concurrent) -> String {
    let machine = &program.machine;
    let mut lines = Vec::new();
    for block in &program.blocks {
        let copies = match block.copies {
            rsm::Copies::Number(n) => n.to_string(),
            rsm::Copies::Any => "*".to_owned(),
        };
        let modules: Vec<String> = block.modules.iter().map(|id| id.0.to_string()).collect();
        let mut line =
            format!("block {}[{copies}] main {} modules {}", block.name, block.main.0, modules.join(" "));
        let name = |place: &u32| machine.globals[*place as usize].name.as_str();
        for place in &block.private {
            line += &format!(" private {place}:{}", name(place));
        }
        for init in &block.init {
            line += &format!(" init {}", rsm::show_expr(machine, block.main, init));
        }
        lines.push(line + &block.flag.map_or(String::new(), |place| format!(" flag {place}")));
    }
    let shared: Vec<&str> =
        machine.globals[..program.n_shared].iter().map(|global| global.name.as_str()).collect();
    lines.push(format!("shared {}", shared.join(" ")).trim_end().to_owned());
    lines.extend(rsm::show(machine).lines().filter(|line| !line.is_empty()).map(str::to_owned));
    for (n, module) in machine.modules.iter().enumerate() {
        let inside = (0..module.nodes.len()).filter(|node| module.nodes[*node].in_atomic);
        let inside: Vec<String> = inside.map(|node| node.to_string()).collect();
        if !inside.is_empty() {
            lines.push(format!("atomic {} {n}: {}", module.name, inside.join(" ")));
        }
        for edge in &module.edges {
            if let rsm::Action::Call { callee, .. } = edge.action {
                lines.push(format!("call {} {n}: {} -> module {}", module.name, edge.from.0, callee.0));
            }
        }
    }
    for start in &program.starts {
        let name = |module: rsm::ModuleId| format!("{} {}", machine.module(module).name, module.0);
        let (starter, function) = (name(start.module), name(start.function));
        lines.push(format!("start {starter}: {} of {function}: {}", start.node.0, start.first.0));
    }
    lines.join("\n")
}
