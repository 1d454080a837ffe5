//! Deciding whether a certificate is a proof.
//!
//! Each node of live code has a set of states: the certificate's, if it names the node, otherwise what steps lead to it so
//! far. A work list takes every node with states and follows its edges: into a named node no new state may come, at any
//! other node new states are added. When nothing is left to do, all sets together are closed under the steps of the program.

use crate::claims::Claims;
use crate::conditions::{Conditions, initial};
use crate::diagrams::{Diagrams, Program};
use crate::layout::{Layout, Version};
use crate::modified::Modified;
use crate::names::Names;
use crate::outcome::{Fault, Outcome, outcome, refuse};
use crate::read::Certificate;
use crate::step::{self, Call};
use crate::{rows, rows::Rows};
use base::{Sources, Span, Stop, StopReason};
use dd::Bdd;
use rsm::{Action, Edge, Goal, ModuleId, NodeId, Rsm};
use std::collections::BTreeSet;

/// How much there was to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Points that the certificate names, in code that a run may get to.
    pub n_named: usize,
    /// Points that it does not name and that have states.
    pub n_recomputed: usize,
    /// Edges that were followed, counted each time.
    pub n_steps: u64,
    /// The most nodes of diagrams there ever were.
    pub peak_nodes: usize,
}

/// Decides whether a certificate proves that a program reaches none of the goals.
///
/// The sources are only used to say which line a refusal is about. An error says that the question was not decided, because of
/// `stop` or because diagrams would have taken more than `memory` bytes.
pub fn validate(
    rsm: &Rsm,
    sources: &Sources,
    goals: &[Goal],
    certificate: &Certificate,
    stop: &Stop,
    memory: Option<u64>,
) -> Result<Outcome<Figures>, StopReason> {
    let figures = |validator: Validator<'_>| Ok(validator.figures());
    outcome(closed(rsm, sources, goals, certificate, stop, memory, figures))
}

/// The same, and what is made of the sets that are closed and avoid the goals.
pub(crate) fn closed<T>(
    rsm: &Rsm,
    sources: &Sources,
    goals: &[Goal],
    certificate: &Certificate,
    stop: &Stop,
    memory: Option<u64>,
    told: impl FnOnce(Validator<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let names = Names::new(rsm);
    let claims = Claims::find(rsm, &names, certificate)?;
    let layout = Layout::new(rsm, &claims);
    let modified = Modified::find(rsm, &claims);
    let program = Program { rsm, sources, layout: &layout, modified: &modified };
    let mut validator = Validator {
        program,
        stop,
        diagrams: Diagrams::new(&layout, stop, memory),
        conditions: vec![Conditions::NEVER; rsm.modules.len()],
        points: rsm.modules.iter().map(|module| vec![Known::NOTHING; module.nodes.len()]).collect(),
        ranks: ranks(rsm),
        pending: BTreeSet::new(),
        n_allowed: COLLECT_FROM,
        n_steps: 0,
    };
    for module in (0..rsm.modules.len()).map(ModuleId::new) {
        let own = names.module(module);
        let claim = (module, claims.module(module));
        let rows = rows::build(program, &mut validator.diagrams, certificate, &own, claim)?;
        validator.adopt(module, rows)?;
        validator.make_room();
    }
    validator.start()?;
    validator.close()?;
    for &goal in goals {
        validator.avoids(goal)?;
    }
    told(validator)
}

/// Garbage is not worth collecting before there are so many nodes.
const COLLECT_FROM: usize = 1 << 20;

/// What is known about a point.
#[derive(Clone, Copy)]
struct Known {
    states: Bdd,
    /// The certificate names it, so no states may be added.
    is_named: bool,
}

impl Known {
    const NOTHING: Known = Known { states: Bdd::FALSE, is_named: false };
}

/// Sets of states, in the end closed under the steps of the program.
pub(crate) struct Validator<'a> {
    program: Program<'a>,
    stop: &'a Stop,
    diagrams: Diagrams,
    conditions: Vec<Conditions>,
    points: Vec<Vec<Known>>,
    /// For each module its position in the work list: callees before callers.
    ranks: Vec<u32>,
    pending: BTreeSet<(u32, ModuleId, NodeId)>,
    /// More nodes than this ask for a collection.
    n_allowed: usize,
    n_steps: u64,
}

impl<'a> Validator<'a> {
    pub(crate) fn program(&self) -> Program<'a> {
        self.program
    }
}

