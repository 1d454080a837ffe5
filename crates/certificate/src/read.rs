//! Parsing a certificate: syntax only, whatever the program.
//!
//! Invariant of the result: nodes refer to earlier nodes, so diagrams have no cycles.

use crate::row::{Moment, Point};
use crate::text::{ReadError, each_line, is_number, name, number, shown};
use crate::write::VERSION;
use rsm::NodeId;
use rustc_hash::FxHashMap;

/// A certificate as it was written. Whether it proves anything is for [`validate`](fn@crate::validate) to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub(crate) targets: Vec<String>,
    /// The order of the globals.
    pub(crate) order: Vec<Bit>,
    pub(crate) functions: Vec<Function>,
    pub(crate) nodes: Vec<Node>,
}

impl Certificate {
    /// What is claimed to be unreachable, in the words of whoever wrote the certificate.
    pub fn targets(&self) -> &[String] {
        &self.targets
    }
}

/// A bit by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bit {
    pub(crate) name: String,
    pub(crate) bit: u32,
}

/// The rows of a function. A function may occur several times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) order: Vec<Bit>,
    pub(crate) rows: Vec<(Point, Edge)>,
}

/// A node of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) moment: Moment,
    pub(crate) bit: Bit,
    pub(crate) high: Edge,
    pub(crate) low: Edge,
}

/// A diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    Constant(bool),
    Node { index: u32, is_complemented: bool },
}

/// The certificate that a text spells.
pub fn read(text: &str) -> Result<Certificate, ReadError> {
    let certificate =
        Certificate { targets: Vec::new(), order: Vec::new(), functions: Vec::new(), nodes: Vec::new() };
    let mut reader = Reader { certificate, numbers: FxHashMap::default() };
    let read = each_line(text, VERSION, |words| reader.line(words));
    read.map_err(|(line, message)| ReadError { line, message })?;
    Ok(reader.certificate)
}

struct Reader {
    certificate: Certificate,
    /// Where the nodes are, by the numbers the text gives them.
    numbers: FxHashMap<u64, u32>,
}

impl Reader {
    fn line(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            ["target", target] => self.certificate.targets.push(name(target)?),
            ["function", function] => {
                let function = Function { name: name(function)?, order: Vec::new(), rows: Vec::new() };
                self.certificate.functions.push(function);
            }
            ["order", bits @ ..] => {
                let bits = bits.iter().map(|word| bit(word)).collect::<Result<Vec<Bit>, String>>()?;
                let function = self.certificate.functions.last_mut();
                function.map_or(&mut self.certificate.order, |f| &mut f.order).extend(bits);
            }
            ["entry", "=", edge] => self.row(Point::Entry, edge)?,
            ["node", node, "=", edge] => {
                let node: u32 = number(node)?;
                self.row(Point::Node(NodeId(node)), edge)?;
            }
            [label, "=", word, "?", high, ":", low] => {
                self.node(label, Moment::Current, word, [high, low])?
            }
            [label, "=", "entry", word, "?", high, ":", low] => {
                self.node(label, Moment::Entry, word, [high, low])?;
            }
            [first, ..] => {
                return Err(format!(
                    "expected a target, an order, a function, a row or a node, found `{}`",
                    shown(first)
                ));
            }
            [] => {}
        }
        Ok(())
    }

    fn row(&mut self, point: Point, word: &str) -> Result<(), String> {
        let edge = self.edge(word)?;
        let Some(function) = self.certificate.functions.last_mut() else {
            return Err("expected `function` before the first row".to_owned());
        };
        function.rows.push((point, edge));
        Ok(())
    }

    fn node(
        &mut self,
        label: &str,
        moment: Moment,
        word: &str,
        [high, low]: [&str; 2],
    ) -> Result<(), String> {
        let number = node_number(label)?;
        let node = Node { moment, bit: bit(word)?, high: self.edge(high)?, low: self.edge(low)? };
        let Ok(index) = u32::try_from(self.certificate.nodes.len()) else {
            return Err("there are too many nodes".to_owned());
        };
        if self.numbers.insert(number, index).is_some() {
            return Err(format!("`{}` is defined twice", shown(label)));
        }
        self.certificate.nodes.push(node);
        Ok(())
    }

    fn edge(&self, word: &str) -> Result<Edge, String> {
        match word {
            "T" => return Ok(Edge::Constant(true)),
            "F" => return Ok(Edge::Constant(false)),
            _ => {}
        }
        let label = word.strip_prefix('!');
        let number = node_number(label.unwrap_or(word))?;
        match self.numbers.get(&number) {
            Some(&index) => Ok(Edge::Node { index, is_complemented: label.is_some() }),
            None => Err(format!("`{}` is not defined above", shown(label.unwrap_or(word)))),
        }
    }
}

/// `n12`
fn node_number(label: &str) -> Result<u64, String> {
    match label.strip_prefix('n') {
        Some(digits) if is_number(digits) => number(digits),
        _ => Err(format!("expected a node such as `n1`, found `{}`", shown(label))),
    }
}

/// `x`, `x[2]`
fn bit(word: &str) -> Result<Bit, String> {
    let parts = word.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match parts {
        Some((before, digits)) if is_number(digits) => Ok(Bit { name: name(before)?, bit: number(digits)? }),
        _ => Ok(Bit { name: name(word)?, bit: 0 }),
    }
}
