//! Facts about the variables of the program, for data-flow analyses: which of them a step reads, and which it writes.
//!
//! A variable is a value of the sort `Variable`: first the globals, then the parameters and locals of each function, in the order of the
//! text. The facts are about points, not about data.

use crate::Templates;
use crate::word::{Making, Rows, Word};
use crate::words;
use dd::Bdd;
use encode::Slot;
use rsm::{Action, ModuleId, Place, Rsm, Variable};
use solver::Given;
use symbolic::SymbolicProgram;

/// Numbers of variables.
pub(crate) struct Variables {
    /// For each function that of its first parameter or local; at last the number of all.
    first: Vec<u32>,
}

impl Variables {
    pub fn new(rsm: &Rsm) -> Self {
        let mut first = vec![rsm.globals.len() as u32];
        for module in &rsm.modules {
            first.push(first[first.len() - 1] + module.locals.len() as u32);
        }
        Self { first }
    }

    /// The function, if it is not a global, and the place of a number.
    fn place(&self, number: u32) -> (Option<usize>, u32) {
        match self.first.partition_point(|first| *first <= number).checked_sub(1) {
            Some(module) => (Some(module), number - self.first[module]),
            None => (None, number),
        }
    }

    fn number(&self, module: ModuleId, place: Place) -> u32 {
        match place {
            Place::Global(n) => n,
            Place::Local(n) => self.first[module.index()] + n,
        }
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.first[self.first.len() - 1]
    }
}

impl Templates<'_> {
    /// Adds the sort of variables and the words about them.
    pub fn add_variables(&mut self) {
        self.variables = Some(Variables::new(self.rsm));
        words::variables().into_iter().for_each(|word| self.add(word));
    }
}

impl Templates<'_> {
    /// The number of a variable of a function among the values of the sort `Variable`.
    pub fn variable_number(&self, module: ModuleId, place: Place) -> u32 {
        Variables::new(self.rsm).number(module, place)
    }

    /// The sort `Variable` is that of the program's variables.
    pub fn has_variables(&self) -> bool {
        self.variables.is_some()
    }

    /// The name of a value of the sort `Variable`.
    pub fn variable_name(&self, number: u32) -> String {
        let name = |variables: &[Variable], n: u32| variables.get(n as usize).map(|v| v.name.clone());
        let found = match Variables::new(self.rsm).place(number) {
            (None, n) => name(&self.rsm.globals, n),
            (Some(module), n) => {
                let module = self.rsm.modules.get(module);
                module.and_then(|of| Some(format!("{}.{}", of.name, name(&of.locals, n)?)))
            }
        };
        found.unwrap_or_else(|| number.to_string())
    }

    /// Where the variables of the program are: a line for each, with its number if the formula speaks of variables, and its bits
    /// in states, the lowest first.
    pub fn show_variables(&self) -> String {
        let numbers = Variables::new(self.rsm);
        let line = |module: ModuleId, place: Place, name: String| {
            let prefix = if matches!(place, Place::Global(_)) { "G.g" } else { "L.l" };
            let bits = self.slots.bits(module, Slot::Place(place));
            let bits: Vec<String> = bits.iter().map(|bit| format!("{prefix}{bit}")).collect();
            let bits = if bits.is_empty() { "not looked at".to_owned() } else { bits.join(", ") };
            match self.variables {
                Some(_) => format!("{name} = Variable {}, {bits}\n", numbers.number(module, place)),
                None => format!("{name} = {bits}\n"),
            }
        };
        let globals = (0..).zip(&self.rsm.globals);
        let mut out: String =
            globals.map(|(n, global)| line(self.rsm.main, Place::Global(n), global.name.clone())).collect();
        for m in self.modules() {
            let module = self.rsm.module(m);
            for (n, local) in (0..).zip(&module.locals) {
                out += &line(m, Place::Local(n), format!("{}.{}", module.name, local.name));
            }
        }
        out
    }
}

impl Word {
    /// A word that holds of some functions, which are shown as `text`.
    pub fn functions(name: String, text: &str, functions: Vec<ModuleId>) -> Self {
        let about = format!("m is {text}");
        Self::new(name, &[("Module", "m")], about, move |making| {
            let row = |m: &ModuleId| Given::new([(making.template.others[0], m.0)], Bdd::TRUE);
            Ok(functions.iter().map(row).collect())
        })
    }

    /// A word that holds of some variables, which are shown as `text`. It comes with the sort `Variable`.
    pub fn variables(name: String, text: &str, variables: Vec<(ModuleId, Place)>) -> Self {
        let about = format!("a is {text}");
        Self::new(name, &[("Variable", "a")], about, move |making| {
            let number = |(m, place): &(ModuleId, Place)| making.templates.variable_number(*m, *place);
            let row = |variable| Given::new([(making.template.others[0], number(variable))], Bdd::TRUE);
            Ok(variables.iter().map(row).collect())
        })
    }
}

/// The variables that a step, or a finished call, reads.
pub(crate) fn reads(making: &mut Making) -> Rows {
    touched(making, Touch::Reads)
}

/// The variables that it writes.
pub(crate) fn writes(making: &mut Making) -> Rows {
    touched(making, Touch::Writes)
}

/// The parameters and locals of functions.
pub(crate) fn owns(making: &mut Making) -> Rows {
    Ok(owned(making, false))
}

/// The parameters of functions.
pub(crate) fn parameters(making: &mut Making) -> Rows {
    Ok(owned(making, true))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Reads,
    Writes,
}

/// The variables that an action reads, or writes.
fn places(action: &Action, touch: Touch) -> Vec<Place> {
    match touch {
        Touch::Reads => action.expressions().flat_map(|expr| expr.reads().collect::<Vec<Place>>()).collect(),
        Touch::Writes => action.stores().collect(),
    }
}

fn touched(making: &mut Making, touch: Touch) -> Rows {
    let templates = making.templates;
    let program: &SymbolicProgram = &templates.program;
    let variables = templates.variables.as_ref().expect("the words come with the sort");
    let mut rows = Vec::new();
    for m in program.modules() {
        let module = program.rsm.module(m);
        let mut add = |from: u32, to: u32, found: Vec<Place>| {
            let mut numbers: Vec<u32> = found.into_iter().map(|place| variables.number(m, place)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            for number in numbers {
                let points = [making.states[0].key(m, from), making.states[1].key(m, to)];
                let key = points.into_iter().flatten().chain([(making.template.others[0], number)]);
                rows.push(Given::new(key, Bdd::TRUE));
            }
        };
        for step in program.steps(m) {
            let found =
                step.edges.iter().flat_map(|edge| places(&module.edge(*edge).action, touch)).collect();
            add(program.counter_before(&step), program.counter(m, step.to), found);
        }
        for call in program.calls(m) {
            let found = places(&module.edge(call.edge).action, touch);
            add(program.counter(m, call.from), program.counter_after(&call), found);
        }
    }
    Ok(rows)
}

fn owned(making: &Making, only_parameters: bool) -> Vec<Given> {
    let templates = making.templates;
    let variables = templates.variables.as_ref().expect("the words come with the sort");
    let [m, a] = making.template.others[..] else { unreachable!("a function and a variable") };
    let mut rows = Vec::new();
    for module in templates.modules() {
        let of = templates.rsm.module(module);
        let n_owned = if only_parameters { of.n_params } else { of.locals.len() };
        for n in 0..n_owned as u32 {
            let key = [(m, module.0), (a, variables.number(module, Place::Local(n)))];
            rows.push(Given::new(key, Bdd::TRUE));
        }
    }
    rows
}
