//! Blocks, the objects that begin and end with them, and jumps between them.
//!
//! An object lives from where its block is entered to where it is left, however that happens. It begins where it is declared; if a jump may lead past its
//! declaration, also where its block is entered, and on every jump into the block. On a jump out of blocks their objects end. Where a label is
//! may only be known at the end of the function, so that jumps lead somewhere only then.

use super::body::{Builder, Loose, Point};
use super::memory::Home;
use super::object::Begun;
use crate::points::is_in_memory;
use crate::syntax::{ExprId, ExprKind, FnId, Label, Stmt, StmtKind, Storage, Unit, VarId};
use crate::token::Name;
use base::Span;
use integers::memory::Storage as Where;
use integers::{Action, Expr, Manage, NodeId, Place, Relation, Step, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// A block.
#[derive(Default)]
struct Scope {
    /// What ends with it, in the order of the text.
    objects: Vec<Object>,
    /// Variables whose declarations a jump may lead past.
    skipped: Vec<VarId>,
}

struct Object {
    home: Home,
    /// It begins where it is declared, and there alone; to jump back before that ends it.
    has_variable_length: bool,
}

/// The blocks around a place, from the outermost, and how many of their objects are declared before it.
pub(crate) type Around = Vec<(usize, usize)>;

/// A jump that does not lead anywhere yet.
struct Jump {
    loose: Loose,
    to: Name,
    span: Span,
    around: Around,
}

/// A label of a function.
pub(crate) struct LabelPoint {
    pub(crate) node: NodeId,
    /// The blocks around it, where it is defined.
    pub(crate) around: Option<Around>,
    pub(crate) used: Span,
}

/// The blocks of a function.
#[derive(Default)]
pub(crate) struct Scopes {
    all: Vec<Scope>,
    open: Vec<usize>,
    jumps: Vec<Jump>,
    /// Jumps to addresses: from which nodes, and which variable says where they lead.
    computed: Vec<(NodeId, Place, Span, Around)>,
    /// Variables whose declarations a jump may lead past.
    skipped: FxHashSet<VarId>,
}

impl Scopes {
    /// No block yet, of a function that jumps so.
    pub(crate) fn new(unit: &Unit, id: FnId) -> Self {
        Self { skipped: Ways::new(unit, id).skipped(), ..Self::default() }
    }

    /// How many blocks are around.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Where the translation is.
    pub(crate) fn around(&self) -> Around {
        self.open.iter().map(|&scope| (scope, self.all[scope].objects.len())).collect()
    }

    /// The innermost block is left, and its objects end with the block around it, since its value is one of them.
    pub(crate) fn hand_up(&mut self) {
        let inner = self.open.pop().expect("a block is around");
        let handed: Vec<(Home, bool)> =
            self.all[inner].objects.iter().map(|object| (object.home, object.has_variable_length)).collect();
        handed.into_iter().for_each(|(home, has_variable_length)| self.ends_here(home, has_variable_length));
    }

    /// An object ends with the innermost block. That of the function ends with it by itself.
    pub(crate) fn ends_here(&mut self, home: Home, has_variable_length: bool) {
        if let [_, .., innermost] = self.open[..] {
            let objects = &mut self.all[innermost].objects;
            if !objects.iter().any(|object| object.home == home) {
                objects.push(Object { home, has_variable_length });
            }
        }
    }
}

impl Builder<'_, '_> {
    /// A block is entered, which declares what these statements do.
    pub(crate) fn open<'s>(&mut self, statements: impl IntoIterator<Item = &'s Stmt>) {
        let mut skipped = Vec::new();
        if !self.scopes.skipped.is_empty() {
            let vars = statements.into_iter().flat_map(declared).copied();
            skipped.extend(vars.filter(|id| self.scopes.skipped.contains(id)));
        }
        self.scopes.open.push(self.scopes.all.len());
        self.scopes.all.push(Scope { objects: Vec::new(), skipped: skipped.clone() });
        skipped.into_iter().for_each(|id| self.begin_without_value(id));
    }

    /// The innermost block is left at its end.
    pub(crate) fn close(&mut self, span: Span) {
        self.end_objects(self.scopes.depth() - 1, span);
        self.scopes.open.pop();
    }

    /// Whether a variable begins where its block is entered.
    pub(crate) fn is_hoisted(&self, id: VarId) -> bool {
        self.scopes.skipped.contains(&id)
    }

    /// A variable whose block is entered, and that its declaration gives no value.
    fn begin_without_value(&mut self, id: VarId) {
        let span = self.low.unit.var(id).span;
        if is_in_memory(self.low.unit, id) {
            self.begin(id, span, Begun::Now);
            return;
        }
        if let Some(scalar) = self.low.represented(id) {
            let name = self.low.names.text(self.low.unit.var(id).name).to_owned();
            let local = self.variable(id).expect("what is represented is a variable");
            self.uninitialised(Place::Local(local), &scalar, name, span);
        }
    }

    /// The objects of the blocks from this depth end.
    pub(crate) fn end_objects(&mut self, depth: usize, span: Span) {
        let left = self.scopes.around().split_off(depth);
        self.leave_blocks(&left, span);
    }

    fn leave_blocks(&mut self, left: &[(usize, usize)], span: Span) {
        let objects = left.iter().flat_map(|&(scope, n)| &self.scopes.all[scope].objects[..n]);
        let ending: Vec<Home> = objects.map(|object| object.home).collect();
        self.end_each(ending, span);
    }

    fn end_each(&mut self, ending: Vec<Home>, span: Span) {
        for home in ending.into_iter().rev() {
            match home {
                Home::Static(object) => self.manage(Manage::End(object), span),
                Home::Frame(local) => {
                    let pointer = Expr::read(Place::Local(local));
                    self.manage(Manage::Release { pointer, storage: Where::Frame }, span);
                }
            }
        }
    }

    /// Blocks are entered by a jump.
    fn enter_blocks(&mut self, entered: &[(usize, usize)]) {
        let skipped = entered.iter().flat_map(|(scope, _)| &self.scopes.all[*scope].skipped);
        let skipped: Vec<VarId> = skipped.copied().collect();
        skipped.into_iter().for_each(|id| self.begin_without_value(id));
    }

    /// Loose edges lead to a node from blocks to others.
    pub(crate) fn lead_into(&mut self, loose: Loose, node: NodeId, from: &Around, to: &Around, span: Span) {
        let common = from.iter().zip(to).take_while(|((one, _), (other, _))| one == other).count();
        self.go_on(loose);
        self.leave_blocks(&from[common..], span);
        for (&(scope, before), &(_, label)) in
            from[..common].iter().zip(to).filter(|(from, to)| from.1 > to.1)
        {
            let objects = self.scopes.all[scope].objects[label..before].iter();
            let ending = objects.filter(|object| object.has_variable_length).map(|object| object.home);
            let ending = ending.collect();
            self.end_each(ending, span);
        }
        self.enter_blocks(&to[common..]);
        let loose = self.leave(span);
        self.lead(loose, node);
    }

    /// `goto`: where it leads is settled when all labels are known.
    pub(crate) fn jump(&mut self, to: Name, span: Span) {
        self.label_point(to, span);
        let loose = self.leave(span);
        let around = self.scopes.around();
        self.scopes.jumps.push(Jump { loose, to, span, around });
    }

    /// A jump to an address: nobody knows to which label.
    pub(crate) fn computed_jump(&mut self, address: ExprId, span: Span) {
        self.effect(address);
        let place = self.temporary(Type::signed(32), span);
        self.forget(&[place], "a jump to a computed address".to_owned(), span);
        if let Some(node) = self.here(span) {
            let around = self.scopes.around();
            self.scopes.computed.push((node, place, span, around));
            self.point = Point::Nowhere;
        }
    }

    /// All labels are known: every jump leads to its label.
    pub(crate) fn settle_jumps(&mut self) {
        let mut labels: Vec<(NodeId, Around)> =
            self.labels.values().filter_map(|label| Some((label.node, label.around.clone()?))).collect();
        labels.sort_by_key(|(node, _)| *node);
        for (node, place, span, around) in std::mem::take(&mut self.scopes.computed) {
            for (n, (label, inside)) in (0..).zip(&labels) {
                let is_it = Expr::read(place).compare(Relation::Equal, Expr::constant(n));
                let edge = self.edge(node, Action::Step(Step::new(is_it, Vec::new())), span);
                self.lead_into(vec![edge], *label, &around, inside, span);
            }
        }
        for Jump { loose, to, span, around } in std::mem::take(&mut self.scopes.jumps) {
            let label = &self.labels[&to];
            if let Some(inside) = label.around.clone() {
                self.lead_into(loose, label.node, &around, &inside, span);
            }
        }
    }

    /// The node of a label.
    pub(crate) fn label_point(&mut self, name: Name, span: Span) -> NodeId {
        if let Some(label) = self.labels.get(&name) {
            return label.node;
        }
        let node = self.node_at(span);
        self.labels.insert(name, LabelPoint { node, around: None, used: span });
        node
    }

    /// A label is defined here; its node.
    pub(crate) fn define_label(&mut self, name: Name, span: Span) -> NodeId {
        let node = self.label_point(name, span);
        let around = self.scopes.around();
        let label = self.labels.get_mut(&name).expect("it was made just now");
        if label.around.replace(around).is_some() {
            let message = format!("the label `{}` is there twice", self.low.names.text(name));
            self.low.diagnostics.push(base::Diagnostic::error(span, message));
        }
        node
    }
}

