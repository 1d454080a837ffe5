//! Random programs in C with small numbers, and walks through them that see what a claim is about.

use base::{Random, Sources};
use integers::evaluate::{Environment, Integers, Value, evaluate};
use integers::ghosts::Ghosted;
use integers::step::{Configuration, Situation};
use integers::{Action, Expr, FunctionId, InputId, NodeId, Place, Program, Step, UnknownId};

/// A program of two functions that call each other and themselves, a global, loops, inputs and an error.
pub fn program(seed: u64) -> (String, Program) {
    let text = Text { random: Random::new(seed), depth: 0 }.program();
    let mut sources = Sources::default();
    let file = sources.add("random.c", text.clone());
    let program = c::translate(&sources, file, &c::Options::default());
    let program = program.unwrap_or_else(|errors| panic!("{text}\n{errors:?}")).program;
    (text, program)
}

struct Text {
    random: Random,
    depth: u32,
}

impl Text {
    fn program(mut self) -> String {
        let declarations = "void reach_error(void); void abort(void); int nondet(void);\nint g;\nint f(int a, int b); int h(int a);\n";
        let (f, h, main) = (self.block(3, "abg"), self.block(3, "ag"), self.block(4, "xyg"));
        let (end_f, end_h) = (self.term("abg"), self.term("ag"));
        let error = self.condition("xyg");
        format!(
            "{declarations}int f(int a, int b) {{\n{f} return {end_f}; }}\nint h(int a) {{\n{h} return {end_h}; }}\n\
             int main(void) {{ int x = 0; int y = nondet();\n{main} if ({error}) reach_error(); return 0; }}\n"
        )
    }

    fn variable(&mut self, names: &str) -> char {
        let names: Vec<char> = names.chars().collect();
        *self.random.pick(&names)
    }

    fn term(&mut self, names: &str) -> String {
        let variable = self.variable(names);
        let constant = self.random.below(5) as i64 - 2;
        match self.random.below(8) {
            0 => constant.to_string(),
            1 => format!("{variable} - {}", self.variable(names)),
            2 => format!("{variable} + {}", self.variable(names)),
            3 => format!("{variable} / 2"),
            4 => format!("{variable} % 3"),
            5 => format!("-{variable}"),
            _ => format!("{variable} + ({constant})"),
        }
    }

    fn condition(&mut self, names: &str) -> String {
        let relation = *self.random.pick(&["<", "<=", "==", "!=", ">"]);
        let simple = format!("{} {relation} {}", self.term(names), self.random.below(7) as i64 - 3);
        match self.random.below(5) {
            0 => format!("{simple} && {} > 0", self.variable(names)),
            1 => format!("!({simple})"),
            _ => simple,
        }
    }

    fn block(&mut self, length: u64, names: &str) -> String {
        (0..1 + self.random.below(length)).map(|_| self.statement(names)).collect()
    }

    fn statement(&mut self, names: &str) -> String {
        let variable = self.variable(names);
        self.depth += 1;
        let text = match self.random.below(if self.depth > 2 { 6 } else { 10 }) {
            0 | 1 => format!("{variable} = {};\n", self.term(names)),
            2 => format!("{variable} = nondet();\n"),
            3 => format!("{variable} = h({});\n", self.term(names)),
            4 => format!(
                "if ({}) {variable} = f({}, {});\n",
                self.condition(names),
                self.term(names),
                self.term(names)
            ),
            5 => format!("if ({}) abort();\n", self.condition(names)),
            6 | 7 => format!(
                "if ({}) {{\n{}}} else {{\n{}}}\n",
                self.condition(names),
                self.block(2, names),
                self.block(2, names)
            ),
            _ => {
                let body = self.block(2, names);
                format!("while ({}) {{\n{body}{variable} = {variable} + 1; }}\n", self.condition(names))
            }
        };
        self.depth -= 1;
        text
    }
}

/// Goes along a run of a program with ghosts, and shows each point of it. Choices are random.
pub fn walk(
    subject: &Ghosted,
    random: &mut Random,
    max_steps: usize,
    see: &mut dyn FnMut(FunctionId, NodeId, &Configuration),
) {
    let program = &subject.program;
    let mut at = Configuration::start(program);
    remember(subject, &mut at);
    for _ in 0..max_steps {
        match at.situation(program) {
            Situation::Returned => return,
            Situation::Stopped | Situation::Target(_) => {
                let frame = at.frames.last().expect("somebody is running");
                see(frame.function, frame.node, &at);
                return;
            }
            Situation::AtExit => {
                let frame = at.frames.last().expect("somebody is running");
                see(frame.function, frame.node, &at);
                at.leave(program);
            }
            Situation::At(function, node) => {
                see(function, node, &at);
                if !advance(subject, &mut at, function, node, random) {
                    return;
                }
            }
        }
    }
}

/// What functions are started with is kept in their ghosts.
fn remember(subject: &Ghosted, at: &mut Configuration) {
    let function = at.frames.last().expect("somebody is running").function;
    for ghost in &subject.ghosts[function.index()] {
        let value = at.read(ghost.of);
        at.frames.last_mut().expect("somebody is running").locals[ghost.local as usize] = value;
    }
}

fn advance(
    subject: &Ghosted,
    at: &mut Configuration,
    function: FunctionId,
    node: NodeId,
    random: &mut Random,
) -> bool {
    let program = &subject.program;
    let mut edges: Vec<_> = program.function(function).edges_from(node).collect();
    // An input may be wrong for one edge and right for another.
    for _ in 0..4 {
        random.shuffle(&mut edges);
        for (id, edge) in &edges {
            let inputs: Vec<i128> = match &edge.action {
                Action::Step(Step { inputs, .. }) => {
                    inputs.iter().map(|&input| number(program, input, random)).collect()
                }
                Action::Call { .. } | Action::Manage(_) => Vec::new(),
            };
            if at.take(program, *id, &inputs, Integers::Mathematical).is_ok() {
                if matches!(edge.action, Action::Call { .. }) {
                    remember(subject, at);
                }
                return true;
            }
        }
    }
    false
}

fn number(program: &Program, input: InputId, random: &mut Random) -> i128 {
    let ty = program.input(input).ty;
    ty.wrap(if random.chance(90) { i128::from(random.below(13)) - 6 } else { i128::from(random.draw()) })
}

/// Whether a formula holds; not if it is undefined.
pub fn holds(formula: &Expr, at: &Configuration) -> bool {
    evaluate(formula, &Seen(at), Integers::Mathematical) == Value::Number(1)
}

struct Seen<'a>(&'a Configuration);

impl Environment for Seen<'_> {
    fn read(&self, place: Place) -> Value {
        self.0.read(place)
    }

    fn input(&self, _: u32) -> i128 {
        unreachable!("a claim reads no inputs")
    }

    fn unknown(&self, _: u32) -> UnknownId {
        unreachable!("a claim is about nothing unknown")
    }
}
