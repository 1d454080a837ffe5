//! The machine of an abstraction.
//!
//! Each function is a module of the same name whose locals are bits: first those predicates that are known at its entry, which are its parameters, then the
//! other predicates, then the arguments and the results of calls. A call is three edges: the arguments are chosen as the caller's bits allow, the
//! call is made, and then the caller's bits are chosen as they and the results allow.

use crate::activity::Activity;
use crate::edges::{Maker, View};
use crate::factor::Cache;
use crate::game::steps_of;
use crate::predicates::Predicates;
use base::Span;
use integers::ghosts::Ghosted;
use integers::{Action, Edge, EdgeId, Expr, FunctionId, NodeId, Place, show_expr};
use rsm::{Game, ModuleGame, ModuleId, Move, Rsm, Type, Variable};
use smt::Solver;

/// What an edge of the machine stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Back {
    /// The start of the program.
    Start,
    /// A step.
    Step(EdgeId),
    /// The choice of the arguments of a call.
    Enter(EdgeId),
    /// The call itself.
    Call(EdgeId),
    /// What the caller knows after a call.
    Leave(EdgeId),
    /// The return of a function that is at its exit.
    Return,
}

/// How much work it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Predicates.
    pub n_predicates: usize,
    /// Edges of which less is known than could be.
    pub n_inexact: usize,
    /// Questions that were answered before.
    pub n_hits: u64,
    /// Questions about factors that were not.
    pub n_misses: u64,
    /// All questions to the solver.
    pub n_asked: u64,
}

/// An abstraction, and the way back.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The machine. Its modules are the functions of the program, in order; if somebody calls `main`, one more that does so first.
    pub rsm: Rsm,
    /// What it cannot say.
    pub game: Game,
    /// For each module and each of its edges.
    pub back: Vec<Vec<Back>>,
    /// For each module and each of its nodes, the node of the program; none at nodes that are inside a call or before the start.
    pub nodes: Vec<Vec<Option<NodeId>>>,
    /// For each module, the local of each predicate.
    pub bits: Vec<Vec<u32>>,
    /// For each function and node, the predicates that are kept there.
    pub kept: Vec<Vec<Vec<usize>>>,
    /// How much work it was.
    pub statistics: Statistics,
}

impl Abstraction {
    /// The node of the machine that stands for a node of the program.
    pub fn node(&self, function: FunctionId, node: NodeId) -> Option<rsm::NodeId> {
        let nodes = &self.nodes[function.index()];
        nodes.iter().position(|known| *known == Some(node)).map(rsm::NodeId::new)
    }
}

/// Abstracts a program. With `with_game`, says also what the environment can bring about.
pub fn abstraction(
    ghosted: &Ghosted,
    predicates: &Predicates,
    with_game: bool,
    cache: &mut Cache,
    solver: &mut dyn Solver,
) -> Abstraction {
    let (hits, misses, asked) = (cache.n_hits, cache.n_misses, solver.n_asked());
    let n_functions = ghosted.program.functions.len();
    let ids = (0..n_functions).map(FunctionId::new);
    let activities: Vec<Activity> = ids.clone().map(|id| Activity::new(ghosted, predicates, id)).collect();
    // How many predicates a function is told at its entry, and how many it tells at its exit.
    let told: Vec<(usize, usize)> = ids
        .clone()
        .zip(&activities)
        .map(|(id, activity)| {
            let function = ghosted.program.function(id);
            (activity.at(function.entry).len(), activity.at(function.exit).len())
        })
        .collect();
    let views: Vec<View> =
        ids.zip(activities).map(|(id, activity)| view(ghosted, predicates, &told, id, activity)).collect();
    let mut maker = Maker { ghosted, cache, solver, n_inexact: 0 };
    let mut modules: Vec<Builder> = Vec::new();
    for view in &views {
        modules.push(function(&mut maker, &views, view, with_game));
    }
    let main = ghosted.program.main;
    let mut first = ModuleId::new(main.index());
    if ghosted.is_called[main.index()] {
        first = ModuleId::new(modules.len());
        modules.push(starter(&mut maker, &views[main.index()]));
    }
    let n_inexact = maker.n_inexact;
    let statistics = Statistics {
        n_predicates: predicates.len(),
        n_inexact,
        n_hits: cache.n_hits - hits,
        n_misses: cache.n_misses - misses,
        n_asked: solver.n_asked() - asked,
    };
    let kept = views.iter().map(|view| {
        let n_nodes = ghosted.program.function(view.id).nodes.len();
        (0..n_nodes).map(|n| view.activity.at(NodeId::new(n)).to_vec()).collect()
    });
    let kept = kept.collect();
    let bits = views.into_iter().map(|view| view.bits).collect();
    assemble(modules, first, bits, kept, statistics)
}

