//! The relational product with renaming, in one pass.
//!
//! `product(f, g)` is `out(∃ Q. left(f) ∧ right(g))`: both operands are read through a renaming of levels, the
//! levels of `Q` are quantified, and the result is written through a third renaming. All renamings keep the order of
//! the levels they move, so nothing is ever re-sorted; whoever registers a product promises that (see [`Map::rising`]).

use crate::store::{BOTTOM, Bdd, Exhausted, Halt, Level, Manager};

base::index_type! {
    /// A registered product.
    ProductId;
}

/// Where levels go; levels that are not mentioned stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Map {
    moves: Vec<(Level, Level)>,
}

impl Map {
    /// The map with these moves; moves to the same place are dropped.
    pub fn new(moves: impl IntoIterator<Item = (Level, Level)>) -> Self {
        let mut moves: Vec<_> = moves.into_iter().filter(|(from, to)| from != to).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { moves }
    }

    /// The map with these moves, each level's own among them; `None` unless it keeps their order and sends no two to the same place.
    pub fn rising(mut moves: Vec<(Level, Level)>) -> Option<Self> {
        if !moves.is_sorted() {
            moves.sort_unstable();
        }
        moves.dedup();
        let rises = moves.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
        moves.retain(|(from, to)| from != to);
        rises.then_some(Self { moves })
    }

    /// Nothing moves.
    pub fn is_identity(&self) -> bool {
        self.moves.is_empty()
    }

    /// The image of a level.
    pub fn apply(&self, level: Level) -> Level {
        match self.moves.binary_search_by_key(&level, |m| m.0) {
            Ok(at) => self.moves[at].1,
            Err(_) => level,
        }
    }

    /// The level whose image this is.
    pub fn unapply(&self, level: Level) -> Level {
        self.moves.iter().find(|m| m.1 == level).map_or(level, |m| m.0)
    }
}

/// Images of a stretch of levels; levels outside it stay.
#[derive(Default, PartialEq, Eq)]
struct Table {
    start: Level,
    images: Vec<Level>,
}

impl Table {
    /// The table of images, by ascending levels; of several for one level the last counts.
    fn new(images: &[(Level, Level)]) -> Self {
        let (Some(&(start, _)), Some(&(last, _))) = (images.first(), images.last()) else {
            return Self::default();
        };
        let mut table = Self { start, images: (start..=last).collect() };
        images.iter().for_each(|&(level, image)| table.images[(level - start) as usize] = image);
        table
    }

    /// One past the last level with an entry.
    fn end(&self) -> Level {
        self.start + self.images.len() as Level
    }

    #[inline]
    fn get(&self, level: Level) -> Level {
        self.images.get(level.wrapping_sub(self.start) as usize).copied().unwrap_or(level)
    }
}

/// Marks a quantified level in `out`.
const QUANTIFIED: Level = BOTTOM;

pub(crate) struct Product {
    left: Table,
    right: Table,
    out: Table,
    tag: u32,
    /// Below this working level nothing is renamed or quantified: the product is a plain conjunction.
    plain_from: Level,
    commutes: bool,
}

impl Manager {
    /// Registers a product. `quantified` and `out` speak of levels after `left` and `right`.
    pub fn register_product(
        &mut self,
        left: &Map,
        right: &Map,
        quantified: &[Level],
        out: &Map,
    ) -> ProductId {
        let mut images: Vec<(Level, Level)> = out.moves.clone();
        images.extend(quantified.iter().map(|&level| (level, QUANTIFIED)));
        // A level that is quantified and moved is quantified.
        images.sort_by_key(|&(level, image)| (level, image == QUANTIFIED));
        let [left, right, out] = [&left.moves, &right.moves, &images].map(|images| Table::new(images));
        let plain_from = left.end().max(right.end()).max(out.end());
        let commutes = left == right;
        let tag = self.fresh_tag();
        self.products.push(Some(Box::new(Product { left, right, out, tag, plain_from, commutes })));
        ProductId::new(self.products.len() - 1)
    }

    pub(crate) fn fresh_tag(&mut self) -> u32 {
        self.next_tag += 1;
        self.next_tag
    }

    /// `out(∃ Q. left(f) ∧ right(g))`.
    pub fn product(&mut self, f: Bdd, g: Bdd, id: ProductId) -> Result<Bdd, Exhausted> {
        if f == Bdd::FALSE || g == Bdd::FALSE {
            return Ok(Bdd::FALSE);
        }
        let product = self.products[id.index()].take().expect("products do not nest");
        let result = self.multiply(f, g, &product);
        self.products[id.index()] = Some(product);
        result.map_err(|halt| self.explain(halt))
    }

    fn multiply(&mut self, f: Bdd, g: Bdd, p: &Product) -> Result<Bdd, Halt> {
        if f == Bdd::FALSE || g == Bdd::FALSE {
            return Ok(Bdd::FALSE);
        }
        let (f, g) = if p.commutes && g < f { (g, f) } else { (f, g) };
        let (f_stored, g_stored) = (self.level_of(f), self.level_of(g));
        // No table has an entry from `plain_from` on, and the children lie below: the rest is a conjunction.
        if f_stored.min(g_stored) >= p.plain_from {
            return self.conjoin(f, g);
        }
        if p.commutes && f == g.complement() {
            return Ok(Bdd::FALSE);
        }
        let key = match self.cache.get(f.0, g.0, p.tag) {
            Ok(result) => return Ok(Bdd(result)),
            Err(key) => key,
        };
        self.poll()?;
        let (f_level, g_level) = (p.left.get(f_stored), p.right.get(g_stored));
        let level = f_level.min(g_level);
        let (f0, f1) = if f_level == level { self.children(f) } else { (f, f) };
        let (g0, g1) = if g_level == level { self.children(g) } else { (g, g) };
        let target = p.out.get(level);
        let low = self.multiply(f0, g0, p)?;
        let result = if target != QUANTIFIED {
            let high = self.multiply(f1, g1, p)?;
            self.make(target, low, high)?
        } else if low == Bdd::TRUE {
            low
        } else {
            let high = self.multiply(f1, g1, p)?;
            self.disjoin(low, high)?
        };
        self.cache.put(key, result.0);
        Ok(result)
    }
}
