//! The states one step may lead to, before one of them is picked.
//!
//! Every step has the same shape: take a state, store in each of some places one of several values, chosen
//! independently, and keep the result if certain conditions can hold in it. So have the initial states.
//! The search for such states decides one place after the other, bit by bit, and turns back as soon as a condition
//! cannot hold for what is decided; `x = 12345678901` is found at once among 2^64 values.

use crate::expr::{Expr, Type};
use crate::machine::{Place, Variable};
use crate::values::{TooLarge, ValueSet, View, When, can_hold, possible_with};
use std::ops::ControlFlow;

/// The globals, and the locals of the module on top of the stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The values of the globals.
    pub globals: Vec<u64>,
    /// The values of the locals.
    pub locals: Vec<u64>,
}

impl State {
    pub(crate) fn view(&self) -> View<'_> {
        View::new(&self.globals, &self.locals)
    }

    /// The value of a variable.
    pub fn value(&self, place: Place) -> u64 {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[n as usize],
        }
    }

    /// The value of a variable, to be changed.
    pub fn slot(&mut self, place: Place) -> &mut u64 {
        match place {
            Place::Global(n) => &mut self.globals[n as usize],
            Place::Local(n) => &mut self.locals[n as usize],
        }
    }
}

/// There is one value for each variable, and it is one of its type.
pub(crate) fn values_fit(values: &[u64], variables: &[Variable]) -> bool {
    let fits = |(value, variable): (&u64, &Variable)| *value <= variable.ty.max();
    values.len() == variables.len() && values.iter().zip(variables).all(fits)
}

/// The states that a step may lead to.
pub(crate) struct Outcomes<'a> {
    /// What is not stored stays as it is here.
    pub(crate) base: State,
    /// Which values each place may get. No place occurs twice.
    pub(crate) stores: Vec<(Place, ValueSet)>,
    /// Can hold between this old state and the new one, whose values it reads as `x'`.
    pub(crate) constrain: Option<(State, &'a Expr)>,
    /// Each can hold in the new state.
    pub(crate) conditions: Vec<&'a Expr>,
}

/// How a search goes on.
pub(crate) struct Search<'a> {
    /// How many partial decisions it may still look at.
    pub(crate) budget: &'a mut usize,
    /// Which half of the values to look at first: the one with a 0 in the bit that is decided, if this says so.
    pub(crate) zero_first: &'a mut dyn FnMut() -> bool,
}

impl<'a> Outcomes<'a> {
    /// This state and no other.
    pub(crate) fn only(base: State) -> Self {
        Self { base, stores: Vec::new(), constrain: None, conditions: Vec::new() }
    }

    /// The state, if there is one and no choice.
    pub(crate) fn only_one(&self) -> Option<State> {
        let mut state = self.base.clone();
        for (place, set) in &self.stores {
            *state.slot(*place) = set.only()?;
        }
        let holds = |condition: &&Expr| can_hold(condition, &state.view()) == Ok(true);
        (self.constrain.is_none() && self.conditions.iter().all(holds)).then_some(state)
    }