fn assemble(
    builders: Vec<Builder>,
    main: ModuleId,
    bits: Vec<Vec<u32>>,
    kept: Vec<Vec<Vec<usize>>>,
    statistics: Statistics,
) -> Abstraction {
    let mut rsm = Rsm { globals: Vec::new(), init: Vec::new(), modules: Vec::new(), main };
    let mut game = Game::default();
    let (mut back, mut nodes) = (Vec::new(), Vec::new());
    for builder in builders {
        let Finished { module, module_game, back: edges, nodes: points } = builder.finish();
        rsm.modules.push(module);
        game.modules.push(module_game);
        back.push(edges);
        nodes.push(points);
    }
    Abstraction { rsm, game, back, nodes, bits, kept, statistics }
}

/// Where the bits of a function are.
fn view<'a>(
    ghosted: &'a Ghosted,
    predicates: &'a Predicates,
    told: &[(usize, usize)],
    id: FunctionId,
    activity: Activity,
) -> View<'a> {
    let function = ghosted.program.function(id);
    let of = predicates.of(id);
    let mut bits = vec![u32::MAX; of.len()];
    let at_entry = activity.at(function.entry).to_vec();
    let others = (0..of.len()).filter(|n| at_entry.binary_search(n).is_err());
    for (local, n) in at_entry.iter().copied().chain(others).enumerate() {
        bits[n] = local as u32;
    }
    let mut most = (0, 0);
    for edge in &function.edges {
        if let Action::Call { callee, .. } = edge.action {
            let (n_args, n_results) = told[callee.index()];
            most = (most.0.max(n_args), most.1.max(n_results));
        }
    }
    let args = of.len() as u32;
    let results = args + most.0 as u32;
    View { id, predicates: of, bits, activity, args, results, n_locals: results + most.1 as u32 }
}

/// A module under construction.
struct Builder {
    module: rsm::Module,
    game: ModuleGame,
    edges: Vec<(rsm::Edge, Back)>,
    points: Vec<Option<NodeId>>,
    moves: Vec<(usize, Vec<Outcome>)>,
}

/// A condition, and what can be brought about there.
type Outcome = (rsm::Expr, Vec<(rsm::Place, bool)>);

struct Finished {
    module: rsm::Module,
    module_game: ModuleGame,
    back: Vec<Back>,
    nodes: Vec<Option<NodeId>>,
}

impl Builder {
    fn new(name: &str, span: Span, locals: Vec<Variable>, n_params: usize, n_results: usize) -> Self {
        let module = rsm::Module {
            name: name.to_owned(),
            span,
            locals,
            n_params,
            results: vec![Type::Bool; n_results],
            enforce: None,
            nodes: Vec::new(),
            edges: Vec::new(),
            entry: rsm::NodeId::new(0),
            exit: rsm::NodeId::new(0),
        };
        Self { module, game: ModuleGame::default(), edges: Vec::new(), points: Vec::new(), moves: Vec::new() }
    }

    fn node(&mut self, span: Span, stands_for: Option<NodeId>, labels: Vec<String>) -> rsm::NodeId {
        self.points.push(stands_for);
        self.module.nodes.push(rsm::Node { labels, span, in_atomic: false });
        rsm::NodeId::new(self.module.nodes.len() - 1)
    }