/// The variables that a statement of a block declares.
fn declared(statement: &Stmt) -> &[VarId] {
    match &statement.kind {
        StmtKind::Declare(vars) => vars,
        StmtKind::Labelled(_, inner) => declared(inner),
        _ => &[],
    }
}

/// From where to where a function jumps. A place is the number of statements before it; blocks in expressions are behind all others.
struct Ways<'u> {
    unit: &'u Unit,
    n_before: u32,
    gotos: Vec<(u32, Name)>,
    /// Jumps that may lead to any label.
    computed: Vec<u32>,
    labels: FxHashMap<Name, u32>,
    /// From a `switch` to its cases.
    cases: Vec<(u32, u32)>,
    /// Where variables are declared, and where their blocks end.
    declared: Vec<(VarId, u32, u32)>,
}

impl<'u> Ways<'u> {
    fn new(unit: &'u Unit, id: FnId) -> Self {
        let mut ways = Self {
            unit,
            n_before: 0,
            gotos: Vec::new(),
            computed: Vec::new(),
            labels: FxHashMap::default(),
            cases: Vec::new(),
            declared: Vec::new(),
        };
        if let Some(body) = &unit.function(id).body {
            ways.block(&body.block, None);
            for expr in &unit.exprs[body.exprs.clone()] {
                if let ExprKind::Block(statements) = &expr.kind {
                    ways.block(statements, None);
                }
            }
        }
        ways
    }

