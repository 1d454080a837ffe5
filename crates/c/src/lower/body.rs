//! The graph of a function under construction.
//!
//! The present point is a node, or edges that do not lead anywhere yet: a node is made only when something is done there, so that
//! nothing is done just to join branches.

use super::Lowering;
use super::expression::Value;
use super::memory::{Home, Scalar, Target};
use super::object::Begun;
use super::scope::{LabelPoint, Scopes};
use super::statement::SwitchState;
use crate::points::is_in_memory;
use crate::sites::{Site, SiteKind, Spot, Visible};
use crate::syntax::{FnId, VarId};
use crate::token::Name;
use base::Span;
use integers::{
    Action, Edge, EdgeId, Expr, Function, FunctionId, Input, Node, NodeId, Op, Place, Role, Step, Type,
    Variable,
};
use rustc_hash::FxHashMap;

/// Edges that do not lead anywhere yet.
pub(crate) type Loose = Vec<usize>;

/// Where the translation is.
pub(crate) enum Point {
    /// Nothing leads here.
    Nowhere,
    At(NodeId),
    Behind(Loose),
}

/// A loop or `switch` that can be left.
pub(crate) struct Exit {
    pub(crate) breaks: Loose,
    /// Where `continue` leads; a `switch` has none.
    pub(crate) continues: Option<Loose>,
    /// How many blocks are around it.
    pub(crate) depth: usize,
}

pub(crate) struct Builder<'l, 'u> {
    pub(crate) low: &'l mut Lowering<'u>,
    /// The name of the function.
    pub(crate) name: &'u str,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) locals: Vec<Variable>,
    pub(crate) place: FxHashMap<VarId, u32>,
    pub(crate) point: Point,
    pub(crate) labels: FxHashMap<Name, LabelPoint>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) switches: Vec<SwitchState>,
    pub(crate) returns: Loose,
    /// Where the result is kept, and its type.
    pub(crate) result: Option<(u32, Scalar)>,
    /// The function of the text.
    pub(crate) function: FnId,
    /// Where variables are that are objects of this function.
    pub(crate) homes: FxHashMap<VarId, Home>,
    /// The blocks around, and jumps between them.
    pub(crate) scopes: Scopes,
    /// Variables for intermediate results, and how many of each type are in use.
    temporaries: FxHashMap<Type, (Vec<u32>, usize)>,
    n_temporaries: usize,
    /// Which function of the program it is.
    pub(crate) id: FunctionId,
    /// Where things are in the text; edges are positions in `edges`.
    sites: Vec<Site>,
}

/// A node that is not known yet.
const OPEN: NodeId = NodeId(u32::MAX);

impl<'l, 'u> Builder<'l, 'u> {
    /// A function that is empty so far.
    pub(crate) fn new(low: &'l mut Lowering<'u>, name: &'u str, id: FunctionId) -> Self {
        Builder {
            low,
            name,
            nodes: Vec::new(),
            edges: Vec::new(),
            locals: Vec::new(),
            place: FxHashMap::default(),
            point: Point::Nowhere,
            labels: FxHashMap::default(),
            exits: Vec::new(),
            switches: Vec::new(),
            returns: Vec::new(),
            result: None,
            function: FnId(u32::MAX),
            homes: FxHashMap::default(),
            scopes: Scopes::default(),
            temporaries: FxHashMap::default(),
            n_temporaries: 0,
            id,
            sites: Vec::new(),
        }
    }