    fn edge(&mut self, (from, to): (rsm::NodeId, rsm::NodeId), action: rsm::Action, span: Span, back: Back) {
        self.edges.push((rsm::Edge { from, to, action, span }, back));
    }

    /// Sorts the edges, and the moves with them.
    fn finish(mut self) -> Finished {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&n| self.edges[n].0.from);
        for (place, &n) in order.iter().enumerate() {
            let Some((_, outcomes)) = self.moves.iter().find(|(edge, _)| *edge == n) else { continue };
            let edge = rsm::EdgeId::new(place);
            self.game.inputs.push(edge);
            for (when, target) in outcomes {
                let node = self.edges[n].0.from;
                self.game.moves.push(Move { node, edge, when: when.clone(), target: target.clone() });
            }
        }
        let mut edges: Vec<Option<(rsm::Edge, Back)>> = self.edges.into_iter().map(Some).collect();
        let mut back = Vec::new();
        for n in order {
            let (edge, stands_for) = edges[n].take().expect("each edge has one place");
            self.module.edges.push(edge);
            back.push(stands_for);
        }
        self.game.stuck.sort_by_key(|(node, _)| *node);
        Finished { module: self.module, module_game: self.game, back, nodes: self.points }
    }
}

/// The module of a function.
fn function(maker: &mut Maker, views: &[View], view: &View, with_game: bool) -> Builder {
    let function = maker.ghosted.program.function(view.id);
    let is_called = maker.ghosted.is_called[view.id.index()];
    let n_params = if is_called { view.kept(function.entry).count() } else { 0 };
    let n_results = if is_called { view.kept(function.exit).count() } else { 0 };
    let locals = locals(maker.ghosted, view);
    let mut builder = Builder::new(&function.name, function.span, locals, n_params, n_results);
    let begins = (view.id == maker.ghosted.program.main && !is_called)
        .then(|| builder.node(function.span, None, Vec::new()));
    let mut place = vec![None; function.nodes.len()];
    for node in function.used_nodes() {
        let labels = vec![format!("n{}", node.0)];
        place[node.index()] = Some(builder.node(function.node(node).span, Some(node), labels));
    }
    let at = |node: NodeId| place[node.index()].expect("an edge ends at a node that is used");
    builder.module.entry = begins.unwrap_or_else(|| at(function.entry));
    if let Some(begins) = begins {
        let (action, _) = maker.start(view, |_, local| local).finish(maker);
        builder.edge((begins, at(function.entry)), action, function.span, Back::Start);
    }
    for (n, edge) in function.edges.iter().enumerate() {
        let (id, ends) = (EdgeId::new(n), (at(edge.from), at(edge.to)));
        match &edge.action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Step(step) => {
                let image = maker.step(view, edge.from, edge.to, step);
                let (free, reading) = steps_of(function, edge.from);
                if with_game && reading.iter().any(|(reading, _)| *reading == id) {
                    builder.moves.push((builder.edges.len(), maker.moves(&image, step, &free)));
                }
                let (action, _) = image.finish(maker);
                builder.edge(ends, action, edge.span, Back::Step(id));
            }
            Action::Call { callee, args, result } => {
                let callee = &views[callee.index()];
                call(maker, &mut builder, (view, callee), (id, edge, ends), (args, *result));
            }
        }
    }
    if with_game {
        stuck(maker, &mut builder, view, at);
    }
    let exit = builder.node(function.node(function.exit).span, None, Vec::new());
    builder.module.exit = exit;
    let returned = view.kept(function.exit).filter(|_| is_called);
    let values = returned.map(|(local, _)| crate::relation::literal(crate::Bit { local, next: false }, true));
    let action = rsm::Action::Return { values: values.collect() };
    builder.edge((at(function.exit), exit), action, function.node(function.exit).span, Back::Return);
    builder
}