    /// The variables whose declarations a jump may lead past: from elsewhere to behind them, within their block.
    fn skipped(mut self) -> FxHashSet<VarId> {
        let labels = &self.labels;
        self.cases.extend(self.gotos.iter().filter_map(|(from, name)| Some((*from, *labels.get(name)?))));
        for from in &self.computed {
            self.cases.extend(labels.values().map(|to| (*from, *to)));
        }
        self.cases.sort_by_key(|(_, to)| *to);
        let is_skipped = |&(_, declared, end): &(VarId, u32, u32)| {
            let first = self.cases.partition_point(|(_, to)| *to <= declared);
            let mut behind = self.cases[first..].iter().take_while(|(_, to)| *to < end);
            behind.any(|(from, _)| *from <= declared || *from >= end)
        };
        let skipped = self.declared.iter().filter(|declared| is_skipped(declared)).map(|(id, ..)| *id);
        let is_local = |id: &VarId| {
            let var = self.unit.var(*id);
            var.storage == Storage::Local && var.length.is_none()
        };
        skipped.filter(is_local).collect()
    }

    fn block<'s>(&mut self, statements: impl IntoIterator<Item = &'s Stmt>, switch: Option<u32>) {
        let first = self.declared.len();
        let mut own = Vec::new();
        for statement in statements {
            own.extend(declared(statement).iter().map(|id| (*id, self.n_before + 1)));
            self.statement(statement, switch);
        }
        self.n_before += 1;
        let end = self.n_before;
        self.declared.splice(first..first, own.into_iter().map(|(id, at)| (id, at, end)));
    }

    /// A statement within a `switch` that begins there.
    fn statement(&mut self, statement: &Stmt, switch: Option<u32>) {
        self.n_before += 1;
        let here = self.n_before;
        match &statement.kind {
            StmtKind::Block(block) => self.block(block, switch),
            StmtKind::If(arms, otherwise) => {
                arms.iter().for_each(|arm| self.statement(&arm.body, switch));
                otherwise.iter().for_each(|otherwise| self.statement(otherwise, switch));
            }
            StmtKind::While(_, body) | StmtKind::Do(body, _) => self.statement(body, switch),
            StmtKind::For(start, .., body) => {
                self.block(start.iter().chain([body]).map(|part| &**part), switch)
            }
            StmtKind::Switch(_, body) => self.statement(body, Some(here)),
            StmtKind::Labelled(labels, body) => {
                for label in labels {
                    match label {
                        Label::Name(name, _) => _ = self.labels.insert(*name, here),
                        Label::Case(..) | Label::Default(_) => {
                            self.cases.extend(switch.map(|from| (from, here)));
                        }
                    }
                }
                self.statement(body, switch);
            }
            StmtKind::Goto(name, _) => self.gotos.push((here, *name)),
            StmtKind::Computed(_) => self.computed.push(here),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Assembly
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
        }
    }
}