    /// A state is one of them.
    pub(crate) fn contains(&self, state: &State) -> Result<bool, TooLarge> {
        let mut unchanged = state.clone();
        for (place, set) in &self.stores {
            if !set.contains(*unchanged.slot(*place)) {
                return Ok(false);
            }
            *unchanged.slot(*place) = self.base.view().old(*place);
        }
        if unchanged != self.base {
            return Ok(false);
        }
        if let Some((old, constrain)) = &self.constrain {
            let view = old.view().with_next(&state.globals, &state.locals);
            if !can_hold(constrain, &view)? {
                return Ok(false);
            }
        }
        for condition in &self.conditions {
            if !can_hold(condition, &state.view())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Visits the states until the visitor has enough.
    pub(crate) fn search(
        &self,
        search: &mut Search<'_>,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
    ) -> Result<(), TooLarge> {
        let checks = Checks::new(self);
        let mut sets: Vec<ValueSet> = self.stores.iter().map(|(_, set)| set.clone()).collect();
        if !checks.allow(&sets, None)? {
            return Ok(());
        }
        let Some(first) = sets.first() else {
            let _ = visit(self.base.clone());
            return Ok(());
        };
        let mut todo: Vec<(usize, ValueSet)> = vec![(0, first.clone())];
        while let Some((at, set)) = todo.pop() {
            *search.budget = search.budget.checked_sub(1).ok_or(TooLarge)?;
            sets[at] = set;
            if !checks.allow(&sets, Some(at))? {
                continue;
            }
            if let Some((zero, one)) = sets[at].split() {
                let zero_first = (search.zero_first)();
                let (first, second) = if zero_first { (zero, one) } else { (one, zero) };
                todo.extend([(at, second), (at, first)]);
            } else if let Some((_, next)) = self.stores.get(at + 1) {
                todo.push((at + 1, next.clone()));
            } else if visit(self.decided(&sets)).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The first state that a search finds.
    pub(crate) fn first(&self, search: &mut Search<'_>) -> Result<Option<State>, TooLarge> {
        let mut found = None;
        self.search(search, &mut |state| {
            found = Some(state);
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// All states, in the order of the search that always looks at 0 first.
    pub(crate) fn all(&self, budget: &mut usize) -> Result<Vec<State>, TooLarge> {
        let mut states = Vec::new();
        self.search(&mut Search { budget, zero_first: &mut || true }, &mut |state| {
            states.push(state);
            ControlFlow::Continue(())
        })?;
        Ok(states)
    }

    fn decided(&self, sets: &[ValueSet]) -> State {
        let mut state = self.base.clone();
        for ((place, _), set) in self.stores.iter().zip(sets) {
            *state.slot(*place) = set.only().expect("everything is decided");
        }
        state
    }
}

/// The conditions as a search sees them: variables that are not decided yet may have any of their values.
struct Checks<'o> {
    outcomes: &'o Outcomes<'o>,
    /// The position among the stores of each global and each local that is stored.
    globals: Vec<Option<usize>>,
    locals: Vec<Option<usize>>,
    /// The stores that some condition reads.
    relevant: Vec<bool>,
    /// The last one of them.
    last_relevant: Option<usize>,
}

impl<'o> Checks<'o> {
    fn new(outcomes: &'o Outcomes<'o>) -> Self {
        let mut checks = Self {
            outcomes,
            globals: vec![None; outcomes.base.globals.len()],
            locals: vec![None; outcomes.base.locals.len()],
            relevant: vec![false; outcomes.stores.len()],
            last_relevant: None,
        };
        for (at, (place, _)) in outcomes.stores.iter().enumerate() {
            match *place {
                Place::Global(n) => checks.globals[n as usize] = Some(at),
                Place::Local(n) => checks.locals[n as usize] = Some(at),
            }
        }
        let next = outcomes.constrain.iter().flat_map(|(_, constrain)| constrain.reads_next());
        let new = outcomes.conditions.iter().flat_map(|condition| condition.reads());
        for at in next.chain(new).filter_map(|place| checks.store_of(place)).collect::<Vec<_>>() {
            checks.relevant[at] = true;
        }
        checks.last_relevant = checks.relevant.iter().rposition(|relevant| *relevant);
        checks
    }

    fn store_of(&self, place: Place) -> Option<usize> {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[n as usize],
        }
    }

    /// Whether all conditions may hold; `at` is the store that is being decided: those before it are decided, those
    /// after it are not, whatever their sets say. Exact once everything that the conditions read is decided.
    fn allow(&self, sets: &[ValueSet], at: Option<usize>) -> Result<bool, TooLarge> {
        if at.is_some_and(|at| !self.relevant[at]) {
            return Ok(true);
        }
        let is_exact = at == self.last_relevant && at.is_none_or(|at| sets[at].only().is_some());
        let new = |place: Place, ty: &Type| match self.store_of(place) {
            Some(store) if at.is_some_and(|at| store <= at) => sets[store].clone(),
            Some(store) => self.outcomes.stores[store].1.clone(),
            None => ValueSet::single(self.outcomes.base.view().old(place), ty),
        };
        if let Some((old, constrain)) = &self.outcomes.constrain {
            let read = &mut |place, when, ty: &Type| match when {
                When::Old => ValueSet::single(old.view().old(place), ty),
                When::Next => new(place, ty),
            };
            if !may_hold(possible_with(constrain, read), is_exact)? {
                return Ok(false);
            }
        }
        for condition in &self.outcomes.conditions {
            let set = possible_with(condition, &mut |place, _, ty| new(place, ty));
            if !may_hold(set, is_exact)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Before everything is decided, not knowing is a reason to go on.
fn may_hold(set: Result<ValueSet, TooLarge>, is_exact: bool) -> Result<bool, TooLarge> {
    match set {
        Ok(set) => Ok(set.contains(1)),
        Err(TooLarge) if !is_exact => Ok(true),
        Err(TooLarge) => Err(TooLarge),
    }
}
