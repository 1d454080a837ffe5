//! Statements: a tree first, then text, because a `goto` may go to a label that comes later.

use super::expressions::{Scope, expression};
use super::functions::Signature;
use super::types::{Type, Variable};
use super::{Generator, Setting};
use crate::dice::Dice;
use crate::page::Page;

/// How deep blocks are nested.
pub(super) const NESTING: usize = 3;

/// A statement with its labels.
pub struct Labelled {
    pub labels: Vec<String>,
    statement: Statement,
}

pub(super) enum Statement {
    /// A text without its semicolon.
    Simple(String),
    /// Random numbers that choose among the labels of the function, once these are known.
    Goto(Vec<usize>),
    /// The same for the label at which a new thread starts, one outside atomic blocks.
    StartGoto(usize),
    /// Arms with their conditions, and the rest.
    If(Vec<(String, Vec<Labelled>)>, Option<Vec<Labelled>>),
    While(String, Vec<Labelled>),
    Atomic(Vec<Labelled>),
    /// Labels before the end of a block.
    Nothing,
}

/// The function whose body is being made.
pub struct Body<'a> {
    pub signature: &'a Signature,
    /// Everything in sight.
    pub variables: &'a [Variable],
    pub n_labels: usize,
    /// How many statements are still to be made.
    pub budget: usize,
}

impl Body<'_> {
    fn scope(&self) -> Scope<'_> {
        Scope { variables: self.variables, primes: false }
    }
}

impl Generator {
    /// A block that uses up part of the budget.
    pub(super) fn block(&mut self, body: &mut Body<'_>, nesting: usize) -> Vec<Labelled> {
        let mut block = Vec::new();
        let most = match (nesting, self.setting) {
            (0, _) => body.budget,
            (_, Setting::Sequential) => self.dice.below(4),
            // Among threads, what is interesting about a block is what happens inside.
            _ => 1 + self.dice.below(3),
        };
        while block.len() < most && body.budget > 0 {
            body.budget -= 1;
            let statement = self.statement(body, nesting);
            block.push(self.labelled(body, statement));
        }
        if self.dice.chance(5) {
            let mut nothing = self.labelled(body, Statement::Nothing);
            if nothing.labels.is_empty() {
                nothing.labels.push(new_label(body));
            }
            block.push(nothing);
        }
        block
    }

    pub(super) fn labelled(&mut self, body: &mut Body<'_>, statement: Statement) -> Labelled {
        let mut labels = Vec::new();
        // The first statement has a label, so that every `goto` has somewhere to go.
        if body.n_labels == 0 || self.dice.chance(60) {
            labels.push(new_label(body));
            if self.dice.chance(8) {
                labels.push(new_label(body));
            }
            if self.dice.chance(4) {
                labels.push(labels[0].clone());
            }
        }
        Labelled { labels, statement }
    }

    fn statement(&mut self, body: &mut Body<'_>, nesting: usize) -> Statement {
        if self.setting != Setting::Sequential && self.dice.chance(45) {
            return self.concurrent_statement(body, nesting);
        }
        let kind = self.dice.below(if nesting < NESTING { 100 } else { 74 });
        match kind {
            0..=27 => Statement::Simple(self.assignment(body)),
            28..=39 => Statement::Simple(self.call(body)),
            40..=45 => Statement::Simple(self.restriction(body)),
            46..=55 if nesting == 0 && self.dice.chance(85) => self.perhaps_leave(body),
            46..=55 => self.leave(body),
            56..=73 => Statement::Simple(self.small(body)),
            74..=87 => self.branch(body, nesting),
            88..=95 => {
                let condition = self.condition(body);
                Statement::While(condition, self.block(body, nesting + 1))
            }
            _ => Statement::Atomic(self.block(body, nesting + 1)),
        }
    }

    /// A `goto` or a `return`.
    fn leave(&mut self, body: &Body<'_>) -> Statement {
        if self.dice.chance(40) {
            return Statement::Simple(self.exit(body));
        }
        let n_labels = 1 + self.dice.below(3);
        Statement::Goto((0..n_labels).map(|_| self.dice.below(1 << 20)).collect())
    }

    /// Leaves on a condition. Without one, the rest of the body would seldom be reached.
    fn perhaps_leave(&mut self, body: &mut Body<'_>) -> Statement {
        let condition = self.condition(body);
        let leave = self.leave(body);
        let leave = self.labelled(body, leave);
        Statement::If(vec![(condition, vec![leave])], None)
    }

    fn branch(&mut self, body: &mut Body<'_>, nesting: usize) -> Statement {
        let mut arms = Vec::new();
        let n_arms = if self.dice.chance(25) { 2 + self.dice.below(2) } else { 1 };
        for _ in 0..n_arms {
            let condition = self.condition(body);
            arms.push((condition, self.block(body, nesting + 1)));
        }
        let otherwise = self.dice.chance(50).then(|| self.block(body, nesting + 1));
        Statement::If(arms, otherwise)
    }