    /// Translates a function.
    pub(crate) fn function(low: &'l mut Lowering<'u>, id: FnId) -> Function {
        let declared = low.unit.function(id);
        let body = declared.body.as_ref().expect("only functions with bodies are translated");
        let number = low.functions[&id];
        let name = low_name(low, id);
        let mut builder = Builder::new(low, name, number);
        builder.function = id;
        builder.scopes = Scopes::new(builder.low.unit, id);
        let params: Vec<Option<u32>> = body.params.iter().map(|param| builder.parameter(*param)).collect();
        let n_params = builder.locals.len();
        if let Some(scalar) = builder.low.result_scalar(id) {
            builder.result = Some((builder.local("$ret", scalar.ty(), declared.span), scalar));
        }
        let entry = builder.node_at(declared.span);
        builder.point = Point::At(entry);
        for (param, local) in body.params.iter().zip(params) {
            builder.take(*param, local);
        }
        builder.open(&body.block);
        builder.statements(&body.block);
        builder.fall_off(low_name(builder.low, id) == "main", body.end);
        builder.settle_jumps();
        builder.undefined_labels();
        let exit = builder.node_at(body.end);
        let returns = std::mem::take(&mut builder.returns);
        builder.lead(returns, exit);
        builder.hand_over_sites(id);
        let mut function = Function {
            name: low_name(builder.low, id).to_owned(),
            span: declared.span,
            locals: builder.locals,
            n_params,
            result: builder.result.map(|(local, _)| local),
            nodes: builder.nodes,
            edges: builder.edges,
            entry,
            exit,
        };
        function.sort_edges();
        function
    }

