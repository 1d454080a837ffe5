//! Derivations for people: tuples, clauses by their place, and what they rest on. In terms of a program places and values are told instead of
//! numbers and bits, and facts about the program are not steps of their own: they are part of what the step that uses them rests on.

use crate::terms::Cell;
use base::Span;
use calculus::system::{RelationId, System, Term, VarId};
use solver::{Choice, DerivationStep, Explanation, Premise};
use std::sync::Arc;

/// More tuples of an answer that rests on no run are only counted.
const MOST: usize = 24;

/// The same where choices are followed.
const MOST_WITH_CHOICES: usize = 60;

/// A tuple and why it is in its relation, or why it is not.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The tuple.
    pub fact: String,
    /// The number of the clause and where it is written; none of a fact about the program.
    pub clause: Option<(usize, Span)>,
    /// The values of the clause's existential variables.
    pub choice: Vec<(String, Cell)>,
    /// What it rests on.
    pub basis: Basis,
}

/// What a reason rests on.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    /// The numbers of other reasons, from 1.
    pub uses: Vec<usize>,
    /// The numbers of those that it leads back to, from 1.
    pub again: Vec<usize>,
    /// What else holds.
    pub facts: Vec<Ground>,
}

/// Something that holds and is no reason of its own.
#[derive(Clone, Debug)]
pub struct Ground {
    /// What it is.
    pub text: String,
    /// A fact that comes from outside as the clause has it: `ProgramInt(s, v)`.
    written: Option<String>,
    /// The values of its variables.
    pub values: Vec<(String, Cell)>,
    /// If it is said of all values of some variables: the first of these that matter.
    pub replies: Vec<Reply>,
    /// There are more.
    pub is_cut: bool,
}

/// Values that may be chosen, and why what is said of all holds for them.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The values.
    pub choice: Vec<(String, Cell)>,
    /// The values that are the answer to it.
    pub answer: Vec<(String, Cell)>,
    /// What it rests on.
    pub basis: Basis,
}

/// How tuples and values are told.
pub trait Tell {
    /// The system they are of.
    fn system(&self) -> &System;
    /// A tuple of a relation.
    fn tuple(&self, relation: RelationId, tuple: &[u32]) -> String;
    /// Values of variables of a clause.
    fn valuation(&self, values: &[(VarId, u32)]) -> Vec<(String, Cell)>;
    /// A relation comes from outside.
    fn is_given(&self, relation: RelationId) -> bool;
}

/// What becomes of facts that come from outside and that the query itself uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facts {
    /// They are reasons, too.
    Reasons,
    /// They are left out.
    Untold,
}

/// In terms of the formula alone.
struct Plain<'a>(&'a System);

impl Tell for Plain<'_> {
    fn system(&self) -> &System {
        self.0
    }

    /// `Reach(goal)`, or with records `Reach(s.pc = 3, s.x = true)`.
    fn tuple(&self, relation: RelationId, tuple: &[u32]) -> String {
        let relation = self.0.relation(relation);
        let scalar = relation.columns.iter().all(|column| self.0.vars[column.index()].path.is_empty());
        let argument = |(&column, &value): (&VarId, &u32)| {
            let value = self.0.sort_of(column).value_name(value);
            if scalar { value } else { format!("{} = {value}", self.0.var_name(column)) }
        };
        let arguments: Vec<String> = relation.columns.iter().zip(tuple).map(argument).collect();
        format!("{}({})", relation.name, arguments.join(", "))
    }

    fn valuation(&self, values: &[(VarId, u32)]) -> Vec<(String, Cell)> {
        let is_internal = |var: VarId| {
            let binder = self.0.vars[var.index()].binder;
            self.0.binders[binder.index()].name.starts_with('$')
        };
        let named = values.iter().filter(|value| !is_internal(value.0));
        named
            .map(|&(var, value)| (self.0.var_name(var), Cell::Value(self.0.sort_of(var).value_name(value))))
            .collect()
    }

    fn is_given(&self, _: RelationId) -> bool {
        false
    }
}

/// `s.bit[0] = true, s.bit[1] = false`, or with states `u = main, line 3; v = main, line 7: x = T`.
pub fn listed(valuation: &[(String, Cell)]) -> String {
    let parts: Vec<String> = valuation.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let has_states = valuation.iter().any(|(_, value)| matches!(value, Cell::State(_)));
    parts.join(if has_states { "; " } else { ", " })
}

