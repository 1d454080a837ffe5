//! The relation of a path: symbolic execution, one step after the other.
//!
//! A variable that the path has assigned is a function of the state before, or, where choices are involved, its own new
//! bits: the relation then restricts them. So choices need no variables of their own, and `x := *` adds nothing at all.

use crate::expression::Read;
use crate::value::{Value, variables};
use crate::{Columns, Encoder};
use dd::{Bdd, Exhausted, Image, Level, Manager};
use rsm::{Expr, Place, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a path can store into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// A variable.
    Place(Place),
    /// A result of the module.
    Result(u32),
}

/// What a path relates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Over the bits of the state before, and the new bits of what is assigned.
    pub diagram: Bdd,
    /// What has another value afterwards, sorted; everything else is as before.
    pub assigned: Vec<Slot>,
}

/// The value of an assigned slot.
#[derive(Clone, Debug)]
enum Stored {
    /// A function of the state before (and of bits that stand for choices).
    Function(Vec<Bdd>),
    /// Its new bits stand for it.
    Next,
}

/// A path under construction.
pub struct Path<'p> {
    encoder: &'p mut Encoder,
    dd: &'p mut Manager,
    state: Values<'p>,
    condition: Bdd,
    /// The next free scratch level, and those in use.
    scratch: Level,
    /// Variables whose bits before the path stand for values that are chosen at its start.
    chosen: Vec<Place>,
}

/// The values of variables somewhere on a path.
#[derive(Clone)]
struct Values<'p> {
    before: Columns<'p>,
    after: Columns<'p>,
    stored: FxHashMap<Slot, Stored>,
    /// Slots whose new bits occur in the condition or in a function.
    in_use: FxHashSet<Slot>,
    /// Variables that had no value before the path.
    fresh: FxHashSet<Place>,
}

impl Values<'_> {
    fn read(&mut self, dd: &mut Manager, slot: Slot) -> Result<Vec<Bdd>, Exhausted> {
        match self.stored.get(&slot) {
            None => variables(dd, self.before.slot(slot)),
            Some(Stored::Function(bits)) => Ok(bits.clone()),
            Some(Stored::Next) => {
                self.in_use.insert(slot);
                variables(dd, self.after.slot(slot))
            }
        }
    }
}

/// A state and the one that follows it.
struct Across<'a, 'p> {
    old: &'a mut Values<'p>,
    new: &'a mut Values<'p>,
}

