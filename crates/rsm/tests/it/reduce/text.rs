//! Small machines as text, so that a test shows what it reduces.
//!
//! `globals g h`, `init EXPR`, then modules: `module NAME`, `params p`, `locals x`, `results N`, `enforce EXPR`, and an edge
//! a line: `FROM TO ACTION`, sorted by source. Node 0 is the entry, the largest node the exit. Everything is Boolean and an
//! expression is postfix: `x y &`. An action is `skip`, `assume E`, `assert E`, `x, y := E, F [constrain E]`,
//! `call f E, F [-> x, _]` or `return E, F`. The first module is `main`.

use base::{FileId, Span};
use rsm::{
    Action, Binary, Edge, Expr, Module, ModuleId, Node, NodeId, Operation, Place, Rsm, Term, Type, Variable,
};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// The machine that a text describes.
pub fn machine(text: &str) -> Rsm {
    let names: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("module ")).collect();
    let mut rsm = Rsm { globals: Vec::new(), init: Vec::new(), modules: Vec::new(), main: ModuleId(0) };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "globals" {
            rsm.globals = variables(rest);
        } else if word == "init" {
            rsm.init.push(expr(&rsm.globals, &[], rest));
        } else if word == "module" {
            rsm.modules.push(module(rest));
        } else {
            let mut module = rsm.modules.pop().expect("a module starts with its name");
            add(&rsm.globals, &names, &mut module, line);
            rsm.modules.push(module);
        }
    }
    for module in &mut rsm.modules {
        let n_nodes = module.edges.iter().map(|edge| edge.from.max(edge.to).index() + 1).max().unwrap_or(1);
        module.nodes = vec![Node { labels: Vec::new(), span: NOWHERE, in_atomic: false }; n_nodes];
        module.exit = NodeId::new(n_nodes - 1);
    }
    rsm
}

fn module(name: &str) -> Module {
    Module {
        name: name.to_owned(),
        span: NOWHERE,
        locals: Vec::new(),
        n_params: 0,
        results: Vec::new(),
        enforce: None,
        nodes: Vec::new(),
        edges: Vec::new(),
        entry: NodeId(0),
        exit: NodeId(0),
    }
}

fn variables(names: &str) -> Vec<Variable> {
    let variable = |name: &str| Variable { name: name.to_owned(), ty: Type::Bool, span: NOWHERE };
    names.split_whitespace().map(variable).collect()
}

/// Adds a line to a module.
fn add(globals: &[Variable], names: &[&str], module: &mut Module, line: &str) {
    let (word, rest) = line.split_once(' ').expect("a line says something");
    match word {
        "params" => {
            module.locals = variables(rest);
            module.n_params = module.locals.len();
        }
        "locals" => module.locals.extend(variables(rest)),
        "results" => module.results = vec![Type::Bool; rest.parse().expect("a number of results")],
        "enforce" => module.enforce = Some(expr(globals, &module.locals, rest)),
        _ => {
            let (to, action) = rest.split_once(' ').expect("an edge has two ends and an action");
            let node = |number: &str| NodeId(number.parse().expect("a node"));
            let action = self::action(globals, names, module, action);
            module.edges.push(Edge { from: node(word), to: node(to), action, span: NOWHERE });
        }
    }
}

fn action(globals: &[Variable], names: &[&str], module: &Module, text: &str) -> Action {
    let expr = |text: &str| expr(globals, &module.locals, text);
    let exprs = |text: &str| -> Vec<Expr> {
        text.split(',').filter(|part| !part.trim().is_empty()).map(expr).collect()
    };
    let target = |name: &str| place(globals, &module.locals, name.trim());
    if let Some((targets, values)) = text.split_once(":=") {
        let (values, constrain) = values.split_once("constrain").unwrap_or((values, ""));
        let constrain = (!constrain.is_empty()).then(|| expr(constrain));
        return Action::Assign {
            targets: targets.split(',').map(target).collect(),
            values: exprs(values),
            constrain,
        };
    }
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "skip" => Action::Skip,
        "assume" => Action::Assume(expr(rest)),
        "assert" => Action::Assert(expr(rest)),
        "return" => Action::Return { values: exprs(rest) },
        "call" => {
            let (call, targets) = rest.split_once("->").unwrap_or((rest, ""));
            let (name, args) = call.trim().split_once(' ').unwrap_or((call.trim(), ""));
            let callee = names.iter().position(|&other| other == name).expect("a module of this name");
            let targets = targets.split(',').map(str::trim).filter(|name| !name.is_empty());
            let results = targets.map(|name| (name != "_").then(|| target(name))).collect();
            Action::Call { callee: ModuleId::new(callee), args: exprs(args), results }
        }
        _ => panic!("no action: {text}"),
    }
}

fn place(globals: &[Variable], locals: &[Variable], name: &str) -> Place {
    let position = |list: &[Variable]| list.iter().position(|variable| variable.name == name);
    match position(locals) {
        Some(local) => Place::Local(local as u32),
        None => Place::Global(position(globals).unwrap_or_else(|| panic!("no variable {name}")) as u32),
    }
}

fn expr(globals: &[Variable], locals: &[Variable], text: &str) -> Expr {
    let operation = |word: &str| match word {
        "T" => Operation::Constant(1),
        "F" => Operation::Constant(0),
        "*" => Operation::Choice(rsm::Freedom::Input),
        "!" => Operation::Not,
        "&" => Operation::Binary(Binary::And),
        "|" => Operation::Binary(Binary::Or),
        "^" => Operation::Binary(Binary::Xor),
        "=" => Operation::Binary(Binary::Equal),
        "schoose" => Operation::Schoose,
        _ => match word.strip_suffix('\'') {
            Some(name) => Operation::ReadNext(place(globals, locals, name)),
            None => Operation::Read(place(globals, locals, word)),
        },
    };
    let term = |word| Term { operation: operation(word), ty: Type::Bool };
    Expr { code: text.split_whitespace().map(term).collect() }
}