/// The reasons of a derivation in terms of the formula alone.
pub fn plain_reasons(system: &System, derivation: &Explanation) -> Vec<Reason> {
    reasons(&Plain(system), derivation, Facts::Reasons)
}

/// The reasons of a derivation. Facts that come from outside are among them only if the query itself uses them.
pub fn reasons(tell: &dyn Tell, derivation: &Explanation, facts: Facts) -> Vec<Reason> {
    let is_fact = |step: usize| tell.is_given(derivation.steps[step].relation);
    let is_used = |step: &usize| facts == Facts::Reasons && derivation.roots.contains(step);
    let told = (0..derivation.steps.len()).filter(|step| !is_fact(*step) || is_used(step));
    let told: Vec<usize> = told.collect();
    let mut numbers = vec![None; derivation.steps.len()];
    told.iter().enumerate().for_each(|(n, step)| numbers[*step] = Some(n + 1));
    let teller = Teller { tell, derivation, numbers };
    let reason = |at: &usize| {
        let step = &derivation.steps[*at];
        Reason {
            fact: teller.tuple(*at),
            clause: (!is_fact(*at)).then_some((step.clause, step.span)),
            choice: choice(tell, step),
            basis: teller.basis(&step.premises, &step.links.terms),
        }
    };
    told.iter().map(reason).collect()
}

struct Teller<'a> {
    tell: &'a dyn Tell,
    derivation: &'a Explanation,
    /// The numbers of the steps that are reasons.
    numbers: Vec<Option<usize>>,
}

impl Teller<'_> {
    fn tuple(&self, step: usize) -> String {
        let step = &self.derivation.steps[step];
        let sign = if step.is_absent { "!" } else { "" };
        format!("{sign}{}", self.tell.tuple(step.relation, &step.tuple))
    }

    /// What premises are, with the terms of the clause that stand for their columns, if there are such.
    fn basis(&self, premises: &[Premise], terms: &[Arc<[Term]>]) -> Basis {
        let mut basis = Basis::default();
        for (n, premise) in premises.iter().enumerate() {
            match premise {
                Premise::Step(to) => match self.numbers[*to] {
                    Some(number) => basis.uses.push(number),
                    None => basis.facts.push(Ground {
                        written: terms.get(n).map(|terms| self.written(*to, terms)),
                        ..Ground::new(self.tuple(*to))
                    }),
                },
                Premise::Again(to) => basis.again.extend(self.numbers[*to]),
                Premise::Fact(fact) => basis.facts.push(Ground {
                    replies: fact.choices.iter().map(|choice| self.reply(choice)).collect(),
                    is_cut: fact.is_cut,
                    values: self.tell.valuation(&fact.values),
                    ..Ground::new(fact.text.clone())
                }),
            }
        }
        basis
    }

    /// A tuple as a clause has it.
    fn written(&self, step: usize, terms: &[Term]) -> String {
        let (system, step) = (self.tell.system(), &self.derivation.steps[step]);
        let relation = system.relation(step.relation);
        let (mut at, mut arguments) = (0, Vec::new());
        for param in &relation.params {
            let width = system.binders[param.index()].leaves.len();
            let own = terms.get(at..at + width).unwrap_or_default();
            at += width;
            arguments.push(match own.first() {
                Some(Term::Var(var)) => system.binders[system.vars[var.index()].binder.index()].name.as_str(),
                Some(Term::Value(_)) | None => "…",
            });
        }
        format!("{}({})", relation.name, arguments.join(", "))
    }

    fn reply(&self, choice: &Choice) -> Reply {
        Reply {
            choice: self.tell.valuation(&choice.values),
            answer: self.tell.valuation(&choice.answer),
            basis: self.basis(&choice.premises, &[]),
        }
    }
}

impl Ground {
    fn new(text: String) -> Self {
        Self { text, written: None, values: Vec::new(), replies: Vec::new(), is_cut: false }
    }

    /// What it is, with the values.
    pub fn full_text(&self) -> String {
        match self.values.is_empty() {
            true => self.text.clone(),
            false => format!("{} where {}", self.text, listed(&self.values)),
        }
    }
}

