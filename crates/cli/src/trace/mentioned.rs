//! Which variables a program mentions: those that are declared and then forgotten are not worth a word.

use super::reads::Summary;
use rsm::{Action, ModuleId, Place, Rsm};
use rustc_hash::FxHashSet;

/// The variables that are mentioned.
pub struct Mentioned {
    globals: FxHashSet<Place>,
    locals: Vec<FxHashSet<Place>>,
}

impl Mentioned {
    /// Looks at everything that the program evaluates or stores.
    pub fn new(rsm: &Rsm) -> Self {
        let mut start = Summary::default();
        rsm.init.iter().for_each(|condition| start.expression(condition));
        let mut this = Self { globals: start.all().collect(), locals: Vec::new() };
        for module in &rsm.modules {
            let mut summary = Summary::default();
            module.enforce.iter().for_each(|condition| summary.expression(condition));
            for edge in &module.edges {
                summary.action(&edge.action);
                if let Action::Call { results, .. } = &edge.action {
                    summary.write(results.iter().flatten().copied());
                }
            }
            let params = (0..module.n_params as u32).map(Place::Local);
            let all: Vec<Place> = summary.all().chain(params).collect();
            let is_global = |place: &&Place| matches!(place, Place::Global(_));
            this.globals.extend(all.iter().filter(is_global));
            this.locals.push(all.iter().filter(|place| !is_global(place)).copied().collect());
        }
        this
    }

    /// The variable is mentioned.
    pub fn has(&self, module: ModuleId, place: Place) -> bool {
        match place {
            Place::Global(_) => self.globals.contains(&place),
            Place::Local(_) => self.locals[module.index()].contains(&place),
        }
    }
}
