//! Domains: the bit patterns that stand for values.

use super::Store;
use super::table::TableId;
use crate::fault::Fault;
use calculus::system::VarId;
use dd::Bdd;
use rustc_hash::FxHashMap;

/// The patterns of variables, as far as they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    of_variable: FxHashMap<VarId, Bdd>,
}

impl Store<'_> {
    /// The bit patterns that stand for values of a table's bit columns.
    #[inline]
    pub fn table_domain(&mut self, table: TableId) -> Result<Bdd, Fault> {
        if let Some(domain) = self.tables[table.index()].domain {
            return Ok(domain);
        }
        let bits = self.shape(table).bits.clone();
        let domain = self.existing_values(&bits)?;
        self.tables[table.index()].domain = Some(domain);
        self.roots.pin(domain);
        Ok(domain)
    }

    /// The bit patterns that stand for values of some variables.
    pub fn existing_values(&mut self, bits: &[VarId]) -> Result<Bdd, Fault> {
        let mut result = Bdd::TRUE;
        for &var in bits {
            let size = self.system.sort_of(var).size();
            if size.is_power_of_two() {
                continue;
            }
            let domain = match self.domains.of_variable.get(&var) {
                Some(domain) => *domain,
                None => {
                    let domain = self.at_most(var, size as u32 - 1)?;
                    self.domains.of_variable.insert(var, domain);
                    self.roots.pin(domain);
                    domain
                }
            };
            result = self.dd.and(result, domain)?;
        }
        Ok(result)
    }
}
