//! Locals that hold copies of each other: tied by plain arguments, plain results and plain assignments.
//!
//! What is handed from function to function matters in all of them or in none; finding that out one function in each round would
//! take as many rounds as there are functions.

use base::Classes;
use rsm::{Action, Expr, ModuleId, Operation, Place, Rsm};

/// The classes of all locals of a program.
pub struct Copies {
    /// The number of the first local of each function.
    first: Vec<u32>,
    /// The members of each class, by the number of its leader.
    members: Vec<Vec<(ModuleId, u32)>>,
    leader: Vec<u32>,
}

impl Copies {
    /// Those of a program.
    pub fn of(rsm: &Rsm) -> Self {
        let mut first = Vec::with_capacity(rsm.modules.len());
        let mut n = 0;
        for module in &rsm.modules {
            first.push(n);
            n += module.locals.len() as u32;
        }
        let mut classes = Classes::new(n as usize);
        let number = |module: ModuleId, local: u32| first[module.index()] + local;
        for (m, module) in rsm.modules.iter().enumerate() {
            let m = ModuleId::new(m);
            for edge in &module.edges {
                match &edge.action {
                    Action::Assign { targets, values, .. } => {
                        for (target, value) in targets.iter().zip(values) {
                            if let (Place::Local(target), Some(local)) = (target, plain(value)) {
                                classes.join(number(m, *target), number(m, local));
                            }
                        }
                    }
                    Action::Call { callee, args, results } => {
                        for (n, arg) in (0..).zip(args) {
                            if let Some(local) = plain(arg) {
                                classes.join(number(m, local), number(*callee, n));
                            }
                        }
                        for (n, result) in results.iter().enumerate() {
                            let Some(Place::Local(target)) = result else { continue };
                            for local in returned(rsm, *callee, n) {
                                classes.join(number(m, *target), number(*callee, local));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        let leader: Vec<u32> = (0..n).map(|local| classes.find(local)).collect();
        let mut members = vec![Vec::new(); n as usize];
        for (m, module) in rsm.modules.iter().enumerate() {
            for local in 0..module.locals.len() as u32 {
                let m = ModuleId::new(m);
                members[leader[number(m, local) as usize] as usize].push((m, local));
            }
        }
        Self { first, members, leader }
    }

    /// All locals that hold copies of one.
    pub fn of_local(&self, module: ModuleId, local: u32) -> &[(ModuleId, u32)] {
        &self.members[self.leader[(self.first[module.index()] + local) as usize] as usize]
    }
}

/// The local that an expression is.
fn plain(expr: &Expr) -> Option<u32> {
    match &*expr.code {
        [term] => match term.operation {
            Operation::Read(Place::Local(local)) => Some(local),
            _ => None,
        },
        _ => None,
    }
}

/// The locals that a function returns as one of its results.
fn returned(rsm: &Rsm, module: ModuleId, result: usize) -> impl Iterator<Item = u32> + '_ {
    rsm.module(module).edges.iter().filter_map(move |edge| match &edge.action {
        Action::Return { values } => plain(&values[result]),
        _ => None,
    })
}
