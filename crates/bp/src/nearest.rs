//! The declared name that a misspelled one was probably meant to be.

/// The candidate nearest to `word`, if a slip of the finger explains the difference; of equally near ones the
/// alphabetically first, so that the order of the candidates does not matter.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().collect();
    let limit = match word.len() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    // A name that differs in every letter is not near, however short.
    let limit = limit.min(word.len().saturating_sub(1));
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.filter(|candidate| candidate.len().abs_diff(word.len()) <= 4 * limit) {
        let distance = edits(&word, candidate);
        if distance <= limit && best.is_none_or(|best| (distance, candidate) < best) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, removed or replaced to come from one word to the other. A letter in the other
/// case counts as the same.
fn edits(from: &[char], to: &str) -> usize {
    let mut row: Vec<usize> = (0..=from.len()).collect();
    for (n, letter) in to.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], n + 1);
        for (column, other) in from.iter().enumerate() {
            let replaced = diagonal + usize::from(!letter.eq_ignore_ascii_case(other));
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[from.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        let names = ["stopped", "stopping", "flag", "x"];
        assert_eq!(nearest("stoped", names.into_iter()), Some("stopped"));
        assert_eq!(nearest("Flag", names.into_iter()), Some("flag"));
        assert_eq!(nearest("flga", names.into_iter()), Some("flag"));
        assert_eq!(nearest("y", names.into_iter()), None);
        assert_eq!(nearest("unrelated", names.into_iter()), None);
    }
}
