//! What is live before an edge, given what is live after it.

use super::bits;
use super::places::Places;
use crate::machine::Action;

/// Turns the set after an edge without call into the set before it. `is_needed` says which results of the module matter.
pub(super) fn before_edge(
    places: Places,
    action: &Action,
    is_needed: &[bool],
    row: &mut [u64],
    spare: &mut Vec<u64>,
) {
    match action {
        Action::Skip => {}
        Action::Assume(condition) | Action::Assert(condition) => places.insert_reads(row, condition),
        Action::Assign { targets, values, constrain } => {
            // A new value that is read and not assigned is the old one: it stays live, as it should.
            for place in constrain.iter().flat_map(|condition| condition.reads_next()) {
                bits::insert(row, places.bit(place));
            }
            spare.clear();
            spare.extend_from_slice(row);
            for &target in targets {
                bits::remove(row, places.bit(target));
            }
            for (&target, value) in targets.iter().zip(values) {
                if bits::contains(spare, places.bit(target)) {
                    places.insert_reads(row, value);
                }
            }
            constrain.iter().for_each(|condition| places.insert_reads(row, condition));
        }
        Action::Return { values } => {
            for (value, _) in values.iter().zip(is_needed).filter(|(_, is_needed)| **is_needed) {
                places.insert_reads(row, value);
            }
        }
        Action::Call { .. } => unreachable!("a call is a block of its own"),
    }
}
