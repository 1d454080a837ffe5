//! From lines and columns to points of a program, and back.

use crate::model::Location;
use base::{FileId, Sources, Span};
use c::{DataModel, Meaning, Site, SiteKind, Sites};
use integers::{Action, EdgeId, FunctionId, InputKind, Place, Program};

/// A program and its text.
#[derive(Clone, Copy)]
pub struct Map<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where its points are.
    pub sites: &'a Sites,
    /// Its text.
    pub sources: &'a Sources,
    /// The file that it is in.
    pub file: FileId,
    /// How large types are.
    pub model: DataModel,
}

impl<'a> Map<'a> {
    /// The place of the first byte of a span.
    pub fn location(&self, span: Span, function: FunctionId) -> Location {
        let (line, column) = self.sources.line_column(span);
        Location {
            file: self.sources.file(span.file).name.clone(),
            line: line as u32,
            column: Some(column as u32),
            function: Some(self.program.function(function).name.clone()),
            span: None,
        }
    }

    /// The things at a location: each begins there, or, where no column is given, is the first on the line that does.
    pub(crate) fn at<T: Clone>(
        &self,
        location: &Location,
        things: impl Iterator<Item = (Span, T)>,
    ) -> Vec<T> {
        let mut found: Vec<(u32, T)> = Vec::new();
        for (span, thing) in things.filter(|(span, _)| span.file == self.file) {
            let (line, column) = self.sources.line_column(span);
            if line as u32 == location.line && location.column.is_none_or(|wanted| wanted == column as u32) {
                found.push((column as u32, thing));
            }
        }
        let first = found.iter().map(|(column, _)| *column).min();
        found.into_iter().filter(|(column, _)| Some(*column) == first).map(|(_, thing)| thing).collect()
    }

    /// The sites of some kind at a location.
    pub(crate) fn sites_at(&self, location: &Location, is_wanted: fn(&SiteKind) -> bool) -> Vec<&'a Site> {
        let sites = self.sites.all.iter().filter(|site| is_wanted(&site.kind));
        self.at(location, sites.map(|site| (site.span, site)))
    }

    /// The calls whose closing brackets are at a location: for each the function that calls, and the edge that is taken, with the input that it reads
    /// if it is one.
    pub(crate) fn calls_at(&self, location: &Location) -> Vec<(FunctionId, EdgeId, Span)> {
        let closing = |span: Span| Span { start: span.end.saturating_sub(1).max(span.start), ..span };
        let calls = self.sites.all.iter().filter_map(|site| match site.kind {
            SiteKind::Call(edge) => Some((closing(site.span), (site.function, edge, site.span))),
            _ => None,
        });
        let inputs = self.input_edges().map(|(function, edge, span)| (closing(span), (function, edge, span)));
        self.at(location, calls.chain(inputs))
    }

    /// The edges that read what a program asks for.
    pub(crate) fn input_edges(&self) -> impl Iterator<Item = (FunctionId, EdgeId, Span)> + use<'a> {
        let program = self.program;
        let ids = (0..program.functions.len()).map(FunctionId::new);
        ids.flat_map(move |id| {
            let edges = program.function(id).edges.iter().enumerate();
            edges.filter_map(move |(n, edge)| match &edge.action {
                Action::Manage(_) => unreachable!("the program has variables only"),
                Action::Step(step) => {
                    let input = program.input(*step.inputs.first()?);
                    (input.kind == InputKind::Read).then_some((id, EdgeId::new(n), input.span))
                }
                Action::Call { .. } => None,
            })
        })
    }

    /// The statement that a place is in: the smallest one. Of one that consists of others only the part before them counts.
    pub(crate) fn statement_around(&self, span: Span) -> Span {
        let statements = self.sites.all.iter().filter_map(|site| match site.kind {
            SiteKind::Statement(_) => Some(site.span),
            _ => None,
        });
        let around = statements
            .filter(|other| other.file == span.file && other.start <= span.start && span.end <= other.end);
        let smallest = around.min_by_key(|other| other.end - other.start);
        let is_simple = |other: &Span| {
            let text = self.sources.text(*other);
            let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
            !matches!(word, "if" | "while" | "for" | "do" | "switch")
        };
        smallest.filter(is_simple).unwrap_or(span)
    }

    /// Whether something that happens at a place of the text happens at a location.
    pub(crate) fn is_at(&self, location: &Location, span: Span) -> bool {
        let places = [self.statement_around(span), span];
        places.iter().any(|place| !self.at(location, std::iter::once((*place, ()))).is_empty())
    }

    /// What a name means at a place of a function.
    pub(crate) fn meaning(&self, function: FunctionId, at: &[Span], name: &str) -> Meaning {
        let found = at.iter().find_map(|at| self.sites.meaning(self.program, function, *at, name));
        match found {
            Some(Some(place)) => Meaning::Variable(place, self.program.variable(function, place).ty),
            Some(None) => Meaning::Unrepresented,
            None => Meaning::Nothing,
        }
    }

    /// What a variable is called at a place, and its type.
    pub(crate) fn name(
        &self,
        function: FunctionId,
        at: Span,
        place: Place,
    ) -> Option<(String, integers::Type)> {
        let name = self.sites.name_at(self.program, function, at, place)?;
        Some((name, self.program.variable(function, place).ty))
    }
}
