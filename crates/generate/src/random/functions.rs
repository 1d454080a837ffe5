//! Declarations and functions.

use super::expressions::{Scope, expression};
use super::statements::{self, Body, Labelled, Targets};
use super::types::{Type, Variable, variables};
use super::{Generator, Setting};
use crate::dice::Dice;
use crate::page::Page;

/// Names of globals, among them one made of a predicate. Each line of names is used from its front.
const GLOBALS: [&[&str]; 3] = [&["a", "{x>0}", "n"], &["{*p==q}", "m.lock", "a"], &["g", "h$1", "n"]];

/// Names of locals; some hide a global.
const LOCALS: [&[&str]; 3] = [&["x", "y", "z"], &["{i<=j}", "a", "x"], &["n", "t", "u.v"]];

/// What a caller must know.
#[derive(Clone)]
pub struct Signature {
    pub name: String,
    pub parameters: Vec<Variable>,
    pub results: Vec<Type>,
}

/// A function that is complete but for its text.
pub(super) struct Function {
    signature: Signature,
    locals: Vec<Variable>,
    enforce: Option<String>,
    body: Vec<Labelled>,
    n_labels: usize,
}

impl Generator {
    /// The globals and what is known of them at first.
    pub(super) fn declare(&mut self, page: &mut Page) {
        let names = self.dice.pick(&GLOBALS);
        self.globals = variables(&mut self.dice, names, self.shape.global_bits);
        declarations(page, &mut self.dice, &self.globals);
        let n_conditions = self.dice.pick(&[0, 0, 0, 1, 1, 2]);
        match self.setting {
            Setting::Sequential => self.restrict(page, n_conditions),
            _ => self.initialise(page),
        }
    }

    /// Gives most globals a value: with any values at first, nobody would have to wait for another thread.
    fn initialise(&mut self, page: &mut Page) {
        for global in self.globals.clone() {
            if self.dice.chance(80) {
                page.line(format!("init {} = {};", global.name, global.of.first()));
            }
        }
        let n_conditions = self.dice.chance(5).into();
        self.restrict(page, n_conditions);
    }

    /// So many conditions on the globals in sight.
    pub(super) fn restrict(&mut self, page: &mut Page, n_conditions: usize) {
        for _ in 0..n_conditions {
            let scope = Scope { variables: &self.globals, primes: false };
            page.line(format!("init {};", expression(&mut self.dice, scope, Type::Bool, 1).text));
        }
    }

    /// The functions, one of which holds the label `ERROR`.
    pub(super) fn define(&mut self, page: &mut Page) {
        let mut functions = self.make_functions();
        self.ask(&mut functions);
        self.dice.shuffle(&mut functions);
        functions.iter().for_each(|function| self.write(page, function));
    }

    /// `main` and what it calls.
    pub(super) fn make_functions(&mut self) -> Vec<Function> {
        self.functions.clear();
        let n_functions = self.dice.below(self.shape.n_functions + 1);
        for i in 0..n_functions {
            let signature = self.signature(i);
            self.functions.push(signature);
        }
        let mut functions: Vec<Function> = Vec::new();
        let results = if self.dice.chance(90) { Vec::new() } else { vec![Type::Bool] };
        functions.push(self.function(Signature { name: "main".to_owned(), parameters: Vec::new(), results }));
        for signature in self.functions.clone() {
            functions.push(self.function(signature));
        }
        functions
    }

    /// Puts the label `ERROR` into one of the functions.
    pub(super) fn ask(&mut self, functions: &mut [Function]) {
        let holder = self.dice.below(functions.len());
        let body = &mut functions[holder].body;
        // A statement in the second half is less often reached for no reason.
        let n_statements = statements::count(body);
        let mut number = n_statements / 2 + self.dice.below(n_statements - n_statements / 2);
        statements::add_label(body, &mut number, "ERROR");
    }

