//! Everything that differs from a text in one place: a line is missing, a number is another one.

/// The texts, each with the line that is another one. Remarks behind `#` stay as they are.
pub fn changes(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut changed = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let with = |new: &str| {
            let before = lines[..n].iter().copied();
            let after = lines[n + 1..].iter().copied();
            before
                .chain((!new.is_empty()).then_some(new))
                .chain(after)
                .map(|line| format!("{line}\n"))
                .collect()
        };
        changed.push((format!("without {line}"), with("")));
        for new in others(line) {
            changed.push((new.clone(), with(&new)));
        }
    }
    changed
}

/// A line with each of its numbers one larger, and one smaller.
fn others(line: &str) -> Vec<String> {
    let end = line.find('#').unwrap_or(line.len());
    let mut others = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..end].find(|letter: char| letter.is_ascii_digit()).map(|n| at + n) {
        let length = line[start..end].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(end - start);
        let number: u64 = line[start..start + length].parse().expect("a number");
        for new in [Some(number + 1), number.checked_sub(1)].into_iter().flatten() {
            others.push(format!("{}{new}{}", &line[..start], &line[start + length..]));
        }
        at = start + length;
    }
    others
}
