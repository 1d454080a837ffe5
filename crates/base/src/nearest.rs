//! The known name a misspelled one was probably meant to be.

/// The candidate nearest to `word`, if one is so near that a slip of the finger explains it.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
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

/// The number of single-character edits from `a` to `b`.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let limit = a.len() + b.len();
    distance(a, b, limit).unwrap_or(limit)
}

/// The number of single-character edits from `a` to `b`, if it is at most `limit`. Only the cells of the table
/// that so few edits can reach are filled in.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let b: Vec<char> = b.chars().collect();
    let far = limit + 1;
    let mut row: Vec<usize> = (0..=b.len()).map(|n| n.min(far)).collect();
    let mut n_rows = 0;
    for (i, x) in a.chars().enumerate() {
        let start = i.saturating_sub(limit);
        let end = b.len().min(i + limit + 1);
        if start > b.len() {
            return None;
        }
        let mut diagonal = row[start];
        row[start] = if start == 0 { (i + 1).min(far) } else { far };
        let mut least = row[start];
        for j in start..end {
            let above = row[j + 1];
            let edits = (diagonal + usize::from(x != b[j])).min(above + 1).min(row[j] + 1);
            row[j + 1] = edits.min(far);
            least = least.min(row[j + 1]);
            diagonal = above;
        }
        if least > limit {
            return None;
        }
        n_rows = i + 1;
    }
    let is_inside = b.len() <= n_rows + limit;
    row.last().copied().filter(|distance| is_inside && *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole table.
    fn naive(a: &str, b: &str) -> usize {
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
        }
        row[b.len()]
    }

    #[test]
    fn the_band_is_wide_enough() {
        let mut random = crate::Random::new(1);
        for _ in 0..20_000 {
            let mut word = || -> String {
                let length = random.below(9);
                (0..length).map(|_| *random.pick(&['a', 'b', 'é'])).collect()
            };
            let (a, b) = (word(), word());
            for limit in 0..4 {
                let expected = Some(naive(&a, &b)).filter(|distance| *distance <= limit);
                assert_eq!(distance(&a, &b, limit), expected, "{a} {b} {limit}");
            }
        }
    }
}
