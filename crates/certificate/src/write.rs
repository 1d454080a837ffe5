//! Printing a certificate.
//!
//! Contract: the text depends on the rows and on what their levels stand for, not on where the manager keeps its nodes.
//! Its size is linear in the distinct nodes of each module's rows, and nodes that read the same are written once.

use crate::names::{ModuleNames, Names, escape};
use crate::row::{Moment, Point, Row, Variable};
use base::Sources;
use dd::{Bdd, Level, Manager};
use encode::Slot;
use rsm::{ModuleId, Place, Rsm, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The first line of the text.
pub(crate) const VERSION: &str = "getafix certificate 1";

/// The text of a certificate; `variable(module, level)` says what a level of a row's diagram stands for.
///
/// The sources are only used to remark on which line a node is.
pub fn write(
    rsm: &Rsm,
    sources: &Sources,
    targets: &[String],
    dd: &Manager,
    rows: &[Row],
    variable: impl Fn(ModuleId, Level) -> Variable,
) -> String {
    let names = Names::new(rsm);
    let mut writer = Writer {
        rsm,
        sources,
        dd,
        names: &names,
        out: format!("{VERSION}\n"),
        words: FxHashMap::default(),
        nodes: FxHashMap::default(),
    };
    for target in targets {
        let _ = writeln!(writer.out, "target {}", escape(target));
    }
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (row.module, row.point));
    let groups: Vec<&[&Row]> = sorted.chunk_by(|a, b| a.module == b.module).collect();
    let meanings: Vec<_> = groups.iter().map(|group| writer.meanings(group, &variable)).collect();
    writer.global_order(&meanings);
    for (group, meanings) in groups.iter().zip(&meanings) {
        writer.module(group, meanings);
    }
    writer.out
}

/// What the levels of one module's rows stand for.
type Meanings = BTreeMap<Level, Variable>;

/// An edge: the number of a node, 0 for the constant, and whether it is complemented.
type Edge = (u32, bool);

struct Writer<'a> {
    rsm: &'a Rsm,
    sources: &'a Sources,
    dd: &'a Manager,
    names: &'a Names<'a>,
    out: String,
    /// Numbers of the words that stand for bits.
    words: FxHashMap<String, u32>,
    /// Numbers of the nodes written so far: the bit, the node if it is set, the node otherwise.
    nodes: FxHashMap<(u32, Edge, Edge), u32>,
}

impl Writer<'_> {
    fn meanings(&self, rows: &[&Row], variable: &impl Fn(ModuleId, Level) -> Variable) -> Meanings {
        let mut meanings = Meanings::new();
        for f in self.below(rows) {
            let level = self.dd.level(f).expect("constants are not listed");
            meanings.entry(level).or_insert_with(|| variable(rows[0].module, level));
        }
        meanings
    }

    /// The nodes below some rows, without their sign, children first.
    fn below(&self, rows: &[&Row]) -> Vec<Bdd> {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack: Vec<(Bdd, bool)> = rows.iter().rev().map(|row| (plain(row.diagram), false)).collect();
        while let Some((f, is_done)) = stack.pop() {
            if is_done {
                order.push(f);
            } else if !f.is_constant() && seen.insert(f) {
                let (low, high) = self.dd.children(f);
                stack.extend([(f, true), (plain(low), false), (plain(high), false)]);
            }
        }
        order
    }

    fn global_order(&mut self, meanings: &[Meanings]) {
        let mut globals = BTreeMap::new();
        for (level, variable) in meanings.iter().flatten() {
            if let Slot::Place(Place::Global(global)) = variable.slot {
                globals.entry(*level).or_insert((global, variable.bit));
            }
        }
        let word = |&(global, bit): &(u32, u32)| {
            bit_word(self.names.global(global), bit, &self.rsm.globals[global as usize].ty)
        };
        let words: Vec<String> = globals.values().map(word).collect();
        self.order(words);
    }

    fn order(&mut self, words: Vec<String>) {
        let mut seen = FxHashSet::default();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| seen.insert(*word)).collect();
        if !words.is_empty() {
            let _ = writeln!(self.out, "order {}", words.join(" "));
        }
    }

    fn module(&mut self, rows: &[&Row], meanings: &Meanings) {
        let module = rows[0].module;
        let _ = writeln!(self.out, "function {}", escape(self.names.function(module)));
        let names = self.names.module(module);
        let words: FxHashMap<Level, String> =
            meanings.iter().map(|(&level, variable)| (level, variable_word(&names, variable))).collect();
        let order = meanings.values().map(|v| bit_word(&names.word(v.slot), v.bit, names.ty(v.slot)));
        self.order(order.collect());
        let mut numbers: FxHashMap<Bdd, Edge> = FxHashMap::default();
        numbers.insert(Bdd::TRUE, (0, false));
        for f in self.below(rows) {
            let level = self.dd.level(f).expect("constants are not listed");
            let (low, high) = self.dd.children(f);
            let edge = self.node(&words[&level], edge_of(&numbers, high), edge_of(&numbers, low));
            numbers.insert(f, edge);
        }
        for row in rows {
            let edge = edge_word(edge_of(&numbers, row.diagram));
            let _ = match row.point {
                Point::Entry => writeln!(self.out, "entry = {edge}"),
                Point::Node(node) => {
                    let shape = self.rsm.module(module);
                    let (line, _) = self.sources.line_column(shape.node(node).span);
                    let exit = if node == shape.exit { "the exit, " } else { "" };
                    writeln!(self.out, "node {} = {edge}  # {exit}line {line}", node.index())
                }
            };
        }
    }

    /// The edge to the node with these parts, which is written if it is new. Equal diagrams get equal edges because the
    /// branch for a set bit is never complemented.
    fn node(&mut self, word: &str, high: Edge, low: Edge) -> Edge {
        let sign = high.1;
        let (high, low) = ((high.0, false), (low.0, low.1 ^ sign));
        let n_words = self.words.len() as u32;
        let word_number = *self.words.entry(word.to_owned()).or_insert(n_words);
        let next = self.nodes.len() as u32 + 1;
        let number = *self.nodes.entry((word_number, high, low)).or_insert(next);
        if number == next {
            let _ = writeln!(self.out, "n{number} = {word} ? {} : {}", edge_word(high), edge_word(low));
        }
        (number, sign)
    }
}

/// The diagram or its complement, whichever stands for both.
fn plain(f: Bdd) -> Bdd {
    f.min(f.complement())
}

fn edge_of(numbers: &FxHashMap<Bdd, Edge>, f: Bdd) -> Edge {
    let (number, sign) = numbers[&plain(f)];
    (number, sign ^ (f != plain(f)))
}

fn edge_word((number, complemented): Edge) -> String {
    match (number, complemented) {
        (0, false) => "T".to_owned(),
        (0, true) => "F".to_owned(),
        (_, false) => format!("n{number}"),
        (_, true) => format!("!n{number}"),
    }
}

fn variable_word(names: &ModuleNames, variable: &Variable) -> String {
    let word = bit_word(&names.word(variable.slot), variable.bit, names.ty(variable.slot));
    match variable.moment {
        Moment::Entry => format!("entry {word}"),
        Moment::Current => word,
    }
}

/// A bit of a variable. The number is left out for Booleans, unless the name itself ends like a number.
fn bit_word(name: &str, bit: u32, ty: &Type) -> String {
    let word = escape(name);
    if *ty == Type::Bool && !word.ends_with(']') { word } else { format!("{word}[{bit}]") }
}