impl Read for Across<'_, '_> {
    fn old(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted> {
        let bits = self.old.read(dd, Slot::Place(place))?;
        self.new.in_use.extend(self.old.in_use.iter().copied());
        Ok(bits)
    }

    fn next(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted> {
        self.new.read(dd, Slot::Place(place))
    }
}

impl Read for Values<'_> {
    fn old(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted> {
        self.read(dd, Slot::Place(place))
    }

    fn next(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted> {
        self.read(dd, Slot::Place(place))
    }
}

impl Encoder {
    /// Starts a path whose first state has its bits in `before` and whose last state in `after`.
    pub fn path<'p>(&'p mut self, dd: &'p mut Manager, before: Columns<'p>, after: Columns<'p>) -> Path<'p> {
        let state = Values {
            before,
            after,
            stored: FxHashMap::default(),
            in_use: FxHashSet::default(),
            fresh: FxHashSet::default(),
        };
        let scratch = self.scratch;
        Path { encoder: self, dd, state, condition: Bdd::TRUE, scratch, chosen: Vec::new() }
    }
}

impl Path<'_> {
    /// Only states in which the condition can hold go on.
    pub fn assume(&mut self, expr: &Expr) -> Result<(), Exhausted> {
        self.encoder.care = self.condition;
        let value = self.encoder.evaluate(self.dd, expr, &mut self.state, &mut self.scratch)?;
        self.condition = self.dd.and(self.condition, value.truth().0)?;
        Ok(())
    }

    /// A variable has no value before the path and starts with any value of its type. Its bits in the state before stand for the
    /// choice and are forgotten at the end.
    pub fn choose(&mut self, place: Place, ty: &Type) -> Result<(), Exhausted> {
        let domain = self.encoder.domain(self.dd, self.state.before.place(place), ty)?;
        self.condition = self.dd.and(self.condition, domain)?;
        self.chosen.push(place);
        Ok(())
    }

    /// Variables get values, all computed in the state so far; only outcomes for which `constrain` can hold stay.
    pub fn assign(
        &mut self,
        targets: &[Slot],
        values: &[Expr],
        constrain: Option<&Expr>,
    ) -> Result<(), Exhausted> {
        self.make_room(targets, values, constrain)?;
        self.encoder.care = self.condition;
        let mut evaluated = Vec::with_capacity(values.len());
        for value in values {
            evaluated.push(self.encoder.evaluate(self.dd, value, &mut self.state, &mut self.scratch)?);
        }
        let mut old = constrain.map(|_| self.state.clone());
        for ((&target, value), expr) in targets.iter().zip(evaluated).zip(values) {
            self.store(target, value, expr.ty())?;
        }
        if let (Some(old), Some(constrain)) = (&mut old, constrain) {
            let mut across = Across { old, new: &mut self.state };
            self.encoder.care = self.condition;
            let value = self.encoder.evaluate(self.dd, constrain, &mut across, &mut self.scratch)?;
            self.condition = self.dd.and(self.condition, value.truth().0)?;
        }
        Ok(())
    }

    fn store(&mut self, target: Slot, value: Value, ty: &Type) -> Result<(), Exhausted> {
        self.state.in_use.remove(&target);
        if let Some(bits) = value.function() {
            self.state.stored.insert(target, Stored::Function(bits));
            return Ok(());
        }
        let levels = self.state.after.slot(target);
        let allowed = self.allowed(value, levels, ty)?;
        if allowed != Bdd::TRUE {
            self.state.in_use.insert(target);
            self.condition = self.dd.and(self.condition, allowed)?;
        }
        self.state.stored.insert(target, Stored::Next);
        Ok(())
    }

    /// The bits at some levels are a possible value.
    fn allowed(&mut self, value: Value, levels: &[Level], ty: &Type) -> Result<Bdd, Exhausted> {
        let bits = variables(self.dd, levels)?;
        let alternatives = match value {
            Value::Bool { yes, no } => return self.dd.ite(bits[0], yes, no),
            Value::Word(alternatives) => alternatives,
        };
        let mut result = Bdd::FALSE;
        for alternative in alternatives {
            let matches = match &alternative.bits {
                Some(value) => crate::arithmetic::equal(self.dd, &bits, value)?,
                None => self.encoder.domain(self.dd, levels, ty)?,
            };
            let part = self.encoder.and_exists(self.dd, alternative.given, matches, alternative.scratch)?;
            result = self.dd.or(result, part)?;
        }
        Ok(result)
    }

    /// The new bits of the targets are about to stand for other values: where they stand for one that is still
    /// needed, that one moves to scratch levels.
    fn make_room(
        &mut self,
        targets: &[Slot],
        values: &[Expr],
        constrain: Option<&Expr>,
    ) -> Result<(), Exhausted> {
        for &target in targets {
            if !matches!(self.state.stored.get(&target), Some(Stored::Next)) {
                continue;
            }
            let mut reads = values.iter().chain(constrain).flat_map(Expr::reads);
            if self.state.in_use.contains(&target) || reads.any(|place| Slot::Place(place) == target) {
                self.displace(target)?;
            }
        }
        Ok(())
    }

    fn displace(&mut self, target: Slot) -> Result<(), Exhausted> {
        let levels = self.state.after.slot(target);
        let mut moves = Vec::new();
        for &level in levels {
            moves.push((level, Image::Level(self.scratch)));
            self.scratch += 1;
        }
        let id = self.encoder.moving(self.dd, moves);
        let bits = variables(self.dd, levels)?;
        self.state.stored.insert(target, Stored::Function(bits));
        self.state.in_use.remove(&target);
        self.condition = self.dd.substitute(self.condition, id)?;
        for stored in self.state.stored.values_mut() {
            if let Stored::Function(bits) = stored {
                for bit in bits {
                    *bit = self.dd.substitute(*bit, id)?;
                }
            }
        }
        Ok(())
    }

    /// The relation of the path to a state in which only the slots that `keep` wants matter; `None` if nobody can
    /// go along it.
    pub fn finish(mut self, keep: impl Fn(Slot) -> bool) -> Result<Option<Relation>, Exhausted> {
        if self.condition == Bdd::FALSE {
            return Ok(None);
        }
        let mut forgotten: Vec<Level> = (self.encoder.scratch..self.scratch).collect();
        for place in std::mem::take(&mut self.chosen) {
            let levels = self.state.before.place(place);
            let bits = variables(self.dd, levels)?;
            self.state.stored.entry(Slot::Place(place)).or_insert(Stored::Function(bits));
            self.state.fresh.insert(place);
            forgotten.extend(levels);
        }
        let mut stored: Vec<(Slot, Stored)> = self.state.stored.drain().collect();
        stored.sort_unstable_by_key(|s| s.0);
        let (mut results, mut assigned) = (Bdd::TRUE, Vec::new());
        for (slot, value) in stored {
            let levels = self.state.after.slot(slot);
            match value {
                Stored::Function(bits) if keep(slot) => {
                    if self.is_unchanged(slot, &bits)? {
                        continue;
                    }
                    let variables = variables(self.dd, levels)?;
                    let equal = crate::arithmetic::equal(self.dd, &variables, &bits)?;
                    results = self.dd.and(results, equal)?;
                }
                Stored::Next if !keep(slot) => forgotten.extend(levels),
                _ => {}
            }
            if keep(slot) {
                assigned.push(slot);
            }
        }
        let diagram = self.encoder.and_exists(self.dd, self.condition, results, forgotten)?;
        Ok((diagram != Bdd::FALSE).then_some(Relation { diagram, assigned }))
    }

    /// The value is the one the slot had before.
    fn is_unchanged(&mut self, slot: Slot, bits: &[Bdd]) -> Result<bool, Exhausted> {
        match slot {
            Slot::Place(place) if self.state.fresh.contains(&place) => Ok(false),
            Slot::Place(place) => Ok(variables(self.dd, self.state.before.place(place))? == bits),
            Slot::Result(_) => Ok(false),
        }
    }
}
