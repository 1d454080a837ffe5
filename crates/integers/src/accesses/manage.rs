//! What is done to objects, and what is wrong with it.

use super::bases::{Extent, behind};
use super::{Judge, Verdict, between, is_partial, is_pointer, node, plain, target, verdict};
use crate::expr::{Expr, Op, Relation};
use crate::memory::{ClassId, Field, MOST, Manage, Object, RegionId, Storage, WILD};
use crate::program::{Action, Edge, Function, FunctionId, Program, Step};

impl Judge {
    pub(super) fn manage(
        &self,
        id: FunctionId,
        function: &mut Function,
        n: usize,
        manage: &Manage,
        program: &mut Program,
    ) -> Option<()> {
        if manage.exprs().into_iter().any(is_partial) {
            return None;
        }
        match manage {
            Manage::Allocate { class, count, result, storage, is_zeroed } => {
                let mut step = Step::new(Expr::truth(true), Vec::new());
                if !is_zeroed {
                    self.wild(function, n, &mut step, (*class, Expr::read(*result), count), program)?;
                }
                if let Some(there) = self.classes.told(*class) {
                    step.stores.push((there, Expr::read(*result), Expr::constant(1)));
                }
                if let Some(live) = self.live.filter(|_| *storage == Storage::Heap) {
                    let more = Expr::read(live).binary(Op::Add, Expr::constant(1));
                    step.updates.push((live, more));
                }
                if !step.stores.is_empty() || !step.updates.is_empty() {
                    behind(function, n, step);
                }
                if count.as_constant().is_none_or(|count| !(0..=MOST).contains(&count)) {
                    let right = between(count.clone(), Expr::constant(MOST + 1));
                    self.before(function, n, Verdict { wrong: vec![right.clone().not()], right }, program);
                }
                Some(())
            }
            Manage::Release { pointer, storage: Storage::Frame } => {
                let there = self.classes.told(self.classes.class(program, id, pointer)?)?;
                let step = Step {
                    stores: vec![(there, pointer.clone(), Expr::constant(0))],
                    ..Step::new(Expr::truth(true), Vec::new())
                };
                behind(function, n, step);
                Some(())
            }
            Manage::Release { pointer, storage: Storage::Heap } => {
                self.release(id, function, n, pointer, program)
            }
            Manage::Begin(object) => {
                let Object { class, count, .. } = program.memory.objects[object.index()];
                let mut step = Step::new(Expr::truth(true), Vec::new());
                let (first, count) = (Expr::leaf(Op::Object(*object)), Expr::constant(count.into()));
                self.wild(function, n, &mut step, (class, first, &count), program)?;
                if !step.stores.is_empty() {
                    behind(function, n, step);
                }
                Some(())
            }
            Manage::End(_) => Some(()),
            Manage::Fill { class, pointer, count, .. } => {
                let verdict = self.range(id, *class, pointer, count, program)?;
                self.before(function, n, verdict, program);
                Some(())
            }
            Manage::Copy { class, to, from, count } => {
                let one = self.range(id, *class, to, count, program)?;
                let other = self.range(id, *class, from, count, program)?;
                self.before(function, n, one, program);
                self.before(function, n, other, program);
                Some(())
            }
            Manage::Reallocate { .. } => None,
        }
    }

    /// Cells of pointers of a new object hold what says that nothing was stored in them: by the step, if it is one element, or by an edge of their own, if the object has nothing but pointers. Nothing, if that cannot be said.
    fn wild(
        &self,
        function: &mut Function,
        n: usize,
        step: &mut Step,
        (class, first, count): (ClassId, Expr, &Expr),
        program: &Program,
    ) -> Option<()> {
        let fields = &program.memory.classes[class.index()].fields;
        let pointers: Vec<&Field> = fields.iter().filter(|field| is_pointer(program, field.region)).collect();
        if pointers.is_empty() {
            return Some(());
        }
        let is_plain = |field: &&Field| (field.stride, field.start) == (1, 0) && field.dimensions.is_empty();
        if !pointers.iter().all(is_plain) {
            return None;
        }
        if count.as_constant() == Some(1) {
            let store = |field: &&Field| (field.region, first.clone(), Expr::constant(WILD));
            step.stores.extend(pointers.iter().map(store));
            return Some(());
        }
        if pointers.len() < fields.len() {
            return None;
        }
        let Edge { to, span, .. } = function.edges[n];
        let middle = node(function, span);
        function.edges[n].to = middle;
        let count = count.clone();
        let fill = Manage::Fill { class, pointer: first, count, value: Expr::constant(WILD) };
        function.edges.push(Edge { from: middle, to, action: Action::Manage(fill), span });
        Some(())
    }

