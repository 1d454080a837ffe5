//! Where in the text the points of a program are, for those who speak of it by lines and columns: statements, loops, branches, calls, and which
//! variables a name means where.

use base::Span;
use integers::{EdgeId, FunctionId, NodeId, Place, Program};

/// Everything that a text names by its place.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// The places, in the order of the translation.
    pub all: Vec<Site>,
    /// For each function of the program the variables of the text that are declared in it.
    pub scopes: Vec<Vec<Visible>>,
}

/// A place of the text and what it is in the program.
#[derive(Clone, Debug)]
pub struct Site {
    /// The function.
    pub function: FunctionId,
    /// The whole construct.
    pub span: Span,
    /// What it is.
    pub kind: SiteKind,
}

/// What a place of the text is in the program.
#[derive(Clone, Debug)]
pub enum SiteKind {
    /// A statement or declaration: a run is at the spot when it is about to begin.
    Statement(Spot),
    /// A loop: a run is at the spot whenever its condition is about to be evaluated. The condition is there, or what stands for it.
    Loop(Spot, Span),
    /// A decision: the edges by which a run leaves it, each with the outcome.
    Branch(Vec<(Outcome, EdgeId)>),
    /// A call of a function of the program.
    Call(EdgeId),
}

/// What a decision has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The condition.
    Truth(bool),
    /// A value of a `switch`, from the first to the last.
    Case(i128, i128),
    /// No case of a `switch`.
    Default,
}

/// Where a run is when it comes to a place of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spot {
    /// No run comes there.
    Nowhere,
    /// At a node.
    Node(NodeId),
    /// Behind one of these edges.
    Behind(Vec<EdgeId>),
    /// The program has no such point.
    Unrepresented,
}

/// A variable, and where its name means it.
#[derive(Clone, Debug)]
pub struct Visible {
    /// The name.
    pub name: String,
    /// The variable, if the program has it.
    pub place: Option<Place>,
    /// From its declaration to the end of its block.
    pub scope: Span,
}

impl Spot {
    /// The node at which a run is there, and nowhere else.
    pub fn node(&self, program: &Program, function: FunctionId) -> Option<NodeId> {
        let edges = match self {
            Spot::Node(node) => return Some(*node),
            Spot::Behind(edges) => edges,
            Spot::Nowhere | Spot::Unrepresented => return None,
        };
        let function = program.function(function);
        let node = function.edge(*edges.first()?).to;
        let mut into = (0..function.edges.len()).map(EdgeId::new).filter(|id| function.edge(*id).to == node);
        let is_alone = node != function.entry && into.all(|id| edges.contains(&id));
        (is_alone && edges.iter().all(|id| function.edge(*id).to == node)).then_some(node)
    }
}

impl Sites {
    /// What a name means at a place of a function, if it means something: `Some(None)` where the program does not have the variable.
    pub fn meaning(
        &self,
        program: &Program,
        function: FunctionId,
        at: Span,
        name: &str,
    ) -> Option<Option<Place>> {
        let local = self.visible(function, at).filter(|visible| visible.name == name).last();
        if let Some(visible) = local {
            return Some(visible.place);
        }
        let mut globals = (0..).zip(&program.globals);
        globals.find(|(_, global)| global.variable.name == name).map(|(n, _)| Some(Place::Global(n)))
    }

    /// What a variable is called at a place of a function, if it has a name there.
    pub fn name_at(&self, program: &Program, function: FunctionId, at: Span, place: Place) -> Option<String> {
        let visible = self.visible(function, at).find(|visible| visible.place == Some(place));
        let name = match (visible, place) {
            (Some(visible), _) => visible.name.clone(),
            (None, Place::Global(n)) => program.globals[n as usize].variable.name.clone(),
            (None, Place::Local(_)) => return None,
        };
        // A static variable of a function has a name inside it only.
        if name.contains('.') {
            return None;
        }
        (self.meaning(program, function, at, &name) == Some(Some(place))).then_some(name)
    }

    /// The variables of a function that are declared at a place, outer ones first.
    fn visible(&self, function: FunctionId, at: Span) -> impl Iterator<Item = &Visible> {
        let all = self.scopes.get(function.index()).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |visible| {
            let scope = visible.scope;
            scope.file == at.file && scope.start <= at.start && at.start < scope.end
        })
    }
}
