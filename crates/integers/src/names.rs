//! The variables of a function by name, in formulas that people read and write.
//!
//! A variable goes by its name in the text. Where that is not enough, a number behind `#` tells which is meant: `x#0` is the global that
//! a local hides, `x#2` the second local of that name. The result of a function is `$ret`, and `x$0` what `x` held when the function was entered.

use crate::expr::{Expr, Op};
use crate::program::{FunctionId, Place, Program};
use crate::show::{self, Style};
use rustc_hash::FxHashMap;

/// The names of what a formula about a function can be about.
#[derive(Clone, Debug)]
pub struct Names {
    /// By name: the global, then the locals, in order.
    by_name: FxHashMap<String, Named>,
    /// What each variable is called.
    globals: Vec<String>,
    locals: Vec<String>,
}

/// All variables of one name.
#[derive(Clone, Default, Debug)]
struct Named {
    global: Option<u32>,
    locals: Vec<u32>,
}

/// Why a name means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misnamed {
    /// There is no such variable.
    Nothing,
    /// There are several, which go by these names.
    Several(Vec<String>),
}

impl Names {
    /// Those of a function.
    pub fn new(program: &Program, function: FunctionId) -> Self {
        let mut by_name: FxHashMap<String, Named> = FxHashMap::default();
        for (n, global) in (0..).zip(&program.globals) {
            // Of globals with the same name only the first can be named; front ends make none.
            by_name.entry(global.variable.name.clone()).or_default().global.get_or_insert(n);
        }
        for (n, local) in (0..).zip(&program.function(function).locals) {
            by_name.entry(local.name.clone()).or_default().locals.push(n);
        }
        let globals = program.globals.iter().map(|global| {
            let name = &global.variable.name;
            if by_name[name].locals.is_empty() { name.clone() } else { format!("{name}#0") }
        });
        let globals = globals.collect();
        let locals = (0..).zip(&program.function(function).locals).map(|(n, local)| {
            let same = &by_name[&local.name].locals;
            let at = same.iter().position(|&other| other == n).expect("it has its name");
            if same.len() == 1 { local.name.clone() } else { format!("{}#{}", local.name, at + 1) }
        });
        let locals = locals.collect();
        Self { by_name, globals, locals }
    }

    /// What a variable is called.
    pub fn name(&self, place: Place) -> &str {
        match place {
            Place::Global(n) => &self.globals[n as usize],
            Place::Local(n) => &self.locals[n as usize],
        }
    }

    /// The variable that goes by a name.
    pub fn place(&self, name: &str) -> Result<Place, Misnamed> {
        let (name, number) = match name.split_once('#') {
            None => (name, None),
            Some((name, number)) => (name, Some(number.parse::<usize>().map_err(|_| Misnamed::Nothing)?)),
        };
        let Named { global, locals } = self.by_name.get(name).ok_or(Misnamed::Nothing)?;
        let global = global.map(Place::Global);
        let found = match (number, &locals[..]) {
            (Some(0), _) | (None, []) => global,
            (Some(number), locals) => locals.get(number - 1).map(|&n| Place::Local(n)),
            (None, &[n]) => Some(Place::Local(n)),
            (None, several) => {
                let places = several.iter().map(|&n| Place::Local(n)).chain(global);
                return Err(Misnamed::Several(places.map(|place| self.name(place).to_owned()).collect()));
            }
        };
        found.ok_or(Misnamed::Nothing)
    }

    /// All names, globals first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.globals.iter().chain(&self.locals).map(String::as_str)
    }

    /// An expression in the language that [`crate::read`] reads. It has neither inputs nor unknowns.
    pub fn show(&self, expr: &Expr) -> String {
        let leaf = |op| match op {
            Op::Read(place) => self.name(place).to_owned(),
            other => unreachable!("{other:?} is not part of a formula about a state"),
        };
        show::text(expr, leaf, Style::Exact)
    }
}
