//! Whose bits the slots of a state are: `--show order` in the names of the program.

use crate::Templates;
use encode::Slot;
use rsm::{ModuleId, Place};
use rustc_hash::FxHashMap;

/// So many occupants of a slot that functions share are named; the others are counted.
const MOST_NAMES: usize = 4;

impl Templates<'_> {
    /// A text of one line for each bit, each ending in a column and a bit of it such as `u.G.g3:0.0`, with the variables behind each column.
    pub fn with_occupants(&self, order: &str) -> String {
        let occupants = self.occupants();
        let width = order.lines().map(str::len).max().unwrap_or(0);
        let named = |line: &str| {
            let column = line.rsplit_once(':').map_or(line, |(column, _)| column);
            let slot = column.rsplit('.').next().unwrap_or(column);
            match occupants.get(slot) {
                Some(names) => format!("{line:width$}  {}\n", shown(names)),
                None => format!("{line}\n"),
            }
        };
        order.lines().map(named).collect()
    }

    /// The variables and results behind each slot: its name in a state, and theirs.
    fn occupants(&self) -> FxHashMap<String, Vec<String>> {
        let mut occupants: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let mut note = |module: ModuleId, slot: Slot, name: &str| {
            let prefix = if matches!(slot, Slot::Place(Place::Global(_))) { "g" } else { "l" };
            let bits = self.slots.bits(module, slot);
            for (n, bit) in bits.iter().enumerate() {
                let name = if bits.len() == 1 { name.to_owned() } else { format!("{name}[{n}]") };
                occupants.entry(format!("{prefix}{bit}")).or_default().push(name);
            }
        };
        for (n, global) in (0..).zip(&self.rsm.globals) {
            note(self.rsm.main, Slot::Place(Place::Global(n)), &global.name);
        }
        for m in self.modules() {
            let module = self.rsm.module(m);
            for (n, local) in (0..).zip(&module.locals) {
                note(m, Slot::Place(Place::Local(n)), &format!("{}:{}", module.name, local.name));
            }
            for n in 0..module.results.len() as u32 {
                note(m, Slot::Result(n), &format!("result {} of {}", n + 1, module.name));
            }
        }
        occupants
    }
}

fn shown(names: &[String]) -> String {
    let first = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => first,
        n_more => format!("{first} and {n_more} more"),
    }
}