impl Basis {
    /// `, from 2, 3, and 1 again, since …`; then a line for each choice.
    pub fn text(&self, indent: &str) -> String {
        self.told(indent, &|fact| Some(fact.full_text()))
    }

    fn told(&self, indent: &str, text: &dyn Fn(&Ground) -> Option<String>) -> String {
        let numbers = |list: &[usize]| list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let mut out = String::new();
        if !self.uses.is_empty() {
            out += &format!(", from {}", numbers(&self.uses));
        }
        if !self.again.is_empty() {
            out += &format!(", and {} again", numbers(&self.again));
        }
        let texts: Vec<String> = self.facts.iter().filter_map(text).collect();
        if !texts.is_empty() {
            out += &format!(", since {}", texts.join("; "));
        }
        for fact in self.facts.iter().filter(|fact| !fact.replies.is_empty() || fact.is_cut) {
            for reply in &fact.replies {
                out += &format!("\n{indent}if {}", listed(&reply.choice));
                if !reply.answer.is_empty() {
                    out += &format!(", with {}", listed(&reply.answer));
                }
                out += &reply.basis.told(&format!("{indent}  "), text);
            }
            if fact.is_cut {
                out += &format!("\n{indent}and so on for others");
            }
        }
        out
    }

    /// Some choice is followed.
    fn has_replies(&self) -> bool {
        self.facts.iter().any(|fact| !fact.replies.is_empty())
    }
}

/// The derivation follows some choice.
pub fn follows_choices(derivation: &Explanation) -> bool {
    let follows = |premise: &Premise| matches!(premise, Premise::Fact(fact) if !fact.choices.is_empty());
    derivation.steps.iter().any(|step| step.premises.iter().any(follows))
}

/// More reasons than this are not kept to be looked at.
const MOST_KEPT: usize = 2000;

/// The reasons of the derivation of an answer that rests on no run; of a long one the first, which are those that the answer rests on itself.
pub fn kept(tell: &dyn Tell, derivation: &Explanation) -> Vec<Reason> {
    let mut kept = reasons(tell, derivation, Facts::Untold);
    kept.truncate(MOST_KEPT);
    kept
}

/// The lines of the derivation of an answer that rests on no run.
pub fn lines(tell: &dyn Tell, derivation: &Explanation) -> Vec<String> {
    let reasons = reasons(tell, derivation, Facts::Untold);
    if reasons.iter().any(|reason| reason.basis.has_replies()) {
        return numbered(&reasons);
    }
    let mut lines: Vec<String> = Vec::new();
    for reason in reasons.iter().take(MOST) {
        // The values are those of the line.
        let facts: Vec<&str> = reason.basis.facts.iter().map(|fact| fact.text.as_str()).collect();
        let since = if facts.is_empty() { String::new() } else { format!(", since {}", facts.join(" and ")) };
        lines.push(format!("{}{since}", reason.fact));
    }
    if reasons.len() > MOST {
        lines.push(format!("… and {} more", reasons.len() - MOST));
    }
    lines
}

/// The lines where choices lead from one tuple to several.
fn numbered(reasons: &[Reason]) -> Vec<String> {
    // The values are those of the line, and what is said of all is told by its choices.
    let text = |fact: &Ground| {
        let text = fact.written.as_ref().unwrap_or(&fact.text);
        fact.replies.is_empty().then(|| text.clone())
    };
    let mut lines: Vec<String> = Vec::new();
    for (n_told, reason) in reasons.iter().enumerate() {
        if lines.len() >= MOST_WITH_CHOICES {
            lines.push(format!("… and {} more", reasons.len() - n_told));
            break;
        }
        let told = format!("{}. {}{}", n_told + 1, reason.fact, reason.basis.told("     ", &text));
        lines.extend(told.lines().map(str::to_owned));
    }
    lines
}

/// The values of a clause's own variables.
fn choice(tell: &dyn Tell, step: &DerivationStep) -> Vec<(String, Cell)> {
    let columns = &tell.system().relation(step.relation).columns;
    let own = step.links.values.iter().copied().filter(|value| !columns.contains(&value.0));
    tell.valuation(&own.collect::<Vec<(VarId, u32)>>())
}