impl Validator<'_> {
    /// Takes over what the certificate says about a module, as far as runs may get there.
    fn adopt(&mut self, module: ModuleId, rows: Rows) -> Result<(), Fault> {
        let program = self.program;
        if !program.modified.is_entered(program.rsm, module) {
            return Ok(());
        }
        let conditions = Conditions::new(program, &mut self.diagrams, module, rows.entries)?;
        self.conditions[module.index()] = conditions;
        for (node, row) in rows.nodes {
            let is_live = program.modified.is_live(module, node);
            let known = match (is_live, node == program.rsm.module(module).exit) {
                (false, _) => Bdd::FALSE,
                (true, true) => conditions.at_exit,
                (true, false) => conditions.inside,
            };
            let states = self.diagrams.dd.and(row, known)?;
            self.points[module.index()][node.index()] = Known { states, is_named: true };
            self.enqueue(module, node);
        }
        Ok(())
    }

    /// Checks that the initial states are covered, and puts the entry states of each module at its entry node.
    fn start(&mut self) -> Result<(), Fault> {
        let program = self.program;
        let main = &program.rsm.module(program.rsm.main).name;
        let initial = initial(program, &mut self.diagrams)?;
        let conditions = self.conditions[program.rsm.main.index()];
        if !self.is_covered(initial, conditions)? {
            return refuse(format!("the initial states of `{main}` are not covered"));
        }
        for module in (0..self.conditions.len()).map(ModuleId::new) {
            let shape = program.rsm.module(module);
            let conditions = self.conditions[module.index()];
            let states = conditions.at_first(program, &mut self.diagrams, module)?;
            if !self.add(module, shape.entry, states)? {
                return refuse(format!(
                    "the entry states of `{}` lead out of its summary at line {}",
                    shape.name,
                    self.line(shape.node(shape.entry).span)
                ));
            }
            self.make_room();
        }
        Ok(())
    }

    /// Some entry states are among those of some conditions, apart from those that what it enforces rules out.
    fn is_covered(&mut self, states: Bdd, conditions: Conditions) -> Result<bool, Fault> {
        let dd = &mut self.diagrams.dd;
        let states = dd.and(states, conditions.enforce_at_entry)?;
        Ok(dd.difference(states, conditions.entries)? == Bdd::FALSE)
    }

    /// Works until the sets are closed.
    fn close(&mut self) -> Result<(), Fault> {
        while let Some((_, module, node)) = self.pending.pop_first() {
            if let Some(reason) = self.stop.requested() {
                return Err(Fault::Stopped(reason));
            }
            match self.follow(module, node) {
                // Following a node twice does no harm, so it is worth another try without garbage.
                Err(Fault::Stopped(StopReason::Memory)) => {
                    self.collect();
                    self.follow(module, node)?;
                }
                result => result?,
            }
            self.make_room();
        }
        Ok(())
    }

    /// Follows the edges that leave a node.
    fn follow(&mut self, module: ModuleId, node: NodeId) -> Result<(), Fault> {
        let program = self.program;
        let states = self.states(module, node);
        if states == Bdd::FALSE {
            return Ok(());
        }
        for (_, edge) in program.rsm.module(module).edges_from(node) {
            self.n_steps += 1;
            let reached = match &edge.action {
                Action::Call { callee, args, results } => {
                    let call = Call { caller: module, callee: *callee, args, results };
                    self.call(call, edge, states)?
                }
                action => {
                    let Some(relation) = step::relation(program, &mut self.diagrams, module, action)? else {
                        continue;
                    };
                    let image = match action {
                        Action::Return { .. } => step::exit_image,
                        _ => step::image,
                    };
                    image(program, &mut self.diagrams, module, states, &relation)?
                }
            };
            self.arrive(module, edge, reached)?;
        }
        Ok(())
    }

    /// The states after a call.
    fn call(&mut self, call: Call, edge: &Edge, states: Bdd) -> Result<Bdd, Fault> {
        let program = self.program;
        let diagrams = &mut self.diagrams;
        let arguments = step::arguments(program, diagrams, call)?;
        let entered = step::entered(program, diagrams, call, states, arguments)?;
        let callee = program.rsm.module(call.callee);
        let conditions = self.conditions[call.callee.index()];
        if !self.is_covered(entered, conditions)? {
            return refuse(format!(
                "line {}: the call `{}` enters `{}` in a state that is not covered",
                self.line(edge.span),
                self.text(edge.span),
                callee.name
            ));
        }
        let summary = self.states(call.callee, callee.exit);
        let relation = step::returned(program, &mut self.diagrams, call, arguments, summary)?;
        Ok(step::image(program, &mut self.diagrams, call.caller, states, &relation)?)
    }

    /// Adds the states that an edge leads to.
    fn arrive(&mut self, module: ModuleId, edge: &Edge, mut states: Bdd) -> Result<(), Fault> {
        let shape = self.program.rsm.module(module);
        if edge.to != shape.exit {
            states = self.diagrams.dd.and(states, self.conditions[module.index()].enforce)?;
        }
        if self.add(module, edge.to, states)? {
            return Ok(());
        }
        refuse(format!(
            "line {}: the step `{}` leads out of the summary of `{}` at line {}",
            self.line(edge.span),
            self.text(edge.span),
            shape.name,
            self.line(shape.node(edge.to).span)
        ))
    }

    /// Adds states at a node; the answer is no if the certificate names the node and does not list them.
    fn add(&mut self, module: ModuleId, node: NodeId, states: Bdd) -> Result<bool, Fault> {
        let Known { states: old, is_named } = self.points[module.index()][node.index()];
        if self.diagrams.dd.difference(states, old)? == Bdd::FALSE {
            return Ok(true);
        }
        if is_named {
            return Ok(false);
        }
        self.points[module.index()][node.index()].states = self.diagrams.dd.or(old, states)?;
        if node == self.program.rsm.module(module).exit {
            for &(caller, at) in self.program.modified.callers(module) {
                self.enqueue(caller, at);
            }
        } else {
            self.enqueue(module, node);
        }
        Ok(true)
    }

    fn enqueue(&mut self, module: ModuleId, node: NodeId) {
        self.pending.insert((self.ranks[module.index()], module, node));
    }

    pub(crate) fn diagrams(&mut self) -> &mut Diagrams {
        &mut self.diagrams
    }

    /// Grants so much more work.
    pub(crate) fn grant(&mut self, work: u64) {
        let done = self.diagrams.dd.work();
        self.diagrams.dd.grant(done.saturating_add(work));
    }

    /// The states at a node.
    pub(crate) fn states(&self, module: ModuleId, node: NodeId) -> Bdd {
        self.points[module.index()][node.index()].states
    }

    /// Checks that no states are in a goal.
    fn avoids(&mut self, goal: Goal) -> Result<(), Fault> {
        let program = self.program;
        match goal {
            Goal::At(module, node) => {
                if self.states(module, node) == Bdd::FALSE {
                    return Ok(());
                }
                let shape = program.rsm.module(module);
                let line = self.line(shape.node(node).span);
                refuse(format!("the goal at line {line} of `{}` is covered", shape.name))
            }
            Goal::Failure(module, edge) => {
                let shape = program.rsm.module(module);
                let edge = shape.edge(edge);
                let Action::Assert(condition) = &edge.action else { return Ok(()) };
                let columns = program.layout.columns(module, Version::Current);
                let states = self.states(module, edge.from);
                let Diagrams { dd, encoder, .. } = &mut self.diagrams;
                let (_, fails) = encoder.condition(dd, columns, condition)?;
                if dd.and(states, fails)? == Bdd::FALSE {
                    return Ok(());
                }
                let line = self.line(edge.span);
                refuse(format!("the assertion at line {line} of `{}` fails in a covered state", shape.name))
            }
        }
    }

    pub(crate) fn make_room(&mut self) {
        if self.diagrams.dd.n_nodes() > self.n_allowed {
            self.collect();
        }
    }

    fn collect(&mut self) {
        let conditions = self.conditions.iter().flat_map(|conditions| {
            [
                conditions.entries,
                conditions.enforce,
                conditions.enforce_at_entry,
                conditions.inside,
                conditions.at_exit,
            ]
        });
        let points = self.points.iter().flatten().map(|known| known.states);
        self.diagrams.dd.collect(conditions.chain(points));
        self.n_allowed = COLLECT_FROM.max(2 * self.diagrams.dd.n_nodes());
    }

    fn figures(&self) -> Figures {
        let points = || self.points.iter().flatten();
        Figures {
            n_named: points().filter(|known| known.is_named).count(),
            n_recomputed: points().filter(|known| !known.is_named && known.states != Bdd::FALSE).count(),
            n_steps: self.n_steps,
            peak_nodes: self.diagrams.dd.peak_nodes(),
        }
    }

    fn line(&self, span: Span) -> usize {
        self.program.sources.line_column(span).0
    }

    /// A statement on one line, cut if it is long.
    fn text(&self, span: Span) -> String {
        const LONGEST: usize = 60;
        let mut text = String::new();
        for word in self.program.sources.text(span).split_whitespace() {
            if text.len() > LONGEST {
                text.push('…');
                break;
            }
            text.push_str(if text.is_empty() { "" } else { " " });
            text.extend(word.chars().take(LONGEST));
        }
        text
    }
}

/// For each module a number; callees have smaller ones than their callers, as far as calls form no cycle.
fn ranks(rsm: &Rsm) -> Vec<u32> {
    let mut ranks: Vec<Option<u32>> = vec![None; rsm.modules.len()];
    let mut seen = vec![false; rsm.modules.len()];
    let mut next = 0;
    let mut stack: Vec<(ModuleId, bool)> =
        (0..rsm.modules.len()).rev().map(|module| (ModuleId::new(module), false)).collect();
    stack.push((rsm.main, false));
    while let Some((module, is_done)) = stack.pop() {
        if is_done {
            ranks[module.index()] = Some(next);
            next += 1;
        } else if !std::mem::replace(&mut seen[module.index()], true) {
            stack.push((module, true));
            for edge in &rsm.module(module).edges {
                if let Action::Call { callee, .. } = &edge.action {
                    stack.push((*callee, false));
                }
            }
        }
    }
    ranks.into_iter().map(|rank| rank.expect("every module is visited")).collect()
}
