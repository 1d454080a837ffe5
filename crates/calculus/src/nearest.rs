//! The known name a misspelled one was probably meant to be.

/// The candidate nearest to `word`, if one is so near that a slip of the finger explains it.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.chars().count() {
        0..=1 => 0,
        2..=3 => 1,
        4..=6 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word {
            continue;
        }
        let limit = best.map_or(limit, |(distance, _)| distance);
        let distance = if candidate.eq_ignore_ascii_case(word) {
            Some(0)
        } else if candidate.len().abs_diff(word.len()) > limit {
            None
        } else {
            distance(word, candidate, limit)
        };
        // Of equally near ones the alphabetically first, so that the order of the candidates does not matter.
        if let Some(distance) = distance
            && best.is_none_or(|best| (distance, candidate) < best)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of single-character edits from `a` to `b`, if it is at most `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
        if row.iter().min() > Some(&limit) {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance <= limit)
}
