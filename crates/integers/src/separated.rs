//! Memory in more regions than the text has: objects that no pointer can confuse are apart, once calls have been replaced by what they call.
//!
//! `fill(a, 1); fill(b, 2);` has one region for `a` and `b`, since the parameter of `fill` may point to either; where `fill` is part of its caller twice, there are two parameters.
//!
//! Contract: the same runs. What pointers may point to is found by unification: a variable, and what a set of objects holds in a region, have a set of objects each; what is assigned, compared or copied has one. A region becomes
//! one for each set of objects whose cells it has. Where something of which nobody knows what it points to is followed, nothing is changed.

use crate::expr::{Expr, Op};
use crate::memory::{self, ClassId, Content, Initial, Manage, Memory, ObjectId, RegionId, WILD};
use crate::program::{Action, FunctionId, Place, Program, Start, Step};
use rustc_hash::FxHashMap;

/// The program in more regions, if there are more.
pub fn separated(program: &Program) -> Program {
    let mut sets = Sets { memory: Some(&program.memory), ..Sets::default() };
    sets.whole(program);
    if sets.is_unknown_followed() || !sets.is_finer() {
        return program.clone();
    }
    let mut result = program.clone();
    let mut maker =
        Maker { sets, memory: Memory { objects: Vec::new(), ..Memory::default() }, known: Known::default() };
    maker.memory.unchecked.clone_from(&program.memory.unchecked);
    for (n, function) in result.functions.iter_mut().enumerate() {
        for edge in &mut function.edges {
            edge.action = maker.action(FunctionId::new(n), &edge.action);
        }
    }
    for (n, object) in program.memory.objects.iter().enumerate() {
        let set = maker.sets.object(ObjectId::new(n));
        let mut moved = object.clone();
        moved.class = maker.class(set, object.class);
        for (region, ..) in &mut moved.cells {
            *region = maker.region(set, *region);
        }
        maker.memory.objects.push(moved);
    }
    maker.finish();
    maker.name();
    result.memory = maker.memory;
    result
}

/// A set of objects: a position in [`Sets::parents`].
type Set = usize;

/// Whose set it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Owner {
    /// What a variable points to; globals belong to no function.
    Variable(Option<FunctionId>, Place),
    /// The set that a static object is in.
    Object(ObjectId),
}

/// Sets of objects, united as pointers may point to both.
#[derive(Default)]
struct Sets<'a> {
    memory: Option<&'a Memory>,
    parents: Vec<Set>,
    owners: FxHashMap<Owner, Set>,
    /// What the objects of a set hold in a region of pointers; for roots.
    contents: Vec<FxHashMap<RegionId, Set>>,
    /// The regions of the objects of a set that are loaded from or stored in; for roots.
    followed: Vec<Vec<RegionId>>,
    /// Nobody knows what else is in the set; for roots.
    unknown: Vec<bool>,
}