/// The three edges of a call.
fn call(
    maker: &mut Maker,
    builder: &mut Builder,
    (view, callee): (&View, &View),
    (id, edge, (from, to)): (EdgeId, &Edge, (rsm::NodeId, rsm::NodeId)),
    (args, result): (&[Expr], Option<Place>),
) {
    let there = maker.ghosted.program.function(callee.id);
    let [before, after] = [0, 1].map(|_| builder.node(edge.span, None, Vec::new()));
    let (action, _) = maker.enter(view, edge.from, callee, args).finish(maker);
    builder.edge((from, before), action, edge.span, Back::Enter(id));
    let read = |local: u32| crate::relation::literal(crate::Bit { local, next: false }, true);
    let n_args = callee.kept(there.entry).count() as u32;
    let n_results = callee.kept(there.exit).count() as u32;
    let action = rsm::Action::Call {
        callee: ModuleId::new(callee.id.index()),
        args: (0..n_args).map(|n| read(view.args + n)).collect(),
        results: (0..n_results).map(|n| Some(rsm::Place::Local(view.results + n))).collect(),
    };
    builder.edge((before, after), action, edge.span, Back::Call(id));
    let (action, _) = maker.leave(view, (edge.from, edge.to), callee, args, result).finish(maker);
    builder.edge((after, to), action, edge.span, Back::Leave(id));
}

/// Where the program may not go on.
fn stuck(maker: &mut Maker, builder: &mut Builder, view: &View, at: impl Fn(NodeId) -> rsm::NodeId) {
    let function = maker.ghosted.program.function(view.id);
    for node in function.used_nodes().filter(|node| *node != function.exit) {
        let called = function.edges_from(node).find_map(|(_, edge)| match &edge.action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Call { args, .. } => Some(args),
            Action::Step(_) => None,
        });
        let (free, reading) = steps_of(function, node);
        let stuck = match called {
            Some(args) => maker.undefined(view, node, args),
            None if reading.is_empty() => maker.stuck(view, node, &free),
            None => None,
        };
        builder.game.stuck.extend(stuck.map(|condition| (at(node), condition)));
    }
}

/// A module that calls `main` as the program starts.
fn starter(maker: &mut Maker, main: &View) -> Builder {
    let function = maker.ghosted.program.function(main.id);
    let (n_args, n_results) =
        (main.kept(function.entry).count() as u32, main.kept(function.exit).count() as u32);
    let name = |n: u32| Variable { name: format!("a${n}"), ty: Type::Bool, span: function.span };
    let mut builder = Builder::new("start$main", function.span, (0..n_args).map(name).collect(), 0, 0);
    let nodes = [0, 1, 2, 3].map(|_| builder.node(function.span, None, Vec::new()));
    (builder.module.entry, builder.module.exit) = (nodes[0], nodes[3]);
    let (action, _) = maker.start(main, |n, _| n as u32).finish(maker);
    builder.edge((nodes[0], nodes[1]), action, function.span, Back::Start);
    let read = |local: u32| crate::relation::literal(crate::Bit { local, next: false }, true);
    let action = rsm::Action::Call {
        callee: ModuleId::new(main.id.index()),
        args: (0..n_args).map(read).collect(),
        results: vec![None; n_results as usize],
    };
    builder.edge((nodes[1], nodes[2]), action, function.span, Back::Start);
    builder.edge(
        (nodes[2], nodes[3]),
        rsm::Action::Return { values: Vec::new() },
        function.span,
        Back::Return,
    );
    builder
}

/// The bits of a function, with the names that a person reads.
fn locals(ghosted: &Ghosted, view: &View) -> Vec<Variable> {
    let span = ghosted.program.function(view.id).span;
    let mut names = vec![String::new(); view.n_locals as usize];
    for (predicate, local) in view.predicates.iter().zip(&view.bits) {
        let text = show_expr(&ghosted.program, view.id, &predicate.formula, None);
        names[*local as usize] = format!("{{{}}}", text.replace(' ', ""));
    }
    for (n, name) in names.iter_mut().enumerate().skip(view.args as usize) {
        let n = n as u32;
        *name =
            if n < view.results { format!("a${}", n - view.args) } else { format!("r${}", n - view.results) };
    }
    names.into_iter().map(|name| Variable { name, ty: Type::Bool, span }).collect()
}
