//! Relations as files: DOT for people, DDDMP for other tools.
//!
//! A dump is one diagram over all bits of a relation. The bits of keys stand below all others, at levels that no variable
//! of the system uses.

use super::Store;
use super::table::{RowId, TableId};
use crate::fault::Fault;
use crate::layout::n_bits;
use calculus::system::VarId;
use dd::{Bdd, Level};
use std::collections::BTreeMap;

/// The levels of a dump with their names, and those of each key column.
struct Bits {
    levels: Vec<Level>,
    names: Vec<String>,
    keys: Vec<(VarId, Vec<Level>)>,
}

/// Keys with their diagrams.
type Rows = Vec<(Vec<u32>, Bdd)>;

impl Store<'_> {
    /// DOT text of a relation's diagrams, one root for each key.
    pub fn table_dot(&mut self, table: TableId) -> Result<String, Fault> {
        let mut roots = Vec::new();
        for row in (0..self.tables[table.index()].len()).map(RowId::new) {
            let keys = self.shape(table).keys.iter().zip(self.tables[table.index()].key(row));
            let label: Vec<String> =
                keys.map(|(&v, &value)| self.system.sort_of(v).value_name(value)).collect();
            let name = format!("{}[{}]", self.shape(table).name, label.join(", "));
            roots.push((name, self.expanded(table, row)?));
        }
        roots.sort();
        Ok(self.dd.dot(&roots, |level| self.layout.name(level)))
    }

    /// DDDMP text of a relation.
    pub fn table_dump(&mut self, table: TableId) -> Result<String, Fault> {
        let bits = self.dump_bits(table);
        let mut all = Bdd::FALSE;
        for row in (0..self.tables[table.index()].len()).map(RowId::new) {
            let key = self.tables[table.index()].key(row).to_vec();
            let literals =
                bits.keys.iter().zip(&key).flat_map(|((_, levels), &value)| key_bits(levels, value));
            let cube = self.dd.cube(literals)?;
            let diagram = self.expanded(table, row)?;
            let part = self.dd.and(diagram, cube)?;
            all = self.dd.or(all, part)?;
        }
        Ok(self.dd.dump(&self.shape(table).name, all, &bits.levels, &bits.names))
    }

    fn dump_bits(&self, table: TableId) -> Bits {
        let shape = &self.shape(table);
        let mut names: BTreeMap<Level, String> = BTreeMap::new();
        for &var in &shape.bits {
            for (bit, &level) in self.layout.levels(var).iter().enumerate() {
                names.insert(level, format!("{}:{bit}", self.system.var_name(var)));
            }
        }
        let mut next = self.layout.n_levels() as Level;
        let mut keys = Vec::new();
        for &var in &shape.keys {
            let n = n_bits(self.system.sort_of(var).size()) as Level;
            for bit in 0..n {
                names.insert(next + bit, format!("{}:{bit}", self.system.var_name(var)));
            }
            keys.push((var, (next..next + n).collect()));
            next += n;
        }
        let (levels, names) = names.into_iter().unzip();
        Bits { levels, names, keys }
    }

    /// The rows of a DDDMP text; the inner error says what is wrong with it.
    pub fn table_undump(&mut self, table: TableId, text: &str) -> Result<Result<Rows, String>, Fault> {
        let bits = self.dump_bits(table);
        let levels = match named_levels(text, &bits) {
            Ok(levels) => levels,
            Err(message) => return Ok(Err(message)),
        };
        let mut rest = match self.dd.undump(text, &levels)? {
            Ok(diagram) => diagram,
            Err(error) => return Ok(Err(format!("line {}: {}", error.line, error.message))),
        };
        let key_levels: Vec<Level> = bits.keys.iter().flat_map(|k| k.1.clone()).collect();
        let forget = self.register(dd::Map::default(), dd::Map::default(), key_levels);
        let domain = self.table_domain(table)?;
        let mut rows = Vec::new();
        while let Some(literals) = self.dd.pick(rest) {
            let mut key = Vec::new();
            for (var, levels) in &bits.keys {
                let value = levels.iter().fold(0, |n, l| n << 1 | u32::from(literals.contains(&(*l, true))));
                if u64::from(value) >= self.system.sort_of(*var).size() {
                    return Ok(Err(format!(
                        "it holds a value of `{}` that does not exist",
                        self.system.var_name(*var)
                    )));
                }
                key.push(value);
            }
            let of_key = bits.keys.iter().zip(&key).flat_map(|((_, levels), &value)| key_bits(levels, value));
            let cube = self.dd.cube(of_key)?;
            let row = self.dd.product(rest, cube, forget)?;
            if self.dd.difference(row, domain)? != Bdd::FALSE {
                return Ok(Err("it holds a bit pattern that stands for no value".to_owned()));
            }
            rows.push((key, row));
            rest = self.dd.difference(rest, cube)?;
        }
        Ok(Ok(rows))
    }
}

/// The levels of a file's variables, found by the names it gives them; by position if it gives none.
fn named_levels(text: &str, bits: &Bits) -> Result<Vec<Level>, String> {
    let Some(names) = text.lines().find_map(|line| line.strip_prefix(".orderedvarnames")) else {
        return Ok(bits.levels.clone());
    };
    let level = |name: &str| match bits.names.iter().position(|known| known == name) {
        Some(at) => Ok(bits.levels[at]),
        None => Err(format!("it speaks of `{name}`, which is no bit of the relation")),
    };
    names.split_whitespace().map(level).collect()
}

fn key_bits(levels: &[Level], value: u32) -> Vec<(Level, bool)> {
    levels
        .iter()
        .enumerate()
        .map(|(bit, &level)| (level, value >> (levels.len() - 1 - bit) & 1 == 1))
        .collect()
}