impl Sets<'_> {
    fn fresh(&mut self) -> Set {
        self.parents.push(self.parents.len());
        self.contents.push(FxHashMap::default());
        self.followed.push(Vec::new());
        self.unknown.push(false);
        self.parents.len() - 1
    }

    fn find(&self, mut set: Set) -> Set {
        while self.parents[set] != set {
            set = self.parents[set];
        }
        set
    }

    fn owned(&mut self, owner: Owner) -> Set {
        if let Some(set) = self.owners.get(&owner) {
            return self.find(*set);
        }
        let set = self.fresh();
        self.owners.insert(owner, set);
        set
    }

    fn variable(&mut self, id: FunctionId, place: Place) -> Set {
        self.owned(Owner::Variable(matches!(place, Place::Local(_)).then_some(id), place))
    }

    fn object(&mut self, object: ObjectId) -> Set {
        self.owned(Owner::Object(object))
    }

    /// What the objects of a set hold in a region, if anybody has asked for it.
    fn known_content(&self, set: Set, region: RegionId) -> Option<Set> {
        self.contents[self.find(set)].get(&region).map(|content| self.find(*content))
    }

    /// What the objects of a set hold in a region.
    fn content(&mut self, set: Set, region: RegionId) -> Set {
        let set = self.find(set);
        if let Some(content) = self.known_content(set, region) {
            return content;
        }
        let content = self.fresh();
        self.contents[set].insert(region, content);
        content
    }

    /// Two sets become one, and so does what they hold.
    fn unite(&mut self, one: Set, other: Set) {
        let mut pending = vec![(one, other)];
        while let Some((one, other)) = pending.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            self.parents[other] = one;
            self.unknown[one] |= self.unknown[other];
            for region in std::mem::take(&mut self.followed[other]) {
                self.follow(one, region);
            }
            for (region, content) in std::mem::take(&mut self.contents[other]) {
                match self.contents[one].get(&region) {
                    Some(known) => pending.push((*known, content)),
                    None => _ = self.contents[one].insert(region, content),
                }
            }
        }
    }

    fn follow(&mut self, set: Set, region: RegionId) {
        let set = self.find(set);
        if !self.followed[set].contains(&region) {
            self.followed[set].push(region);
        }
    }

    fn is_pointer(&self, region: RegionId) -> bool {
        let memory = self.memory.expect("there is a memory");
        matches!(memory.regions[region.index()].content, Content::Pointer(_))
    }

    /// The set that an expression points into, if it may point somewhere; loads are noted.
    fn expr(&mut self, id: FunctionId, expr: &Expr) -> Option<Set> {
        expr.fold(|op, operands: Vec<Option<Set>>| self.operation(id, op, &operands))
    }

    fn operation(&mut self, id: FunctionId, op: Op, operands: &[Option<Set>]) -> Option<Set> {
        match op {
            Op::Read(place) => Some(self.variable(id, place)),
            Op::Object(object) => Some(self.object(object)),
            Op::Constant(number) => self.number(number),
            Op::Input(_) | Op::Unknown(_) => {
                let set = self.fresh();
                self.unknown[set] = true;
                Some(set)
            }
            Op::Load(region) => {
                let set = operands[0].unwrap_or_else(|| self.fresh());
                self.follow(set, region);
                self.is_pointer(region).then(|| self.content(set, region))
            }
            // What is added is no pointer.
            Op::Add | Op::Subtract | Op::Member(..) | Op::Initialised | Op::Within(_) | Op::Wrap(_) => {
                operands[0]
            }
            Op::BitsWith(..) | Op::Bits(..) => operands[0],
            Op::Choose => self.same(operands[1], operands[2]),
            Op::Compare(_) | Op::Difference => {
                self.same(operands[0], operands[1]);
                None
            }
            _ => None,
        }
    }

    /// A number that is written down: null, and what nothing was stored in, point nowhere.
    fn number(&mut self, number: i128) -> Option<Set> {
        if number.unsigned_abs() < 1 << 63 || number == WILD {
            return None;
        }
        let (object, _) = memory::unpack(number);
        let object = usize::try_from(object - 1).ok().map(ObjectId::new);
        object
            .filter(|object| object.index() < self.memory.map_or(0, |memory| memory.objects.len()))
            .map(|object| self.object(object))
    }

    fn same(&mut self, one: Option<Set>, other: Option<Set>) -> Option<Set> {
        if let (Some(one), Some(other)) = (one, other) {
            self.unite(one, other);
        }
        one.or(other)
    }

    fn whole(&mut self, program: &Program) {
        for (n, global) in (0..).zip(&program.globals) {
            let set = self.variable(program.main, Place::Global(n));
            match global.start {
                Start::Unknown(_) => self.unknown[set] = true,
                start => {
                    let target = start.number().and_then(|number| self.number(number));
                    self.same(Some(set), target);
                }
            }
        }
        for (n, object) in program.memory.objects.iter().enumerate() {
            let set = self.object(ObjectId::new(n));
            for &(region, _, initial) in &object.cells {
                if let Initial::Pointer(target, _) = initial {
                    let (content, target) = (self.content(set, region), self.object(target));
                    self.unite(content, target);
                }
            }
        }
        for (n, function) in program.functions.iter().enumerate() {
            for edge in &function.edges {
                self.action(FunctionId::new(n), &edge.action, program);
            }
        }
    }

    fn action(&mut self, id: FunctionId, action: &Action, program: &Program) {
        match action {
            Action::Step(step) => self.step(id, step),
            Action::Call { callee, args, result } => {
                for (n, arg) in (0..).zip(args) {
                    let (arg, param) = (self.expr(id, arg), self.variable(*callee, Place::Local(n)));
                    self.same(arg, Some(param));
                }
                if let (Some(place), Some(returned)) = (result, program.function(*callee).result) {
                    let returned = self.variable(*callee, Place::Local(returned));
                    let place = self.variable(id, *place);
                    self.unite(place, returned);
                }
            }
            Action::Manage(manage) => self.manage(id, manage),
        }
    }

    fn step(&mut self, id: FunctionId, step: &Step) {
        self.expr(id, &step.guard);
        for (place, value) in &step.updates {
            let (value, place) = (self.expr(id, value), self.variable(id, *place));
            self.same(value, Some(place));
        }
        for (region, pointer, value) in &step.stores {
            let set = self.expr(id, pointer).unwrap_or_else(|| self.fresh());
            self.follow(set, *region);
            let value = self.expr(id, value);
            if self.is_pointer(*region) {
                let content = self.content(set, *region);
                self.same(value, Some(content));
            }
        }
    }

    fn manage(&mut self, id: FunctionId, manage: &Manage) {
        match manage {
            Manage::Begin(_) | Manage::End(_) | Manage::Allocate { .. } => {}
            Manage::Release { pointer, .. } => _ = self.expr(id, pointer),
            // What was there is found in the new object.
            Manage::Reallocate { pointer, result, .. } => {
                let (old, new) = (self.expr(id, pointer), self.variable(id, *result));
                self.same(old, Some(new));
            }
            Manage::Fill { class, pointer, value, .. } => {
                let set = self.managed(id, *class, pointer);
                let value = self.expr(id, value);
                for region in self.pointers(*class) {
                    let content = self.content(set, region);
                    self.same(value, Some(content));
                }
            }
            // Cells are copied within regions.
            Manage::Copy { class, to, from, .. } => {
                let (to, from) = (self.managed(id, *class, to), self.managed(id, *class, from));
                self.unite(to, from);
            }
        }
    }

    /// The set that a pointer points into, all of whose regions of a class are followed.
    fn managed(&mut self, id: FunctionId, class: ClassId, pointer: &Expr) -> Set {
        let set = self.expr(id, pointer).unwrap_or_else(|| self.fresh());
        for region in self.fields(class) {
            self.follow(set, region);
        }
        set
    }

    fn fields(&self, class: ClassId) -> Vec<RegionId> {
        let memory = self.memory.expect("there is a memory");
        memory.classes[class.index()].fields.iter().map(|field| field.region).collect()
    }

    fn pointers(&self, class: ClassId) -> Vec<RegionId> {
        self.fields(class).into_iter().filter(|region| self.is_pointer(*region)).collect()
    }

    /// Whether something is followed of which nobody knows what it points to.
    fn is_unknown_followed(&self) -> bool {
        let is_root = |set: &Set| self.parents[*set] == *set;
        (0..self.parents.len()).filter(is_root).any(|set| self.unknown[set] && !self.followed[set].is_empty())
    }

    /// Whether cells of a region are followed in two sets.
    fn is_finer(&self) -> bool {
        let mut seen = vec![false; self.memory.map_or(0, |memory| memory.regions.len())];
        let roots = (0..self.parents.len()).filter(|set| self.parents[*set] == *set);
        roots
            .flat_map(|set| &self.followed[set])
            .any(|region| std::mem::replace(&mut seen[region.index()], true))
    }
}

