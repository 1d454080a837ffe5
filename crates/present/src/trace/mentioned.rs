//! Which variables a program mentions: those that are declared and then forgotten are not worth a word.

use super::reads::Summary;
use rsm::{ModuleId, Place, Rsm};
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
        for (m, module) in rsm.modules.iter().enumerate() {
            let mut summary = Summary::default();
            summary.begin(rsm, ModuleId::new(m));
            for edge in &module.edges {
                summary.action(&edge.action);
                summary.results(&edge.action);
            }
            let params = (0..module.n_params as u32).map(Place::Local);
            let is_global = |place: &Place| matches!(place, Place::Global(_));
            let (globals, locals) = summary.all().chain(params).partition::<Vec<Place>, _>(is_global);
            this.globals.extend(globals);
            this.locals.push(locals.into_iter().collect());
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