    /// Something is freed: null, or the beginning of what is there.
    fn release(
        &self,
        id: FunctionId,
        function: &mut Function,
        n: usize,
        pointer: &Expr,
        program: &mut Program,
    ) -> Option<()> {
        let Edge { from, to, span, .. } = function.edges[n];
        let class = self.classes.class(program, id, pointer)?;
        let there = self.classes.told(class)?;
        let is_null = pointer.clone().compare(Relation::Equal, Expr::constant(0));
        let (index, verdict) = match plain(pointer).filter(|_| self.classes.is_single(class)) {
            Some(pointer) => (pointer.clone(), verdict(&pointer, Some(there))),
            None => {
                let Extent { base, .. } = self.bases.extent(id, pointer)?;
                let offset = pointer.clone().binary(Op::Difference, base.clone());
                let is_first = offset.compare(Relation::Equal, Expr::constant(0));
                let told = base.clone().unary(Op::Load(there));
                let is_there = told.compare(Relation::Equal, Expr::constant(1));
                let wrong = vec![is_first.clone().not(), is_first.clone().and(is_there.clone().not())];
                (base, Verdict { wrong, right: is_first.and(is_there) })
            }
        };
        let kind = self.targets?;
        for bad in verdict.wrong {
            let guard = is_null.clone().not().and(bad).simplified();
            target(function, program, kind, from, Step::new(guard, Vec::new()), span);
        }
        let nothing = Action::Step(Step::new(is_null.clone(), Vec::new()));
        let less = self.live.map(|live| (live, Expr::read(live).binary(Op::Subtract, Expr::constant(1))));
        let released = Step {
            stores: vec![(there, index, Expr::constant(0))],
            updates: less.into_iter().collect(),
            ..Step::new(is_null.not().and(verdict.right), Vec::new())
        };
        function.edges[n].action = nothing;
        function.edges.push(Edge { from, to, action: Action::Step(released), span });
        Some(())
    }

    /// So many elements from a pointer on are there.
    fn range(
        &self,
        id: FunctionId,
        class: ClassId,
        pointer: &Expr,
        count: &Expr,
        program: &Program,
    ) -> Option<Verdict> {
        let fields = &program.memory.classes[class.index()].fields;
        let regions: Vec<RegionId> = fields.iter().map(|field| field.region).collect();
        let extent = self.bases.extent(id, pointer)?;
        let offset = pointer.clone().binary(Op::Difference, extent.base.clone());
        let behind = offset.clone().binary(Op::Add, count.clone());
        let limit = extent.size.clone().binary(Op::Add, Expr::constant(1));
        let mut right = offset.compare(Relation::GreaterEqual, Expr::constant(0)).and(between(behind, limit));
        right = right.and(count.clone().compare(Relation::GreaterEqual, Expr::constant(0)));
        for region in regions {
            // Of whole elements nothing is left out; parts of others have to be like them.
            for owner in self.classes.owners(program, region).into_iter().filter(|owner| *owner != class) {
                let mut fields = program.memory.classes[owner.index()].fields.iter();
                let is_plain = |stride, start, n| (stride, start, n) == (1, 0, 0);
                if fields.any(|field| {
                    field.region == region && !is_plain(field.stride, field.start, field.dimensions.len())
                }) {
                    return None;
                }
            }
            right = right.and(self.is_there(region, &extent, program)?);
        }
        // Nothing is done to no elements.
        let none = count.clone().compare(Relation::Equal, Expr::constant(0));
        let right = none.binary(Op::Or, right);
        Some(Verdict { wrong: vec![right.clone().not()], right })
    }

    /// What has to be right before an edge.
    fn before(&self, function: &mut Function, n: usize, verdict: Verdict, program: &mut Program) {
        let Some(kind) = self.targets else { return };
        let Edge { from, span, .. } = function.edges[n];
        let middle = node(function, span);
        function.edges[n].from = middle;
        let right = Step::new(verdict.right, Vec::new());
        function.edges.push(Edge { from, to: middle, action: Action::Step(right), span });
        for bad in verdict.wrong {
            target(function, program, kind, from, Step::new(bad, Vec::new()), span);
        }
    }
}