    /// What the text has at its places, with the edges as they are numbered when they are sorted.
    fn hand_over_sites(&mut self, id: FnId) {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&n| self.edges[n].from);
        let mut sorted = vec![EdgeId(0); order.len()];
        order.iter().enumerate().for_each(|(new, &old)| sorted[old] = EdgeId::new(new));
        for mut site in std::mem::take(&mut self.sites) {
            let renumber = |edge: &mut EdgeId| *edge = sorted[edge.index()];
            match &mut site.kind {
                SiteKind::Statement(Spot::Behind(edges)) | SiteKind::Loop(Spot::Behind(edges), _) => {
                    edges.iter_mut().for_each(renumber);
                }
                SiteKind::Branch(ways) => ways.iter_mut().map(|(_, edge)| edge).for_each(renumber),
                SiteKind::Call(edge) => renumber(edge),
                SiteKind::Statement(_) | SiteKind::Loop(..) => {}
            }
            self.low.sites.all.push(site);
        }
        let visible = |&(var, scope): &(VarId, Span)| {
            let local = self.place.get(&var).map(|n| Place::Local(*n));
            let name = self.low.names.text(self.low.unit.var(var).name).to_owned();
            Visible { name, place: local.or_else(|| self.low.global(var)), scope }
        };
        let body = self.low.unit.function(id).body.as_ref();
        let mut scopes: Vec<Visible> = body.iter().flat_map(|body| &body.scopes).map(visible).collect();
        scopes.sort_by_key(|visible| visible.scope);
        self.low.sites.scopes.push(scopes);
    }

    /// Notes what a place of the text is.
    pub(crate) fn site(&mut self, span: Span, kind: SiteKind) {
        self.sites.push(Site { function: self.id, span, kind });
    }

    /// Where the translation is.
    pub(crate) fn spot(&self) -> Spot {
        match &self.point {
            Point::Nowhere => Spot::Nowhere,
            Point::At(node) => Spot::Node(*node),
            Point::Behind(loose) => Spot::Behind(loose.iter().map(|n| EdgeId::new(*n)).collect()),
        }
    }

    /// The end of the body: `main` returns 0, other functions something that nobody has stored.
    fn fall_off(&mut self, is_main: bool, span: Span) {
        if let (Some((local, scalar)), false) = (self.result.clone(), matches!(self.point, Point::Nowhere)) {
            let place = Place::Local(local);
            if is_main {
                self.store(place, Expr::constant(0), span);
            } else {
                self.uninitialised(place, &scalar, "the result".to_owned(), span);
            }
        }
        let last = self.leave(span);
        self.returns.extend(last);
    }

    fn undefined_labels(&mut self) {
        let mut missing: Vec<(Name, Span)> = self
            .labels
            .iter()
            .filter(|(_, label)| label.around.is_none())
            .map(|(name, label)| (*name, label.used))
            .collect();
        missing.sort_by_key(|(_, span)| *span);
        for (name, span) in missing {
            let message = format!("there is no label `{}` in this function", self.low.names.text(name));
            self.low.error(span, message);
        }
    }

    /// A variable of the text, if the program has it.
    pub(crate) fn variable(&mut self, id: VarId) -> Option<u32> {
        if let Some(local) = self.place.get(&id) {
            return Some(*local);
        }
        let scalar = self.low.represented(id)?;
        let var = self.low.unit.var(id);
        let name = self.low.names.text(var.name).to_owned();
        let local = self.local(&name, scalar.ty(), var.span);
        self.place.insert(id, local);
        Some(local)
    }

    /// The variable that a parameter is passed in, if it is passed as a number or a pointer.
    fn parameter(&mut self, id: VarId) -> Option<u32> {
        if let Some(local) = self.variable(id) {
            return Some(local);
        }
        let scalar = self.low.passed_scalar(id)?;
        let var = self.low.unit.var(id);
        let name = self.low.names.text(var.name).to_owned();
        Some(self.local(&name, scalar.ty(), var.span))
    }

    /// A parameter that is an object gets what was passed.
    fn take(&mut self, id: VarId, local: Option<u32>) {
        if !is_in_memory(self.low.unit, id) {
            return;
        }
        let var = self.low.unit.var(id);
        let (span, ty) = (var.span, var.ty.clone());
        let Some((pointer, node)) = self.begin(id, span, Begun::Now) else { return };
        let value = match (local, self.low.scalar(id), self.low.passed_object(id)) {
            (Some(local), Some(Scalar::Integer(integer)), _) => {
                Value::Integer(Expr::read(Place::Local(local)), integer)
            }
            (Some(local), Some(Scalar::Pointer(ty)), _) => {
                Value::Pointer(Expr::read(Place::Local(local)), ty)
            }
            (_, _, Some(object)) => Value::Record(Expr::leaf(Op::Object(object)), node),
            _ => return,
        };
        self.put(&Target::Cell { pointer, node, ty }, value, span);
    }

    pub(crate) fn local(&mut self, name: &str, ty: Type, span: Span) -> u32 {
        self.locals.push(Variable { name: name.to_owned(), ty, span });
        (self.locals.len() - 1) as u32
    }

    /// A variable for an intermediate result, until the end of the statement.
    pub(crate) fn temporary(&mut self, ty: Type, span: Span) -> Place {
        let (all, used) = self.temporaries.entry(ty).or_default();
        *used += 1;
        if let Some(&local) = all.get(*used - 1) {
            return Place::Local(local);
        }
        self.n_temporaries += 1;
        let name = format!("${}", self.n_temporaries);
        let local = self.local(&name, ty, span);
        self.temporaries.get_mut(&ty).expect("it was there").0.push(local);
        Place::Local(local)
    }

    /// What is in use now.
    pub(crate) fn mark(&self) -> FxHashMap<Type, usize> {
        self.temporaries.iter().map(|(ty, (_, used))| (*ty, *used)).collect()
    }

    /// What came into use since is free again.
    pub(crate) fn release(&mut self, mark: &FxHashMap<Type, usize>) {
        for (ty, (_, used)) in &mut self.temporaries {
            *used = mark.get(ty).copied().unwrap_or(0);
        }
    }

    pub(crate) fn is_reachable(&self) -> bool {
        !matches!(self.point, Point::Nowhere)
    }

    pub(crate) fn node_at(&mut self, span: Span) -> NodeId {
        self.nodes.push(Node { role: Role::Plain, span });
        NodeId::new(self.nodes.len() - 1)
    }

    /// The present point as a node.
    pub(crate) fn here(&mut self, span: Span) -> Option<NodeId> {
        match std::mem::replace(&mut self.point, Point::Nowhere) {
            Point::Nowhere => None,
            Point::At(node) => {
                self.point = Point::At(node);
                Some(node)
            }
            Point::Behind(loose) => {
                let node = self.node_at(span);
                self.lead(loose, node);
                self.point = Point::At(node);
                Some(node)
            }
        }
    }

    /// Loose edges lead to a node.
    pub(crate) fn lead(&mut self, loose: Loose, node: NodeId) {
        for edge in loose {
            self.edges[edge].to = node;
        }
    }

    /// A new edge from a node; it is loose.
    pub(crate) fn edge(&mut self, from: NodeId, action: Action, span: Span) -> usize {
        self.edges.push(Edge { from, to: OPEN, action, span });
        self.edges.len() - 1
    }

    /// Does something, and goes on behind it.
    pub(crate) fn act(&mut self, action: Action, span: Span) {
        let action = match action {
            // Arguments are evaluated before.
            Action::Call { callee, args, result } => {
                let args = args.into_iter().map(|arg| self.settled(arg, span)).collect();
                Action::Call { callee, args, result }
            }
            Action::Step(step) if step.guard.has_loads() => {
                let guard = self.settled(step.guard, span);
                Action::Step(Step { guard, ..step })
            }
            action => action,
        };
        if let Some(node) = self.here(span) {
            let edge = self.edge(node, action, span);
            self.point = Point::Behind(vec![edge]);
        }
    }

    pub(crate) fn store(&mut self, place: Place, value: Expr, span: Span) {
        self.act(Action::Step(Step::new(Expr::truth(true), vec![(place, value)])), span);
    }

    /// The environment chooses what a variable holds.
    pub(crate) fn read_input(&mut self, place: Place, input: Input, span: Span) {
        if self.is_reachable() {
            let input = self.low.input(input);
            let updates = vec![(place, Expr::leaf(Op::Input(0)))];
            let step = Step { inputs: vec![input], ..Step::new(Expr::truth(true), updates) };
            self.act(Action::Step(step), span);
        }
    }

    /// Nobody knows what some variables hold from here on.
    pub(crate) fn forget(&mut self, places: &[Place], construct: String, span: Span) {
        if self.is_reachable() && !places.is_empty() {
            let unknown = self.low.unknown(construct, span);
            let updates = places.iter().zip(0..).map(|(place, n)| (*place, Expr::leaf(Op::Unknown(n))));
            let updates = updates.collect();
            let unknowns = vec![unknown; places.len()];
            let step = Step { unknowns, ..Step::new(Expr::truth(true), updates) };
            self.act(Action::Step(step), span);
        }
    }

    /// The present point as loose edges; afterwards the translation is nowhere.
    pub(crate) fn leave(&mut self, span: Span) -> Loose {
        match std::mem::replace(&mut self.point, Point::Nowhere) {
            Point::Nowhere => Vec::new(),
            Point::At(node) => vec![self.edge(node, skip(), span)],
            Point::Behind(loose) => loose,
        }
    }

    /// Goes on behind loose edges.
    pub(crate) fn go_on(&mut self, loose: Loose) {
        self.point = if loose.is_empty() { Point::Nowhere } else { Point::Behind(loose) };
    }

    /// Goes on at a node that may be there already.
    pub(crate) fn arrive(&mut self, node: NodeId, span: Span) {
        let loose = self.leave(span);
        self.lead(loose, node);
        self.point = Point::At(node);
    }

    /// Goes where a condition holds, and where it does not.
    pub(crate) fn split(&mut self, condition: Expr, span: Span) -> (Loose, Loose) {
        let condition = self.settled(condition, span);
        if let Some(value) = condition.as_truth() {
            let loose = self.leave(span);
            return if value { (loose, Vec::new()) } else { (Vec::new(), loose) };
        }
        let Some(node) = self.here(span) else { return (Vec::new(), Vec::new()) };
        let yes = Action::Step(Step::new(condition.clone(), Vec::new()));
        let no = Action::Step(Step::new(condition.not(), Vec::new()));
        let edges = (vec![self.edge(node, yes, span)], vec![self.edge(node, no, span)]);
        self.point = Point::Nowhere;
        edges
    }

    /// The run ends here, in this way.
    pub(crate) fn end(&mut self, role: Role, span: Span) {
        let loose = self.leave(span);
        if !loose.is_empty() {
            let node = self.node_at(span);
            self.nodes[node.index()].role = role;
            self.lead(loose, node);
        }
    }
}

/// Nothing.
pub(crate) fn skip() -> Action {
    Action::Step(Step::new(Expr::truth(true), Vec::new()))
}

fn low_name<'u>(low: &Lowering<'u>, id: FnId) -> &'u str {
    low.names.text(low.unit.function(id).name)
}
