//! States of an automaton in words: what the formula that is violated still waits for.
//!
//! The automaton accepts what violates a formula, so that its obligations are what the formula must not see: from a state in which `G x` has
//! to hold on, the formula waits for `!x`. Contract: equal obligations have equal words.

use crate::normal::{Normal, NormalId, Normals};

/// How a formula is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Plain,
    Negated,
}

/// What has to hold for a run to be accepted from a state on, told to whoever looks at the violated formula.
pub(crate) fn words(normals: &Normals, obligations: &[NormalId], propositions: &[String]) -> String {
    let writer = Writer { normals, propositions };
    let obligations = &writer.each(obligations);
    let is_once = |id: &&NormalId| !writer.is_again_and_again(**id);
    let once: Vec<String> = obligations.iter().filter(is_once).filter_map(|id| writer.awaited(*id)).collect();
    let awaited = match once.is_empty() {
        true => obligations.iter().filter_map(|id| writer.awaited(*id)).collect(),
        false => once,
    };
    // Whichever of them comes, this state no longer tells what goes on.
    let waiting = (!awaited.is_empty()).then(|| format!("waiting for {}", awaited.join(" or ")));
    let others = obligations.iter().filter_map(|id| writer.obligation(*id));
    let parts: Vec<String> = waiting.into_iter().chain(others).collect();
    match (obligations.is_empty(), parts.is_empty()) {
        (true, _) => "violated".to_owned(),
        (false, true) => "watching".to_owned(),
        (false, false) => parts.join(" and "),
    }
}

struct Writer<'a> {
    normals: &'a Normals,
    propositions: &'a [String],
}

