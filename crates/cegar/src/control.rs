//! Programs that are control and little else, by the parts of the integers that their variables are in.
//!
//! Contract: a claim that has been checked, or the inputs of a path that can be taken, or nothing. A claim that is refused is said to be unknown; there is none, unless the solver gives up. No solver is asked but for these two: what
//! a step does to parts is computed, and which parts are reached is asked of the formulas ([`abstraction::values`]).

mod formula;

use crate::analysis::{path, shipped};
use crate::prover::{Proof, Prover};
use crate::task::Task;
use abstraction::values::{Partition, ValueMachine, value_machine};
use checker::Limits;
use checker::abstraction::{Inquiry, Region};
use integers::cells::has_memory;
use integers::trace::Event;
use integers::{Expr, FunctionId, Program, Role};
use proof::{Claim, Statement};
use refine::Feasible;
use rsm::{Goal, ModuleId};

/// How much work formulas may do here, in their units.
const EFFORT: u64 = 60_000;

/// The same for a path, where it is known that there is one.
const PATH_EFFORT: u64 = 4 * EFFORT;

/// So often more variables are followed.
const ROUNDS: usize = 24;

/// What the parts of variables tell.
pub fn controlled(task: &Task, prover: &mut Prover) -> Proof {
    if task.statement != Statement::Unreachable {
        return Proof::Open;
    }
    let mut partition = Partition::new(&task.ghosted);
    for _ in 0..ROUNDS {
        let Some(machine) = value_machine(&task.ghosted, &partition) else { return Proof::Open };
        let goals = goals(task, &machine);
        let limits = granted(prover, EFFORT);
        let begun = prover.now();
        // Of functions that are entered with numbers the program does not have nothing is to be known.
        let formula = shipped("entry_forward");
        let inquiry =
            Inquiry { rsm: &machine.rsm, game: None, goals: &goals, formula: &formula, limits: &limits };
        let answer = inquiry.regions();
        prover.work.evaluating += prover.now().saturating_sub(begun);
        match answer {
            Ok((false, regions)) => return claimed(task, &machine, &regions, prover),
            Ok((true, _)) => {}
            Err(_) => return Proof::Open,
        }
        // What is not known of memory may be in the way of a run.
        if has_memory(&task.program) {
            return Proof::Open;
        }
        let Some(path) = path(&machine.rsm, &machine.back, &goals, &granted(prover, PATH_EFFORT)) else {
            return Proof::Open;
        };
        match refine::feasible(&task.ghosted.program, &path, &mut prover.solver) {
            Feasible::Yes(inputs) => {
                return Proof::Run(inputs.into_iter().map(|(_, number)| number).collect());
            }
            Feasible::No => {
                let prefix = infeasible(&task.ghosted.program, &path, prover);
                if !partition.follow(&task.ghosted, prefix) {
                    return Proof::Open;
                }
            }
            Feasible::Unknown(_) => return Proof::Open,
        }
    }
    Proof::Open
}

/// The shortest beginning of a path that cannot be taken, as far as the solver tells.
fn infeasible<'p>(program: &Program, path: &'p [Event], prover: &mut Prover) -> &'p [Event] {
    let (mut can, mut cannot) = (0, path.len());
    while can + 1 < cannot {
        let middle = usize::midpoint(can, cannot);
        match refine::feasible(program, &path[..middle], &mut prover.solver) {
            Feasible::No => cannot = middle,
            Feasible::Yes(_) | Feasible::Unknown(_) => can = middle,
        }
    }
    &path[..cannot]
}

/// Limits for one question.
fn granted(prover: &Prover, effort: u64) -> Limits {
    let limits = Limits { stop: prover.limits.stop.part(), ..prover.limits.clone() };
    limits.stop.grant(effort);
    limits
}

/// Where the targets are.
fn goals(task: &Task, machine: &ValueMachine) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (f, nodes) in machine.nodes.iter().enumerate() {
        let function = task.ghosted.program.function(FunctionId::new(f));
        for (n, node) in nodes.iter().enumerate() {
            if node.is_some_and(|node| matches!(function.node(node).role, Role::Target(_))) {
                goals.push(Goal::At(ModuleId::new(f), rsm::NodeId::new(n)));
            }
        }
    }
    goals
}

/// What holds where, as a claim.
fn claimed(task: &Task, machine: &ValueMachine, regions: &[Region], prover: &mut Prover) -> Proof {
    let nothing = |function: &integers::Function| vec![Expr::truth(false); function.nodes.len()];
    let mut formulas: Vec<Vec<Expr>> = task.ghosted.program.functions.iter().map(nothing).collect();
    for region in regions {
        let Some(Some(node)) = machine.nodes[region.module.index()].get(region.node.index()) else {
            continue;
        };
        let Some(formula) = formula::formula(&task.ghosted, machine, region) else {
            return Proof::Open;
        };
        formulas[region.module.index()][node.index()] = formula;
    }
    let claim = task.whole(Claim { statement: task.statement.clone(), formulas });
    prover.checked(&task.program, claim)
}
