//! Boolean connectives.

use crate::cache::{AND, XOR};
use crate::store::{Bdd, Exhausted, Halt, Manager};

impl Manager {
    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        self.conjoin(f, g).map_err(|halt| self.explain(halt))
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        self.disjoin(f, g).map_err(|halt| self.explain(halt))
    }

    /// What is in `f` and not in `g`.
    pub fn difference(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        self.and(f, g.complement())
    }

    /// Exclusive or.
    pub fn xor(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        self.exclude(f, g).map_err(|halt| self.explain(halt))
    }

    /// Equivalence.
    pub fn iff(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        Ok(self.xor(f, g)?.complement())
    }

    /// If `f` then `g` else `h`.
    pub fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Result<Bdd, Exhausted> {
        self.choose(f, g, h).map_err(|halt| self.explain(halt))
    }

    /// The conjunction of literals: each level with the value it must have, in any order; a level
    /// that must be both leaves nothing.
    pub fn cube(&mut self, literals: impl IntoIterator<Item = (u32, bool)>) -> Result<Bdd, Exhausted> {
        let mut literals: Vec<(u32, bool)> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Ok(Bdd::FALSE);
        }
        let mut result = Bdd::TRUE;
        for (level, value) in literals.into_iter().rev() {
            let (low, high) = if value { (Bdd::FALSE, result) } else { (result, Bdd::FALSE) };
            result = self.make(level, low, high).map_err(|halt| self.explain(halt))?;
        }
        Ok(result)
    }

    /// Conjunction, inside recursions.
    pub(crate) fn conjoin(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Halt> {
        if f == g || g == Bdd::TRUE {
            return Ok(f);
        }
        if f == Bdd::TRUE {
            return Ok(g);
        }
        if f == Bdd::FALSE || g == Bdd::FALSE || f == g.complement() {
            return Ok(Bdd::FALSE);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let key = match self.cache.get(f.0, g.0, AND) {
            Ok(result) => return Ok(Bdd(result)),
            Err(key) => key,
        };
        self.poll()?;
        let level = self.level_of(f).min(self.level_of(g));
        let (f0, f1) = self.split(f, level);
        let (g0, g1) = self.split(g, level);
        let low = self.conjoin(f0, g0)?;
        let high = self.conjoin(f1, g1)?;
        let result = self.make(level, low, high)?;
        self.cache.put(key, result.0);
        Ok(result)
    }

    /// Disjunction, inside recursions.
    pub(crate) fn disjoin(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Halt> {
        Ok(self.conjoin(f.complement(), g.complement())?.complement())
    }

    /// Exclusive or, inside recursions.
    fn exclude(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Halt> {
        let sign = f.sign() ^ g.sign();
        let (f, g) = (Bdd(f.0 & !1), Bdd(g.0 & !1));
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if f == g {
            return Ok(Bdd(1 ^ sign));
        }
        if f == Bdd::TRUE {
            return Ok(Bdd(g.0 ^ 1 ^ sign));
        }
        let key = match self.cache.get(f.0, g.0, XOR) {
            Ok(result) => return Ok(Bdd(result ^ sign)),
            Err(key) => key,
        };
        self.poll()?;
        let level = self.level_of(f).min(self.level_of(g));
        let (f0, f1) = self.split(f, level);
        let (g0, g1) = self.split(g, level);
        let low = self.exclude(f0, g0)?;
        let high = self.exclude(f1, g1)?;
        let result = self.make(level, low, high)?;
        self.cache.put(key, result.0);
        Ok(Bdd(result.0 ^ sign))
    }

    /// If `f` then `g` else `h`, inside recursions.
    pub(crate) fn choose(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Result<Bdd, Halt> {
        if f.sign() == 1 {
            return self.choose(f.complement(), h, g);
        }
        if f == Bdd::TRUE || g == h {
            return Ok(g);
        }
        if g.is_constant() || g == f || g == f.complement() {
            let then = g == Bdd::TRUE || g == f;
            return if then { self.disjoin(f, h) } else { self.conjoin(f.complement(), h) };
        }
        if h.is_constant() || h == f || h == f.complement() {
            let otherwise = h == Bdd::TRUE || h == f.complement();
            return if otherwise { self.disjoin(f.complement(), g) } else { self.conjoin(f, g) };
        }
        if g.sign() == 1 {
            return Ok(self.choose(f, g.complement(), h.complement())?.complement());
        }
        let key = match self.cache.get(f.0, g.0, h.0) {
            Ok(result) => return Ok(Bdd(result)),
            Err(key) => key,
        };
        self.poll()?;
        let level = self.level_of(f).min(self.level_of(g)).min(self.level_of(h));
        let (f0, f1) = self.split(f, level);
        let (g0, g1) = self.split(g, level);
        let (h0, h1) = self.split(h, level);
        let low = self.choose(f0, g0, h0)?;
        let high = self.choose(f1, g1, h1)?;
        let result = self.make(level, low, high)?;
        self.cache.put(key, result.0);
        Ok(result)
    }
}
