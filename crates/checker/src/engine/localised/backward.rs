//! Sets of states along a path, from its end to its start.
//!
//! Before each step stand those states from which the rest of the path can be taken. Going backwards meets only what the goal
//! depends on, and an impossible path typically ends after a few steps, where forward sets would carry everything.

use super::levels::{Arrangement, Frame, Levels};
use super::path::{Event, Path};
use base::Stop;
use dd::{Bdd, Exhausted, Level, Manager, Map, ProductId};
use encode::{Bits, Columns, Encoder, Slot};
use rsm::{Action, Binary, EdgeId, Expr, Goal, ModuleId, Operation, Place, Rsm, Type};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A step is work, even if it changes no diagram: so many are a unit.
const STEPS_OF_A_UNIT: u32 = 16;

/// Which levels are renamed to which.
type Moves = Vec<(Level, Level)>;

/// What a step does to sets of states.
pub struct Transfer {
    /// Over the states before the step, and the levels of what it stores.
    pub diagram: Bdd,
    /// States before, from states after.
    before: ProductId,
    /// Both together.
    pub both: ProductId,
    /// What has another value afterwards, and where that stands; as the function sees it that runs then.
    pub stored: Vec<(Place, Bits)>,
}

/// The machine along one path.
pub struct Backward<'a> {
    /// The machine; its integers may have fewer bits than those of the program.
    pub rsm: &'a Rsm,
    /// The path.
    pub path: &'a Path,
    /// The diagrams.
    pub dd: Manager,
    encoder: Encoder,
    /// Whose bit is where.
    pub levels: Levels<'a>,
    globals: Rc<Frame>,
    frames: FxHashMap<(ModuleId, usize), Rc<Frame>>,
    tests: FxHashMap<(ModuleId, EdgeId, usize), Bdd>,
    transfers: FxHashMap<Event, Option<Rc<Transfer>>>,
    products: FxHashMap<(Moves, Vec<Level>), ProductId>,
}

/// How far back a set comes.
pub enum Way {
    /// To the first step that is there: the sets before each step, and that at the end.
    Possible(Vec<Bdd>),
    /// Nothing is left before this step, or at the end if it is as large as the path is long.
    Impossible(usize),
}

impl<'a> Backward<'a> {
    /// Nothing is known of the path yet.
    pub fn new(
        rsm: &'a Rsm,
        arrangement: &'a Arrangement,
        path: &'a Path,
        stop: Stop,
        memory: Option<u64>,
    ) -> Self {
        let levels = Levels::new(arrangement, path);
        let globals = Rc::new(levels.globals(rsm));
        let encoder = Encoder::new(levels.end());
        Self {
            rsm,
            path,
            dd: Manager::new(stop, memory),
            encoder,
            levels,
            globals,
            frames: FxHashMap::default(),
            tests: FxHashMap::default(),
            transfers: FxHashMap::default(),
            products: FxHashMap::default(),
        }
    }

    /// From now on only runs matter in which the second operand of products has so few bits: that the path is possible still stands, and that it is not says nothing.
    pub fn narrow_products(&mut self, bits: usize) {
        self.encoder.narrow_products(bits);
    }

    /// Some step multiplies.
    pub fn has_products(&self) -> bool {
        let is_product =
            |expr: &Expr| expr.code.iter().any(|term| term.operation == Operation::Binary(Binary::Multiply));
        self.path.events.iter().any(|event| self.action(event).expressions().any(is_product))
    }

    /// Goes back to a step, with those tests only that are wanted.
    pub fn go(&mut self, until: usize, is_wanted: impl Fn(usize) -> bool) -> Result<Way, Exhausted> {
        let n_events = self.path.events.len();
        let mut set = self.at_goal()?;
        let mut sets = vec![set];
        if set == Bdd::FALSE {
            return Ok(Way::Impossible(n_events));
        }
        for n in (until..n_events).rev() {
            set = self.before(n, set, is_wanted(n))?;
            if set == Bdd::FALSE {
                return Ok(Way::Impossible(n));
            }
            sets.push(set);
        }
        if until == 0 && self.path.is_whole {
            let start = self.start()?;
            set = self.dd.and(set, start)?;
            if set == Bdd::FALSE {
                return Ok(Way::Impossible(0));
            }
            sets[n_events] = set;
        }
        sets.reverse();
        Ok(Way::Possible(sets))
    }

    /// The states before a step from which it can lead into a set; a test that is not wanted is passed by every state.
    pub fn before(&mut self, n: usize, set: Bdd, is_wanted: bool) -> Result<Bdd, Exhausted> {
        self.dd.spend(4096 / 16 / STEPS_OF_A_UNIT)?;
        let event = self.path.events[n];
        if self.is_test(n) {
            return if is_wanted {
                let test = self.test(&event)?;
                self.dd.and(set, test)
            } else {
                Ok(set)
            };
        }
        let set = self.allowed_after(&event, set)?;
        match self.transfer(&event)? {
            Known::Nothing => Ok(set),
            Known::Impossible => Ok(Bdd::FALSE),
            Known::Transfer(transfer) => self.dd.product(set, transfer.diagram, transfer.before),
        }
    }

