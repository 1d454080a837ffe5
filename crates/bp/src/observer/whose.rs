//! Names of threads, of their functions and of their variables, as guards and propositions write them.

use crate::check::{Checked, Ty};
use crate::parser::AtomKind;
use base::{Diagnostic, Span, edit_distance};
use rsm::observe::{Observed, Who};
use rsm::{Concurrent, Copies, Module, ModuleId, NodeId, Place, ThreadBlock};

/// A name and where it stands.
type Named<'t> = (&'t str, Span);

/// What names mean in a program.
#[derive(Clone, Copy)]
pub(super) struct Names<'c> {
    pub(super) program: &'c Checked,
    pub(super) threads: &'c Concurrent,
}

/// A private variable of a thread, or a local of a function that it runs.
pub(super) struct Private {
    pub(super) block: u32,
    pub(super) copy: u32,
    /// The function, as often as it is in the machine.
    pub(super) modules: Vec<ModuleId>,
    /// Where the machine has it.
    pub(super) place: Place,
    pub(super) ty: Ty,
}

/// Whom a name means, and which function of them, if it says so.
struct Whose<'t> {
    who: Who,
    function: Option<&'t str>,
}

impl<'c> Names<'c> {
    /// The threads that the text has.
    fn blocks(&self) -> &'c [ThreadBlock] {
        let is_text = !self.program.program().threads.is_empty();
        if is_text { &self.threads.blocks } else { &[] }
    }

    /// `p` or `p[1]`: the block and the copy.
    fn thread(&self, text: &str, span: Span) -> Result<Option<Who>, Diagnostic> {
        let (name, copy) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((name, copy)) => (name, copy.parse::<u32>().ok()),
            None => (text, None),
        };
        let Some(block) = self.blocks().iter().position(|block| block.name == name) else { return Ok(None) };
        match (self.blocks()[block].copies, copy) {
            (Copies::Number(number), Some(copy)) if copy >= number => {
                let copies = if number == 1 { "1 copy".to_owned() } else { format!("{number} copies") };
                let message = format!("thread `{name}` has {copies}, counted from 0: there is no `{text}`");
                Err(Diagnostic::error(span, message))
            }
            _ => Ok(Some(Who { block: Some(block as u32), copy })),
        }
    }

    /// The places of a name at which what belongs to a thread may begin.
    fn parts<'t>(&self, text: &'t str, span: Span) -> Result<Option<(Who, &'t str)>, Diagnostic> {
        for (dot, _) in text.match_indices('.') {
            if let Some(who) = self.thread(&text[..dot], span)? {
                return Ok(Some((who, &text[dot + 1..])));
            }
        }
        Ok(None)
    }

    /// A thread, a function, or a function of a thread.
    fn whose<'t>(&self, (text, span): Named<'t>) -> Result<Whose<'t>, Diagnostic> {
        if let Some(who) = self.thread(text, span)? {
            return Ok(Whose { who, function: None });
        }
        let function = |who: Who, name: &'t str| Whose { who, function: Some(name) };
        if let Some((who, name)) = self.parts(text, span)?
            && self.modules(who).any(|(_, module)| module.name == name)
        {
            return Ok(function(who, name));
        }
        if self.modules(Who::default()).any(|(_, module)| module.name == text) {
            return Ok(function(Who::default(), text));
        }
        let known = self.modules(Who::default()).map(|(_, module)| module.name.as_str());
        let known = known.chain(self.blocks().iter().map(|block| block.name.as_str()));
        let kinds = if self.blocks().is_empty() { "function" } else { "thread or function" };
        Err(Diagnostic::error(span, format!("there is no {kinds} `{text}`{}", near(text, known))))
    }

    /// The functions that those may run who are meant.
    fn modules(&self, who: Who) -> impl Iterator<Item = (ModuleId, &'c Module)> + use<'c> {
        let machine = &self.threads.machine;
        let own = who.block.map(|block| &self.threads.blocks[block as usize].modules);
        let all = machine.modules.iter().enumerate().map(|(n, module)| (ModuleId::new(n), module));
        all.filter(move |(id, module)| {
            !module.name.starts_with('$') && own.is_none_or(|modules| modules.contains(id))
        })
    }

    /// `at(L)`, `at(p:L)`, `at(f:L)`, `at(p[1].f:L)`
    pub(super) fn at(&self, whose: Option<Named<'_>>, label: Named<'_>) -> Result<Observed, Diagnostic> {
        let Whose { who, function } = match whose {
            Some(name) => self.whose(name)?,
            None => Whose { who: Who::default(), function: None },
        };
        let modules = || self.modules(who).filter(|(_, m)| function.is_none_or(|name| m.name == name));
        let mut places = Vec::new();
        for (id, module) in modules() {
            let nodes = (0..).map(NodeId::new).zip(&module.nodes);
            let here = nodes.filter(|(_, node)| node.labels.iter().any(|known| known == label.0));
            places.extend(here.map(|(node, _)| (id, node)));
        }
        if !places.is_empty() {
            return Ok(Observed::At(who, places));
        }
        let place = whose.map_or_else(String::new, |(name, _)| format!(" in `{name}`"));
        let known = modules().flat_map(|(_, m)| m.nodes.iter().flat_map(|node| &node.labels));
        let near = near(label.0, known.map(String::as_str));
        Err(Diagnostic::error(label.1, format!("there is no label `{}`{place}{near}", label.0)))
    }

    /// `in(f)`, `call(f)`, `ret(f)`
    pub(super) fn of_function(&self, kind: AtomKind, name: Named<'_>) -> Result<Observed, Diagnostic> {
        let Whose { who, function } = self.whose(name)?;
        let Some(function) = function else {
            let message = format!("`{0}` is a thread: name a function of it, such as `{0}.main`", name.0);
            return Err(Diagnostic::error(name.1, message));
        };
        let modules = || self.modules(who).filter(|(_, module)| module.name == function);
        let ids = || modules().map(|(id, _)| id).collect();
        Ok(match kind {
            AtomKind::Call => Observed::Call(who, ids()),
            AtomKind::Ret => Observed::Return(who, ids()),
            AtomKind::In | AtomKind::At => {
                let nodes = |(id, module): (ModuleId, &Module)| {
                    (0..module.nodes.len()).map(move |node| (id, NodeId::new(node))).collect::<Vec<_>>()
                };
                Observed::At(who, modules().flat_map(nodes).collect())
            }
        })
    }

    /// `p[1].x`, or `p.x` if there is one copy, and `p[1].f.x`; nothing if the name does not begin with a thread.
    pub(super) fn private(&self, text: &str, span: Span) -> Result<Option<Private>, Diagnostic> {
        let Some((who, name)) = self.parts(text, span)? else { return self.of_no_thread(text, span) };
        let number = who.block.unwrap_or_default();
        let block = &self.blocks()[number as usize];
        let unit = &self.program.units[number as usize];
        let names = &self.program.program().names;
        let known = || unit.private.scope.places.keys().map(|symbol| names.text(*symbol));
        let place = names.find(name).and_then(|symbol| unit.private.scope.places.get(&symbol));
        let global =
            block.private.iter().find(|global| self.threads.machine.globals[**global as usize].name == name);
        let found = match (place, global) {
            (Some((_, ty)), Some(global)) => Some((Vec::new(), Place::Global(*global), *ty)),
            _ => self.local(who, name),
        };
        if found.is_none()
            && let Some((function, local)) = name.split_once('.')
            && self.modules(who).any(|(_, module)| module.name == function)
        {
            let message = format!("function `{function}` of thread `{}` has no local `{local}`", block.name);
            return Err(Diagnostic::error(span, message));
        }
        let Some((modules, place, ty)) = found else {
            let message = format!(
                "thread `{}` has no private variable `{name}`{}",
                block.name,
                self.owner(number, name).map_or_else(
                    || near(name, known()),
                    |function| {
                        format!("; `{function}` has one of its own: write `{}.{function}.{name}`", block.name)
                    }
                )
            );
            return Err(Diagnostic::error(span, message));
        };
        let copy = match (who.copy, block.copies) {
            (Some(copy), _) => copy,
            (None, Copies::Number(1)) => 0,
            (None, _) => {
                let message =
                    format!("`{0}` has several copies: name one, such as `{0}[0].{name}`", block.name);
                return Err(Diagnostic::error(span, message));
            }
        };
        Ok(Some(Private { block: number, copy, modules, place, ty }))
    }

    /// A name without a thread: if some thread has a private variable of this name, that is what is wrong.
    fn of_no_thread(&self, text: &str, span: Span) -> Result<Option<Private>, Diagnostic> {
        let Some(symbol) = self.program.program().names.find(text) else { return Ok(None) };
        let units = self.program.units.iter().zip(self.blocks());
        let mut owners = units.filter(|(unit, _)| unit.private.scope.places.contains_key(&symbol));
        let Some((_, block)) = owners.next() else { return Ok(None) };
        let copy = if block.copies == Copies::Number(1) { "" } else { "[0]" };
        let message =
            format!("`{text}` is a private variable of thread `{0}`: write `{0}{copy}.{text}`", block.name);
        Err(Diagnostic::error(span, message))
    }

    /// `f.x`: a local of a function of a thread. Names may have dots themselves: the first that fits counts.
    fn local(&self, who: Who, text: &str) -> Option<(Vec<ModuleId>, Place, Ty)> {
        let names = &self.program.program().names;
        let unit = &self.program.units[who.block? as usize];
        text.match_indices('.').find_map(|(dot, _)| {
            let function = *unit.by_name.get(&names.find(&text[..dot])?)?;
            let local = names.find(&text[dot + 1..])?;
            let (place, ty) = *unit.functions[function as usize].scope.places.get(&local)?;
            let modules = self.modules(who).filter(|(_, module)| module.name == text[..dot]);
            let modules: Vec<ModuleId> = modules.map(|(id, _)| id).collect();
            (!modules.is_empty()).then_some((modules, place, ty))
        })
    }

    /// A function of a block that has a local of this name.
    fn owner(&self, block: u32, name: &str) -> Option<&'c str> {
        let names = &self.program.program().names;
        let unit = &self.program.units[block as usize];
        let symbol = names.find(name)?;
        let has =
            |(_, number): &(_, &u32)| unit.functions[**number as usize].scope.places.contains_key(&symbol);
        let mut functions: Vec<&str> =
            unit.by_name.iter().filter(has).map(|(function, _)| names.text(*function)).collect();
        functions.sort_unstable();
        functions.first().copied()
    }

    /// All places of some functions.
    pub(super) fn places(&self, modules: &[ModuleId]) -> Vec<(ModuleId, NodeId)> {
        let nodes = |id: &ModuleId| {
            let id = *id;
            (0..self.threads.machine.module(id).nodes.len()).map(move |node| (id, NodeId::new(node)))
        };
        modules.iter().flat_map(nodes).collect()
    }
}

/// `; did you mean …?` if something comes near.
fn near<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let away = |known: &str| edit_distance(&name.to_lowercase(), &known.to_lowercase());
    let nearest = known.map(|known| (away(known), known)).min();
    let is_near = |distance: usize| distance <= name.chars().count() / 2;
    match nearest.filter(|(distance, _)| is_near(*distance)) {
        Some((_, known)) => format!("; did you mean `{known}`?"),
        None => String::new(),
    }
}
