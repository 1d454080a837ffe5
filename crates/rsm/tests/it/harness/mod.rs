//! A tiny notation for machines, so that tests are text in, text out.
//!
//! ```text
//! global a b:3              variables; `:3` is int<3>, `:red/green` an enum, bool otherwise
//! init a b 5:3 = &          postfix code; `*:3` is a `*` of int<3>, `mul`, `neg`, `schoose` and `if` are operators
//! module f p ; x ; 3        parameters; locals; types of the results
//! enforce p
//! label 1 L
//! 0 1 set a , x := x , *    from, to, action: skip, assume, assert, set, call, return
//! 1 2 set a := * constrain a' x !=
//! 2 3 call a , _ := f ( x )
//! 3 4 return a              `to` is the exit, which is the largest node
//! ```

// Each test file is a program of its own and uses a part of this.
pub mod random;

use base::{FileId, Span};
use rsm::step::{Choice, Configuration, Frame};
use rsm::{
    Action, Binary, Edge, Expr, Module, ModuleId, Node, NodeId, Operation, Place, Rsm, Term, Type, Variable,
};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// The machine a text describes.
pub fn machine(text: &str) -> Rsm {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut rsm = Rsm { globals: Vec::new(), init: Vec::new(), modules: Vec::new(), main: ModuleId(0) };
    for words in &lines {
        match words[..] {
            ["global", ref names @ ..] => rsm.globals.extend(names.iter().map(|name| variable(name))),
            ["module", name, ref rest @ ..] => rsm.modules.push(module(name, rest)),
            _ => {}
        }
    }
    rsm.main = module_named(&rsm, "main");
    let mut current = rsm.main.index();
    for words in &lines {
        let code = |rsm: &Rsm, words: &[&str]| expr(rsm, ModuleId::new(current), words);
        match words[..] {
            ["module", name, ..] => current = module_named(&rsm, name).index(),
            ["init", ref words @ ..] => {
                let init = code(&rsm, words);
                rsm.init.push(init);
            }
            ["enforce", ref words @ ..] => rsm.modules[current].enforce = Some(code(&rsm, words)),
            ["label", node, label] => {
                let node = NodeId::new(node.parse().unwrap());
                node_of(&mut rsm.modules[current], node).labels.push(label.to_owned());
            }
            [] | ["global", ..] => {}
            [from, to, ref action @ ..] => {
                let action = action_of(&rsm, ModuleId::new(current), action);
                let [from, to] = [from, to].map(|node| NodeId::new(node.parse().unwrap()));
                node_of(&mut rsm.modules[current], from.max(to));
                rsm.modules[current].edges.push(Edge { from, to, action, span: NOWHERE });
            }
            _ => panic!("cannot read {words:?}"),
        }
    }
    for module in &mut rsm.modules {
        module.exit = NodeId::new(module.nodes.len() - 1);
        module.edges.sort_by_key(|edge| edge.from);
    }
    rsm
}

/// Postfix code as a module sees it, from blanks-separated words.
pub fn code(rsm: &Rsm, text: &str) -> Expr {
    expr(rsm, rsm.main, &text.split_whitespace().collect::<Vec<_>>())
}

fn module_named(rsm: &Rsm, name: &str) -> ModuleId {
    ModuleId::new(rsm.modules.iter().position(|module| module.name == name).unwrap())
}

fn node_of(module: &mut Module, node: NodeId) -> &mut Node {
    while module.nodes.len() <= node.index() {
        module.nodes.push(Node { labels: Vec::new(), span: NOWHERE, in_atomic: false });
    }
    &mut module.nodes[node.index()]
}

fn ty(text: &str) -> Type {
    match text.parse() {
        Ok(width) => Type::Int(width),
        Err(_) if text == "bool" => Type::Bool,
        Err(_) => Type::Enum(text.split('/').map(str::to_owned).collect()),
    }
}

fn variable(text: &str) -> Variable {
    let (name, of) = text.split_once(':').unwrap_or((text, "bool"));
    Variable { name: name.to_owned(), ty: ty(of), span: NOWHERE }
}

fn module(name: &str, rest: &[&str]) -> Module {
    let parts: Vec<&[&str]> = rest.split(|word| *word == ";").collect();
    let part = |n: usize| parts.get(n).into_iter().flat_map(|part| part.iter());
    let params: Vec<Variable> = part(0).map(|text| variable(text)).collect();
    let n_params = params.len();
    Module {
        name: name.to_owned(),
        span: NOWHERE,
        locals: params.into_iter().chain(part(1).map(|text| variable(text))).collect(),
        n_params,
        results: part(2).map(|text| ty(text)).collect(),
        enforce: None,
        nodes: Vec::new(),
        edges: Vec::new(),
        entry: NodeId(0),
        exit: NodeId(0),
    }
}

fn place(rsm: &Rsm, module: ModuleId, name: &str) -> Option<Place> {
    let find = |variables: &[Variable]| variables.iter().position(|variable| variable.name == name);
    let local = find(&rsm.module(module).locals).map(|n| Place::Local(n as u32));
    local.or_else(|| find(&rsm.globals).map(|n| Place::Global(n as u32)))
}

