//! Bars of text on a logarithmic scale: equal steps are equal factors, so that exponential growth is a straight edge.

use super::cell::seconds_text;

/// What stands for a bar of length nothing, in seconds.
const SHORTEST: f64 = 0.001;

/// So many marks are a factor of ten.
const MARKS: f64 = 10.0;

/// One line for each point: its name, its seconds, its bar. A point without seconds has no bar.
pub fn bars(points: &[(String, Option<f64>)]) -> String {
    let width = points.iter().map(|point| point.0.len()).max().unwrap_or(0);
    let line = |(name, seconds): &(String, Option<f64>)| {
        let text = seconds.map_or("-".to_owned(), seconds_text);
        let bar = "#".repeat(seconds.map_or(0, length));
        format!("{name:>width$}  {text:>7} |{bar}\n")
    };
    points.iter().map(line).collect()
}

/// The marks of a bar, rounded.
fn length(seconds: f64) -> usize {
    // A negative number becomes 0.
    (MARKS * (seconds / SHORTEST).log10()).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_of_ten_is_ten_marks() {
        let points =
            [("9", Some(0.0005)), ("10", Some(0.01)), ("11", Some(0.1)), ("12", Some(0.2)), ("13", None)];
        let points = points.map(|(name, seconds)| (name.to_owned(), seconds));
        assert_eq!(
            bars(&points),
            " 9   0.0005 |
10   0.0100 |##########
11     0.10 |####################
12     0.20 |#######################
13        - |
"
        );
    }
}
