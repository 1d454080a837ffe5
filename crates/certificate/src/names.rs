//! How functions, variables and results are written, and found again.
//!
//! Contract: within one module every slot has one word and no two slots share it, whatever the names in the program.
//! Words are names with a number or `@global` added where names clash; escaping them for the text is a separate step.

use encode::Slot;
use rsm::{ModuleId, Place, Rsm, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is added to the name of a global that a local hides.
const GLOBAL: &str = "@global";

/// The words of functions and of globals.
pub(crate) struct Names<'r> {
    rsm: &'r Rsm,
    functions: Vec<String>,
    function_of: FxHashMap<String, ModuleId>,
    globals: Vec<String>,
    global_of: FxHashMap<String, u32>,
}

/// The words of one module's variables and results.
pub(crate) struct ModuleNames<'n> {
    names: &'n Names<'n>,
    module: ModuleId,
    /// Locals, then results.
    own: Vec<String>,
    own_of: FxHashMap<String, Slot>,
}

impl<'r> Names<'r> {
    pub(crate) fn new(rsm: &'r Rsm) -> Self {
        let functions = distinct(rsm.modules.iter().map(|module| module.name.clone()));
        let globals = distinct(rsm.globals.iter().map(|global| global.name.clone()));
        let function_of = functions.iter().cloned().zip((0..).map(ModuleId)).collect();
        let global_of = globals.iter().cloned().zip(0..).collect();
        Self { rsm, functions, function_of, globals, global_of }
    }

    pub(crate) fn function(&self, module: ModuleId) -> &str {
        &self.functions[module.index()]
    }

    pub(crate) fn find_function(&self, word: &str) -> Option<ModuleId> {
        self.function_of.get(word).copied()
    }

    pub(crate) fn global(&self, global: u32) -> &str {
        &self.globals[global as usize]
    }

    pub(crate) fn find_global(&self, word: &str) -> Option<u32> {
        self.global_of.get(word).copied()
    }

    pub(crate) fn module(&self, module: ModuleId) -> ModuleNames<'_> {
        let shape = self.rsm.module(module);
        let results = (0..shape.results.len()).map(|n| format!("result.{n}"));
        let own = distinct(shape.locals.iter().map(|local| local.name.clone()).chain(results));
        let n_locals = shape.locals.len();
        let slot = |n: usize| match n.checked_sub(n_locals) {
            None => Slot::Place(Place::Local(n as u32)),
            Some(result) => Slot::Result(result as u32),
        };
        let own_of = own.iter().enumerate().map(|(n, word)| (word.clone(), slot(n))).collect();
        ModuleNames { names: self, module, own, own_of }
    }
}

impl ModuleNames<'_> {
    /// The word of a slot.
    pub(crate) fn word(&self, slot: Slot) -> String {
        match slot {
            Slot::Place(Place::Local(n)) => self.own[n as usize].clone(),
            Slot::Result(n) => self.own[self.names.rsm.module(self.module).locals.len() + n as usize].clone(),
            Slot::Place(Place::Global(n)) => {
                let name = self.names.global(n);
                let mut word = name.to_owned();
                // It is neither the word of something of the module's own, nor the name of another global.
                while self.own_of.contains_key(&word)
                    || (word != name && self.names.find_global(&word).is_some())
                {
                    word.push_str(GLOBAL);
                }
                word
            }
        }
    }

    /// The slot of a word.
    pub(crate) fn find(&self, word: &str) -> Option<Slot> {
        let global = |word| self.names.find_global(word).map(|n| Slot::Place(Place::Global(n)));
        if let Some(own) = self.own_of.get(word) {
            return Some(*own);
        }
        // Names may end in `@global` by themselves: the global is meant whose word this is.
        let stems = std::iter::successors(Some(word), |stem| stem.strip_suffix(GLOBAL));
        let meant = stems.filter_map(global).find(|slot| self.word(*slot) == word);
        meant.or_else(|| global(word.trim_end_matches(GLOBAL)))
    }

    /// The type of a slot.
    pub(crate) fn ty(&self, slot: Slot) -> &Type {
        match slot {
            Slot::Place(place) => &self.names.rsm.variable(self.module, place).ty,
            Slot::Result(n) => &self.names.rsm.module(self.module).results[n as usize],
        }
    }
}

/// The names, those that occurred before made different by their position.
pub(crate) fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut words = Vec::new();
    for (position, mut word) in names.enumerate() {
        while !seen.insert(word.clone()) {
            word.push_str(&format!("@{position}"));
        }
        words.push(word);
    }
    words
}

/// A name as one word of the text.
pub(crate) fn escape(name: &str) -> String {
    let mut word = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        if c.is_whitespace() || c.is_control() || c == '\\' || (c == '#' && at == 0) {
            word.push_str(&format!("\\{:x};", u32::from(c)));
        } else {
            word.push(c);
        }
    }
    word
}

/// The name that a word stands for; `None` if something after a `\` is no character code.
pub(crate) fn unescape(word: &str) -> Option<String> {
    let mut parts = word.split('\\');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once(';')?;
        name.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        name.push_str(rest);
    }
    Some(name)
}