    /// A condition, with or without parentheses around it.
    fn condition(&mut self, body: &Body<'_>) -> String {
        let made = expression(&mut self.dice, body.scope(), Type::Bool, self.shape.depth);
        if self.dice.chance(50) { format!("({})", made.text) } else { made.text }
    }

    fn value(&mut self, body: &Body<'_>, of: Type) -> String {
        expression(&mut self.dice, body.scope(), of, self.shape.depth).text
    }

    fn assignment(&mut self, body: &Body<'_>) -> String {
        let mut targets: Vec<&Variable> = body.variables.iter().collect();
        self.dice.shuffle(&mut targets);
        let most = if self.dice.chance(65) { 1 } else { 1 + self.dice.below(3) };
        targets.truncate(most);
        let mut left: Vec<&str> = targets.iter().map(|variable| variable.name.as_str()).collect();
        let mut right: Vec<String> = targets.iter().map(|variable| self.value(body, variable.of)).collect();
        if left.is_empty() || self.dice.chance(6) {
            left.push("_");
            right.push(self.dropped(body));
        }
        let assignment = format!("{} := {}", left.join(", "), right.join(", "));
        if !self.dice.chance(25) {
            return assignment;
        }
        let scope = Scope { primes: true, ..body.scope() };
        let condition = expression(&mut self.dice, scope, Type::Bool, self.shape.depth);
        format!("{assignment} constrain {}", condition.text)
    }

    /// An expression where every type is welcome.
    fn dropped(&mut self, body: &Body<'_>) -> String {
        if self.dice.chance(30) {
            return self.dice.pick(&["*", "?", "0", "1", "2", "7"]).to_owned();
        }
        let of = match body.variables {
            [] => return "T".to_owned(),
            variables => variables[self.dice.below(variables.len())].of,
        };
        if of == Type::Bool {
            return self.value(body, of);
        }
        let fitting: Vec<&Variable> = body.variables.iter().filter(|variable| variable.of == of).collect();
        fitting[self.dice.below(fitting.len())].name.clone()
    }

    pub(super) fn call(&mut self, body: &Body<'_>) -> String {
        let Some(callee) = self.callee(body.signature) else {
            return "skip".to_owned();
        };
        let arguments = self.arguments(body, &callee);
        let word = if self.dice.chance(25) { "call " } else { "" };
        let call = format!("{word}{}({arguments})", callee.name);
        if callee.results.is_empty() || self.dice.chance(15) {
            return call;
        }
        let mut free: Vec<&Variable> = body.variables.iter().collect();
        self.dice.shuffle(&mut free);
        let mut targets = Vec::new();
        for of in callee.results {
            let fitting = free.iter().position(|variable| variable.of == of);
            match fitting {
                Some(position) if self.dice.chance(90) => {
                    targets.push(free.remove(position).name.as_str());
                }
                _ => targets.push("_"),
            }
        }
        format!("{} := {call}", targets.join(", "))
    }

    pub(super) fn arguments(&mut self, body: &Body<'_>, callee: &Signature) -> String {
        let arguments: Vec<String> =
            callee.parameters.iter().map(|parameter| self.value(body, parameter.of)).collect();
        arguments.join(", ")
    }

    /// Mostly a function further on: too much recursion without an end would leave little that is reached.
    pub(super) fn callee(&mut self, caller: &Signature) -> Option<Signature> {
        let caller = self.functions.iter().position(|function| function.name == caller.name);
        let later = caller.map_or(0, |caller| caller + 1);
        let least = if self.dice.chance(100 - self.recursion) { later } else { 0 };
        let choices = self.functions.get(least..).filter(|choices| !choices.is_empty())?;
        Some(choices[self.dice.below(choices.len())].clone())
    }

    fn restriction(&mut self, body: &Body<'_>) -> String {
        let word = self.dice.pick(&["assume", "assume", "assert", "constrain"]);
        format!("{word} {}", self.condition(body))
    }

    fn exit(&mut self, body: &Body<'_>) -> String {
        if body.signature.results.is_empty() || self.dice.chance(20) {
            return "return".to_owned();
        }
        self.return_values(body)
    }

    pub(super) fn return_values(&mut self, body: &Body<'_>) -> String {
        let values: Vec<String> = body.signature.results.iter().map(|&of| self.value(body, of)).collect();
        format!("return {}", values.join(", "))
    }

    fn small(&mut self, body: &Body<'_>) -> String {
        match self.dice.below(8) {
            0 if !body.variables.is_empty() => {
                let mut names: Vec<&str> =
                    body.variables.iter().map(|variable| variable.name.as_str()).collect();
                self.dice.shuffle(&mut names);
                names.truncate(1 + self.dice.below(2));
                format!("dead {}", names.join(", "))
            }
            1 => {
                let n_printed = self.dice.below(3);
                let printed: Vec<String> = (0..n_printed).map(|_| self.dropped(body)).collect();
                format!("print({})", printed.join(", "))
            }
            2 => self.dice.pick(&["atomic_begin", "atomic_end"]).to_owned(),
            3..=5 => self.assignment(body),
            _ => "skip".to_owned(),
        }
    }
}

