//! Objects, pointers and cells in the words of the text: `a[3]`, `&x`, `node 4`, `node 4.next`.

use super::teller::Teller;
use crate::trace::{Assignment, Holder};
use integers::account::Account;
use integers::memory::{Field, Storage};
use integers::objects::Object;
use integers::trace::TraceStep;
use integers::{Content, Manage, RegionId, Type, Value};

/// So many objects are shown at the end of a run.
const MOST_OBJECTS: usize = 8;

/// So many cells of an object are shown.
const MOST_CELLS: usize = 8;

impl Teller<'_> {
    /// A number of a type, or what a pointer points to.
    pub(super) fn value(&self, ty: Type, value: Value) -> String {
        match value {
            Value::Number(number) if ty == Type::POINTER => self.pointer(number),
            Value::Number(number) => number.to_string(),
            Value::Unknown(_) => "unknown".to_owned(),
            Value::Undefined(undefined) => undefined.to_string(),
        }
    }

    /// What a pointer points to.
    fn pointer(&self, pointer: i128) -> String {
        let (object, offset) = parts(pointer);
        match object {
            0 if offset == 0 => "null".to_owned(),
            0 => format!("null + {offset}"),
            ..0 => "uninitialised".to_owned(),
            _ => {
                let name = self.object_name(object);
                let found = self.objects.and_then(|objects| objects.get(object));
                let is_new = found.is_some_and(|found| found.storage.is_some());
                match found.map_or(1, |found| found.count) {
                    1 if offset == 0 && is_new => name,
                    1 if offset == 0 => format!("&{name}"),
                    count if u64::try_from(offset).is_ok_and(|offset| offset < count) && count > 1 => {
                        format!("&{name}[{offset}]")
                    }
                    _ => format!("&{name} + {offset}"),
                }
            }
        }
    }

    /// A variable, a text, or the class and a number for what a run has allocated.
    pub(super) fn object_name(&self, number: i64) -> String {
        let memory = &self.program.memory;
        if let Some(object) = memory.objects.get(number as usize - 1) {
            return object.name.clone();
        }
        let Some(objects) = self.objects else { return format!("object {number}") };
        let Some(object) = objects.get(number) else { return format!("object {number}") };
        let n_static = memory.objects.len() as i64;
        let of_class =
            |(n, other): &(i64, &Object)| *n > n_static && *n <= number && other.class == object.class;
        let ordinal = objects.iter().filter(of_class).count();
        let class = &memory.classes[object.class.index()].name;
        format!("{} {ordinal}", class.trim_start_matches("struct "))
    }

    /// The cell of a region that a pointer points to.
    fn cell(&self, region: RegionId, pointer: i128) -> String {
        let (number, offset) = parts(pointer);
        let name = self.object_name(number);
        let Some(object) = self.objects.and_then(|objects| objects.get(number)) else { return name };
        let fields = &self.program.memory.classes[object.class.index()].fields;
        let found = fields.iter().filter(|field| field.region == region);
        let mut found = found.filter_map(|field| Some((field, field.cell(offset)?)));
        match found.next() {
            Some((field, (element, position))) => name + &place(object, field, element, position),
            None => format!("{name} + {offset}"),
        }
    }

    /// What is in a cell.
    pub(super) fn content(&self, region: RegionId, value: Value) -> String {
        match (self.program.memory.regions[region.index()].content, value) {
            (Content::Integer(ty), value) => self.value(ty, value),
            (Content::Pointer(_), value) => self.value(Type::POINTER, value),
            (Content::Function, Value::Number(0)) => "null".to_owned(),
            (Content::Function, Value::Number(number)) => {
                let function = usize::try_from(number - 1).ok().and_then(|n| self.program.functions.get(n));
                function.map_or_else(|| number.to_string(), |function| format!("&{}", function.name))
            }
            (Content::Function, value) => self.value(Type::unsigned(64), value),
        }
    }

    /// What a step stored in memory.
    pub(super) fn stores(&self, step: &TraceStep) -> Vec<Assignment> {
        let assignment = |&(region, pointer, value): &(RegionId, i128, Value)| Assignment {
            name: self.cell(region, pointer),
            value: self.content(region, value),
            function: None,
            of: Holder::Memory,
            to: None,
        };
        step.taken.stores.iter().map(assignment).collect()
    }

    /// What was done to objects.
    pub(super) fn managed(&self, manage: &Manage, step: &TraceStep) -> Vec<Assignment> {
        let operand = |n: usize| step.taken.operands.get(n).copied().unwrap_or(Value::Number(0));
        let said = |name: String, value: &str| Assignment {
            name,
            value: value.to_owned(),
            function: None,
            of: Holder::Memory,
            to: None,
        };
        let named = |value: Value| match value {
            Value::Number(number) if parts(number).0 > 0 => Some(self.object_name(parts(number).0)),
            _ => None,
        };
        let elements = |pointer: Value, count: Value| match (pointer, count) {
            (Value::Number(pointer), Value::Number(count)) => {
                let (object, offset) = parts(pointer);
                let end = i128::from(offset) + count;
                if object > 0 {
                    format!("{}[{offset}..{end}]", self.object_name(object))
                } else {
                    "nothing".to_owned()
                }
            }
            _ => "something".to_owned(),
        };
        match manage {
            Manage::Begin(_) | Manage::End(_) => Vec::new(),
            Manage::Allocate { .. } | Manage::Reallocate { .. } => {
                let new = step.stored.iter().filter_map(|(_, value)| named(*value));
                new.map(|name| said(name, "new")).collect()
            }
            Manage::Release { storage: Storage::Frame, .. } => Vec::new(),
            Manage::Release { .. } => named(operand(0)).map(|name| said(name, "freed")).into_iter().collect(),
            Manage::Fill { .. } => {
                let value = self.value(Type::signed(64), operand(2));
                vec![said(elements(operand(0), operand(1)), &value)]
            }
            Manage::Copy { .. } => {
                let from = elements(operand(1), operand(2));
                vec![said(elements(operand(0), operand(2)), &from)]
            }
        }
    }

    /// The objects that changed last, with what they hold at the end of a run.
    pub(super) fn last_objects(&self, account: &Account) -> Vec<Assignment> {
        let objects = &account.last.objects;
        let numbers = objects.changed().into_iter().take(MOST_OBJECTS);
        let mut shown: Vec<i64> = numbers.collect();
        shown.sort_unstable();
        let assignment = |number: i64| {
            let object = objects.get(number)?;
            let value = if object.is_alive { self.contents(object) } else { ended(object).to_owned() };
            let name = self.object_name(number);
            Some(Assignment { name, value, function: None, of: Holder::Memory, to: None })
        };
        shown.into_iter().filter_map(assignment).collect()
    }

    /// What the cells of an object hold.
    fn contents(&self, object: &Object) -> String {
        let class = &self.program.memory.classes[object.class.index()];
        let cells = (0..object.count).flat_map(|element| {
            class
                .fields
                .iter()
                .flat_map(move |field| (0..field.n_cells()).map(move |at| (element, field, at)))
        });
        let is_array = class.fields.iter().all(|field| field.path.is_empty());
        let mut shown: Vec<String> = Vec::new();
        let mut n_cells = 0_usize;
        for (element, field, position) in cells.take(MOST_CELLS + 1) {
            n_cells += 1;
            if n_cells > MOST_CELLS {
                shown.push("…".to_owned());
                break;
            }
            let held = object.read(field.region, field.offset(element, position));
            let value = held.map_or_else(|| "?".to_owned(), |value| self.content(field.region, value));
            let name = place(object, field, element, position);
            shown.push(if is_array { value } else { format!("{}: {value}", name.trim_start_matches('.')) });
        }
        match &shown[..] {
            [only] if is_array && object.count == 1 => only.clone(),
            _ => format!("{{{}}}", shown.join(", ")),
        }
    }
}

/// What became of an object.
fn ended(object: &Object) -> &'static str {
    match object.storage {
        Some(Storage::Heap) => "freed",
        Some(Storage::Frame) | None => "no longer there",
    }
}

/// A cell behind the name of its object: `[3]`, `.next`, `[1].buffer[2]`.
pub(super) fn place(object: &Object, field: &Field, element: u64, position: u64) -> String {
    let is_single = object.count == 1 && (element == 0);
    let mut out = if is_single && (!field.path.is_empty() || object.storage.is_none()) {
        String::new()
    } else {
        format!("[{element}]")
    };
    out += &field.path;
    let mut rest = position;
    let mut indices = Vec::new();
    for dimension in field.dimensions.iter().rev() {
        indices.push(rest % dimension.count);
        rest /= dimension.count;
    }
    indices.iter().rev().for_each(|index| out += &format!("[{index}]"));
    out
}

/// The object and the offset of a pointer.
pub(super) fn parts(pointer: i128) -> (i64, i64) {
    let offset = pointer as i64;
    (((pointer - i128::from(offset)) >> 64) as i64, offset)
}