/// The regions and classes of the result, by their sets.
#[derive(Default)]
struct Known {
    regions: FxHashMap<(Set, RegionId), RegionId>,
    classes: FxHashMap<(Set, ClassId), ClassId>,
    /// In the order in which they were made.
    listed: Vec<(Set, RegionId)>,
}

/// The result under construction.
struct Maker<'a> {
    sets: Sets<'a>,
    memory: Memory,
    known: Known,
}

impl Maker<'_> {
    fn before(&self) -> &Memory {
        self.sets.memory.expect("there is a memory")
    }

    /// The region of a set's objects.
    fn region(&mut self, set: Set, region: RegionId) -> RegionId {
        let key = (self.sets.find(set), region);
        if let Some(known) = self.known.regions.get(&key) {
            return *known;
        }
        let id = RegionId::new(self.memory.regions.len());
        let made = self.before().regions[region.index()].clone();
        self.memory.regions.push(made);
        self.known.regions.insert(key, id);
        self.known.listed.push(key);
        id
    }

    /// A class of a set's objects.
    fn class(&mut self, set: Set, class: ClassId) -> ClassId {
        let key = (self.sets.find(set), class);
        if let Some(known) = self.known.classes.get(&key) {
            return *known;
        }
        let id = ClassId::new(self.memory.classes.len());
        let mut made = self.before().classes[class.index()].clone();
        self.known.classes.insert(key, id);
        self.memory.classes.push(made.clone());
        for field in &mut made.fields {
            field.region = self.region(set, field.region);
        }
        self.memory.classes[id.index()] = made;
        id
    }

    /// What regions of pointers hold, once all regions are there.
    fn finish(&mut self) {
        let mut n = 0;
        while let Some(&(set, region)) = self.known.listed.get(n) {
            if let Content::Pointer(class) = self.before().regions[region.index()].content {
                // Where no pointer was stored and none is read, any set will do; a list of which nobody follows a link would have another one behind each of its links.
                let content = self.sets.known_content(set, region).unwrap_or(set);
                let class = self.class(content, class);
                self.memory.regions[n].content = Content::Pointer(class);
            }
            n += 1;
        }
    }

    /// A region that is called after one of several objects, and has the cells of another one alone, is called after that.
    fn name(&mut self) {
        let is_object = |name: &str| self.before().objects.iter().any(|object| object.name == name);
        let mut names = Vec::new();
        for (n, region) in self.memory.regions.iter().enumerate() {
            let has = |class: ClassId| {
                let mut fields = self.memory.classes[class.index()].fields.iter();
                fields.any(|field| field.region.index() == n)
            };
            let mut owners = self.memory.objects.iter().filter(|object| has(object.class));
            if let (Some(only), None) = (owners.next(), owners.next())
                && is_object(&region.name)
            {
                names.push((n, only.name.clone()));
            }
        }
        names.into_iter().for_each(|(n, name)| self.memory.regions[n].name = name);
    }

    fn expr(&mut self, id: FunctionId, expr: &Expr) -> Expr {
        let (made, _) = expr.fold(|op, operands: Vec<(Expr, Option<Set>)>| {
            let (exprs, sets): (Vec<Expr>, Vec<Option<Set>>) = operands.into_iter().unzip();
            let set = self.sets.operation(id, op, &sets);
            let op = match op {
                Op::Load(region) => {
                    let pointer = sets[0].unwrap_or_else(|| self.sets.fresh());
                    Op::Load(self.region(pointer, region))
                }
                other => other,
            };
            (Expr::of(op, &exprs), set)
        });
        made
    }

    fn set(&mut self, id: FunctionId, pointer: &Expr) -> Set {
        self.sets.expr(id, pointer).unwrap_or_else(|| self.sets.fresh())
    }

    fn action(&mut self, id: FunctionId, action: &Action) -> Action {
        match action {
            Action::Step(step) => {
                let guard = self.expr(id, &step.guard);
                let updates =
                    step.updates.iter().map(|(place, value)| (*place, self.expr(id, value))).collect();
                let mut stores = Vec::new();
                for (region, pointer, value) in &step.stores {
                    let set = self.set(id, pointer);
                    stores.push((self.region(set, *region), self.expr(id, pointer), self.expr(id, value)));
                }
                Action::Step(Step { guard, updates, stores, ..step.clone() })
            }
            Action::Call { callee, args, result } => {
                let args = args.iter().map(|arg| self.expr(id, arg)).collect();
                Action::Call { callee: *callee, args, result: *result }
            }
            Action::Manage(manage) => Action::Manage(self.manage(id, manage)),
        }
    }

    fn manage(&mut self, id: FunctionId, manage: &Manage) -> Manage {
        let mut moved = manage.clone();
        match &mut moved {
            Manage::Begin(_) | Manage::End(_) | Manage::Release { .. } => {}
            Manage::Allocate { class, result, .. } | Manage::Reallocate { class, result, .. } => {
                let set = self.sets.variable(id, *result);
                *class = self.class(set, *class);
            }
            Manage::Fill { class, pointer, .. } => {
                let set = self.set(id, pointer);
                *class = self.class(set, *class);
            }
            Manage::Copy { class, to, .. } => {
                let set = self.set(id, to);
                *class = self.class(set, *class);
            }
        }
        moved
    }
}
