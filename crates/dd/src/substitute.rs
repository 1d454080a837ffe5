//! Substitution of variables and constants for variables, whatever that does to the order.

use crate::store::{Bdd, Exhausted, Halt, Level, Manager};

base::index_type! {
    /// A registered substitution.
    SubstitutionId;
}

/// What replaces a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Image {
    /// Another variable (or the same).
    Level(Level),
    /// A constant.
    Constant(bool),
}

pub(crate) struct Substitution {
    images: Vec<Image>,
    tag: u32,
}

impl Manager {
    /// Registers a simultaneous substitution; levels that are not mentioned stay.
    pub fn register_substitution(&mut self, moves: &[(Level, Image)]) -> SubstitutionId {
        let length = moves.iter().map(|m| m.0 + 1).max().unwrap_or(0);
        let mut images: Vec<Image> = (0..length).map(Image::Level).collect();
        for &(from, to) in moves {
            images[from as usize] = to;
        }
        let tag = self.fresh_tag();
        self.substitutions.push(Substitution { images, tag });
        SubstitutionId::new(self.substitutions.len() - 1)
    }

    /// Replaces all variables at once. Two variables may get the same image.
    pub fn substitute(&mut self, f: Bdd, id: SubstitutionId) -> Result<Bdd, Exhausted> {
        self.replace(f, id).map_err(|halt| self.explain(halt))
    }

    fn replace(&mut self, f: Bdd, id: SubstitutionId) -> Result<Bdd, Halt> {
        if f.is_constant() {
            return Ok(f);
        }
        let (sign, f) = (f.sign(), Bdd(f.0 & !1));
        let level = self.level_of(f);
        let substitution = &self.substitutions[id.index()];
        let tag = substitution.tag;
        let image = substitution.images.get(level as usize).copied().unwrap_or(Image::Level(level));
        let key = match self.cache.get(f.0, 0, tag) {
            Ok(result) => return Ok(Bdd(result ^ sign)),
            Err(key) => key,
        };
        self.poll()?;
        let (f0, f1) = self.children(f);
        let result = match image {
            Image::Constant(value) => self.replace(if value { f1 } else { f0 }, id)?,
            Image::Level(target) => {
                let low = self.replace(f0, id)?;
                let high = self.replace(f1, id)?;
                let variable = self.make(target, Bdd::FALSE, Bdd::TRUE)?;
                self.choose(variable, high, low)?
            }
        };
        self.cache.put(key, result.0);
        Ok(Bdd(result.0 ^ sign))
    }
}