pub(super) fn new_label(body: &mut Body<'_>) -> String {
    body.n_labels += 1;
    format!("L{}", body.n_labels - 1)
}

/// A `return` at the end of a body.
pub fn last(text: String) -> Labelled {
    Labelled { labels: Vec::new(), statement: Statement::Simple(text) }
}

/// How many statements there are, those inside others included.
pub fn count(block: &[Labelled]) -> usize {
    let inside = |labelled: &Labelled| match &labelled.statement {
        Statement::If(arms, otherwise) => {
            let arms: usize = arms.iter().map(|(_, block)| count(block)).sum();
            arms + otherwise.as_deref().map_or(0, count)
        }
        Statement::While(_, block) | Statement::Atomic(block) => count(block),
        _ => 0,
    };
    block.iter().map(|labelled| 1 + inside(labelled)).sum()
}

/// Adds a label to the statement with this number, in the order of the text.
pub fn add_label(block: &mut [Labelled], number: &mut usize, label: &str) {
    for labelled in block {
        if *number == 0 {
            labelled.labels.push(label.to_owned());
        }
        // Wraps once the label has been placed, and stays far from 0 for the rest of the program.
        *number = number.wrapping_sub(1);
        match &mut labelled.statement {
            Statement::If(arms, otherwise) => {
                arms.iter_mut().for_each(|(_, block)| add_label(block, number, label));
                otherwise.iter_mut().for_each(|block| add_label(block, number, label));
            }
            Statement::While(_, block) | Statement::Atomic(block) => add_label(block, number, label),
            _ => {}
        }
    }
}

/// The labels of a function that a jump may lead to.
pub struct Targets {
    n_labels: usize,
    /// Those outside atomic blocks.
    outside: Vec<String>,
}

impl Targets {
    /// Of a body with labels `L0`, `L1` and so on, so many of them.
    pub fn new(body: &[Labelled], n_labels: usize) -> Self {
        let mut targets = Self { n_labels, outside: Vec::new() };
        targets.add(body);
        targets
    }

    fn add(&mut self, block: &[Labelled]) {
        for labelled in block {
            // `ERROR` has been added to one statement, and is no target of jumps.
            self.outside.extend(labelled.labels.iter().filter(|label| label.starts_with('L')).cloned());
            match &labelled.statement {
                Statement::If(arms, otherwise) => {
                    arms.iter().for_each(|(_, block)| self.add(block));
                    otherwise.iter().for_each(|block| self.add(block));
                }
                Statement::While(_, block) => self.add(block),
                _ => {}
            }
        }
    }
}

/// Writes a block; the last semicolon may be missing, and that of a compound statement always may.
pub fn write(page: &mut Page, dice: &mut Dice, block: &[Labelled], targets: &Targets) {
    for (i, labelled) in block.iter().enumerate() {
        let mut labels = String::new();
        labelled.labels.iter().for_each(|label| labels.push_str(&format!("{label}: ")));
        let is_last = i + 1 == block.len();
        let end = if is_last && dice.chance(15) { "" } else { ";" };
        let maybe = dice.pick(&["", ";"]);
        match &labelled.statement {
            Statement::Simple(text) => page.line(format!("{labels}{text}{end}")),
            Statement::Goto(choices) => {
                let chosen: Vec<String> =
                    choices.iter().map(|choice| format!("L{}", choice % targets.n_labels)).collect();
                page.line(format!("{labels}goto {}{end}", chosen.join(", ")));
            }
            Statement::StartGoto(choice) => {
                let text = match targets.outside.len() {
                    0 => "skip".to_owned(),
                    n => format!("start_thread goto {}", targets.outside[choice % n]),
                };
                page.line(format!("{labels}{text}{end}"));
            }
            Statement::If(arms, otherwise) => {
                for (i, (condition, block)) in arms.iter().enumerate() {
                    match i {
                        0 => page.open(format!("{labels}if {condition} then")),
                        _ => page.turn(format!("elsif {condition} then")),
                    }
                    write(page, dice, block, targets);
                }
                if let Some(block) = otherwise {
                    page.turn("else");
                    write(page, dice, block, targets);
                }
                page.close(format!("fi{maybe}"));
            }
            Statement::While(condition, block) => {
                page.open(format!("{labels}while {condition} do"));
                write(page, dice, block, targets);
                page.close(format!("od{maybe}"));
            }
            Statement::Atomic(block) => {
                page.open(format!("{labels}atomic begin"));
                write(page, dice, block, targets);
                page.close(format!("end{maybe}"));
            }
            Statement::Nothing => page.line(labels.trim_end()),
        }
    }
}