    /// The states of a set that `enforce` allows after a step that stores something.
    pub fn allowed_after(&mut self, event: &Event, set: Bdd) -> Result<Bdd, Exhausted> {
        match (&self.action(event), event.back) {
            (Action::Assign { .. }, _) => self.allowed(event.module, event.depth, set),
            (Action::Call { callee, .. }, _) => self.allowed(*callee, event.depth + 1, set),
            (Action::Return { .. }, Some((caller, _))) => self.allowed(caller, event.depth - 1, set),
            _ => Ok(set),
        }
    }

    /// A step is a test and nothing else.
    pub fn is_test(&self, n: usize) -> bool {
        matches!(self.action(&self.path.events[n]), Action::Assume(_) | Action::Assert(_))
    }

    /// What a step does.
    pub fn action(&self, event: &Event) -> &'a Action {
        &self.rsm.module(event.module).edge(event.edge).action
    }

    /// The levels of the globals.
    pub fn globals(&self) -> Rc<Frame> {
        self.globals.clone()
    }

    /// The levels of the locals of a function that runs above so many others.
    pub fn frame(&mut self, module: ModuleId, depth: usize) -> Rc<Frame> {
        let (rsm, levels) = (self.rsm, &self.levels);
        let frame = self.frames.entry((module, depth));
        frame.or_insert_with(|| Rc::new(levels.locals(rsm, module, depth))).clone()
    }

    /// The states at the end.
    fn at_goal(&mut self) -> Result<Bdd, Exhausted> {
        let (_, depth) = self.path.end();
        match self.path.goal {
            Goal::At(..) => Ok(Bdd::TRUE),
            Goal::Failure(module, edge) => match &self.rsm.module(module).edge(edge).action {
                Action::Assert(condition) => Ok(self.condition(module, depth, condition)?.1),
                _ => Ok(Bdd::TRUE),
            },
        }
    }

    /// The states in which the program starts.
    fn start(&mut self) -> Result<Bdd, Exhausted> {
        let (rsm, main) = (self.rsm, self.rsm.main);
        let mut set = Bdd::TRUE;
        for condition in &rsm.init {
            let holds = self.condition(main, 0, condition)?.0;
            set = self.dd.and(set, holds)?;
        }
        set = self.allowed(main, 0, set)?;
        let (globals, frame) = (self.globals(), self.frame(main, 0));
        let globals = rsm.globals.iter().zip(&globals.before);
        for (variable, bits) in globals.chain(rsm.module(main).locals.iter().zip(&frame.before)) {
            set = self.within(set, bits, &variable.ty)?;
        }
        Ok(set)
    }

    fn within(&mut self, set: Bdd, bits: &[Level], ty: &Type) -> Result<Bdd, Exhausted> {
        let domain = self.encoder.domain(&mut self.dd, bits, ty)?;
        self.dd.and(set, domain)
    }

    /// Where a condition can hold, and where it can fail.
    fn condition(&mut self, module: ModuleId, depth: usize, expr: &Expr) -> Result<(Bdd, Bdd), Exhausted> {
        let (globals, frame) = (self.globals(), self.frame(module, depth));
        let columns = Columns { globals: &globals.before, locals: &frame.before, results: &[] };
        self.encoder.condition(&mut self.dd, columns, expr)
    }

    fn allowed(&mut self, module: ModuleId, depth: usize, set: Bdd) -> Result<Bdd, Exhausted> {
        let Some(enforce) = &self.rsm.module(module).enforce else { return Ok(set) };
        let holds = self.condition(module, depth, enforce)?.0;
        self.dd.and(set, holds)
    }

    fn test(&mut self, event: &Event) -> Result<Bdd, Exhausted> {
        let key = (event.module, event.edge, event.depth);
        if let Some(known) = self.tests.get(&key) {
            return Ok(*known);
        }
        let (Action::Assume(condition) | Action::Assert(condition)) = self.action(event) else {
            return Ok(Bdd::TRUE);
        };
        let holds = self.condition(event.module, event.depth, condition)?.0;
        self.tests.insert(key, holds);
        Ok(holds)
    }

    /// What a step that is no test does.
    pub fn transfer(&mut self, event: &Event) -> Result<Known, Exhausted> {
        let is_move = match self.action(event) {
            Action::Assign { .. } | Action::Call { .. } => true,
            Action::Return { .. } => event.back.is_some(),
            _ => false,
        };
        if !is_move {
            return Ok(Known::Nothing);
        }
        if !self.transfers.contains_key(event) {
            let transfer = match self.action(event) {
                Action::Assign { targets, values, constrain } => {
                    self.assignment(event, targets, values, constrain.as_ref())?
                }
                Action::Call { callee, args, .. } => self.call(event, *callee, args)?,
                Action::Return { values } => self.coming_back(event, values)?,
                _ => None,
            };
            self.transfers.insert(*event, transfer.map(Rc::new));
        }
        Ok(match &self.transfers[event] {
            None => Known::Impossible,
            Some(transfer) => Known::Transfer(transfer.clone()),
        })
    }

    fn assignment(
        &mut self,
        event: &Event,
        targets: &[Place],
        values: &[Expr],
        constrain: Option<&Expr>,
    ) -> Result<Option<Transfer>, Exhausted> {
        let (globals, frame) = (self.globals(), self.frame(event.module, event.depth));
        let before = Columns { globals: &globals.before, locals: &frame.before, results: &[] };
        let after = Columns { globals: &globals.after, locals: &frame.after, results: &[] };
        let mut path = self.encoder.path(&mut self.dd, before, after);
        let slots: Vec<Slot> = targets.iter().map(|place| Slot::Place(*place)).collect();
        path.assign(&slots, values, constrain)?;
        let Some(relation) = path.finish(|_| true)? else { return Ok(None) };
        let (mut moves, mut stored) = (Vec::new(), Vec::new());
        for slot in relation.assigned {
            let Slot::Place(place) = slot else { continue };
            moves.extend(before.place(place).iter().copied().zip(after.place(place).iter().copied()));
            stored.push((place, after.place(place).into()));
        }
        Ok(Some(self.made(relation.diagram, moves, stored)))
    }

    fn call(
        &mut self,
        event: &Event,
        callee: ModuleId,
        args: &[Expr],
    ) -> Result<Option<Transfer>, Exhausted> {
        let (globals, frame) = (self.globals(), self.frame(event.module, event.depth));
        let inner = self.frame(callee, event.depth + 1);
        let before = Columns { globals: &globals.before, locals: &frame.before, results: &[] };
        let after = Columns { globals: &globals.after, locals: &frame.after, results: &inner.before };
        let mut path = self.encoder.path(&mut self.dd, before, after);
        let slots: Vec<Slot> = (0..args.len() as u32).map(Slot::Result).collect();
        path.assign(&slots, args, None)?;
        let Some(relation) = path.finish(|_| true)? else { return Ok(None) };
        let module = self.rsm.module(callee);
        let mut diagram = relation.diagram;
        for (local, bits) in module.locals.iter().zip(&inner.before).skip(module.n_params) {
            diagram = self.within(diagram, bits, &local.ty)?;
        }
        let stored = (0..).map(Place::Local).zip(inner.before.iter().cloned()).collect();
        Ok(Some(self.made(diagram, Vec::new(), stored)))
    }

    fn coming_back(&mut self, event: &Event, values: &[Expr]) -> Result<Option<Transfer>, Exhausted> {
        let Some((caller, call)) = event.back else { return Ok(None) };
        let Action::Call { results, .. } = &self.rsm.module(caller).edge(call).action else {
            return Ok(None);
        };
        let (globals, frame) = (self.globals(), self.frame(event.module, event.depth));
        let outer = self.frame(caller, event.depth - 1);
        let old = Columns { globals: &globals.before, locals: &outer.before, results: &[] };
        let new = Columns { globals: &globals.after, locals: &outer.after, results: &[] };
        let (mut moves, mut stored) = (Vec::new(), Vec::new());
        let (mut words, mut slots, mut kept): (Vec<Bits>, _, _) = (Vec::new(), Vec::new(), Vec::new());
        for (place, value) in results.iter().zip(values) {
            let Some(place) = place else { continue };
            moves.extend(old.place(*place).iter().copied().zip(new.place(*place).iter().copied()));
            stored.push((*place, new.place(*place).into()));
            slots.push(Slot::Result(words.len() as u32));
            words.push(new.place(*place).into());
            kept.push(value.clone());
        }
        let before = Columns { globals: &globals.before, locals: &frame.before, results: &[] };
        let after = Columns { globals: &globals.after, locals: &frame.after, results: &words };
        let mut path = self.encoder.path(&mut self.dd, before, after);
        path.assign(&slots, &kept, None)?;
        let Some(relation) = path.finish(|_| true)? else { return Ok(None) };
        Ok(Some(self.made(relation.diagram, moves, stored)))
    }

    fn made(&mut self, diagram: Bdd, moves: Moves, stored: Vec<(Place, Bits)>) -> Transfer {
        let mut forgotten: Vec<Level> = stored.iter().flat_map(|(_, bits)| bits.iter().copied()).collect();
        forgotten.sort_unstable();
        let before = self.product(moves.clone(), forgotten);
        let both = self.product(moves, Vec::new());
        Transfer { diagram, before, both, stored }
    }

    fn product(&mut self, moves: Moves, forgotten: Vec<Level>) -> ProductId {
        let dd = &mut self.dd;
        *self.products.entry((moves, forgotten)).or_insert_with_key(|(moves, forgotten)| {
            dd.register_product(&Map::new(moves.iter().copied()), &Map::default(), forgotten, &Map::default())
        })
    }
}

/// What is known of a step that is no test.
pub enum Known {
    /// It stores nothing.
    Nothing,
    /// Nobody can take it.
    Impossible,
    /// It stores something.
    Transfer(Rc<Transfer>),
}
