//! The order of the diagram variables.
//!
//! Every bit of a variable has a track: three neighbouring levels, for its value at entry, now, and after a step. Modules share
//! the tracks of their locals. A certificate advises an order for each module; between two neighbouring globals, the locals
//! of a module take the tracks there in the order of its advice. Bits without advice come last.
//!
//! Invariant: a move of bits from one copy to another within their tracks keeps the order of levels, provided that no
//! track has two bits that meet.

use crate::claims::{Claim, Claims};
use dd::Level;
use encode::{Bits, Columns, Slot};
use rsm::{ModuleId, Place, Rsm, Type};

/// A copy of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    Entry,
    Current,
    Next,
}

/// The tracks of the bits of some variables.
type Tracks = Vec<Box<[u32]>>;

/// The levels of some variables, in all copies.
#[derive(Default)]
struct Bank {
    versions: [Vec<Bits>; 3],
}

/// Where all bits are.
pub(crate) struct Layout {
    globals: Bank,
    locals: Vec<Bank>,
    results: Vec<Bank>,
    n_tracks: u32,
}

impl Layout {
    pub(crate) fn new(rsm: &Rsm, claims: &Claims) -> Self {
        let ranks = global_ranks(rsm, &claims.order);
        let n_globals = ranks.iter().map(|bits| bits.len()).sum::<usize>();
        let places: Vec<Gaps> = (0..rsm.modules.len())
            .map(|module| {
                Gaps::of_module(rsm, ModuleId::new(module), &claims.modules[module], &ranks, n_globals)
            })
            .collect();
        // Gap k lies before the global of rank k; the last one after all globals.
        let mut widths = vec![0; n_globals + 1];
        for (gap, &width) in places.iter().flat_map(|gaps| gaps.widths.iter().enumerate()) {
            widths[gap] = width.max(widths[gap]);
        }
        let mut starts = Vec::with_capacity(widths.len());
        let mut next = 0;
        for width in widths {
            starts.push(next);
            next += width + 1;
        }
        let global_track = |rank: &u32| starts[*rank as usize + 1] - 1;
        let globals: Tracks = ranks.iter().map(|bits| bits.iter().map(global_track).collect()).collect();
        let spread = |bits: &[Vec<(u32, u32)>]| -> Tracks {
            bits.iter()
                .map(|bits| bits.iter().map(|&(gap, at)| starts[gap as usize] + at).collect())
                .collect()
        };
        Self {
            globals: Bank::new(&globals),
            locals: places.iter().map(|gaps| Bank::new(&spread(&gaps.locals))).collect(),
            results: places.iter().map(|gaps| Bank::new(&spread(&gaps.results))).collect(),
            n_tracks: next,
        }
    }

    /// The first level that nobody uses.
    pub(crate) fn n_levels(&self) -> Level {
        self.n_tracks * 3
    }

    /// The levels of a slot.
    pub(crate) fn levels(&self, module: ModuleId, slot: Slot, version: Version) -> &[Level] {
        self.columns(module, version).slot(slot)
    }

    /// The levels of a whole state.
    pub(crate) fn columns(&self, module: ModuleId, version: Version) -> Columns<'_> {
        let version = version as usize;
        Columns {
            globals: &self.globals.versions[version],
            locals: &self.locals[module.index()].versions[version],
            results: &self.results[module.index()].versions[version],
        }
    }
}

impl Bank {
    fn new(tracks: &Tracks) -> Self {
        let version = |version: u32| {
            tracks.iter().map(|bits| bits.iter().map(|track| track * 3 + version).collect()).collect()
        };
        Self { versions: [version(0), version(1), version(2)] }
    }
}

/// For each global the ranks of its bits among all bits of globals.
fn global_ranks(rsm: &Rsm, order: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let widths: Vec<u32> = rsm.globals.iter().map(|global| global.ty.n_bits()).collect();
    let mut ranks: Vec<Vec<Option<u32>>> = widths.iter().map(|&width| vec![None; width as usize]).collect();
    let all = (0u32..).zip(&widths).flat_map(|(global, &width)| (0..width).map(move |bit| (global, bit)));
    let mut next = 0;
    for (global, bit) in order.iter().copied().chain(all) {
        let rank = &mut ranks[global as usize][bit as usize];
        if rank.is_none() {
            *rank = Some(next);
            next += 1;
        }
    }
    let known = |bits: Vec<Option<u32>>| bits.into_iter().map(|rank| rank.expect("all bits are listed"));
    ranks.into_iter().map(|bits| known(bits).collect()).collect()
}

/// Which gap each bit of a module's own variables is in, and which position there.
struct Gaps {
    locals: Vec<Vec<(u32, u32)>>,
    results: Vec<Vec<(u32, u32)>>,
    /// How many bits each gap holds.
    widths: Vec<u32>,
}

impl Gaps {
    fn of_module(rsm: &Rsm, module: ModuleId, claim: &Claim, ranks: &[Vec<u32>], last: usize) -> Self {
        let shape = rsm.module(module);
        const NOWHERE: (u32, u32) = (u32::MAX, 0);
        let bits = |ty: &Type| vec![NOWHERE; ty.n_bits() as usize];
        let mut gaps = Self {
            locals: shape.locals.iter().map(|local| bits(&local.ty)).collect(),
            results: shape.results.iter().map(bits).collect(),
            widths: Vec::new(),
        };
        let mut rest: Vec<(Slot, u32)> = Vec::new();
        for (n, bits) in (0u32..).zip(&gaps.locals) {
            rest.extend((0..bits.len() as u32).map(|bit| (Slot::Place(Place::Local(n)), bit)));
        }
        for (n, bits) in (0u32..).zip(&gaps.results) {
            rest.extend((0..bits.len() as u32).map(|bit| (Slot::Result(n), bit)));
        }
        let mut gap = 0;
        for (position, &(slot, bit)) in claim.order.iter().chain(&rest).enumerate() {
            if position == claim.order.len() {
                gap = last;
            }
            let place = match slot {
                Slot::Place(Place::Global(n)) => {
                    gap = gap.max(ranks[n as usize][bit as usize] as usize + 1);
                    continue;
                }
                Slot::Place(Place::Local(n)) => &mut gaps.locals[n as usize][bit as usize],
                Slot::Result(n) => &mut gaps.results[n as usize][bit as usize],
            };
            if *place == NOWHERE {
                gaps.widths.resize(gaps.widths.len().max(gap + 1), 0);
                *place = (gap as u32, gaps.widths[gap]);
                gaps.widths[gap] += 1;
            }
        }
        gaps
    }
}