impl Writer<'_> {
    fn normal(&self, id: NormalId) -> Normal {
        self.normals.all[id.index()]
    }

    /// Of what has to hold together each by itself.
    fn each(&self, obligations: &[NormalId]) -> Vec<NormalId> {
        let mut todo: Vec<NormalId> = obligations.iter().rev().copied().collect();
        let mut parts = Vec::new();
        while let Some(id) = todo.pop() {
            match self.normal(id) {
                Normal::And(a, b) => todo.extend([b, a]),
                _ if !parts.contains(&id) => parts.push(id),
                _ => {}
            }
        }
        parts
    }

    /// What has to stay away.
    fn awaited(&self, id: NormalId) -> Option<String> {
        match self.normal(id) {
            Normal::Release(a, b) if self.normal(a) == Normal::Constant(false) => {
                Some(format!("`{}`", self.text(b, Sense::Negated)))
            }
            Normal::Release(a, b) => {
                let (missing, end) = (self.text(b, Sense::Negated), self.text(a, Sense::Plain));
                Some(format!("`{missing}` before `{end}`"))
            }
            _ => None,
        }
    }

    /// What has to happen again and again: that it goes on like that is told only if the formula waits for nothing else.
    fn is_again_and_again(&self, id: NormalId) -> bool {
        let is = |id: NormalId, value: bool| self.normal(id) == Normal::Constant(value);
        let Normal::Release(never, inner) = self.normal(id) else { return false };
        is(never, false) && matches!(self.normal(inner), Normal::Until(always, _) if is(always, true))
    }

    /// Nothing is said of what has to happen some time: that it has not yet is no news.
    fn obligation(&self, id: NormalId) -> Option<String> {
        match self.normal(id) {
            Normal::Release(..) => None,
            Normal::Until(a, _) if self.normal(a) == Normal::Constant(true) => None,
            Normal::Until(a, b) => {
                Some(format!("`{}` until `{}`", self.text(a, Sense::Plain), self.text(b, Sense::Plain)))
            }
            Normal::Constant(true) => None,
            _ => Some(format!("now `{}`", self.text(id, Sense::Plain))),
        }
    }

    /// A formula as it is written. A list stands in for recursion, since formulas may be nested deeply.
    fn text(&self, id: NormalId, sense: Sense) -> String {
        enum Todo {
            Word(&'static str),
            Formula(NormalId, Sense),
            Operand(NormalId, Sense),
        }
        let mut out = String::new();
        let mut todo = vec![Todo::Formula(id, sense)];
        while let Some(next) = todo.pop() {
            let (id, sense) = match next {
                Todo::Word(word) => {
                    out.push_str(word);
                    continue;
                }
                Todo::Operand(id, sense) if self.is_binary(id) => {
                    todo.extend([Todo::Word(")"), Todo::Formula(id, sense), Todo::Word("(")]);
                    continue;
                }
                Todo::Formula(id, sense) | Todo::Operand(id, sense) => (id, sense),
            };
            let (a, operator, b) = match (self.normal(id), sense) {
                (Normal::Constant(value), sense) => {
                    out.push_str(if value == (sense == Sense::Plain) { "T" } else { "F" });
                    continue;
                }
                (Normal::Literal(n, value), sense) => {
                    let not = if value == (sense == Sense::Plain) { "" } else { "!" };
                    let text = &self.propositions[n as usize];
                    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:$[]".contains(&byte);
                    let atom = text.strip_suffix(')').map_or(text.as_str(), |atom| atom);
                    let is_simple = atom.bytes().all(|byte| is_word(byte) || byte == b'(');
                    let is_bracketed = !not.is_empty() && !is_simple;
                    out.push_str(&if is_bracketed { format!("!({text})") } else { format!("{not}{text}") });
                    continue;
                }
                (Normal::Next(a), sense) => {
                    todo.extend([Todo::Operand(a, sense), Todo::Word("X ")]);
                    continue;
                }
                (Normal::Until(a, b), sense) if self.normal(a) == Normal::Constant(true) => {
                    let word = if sense == Sense::Plain { "F " } else { "G " };
                    todo.extend([Todo::Operand(b, sense), Todo::Word(word)]);
                    continue;
                }
                (Normal::Release(a, b), sense) if self.normal(a) == Normal::Constant(false) => {
                    let word = if sense == Sense::Plain { "G " } else { "F " };
                    todo.extend([Todo::Operand(b, sense), Todo::Word(word)]);
                    continue;
                }
                (Normal::And(a, b), Sense::Plain) | (Normal::Or(a, b), Sense::Negated) => (a, " & ", b),
                (Normal::Or(a, b), Sense::Plain) | (Normal::And(a, b), Sense::Negated) => (a, " | ", b),
                (Normal::Until(a, b), Sense::Plain) | (Normal::Release(a, b), Sense::Negated) => {
                    (a, " U ", b)
                }
                (Normal::Release(a, b), Sense::Plain) | (Normal::Until(a, b), Sense::Negated) => {
                    (a, " R ", b)
                }
            };
            todo.extend([Todo::Operand(b, sense), Todo::Word(operator), Todo::Operand(a, sense)]);
        }
        out
    }

    fn is_binary(&self, id: NormalId) -> bool {
        match self.normal(id) {
            Normal::And(..) | Normal::Or(..) => true,
            Normal::Until(a, _) => self.normal(a) != Normal::Constant(true),
            Normal::Release(a, _) => self.normal(a) != Normal::Constant(false),
            Normal::Constant(_) | Normal::Literal(..) | Normal::Next(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::automaton::told;
    use base::Sources;

    /// The words of the states of what violates a formula.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut sources = Sources::default();
        let file = sources.add("formula", text);
        let mut formula = crate::parse(&sources, file).expect("the formula is right");
        formula.negate();
        let told = told(&formula).expect("the formula is small");
        let propositions: Vec<String> =
            formula.propositions.iter().map(|span| sources.text(*span).trim().to_owned()).collect();
        let words: Vec<String> = told
            .obligations
            .iter()
            .map(|obligations| super::words(&told.normals, obligations, &propositions))
            .collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn a_state_says_what_the_formula_waits_for() {
        check("G (locked -> F !locked)", &["watching", "waiting for `!locked`"]);
        check("F x", &["waiting for `x`"]);
        check("G F at(L)", &["watching", "waiting for `at(L)`"]);
        check("F G x", &["waiting for `G x`", "waiting for `G x`"]);
        check("G x", &["watching", "violated"]);
        check("a U b", &["waiting for `b` before `!a`", "violated"]);
        check("F (x & (y | z = 1))", &["waiting for `x & (y | z = 1)`"]);
        check("G (x -> X y)", &["watching", "now `!y`", "violated"]);
        let words = ["waiting for `G !x`", "waiting for `G !x`", "waiting for `y`", "waiting for `y`"];
        check("G F x -> G F y", &words);
        check("F x | F G y", &["waiting for `x`", "waiting for `x`"]);
        check("F x | F y", &["waiting for `x` or `y`"]);
    }
}