    fn signature(&mut self, i: usize) -> Signature {
        let bits = self.shape.local_bits.div_ceil(2);
        let names: &[&str] = self.dice.pick(&[&["p"], &["p", "q"], &[], &["{p!=q}", "q"]]);
        let parameters = variables(&mut self.dice, names, bits);
        let n_results = self.dice.pick(&[0, 0, 1, 1, 1, 2, 2, 3]);
        let same = self.dice.chance(50);
        let results = (0..n_results).map(|_| if same { Type::Bool } else { Type::random(&mut self.dice, 2) });
        let results = results.collect();
        Signature { name: format!("f{i}"), parameters, results }
    }

    fn function(&mut self, signature: Signature) -> Function {
        let used: usize = signature.parameters.iter().map(|parameter| parameter.of.bits()).sum();
        let names = self.dice.pick(&LOCALS);
        let names = &names[..names.len() - signature.parameters.len().min(names.len())];
        let n_names = self.dice.below(names.len() + 1);
        let locals = variables(&mut self.dice, &names[..n_names], self.shape.local_bits.saturating_sub(used));
        let mut visible: Vec<Variable> = signature.parameters.iter().chain(&locals).cloned().collect();
        let shown = |global: &&Variable| visible.iter().all(|inner| inner.name != global.name);
        let globals: Vec<Variable> = self.globals.iter().filter(shown).cloned().collect();
        visible.extend(globals);
        let enforced = if self.setting == Setting::Sequential { 10 } else { 4 };
        let enforce = self.dice.chance(enforced).then(|| {
            let scope = Scope { variables: &visible, primes: false };
            expression(&mut self.dice, scope, Type::Bool, 2).text
        });
        let budget = 1 + self.shape.n_statements / 2 + self.dice.below(self.shape.n_statements);
        let mut body = Body { signature: &signature, variables: &visible, n_labels: 0, budget };
        let mut block = self.block(&mut body, 0);
        if self.setting == Setting::Started && signature.name == "main" {
            // Without it, many programs would be sequential.
            let start = self.start_thread(&mut body);
            block.insert(self.dice.below(block.len().div_ceil(2) + 1), start);
        }
        if !signature.results.is_empty() && self.dice.chance(75) {
            let text = self.return_values(&body);
            block.push(statements::last(text));
        }
        let n_labels = body.n_labels;
        Function { signature, locals, enforce, body: block, n_labels }
    }

    pub(super) fn write(&mut self, page: &mut Page, function: &Function) {
        let Signature { name, parameters, results } = &function.signature;
        let parameters: Vec<String> =
            parameters.iter().map(|parameter| parameter.declaration(&mut self.dice)).collect();
        page.line("");
        page.line(format!("{} {name}({})", self.result_types(results), parameters.join(", ")));
        page.open("begin");
        declarations(page, &mut self.dice, &function.locals);
        if let Some(condition) = &function.enforce {
            page.line(format!("enforce {condition};"));
        }
        let targets = Targets::new(&function.body, function.n_labels);
        statements::write(page, &mut self.dice, &function.body, &targets);
        page.close("end");
    }

    /// One of the spellings of the types of the results.
    fn result_types(&mut self, results: &[Type]) -> String {
        let all_bool = results.iter().all(|&of| of == Type::Bool);
        match results {
            [] => "void".to_owned(),
            [of] if self.dice.chance(70) => of.to_string(),
            _ if all_bool && self.dice.chance(60) => format!("bool<{}>", results.len()),
            _ => {
                let types: Vec<String> = results.iter().map(Type::to_string).collect();
                format!("<{}>", types.join(", "))
            }
        }
    }
}

/// Variables on one line, or on several.
pub(super) fn declarations(page: &mut Page, dice: &mut Dice, variables: &[Variable]) {
    let together = dice.chance(50);
    let declared: Vec<String> = variables.iter().map(|variable| variable.declaration(dice)).collect();
    if together && !declared.is_empty() {
        page.line(format!("decl {};", declared.join(", ")));
        return;
    }
    declared.iter().for_each(|variable| page.line(format!("decl {variable};")));
}
