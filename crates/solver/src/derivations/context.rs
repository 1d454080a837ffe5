//! Contexts: in which round of which alternating fixed points a tuple is explained.
//!
//! In a cycle of `mu` and `nu` a tuple of an outer least fixed point that appeared in round m is explained with the value
//! of round m-1, and so is everything inside; the round falls with every return to the outer relation, so derivations
//! do not go in circles through it. Relations inside have the values that belong to that round while a context is established.

use super::explain::Derivation;
use crate::fault::Fault;
use calculus::dependencies;
use calculus::system::{Kind, RelationId};
use dd::Bdd;

/// Outer relations, outermost first, each with the number of rounds its value comes from.
pub(crate) type Context = Vec<(RelationId, usize)>;

/// The final value, for greatest fixed points.
const FINAL: usize = usize::MAX;

/// The value of a table after a round.
pub(crate) type Snapshot = Vec<(Vec<u32>, Bdd)>;

impl Derivation<'_, '_> {
    /// The context in which a relation is explained when it is used in `base`.
    pub fn context_of(&mut self, relation: RelationId, base: &Context) -> Result<Context, Fault> {
        if let Some(at) = base.iter().position(|entry| entry.0 == relation) {
            return Ok(base[..=at].to_vec());
        }
        let mut context = base.clone();
        loop {
            self.establish(&context)?;
            let component = self.progress.dependencies.component(relation, &self.progress.fixed);
            let alternates = self.progress.dependencies.negative_use(&component).is_none()
                && dependencies::is_mixed(self.machine.store.system, &component);
            if !alternates {
                return Ok(context);
            }
            let outermost = dependencies::outermost(self.machine.store.system, &component);
            self.machine.ensure(self.progress, outermost)?;
            let least = self.machine.store.system.relation(outermost).kind == Kind::Mu;
            let round =
                if least { self.machine.record.history.get(&outermost).map_or(0, Vec::len) } else { FINAL };
            context.push((outermost, round));
            if outermost == relation {
                return Ok(context);
            }
        }
    }

    /// Gives the relations of a context their values, and takes back those of the context before.
    pub fn establish(&mut self, context: &Context) -> Result<(), Fault> {
        self.ready.clear();
        let same = self.established.iter().zip(context).take_while(|(a, b)| a == b).count();
        while self.established.len() > same {
            let (relation, _) = self.established[self.established.len() - 1];
            let stays =
                self.established.len() == same + 1 && context.get(same).is_some_and(|c| c.0 == relation);
            if stays {
                break;
            }
            self.established.pop();
            self.progress.release(relation);
        }
        for &(relation, round) in &context[same..] {
            if self.established.last().map(|e| e.0) == Some(relation) {
                self.established.pop();
            } else {
                self.machine.ensure(self.progress, relation)?;
            }
            if round != FINAL {
                self.restore_round(relation, round);
            }
            self.progress.hold(relation);
            self.established.push((relation, round));
        }
        Ok(())
    }

    /// Puts the value of a round back into a relation's table.
    fn restore_round(&mut self, relation: RelationId, round: usize) {
        let snapshot =
            if round == 0 { Vec::new() } else { self.machine.record.history[&relation][round - 1].clone() };
        self.put_back(relation, snapshot);
    }

    /// The context in which the clauses of an outer least fixed point are looked at for a tuple: one round before it appeared.
    pub fn round_before(
        &self,
        context: &Context,
        relation: RelationId,
        has: impl Fn(&Snapshot) -> bool,
    ) -> Context {
        let mut context = context.clone();
        if let Some(last) = context.last_mut()
            && last.0 == relation
            && last.1 != FINAL
        {
            let appeared = self.machine.record.history[&relation][..last.1].iter().position(has);
            last.1 = appeared.expect("a tuple of the relation appeared in some round");
        }
        context
    }
}
