//! The objects in memory as JSON: those that are there at first, and what becomes of them.
//!
//! Contract: whoever applies what becomes of them, step by step, has the objects of the run. An object has a number, which is never another's; a cell has the name that C gives it behind its object,
//! and what it holds; a pointer says the number of the object that it points to.

use super::memory::{parts, place};
use super::teller::Teller;
use integers::account::{Became, Difference, whole};
use integers::memory::{Lifetime, Storage};
use integers::objects::{Object, Objects};
use integers::{Content, RegionId, Value as Number};
use serde_json::{Value, json};

/// So many objects that are there at first are told.
const MOST_OBJECTS: usize = 400;

impl Teller<'_> {
    /// The objects that are there at first.
    pub(super) fn first_objects(&self) -> Vec<Value> {
        let start = Objects::start(&self.program.memory);
        let alive = start.iter().filter(|(_, object)| object.is_alive).take(MOST_OBJECTS);
        alive
            .map(|(number, object)| self.object_entry(number, object, &whole(&self.program.memory, object)))
            .collect()
    }

    /// What becomes of objects.
    pub(super) fn became(&self, difference: &Difference) -> Vec<Value> {
        let entry = |(number, became): (&i64, &Became)| {
            let object = self.objects?.get(*number)?;
            Some(self.object_entry(*number, object, became))
        };
        difference.objects.iter().filter_map(entry).collect()
    }

    fn object_entry(&self, number: i64, object: &Object, became: &Became) -> Value {
        let mut entry =
            json!({ "object": number, "name": self.object_name(number), "alive": became.is_alive });
        if became.is_whole || became.is_new {
            let class = &self.program.memory.classes[object.class.index()];
            let n_cells: u64 = class.fields.iter().map(|field| field.n_cells()).sum();
            entry["kind"] = json!(self.kind(number, object));
            entry["function"] = json!(self.owner(number));
            entry["n_cells"] = json!(n_cells.saturating_mul(object.count));
            entry["whole"] = json!(true);
        }
        let mut cells: Vec<_> =
            became.cells.iter().map(|(at, value)| self.cell_entry(object, *at, *value)).collect();
        cells.sort_by_key(|(order, _)| *order);
        entry["cells"] = cells.into_iter().map(|(_, cell)| cell).collect();
        entry
    }

    /// A cell, and where it is among the others.
    fn cell_entry(
        &self,
        object: &Object,
        (region, offset): (RegionId, i64),
        value: Option<Number>,
    ) -> ((u64, usize, u64), Value) {
        let fields = self.program.memory.classes[object.class.index()].fields.iter().enumerate();
        let mut found = fields.filter(|(_, field)| field.region == region);
        let found = found.find_map(|(n, field)| Some((n, field, field.cell(offset)?)));
        let (order, name) = match found {
            Some((n, field, (element, position))) => {
                ((element, n, position), place(object, field, element, position))
            }
            None => ((u64::MAX, 0, 0), format!("+ {offset}")),
        };
        let held = value.map_or_else(|| "?".to_owned(), |value| self.content(region, value));
        let mut entry = json!({ "cell": name, "value": held });
        let content = self.program.memory.regions[region.index()].content;
        if let (Content::Pointer(_), Some(Number::Number(pointer))) = (content, value)
            && parts(pointer).0 > 0
        {
            entry["to"] = json!(parts(pointer).0);
        }
        (order, entry)
    }

    /// What kind of an object it is, in a word.
    fn kind(&self, number: i64, object: &Object) -> &'static str {
        match (self.program.memory.objects.get(number as usize - 1), object.storage) {
            (Some(of), _) if of.is_constant => "constant",
            (Some(_), _) => "variable",
            (None, Some(Storage::Frame)) => "stack",
            (None, _) => "heap",
        }
    }

    /// The function whose variable it is.
    fn owner(&self, number: i64) -> Option<&str> {
        match self.program.memory.objects.get(number as usize - 1)?.lifetime {
            Lifetime::Static => None,
            Lifetime::Local(function) => Some(&self.program.function(function).name),
        }
    }
}