fn action_of(rsm: &Rsm, module: ModuleId, words: &[&str]) -> Action {
    let places = |words: &[&str]| -> Vec<Option<Place>> {
        words.split(|word| *word == ",").map(|name| place(rsm, module, name[0])).collect()
    };
    let values = |words: &[&str]| -> Vec<Expr> {
        let parts = words.split(|word| *word == ",").filter(|part| !part.is_empty());
        parts.map(|part| expr(rsm, module, part)).collect()
    };
    match words {
        ["skip"] => Action::Skip,
        ["assume", condition @ ..] => Action::Assume(expr(rsm, module, condition)),
        ["assert", condition @ ..] => Action::Assert(expr(rsm, module, condition)),
        ["return", words @ ..] => Action::Return { values: values(words) },
        ["set", words @ ..] => {
            let at = words.iter().position(|word| *word == ":=").unwrap();
            let mut right = words[at + 1..].splitn(2, |word| *word == "constrain");
            Action::Assign {
                targets: places(&words[..at]).into_iter().map(Option::unwrap).collect(),
                values: values(right.next().unwrap()),
                constrain: right.next().map(|condition| expr(rsm, module, condition)),
            }
        }
        ["call", words @ ..] => {
            let at = words.iter().position(|word| *word == "(").unwrap();
            let callee = module_named(rsm, words[at - 1]);
            let results = match words[..at - 1].split_last() {
                Some((_, left)) => places(left),
                None => vec![None; rsm.module(callee).results.len()],
            };
            Action::Call { callee, args: values(&words[at + 1..words.len() - 1]), results }
        }
        _ => panic!("cannot read {words:?}"),
    }
}

fn expr(rsm: &Rsm, module: ModuleId, words: &[&str]) -> Expr {
    let mut types: Vec<Type> = Vec::new();
    let mut code = Vec::new();
    for word in words {
        let (operation, n_operands, fixed) = operation(rsm, module, word);
        let operands = types.split_off(types.len() - n_operands);
        let ty = fixed.unwrap_or_else(|| operands.last().unwrap().clone());
        types.push(ty.clone());
        code.push(Term { operation, ty });
    }
    assert_eq!(types.len(), 1, "{words:?} is not one expression");
    Expr { code: code.into() }
}

/// The operation a word stands for, the number of its operands, and its type unless it is that of the last operand.
fn operation(rsm: &Rsm, module: ModuleId, word: &str) -> (Operation, usize, Option<Type>) {
    let comparison = |operator| (Operation::Binary(operator), 2, Some(Type::Bool));
    let arithmetic = |operator| (Operation::Binary(operator), 2, None);
    match word {
        "T" => (Operation::Constant(1), 0, Some(Type::Bool)),
        "F" => (Operation::Constant(0), 0, Some(Type::Bool)),
        "*" => (Operation::Choice(rsm::Freedom::Input), 0, Some(Type::Bool)),
        "!" => (Operation::Not, 1, None),
        "neg" => (Operation::Negate, 1, None),
        "if" => (Operation::Conditional, 3, None),
        "schoose" => (Operation::Schoose, 2, None),
        "&" => arithmetic(Binary::And),
        "|" => arithmetic(Binary::Or),
        "^" => arithmetic(Binary::Xor),
        "=>" => arithmetic(Binary::Implies),
        "=" => comparison(Binary::Equal),
        "!=" => comparison(Binary::NotEqual),
        "<" => comparison(Binary::Less),
        "<=" => comparison(Binary::LessEqual),
        "+" => arithmetic(Binary::Add),
        "-" => arithmetic(Binary::Subtract),
        "mul" => arithmetic(Binary::Multiply),
        _ => operand(rsm, module, word),
    }
}

fn operand(rsm: &Rsm, module: ModuleId, word: &str) -> (Operation, usize, Option<Type>) {
    if let Some((value, of)) = word.split_once(':') {
        let ty = ty(of);
        let operation = match (value, &ty) {
            ("*", _) => Operation::Choice(rsm::Freedom::Input),
            (_, Type::Enum(names)) => {
                Operation::Constant(names.iter().position(|name| name == value).unwrap() as u64)
            }
            _ => Operation::Constant(value.parse().unwrap()),
        };
        return (operation, 0, Some(ty));
    }
    let name = word.strip_suffix('\'').unwrap_or(word);
    let place = place(rsm, module, name).unwrap_or_else(|| panic!("unknown name {name}"));
    let operation = if name == word { Operation::Read(place) } else { Operation::ReadNext(place) };
    (operation, 0, Some(rsm.variable(module, place).ty.clone()))
}

/// A configuration as text: `a=T b=5 | main@1 x=F | f@0 p=T`.
pub fn show(rsm: &Rsm, configuration: &Configuration) -> String {
    let values = |variables: &[Variable], values: &[u64]| -> String {
        assert_eq!(variables.len(), values.len());
        let pairs = variables.iter().zip(values);
        pairs
            .map(|(variable, value)| format!("{}={} ", variable.name, variable.ty.value_name(*value)))
            .collect()
    };
    let frame = |frame: &Frame| {
        let module = rsm.module(frame.module);
        format!("| {}@{} {}", module.name, frame.node.0, values(&module.locals, &frame.locals))
    };
    let stack: String = configuration.stack.iter().map(frame).collect();
    format!("{}{stack}", values(&rsm.globals, &configuration.globals)).trim().to_owned()
}

/// Choices as a script.
pub fn script(rsm: &Rsm, choices: &[Choice]) -> String {
    choices.iter().map(|choice| choice.text(rsm)).collect::<Vec<_>>().join(",")
}

/// Runs a test on a small stack, where recursion that follows the input would overflow.
pub fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}
