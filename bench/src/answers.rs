//! Answers: those a system expects, those a program printed, and whether they agree.

use serde_json::Value;

/// Whether a program answered as expected.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every expected answer that is known was given.
    Right,
    /// The system says nothing about its answers.
    Unchecked,
    /// An answer differs: expected, found.
    Wrong(String, String),
}

/// The expected answers of a text: its comments `// expect: ANSWER`, in order.
pub fn expected(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("// expect:"));
    lines.map(|answer| answer.trim().to_owned()).collect()
}

/// The answers in the JSON object that `getafix mu --json` prints, and its peak number of nodes.
pub fn from_json(output: &str) -> Option<(Vec<String>, Option<u64>)> {
    let object: Value = serde_json::from_str(output).ok()?;
    let asked = |answer: &&Value| matches!(answer["directive"].as_str(), Some("query" | "ons" | "onsetsize"));
    let value = |answer: &Value| match &answer["value"] {
        Value::Null => "unknown".to_owned(),
        Value::String(digits) => digits.clone(),
        value => value.to_string(),
    };
    let answers = object["answers"].as_array()?.iter().filter(asked).map(value).collect();
    Some((answers, object["stats"]["peak_nodes"].as_u64()))
}

/// What looks like an answer in the output of any program: truth values and numbers that end a line.
pub fn from_text(output: &str) -> Vec<String> {
    let last = |line: &str| {
        let word = line.split_whitespace().next_back()?.trim_matches(|c: char| !c.is_alphanumeric());
        let is_answer = word == "true" || word == "false" || word.parse::<f64>().is_ok_and(f64::is_finite);
        is_answer.then(|| word.to_owned())
    };
    output.lines().filter_map(last).collect()
}

/// Compares answers one by one.
pub fn compare(expected: &[String], found: &[String]) -> Verdict {
    if expected.iter().all(|answer| answer == "?") {
        return Verdict::Unchecked;
    }
    let agree = expected.len() == found.len() && expected.iter().zip(found).all(|(e, f)| e == "?" || e == f);
    if agree { Verdict::Right } else { Verdict::Wrong(expected.join(" "), found.join(" ")) }
}

/// Compares with a program that prints other numbers too: the expected answers occur in order.
pub fn compare_loosely(expected: &[String], found: &[String]) -> Verdict {
    if expected.iter().all(|answer| answer == "?") {
        return Verdict::Unchecked;
    }
    let mut rest = found.iter();
    let agree = expected.iter().all(|e| e == "?" || rest.any(|f| is_same(e, f)));
    if agree { Verdict::Right } else { Verdict::Wrong(expected.join(" "), found.join(" ")) }
}

/// Equal, or equal as far as a rounded number such as `1.04858e+06` tells.
fn is_same(expected: &str, found: &str) -> bool {
    let close = |e: f64, f: f64| found.contains(['e', '.']) && (e - f).abs() <= 1e-5 * e.abs();
    expected == found || matches!((expected.parse(), found.parse()), (Ok(e), Ok(f)) if close(e, f))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &str) -> Vec<String> {
        words.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn json_gives_queries_and_counts_but_not_sizes() {
        let output = r##"{"answers": [
            {"directive": "size", "relation": "T", "value": 17},
            {"directive": "ons", "relation": "R", "value": "18446744073709551616"},
            {"directive": "query", "value": true},
            {"directive": "query", "unknown": "time"}], "stats": {"peak_nodes": 99}}"##;
        assert_eq!(from_json(output), Some((list("18446744073709551616 true unknown"), Some(99))));
        assert_eq!(from_json("true"), None);
    }

    #[test]
    fn text_gives_what_ends_a_line() {
        assert_eq!(from_text("true\n#ons R 40320\nhello world\n** := false.\n"), list("true 40320 false"));
    }

    #[test]
    fn answers_agree_one_by_one_except_unknown_ones() {
        assert_eq!(compare(&list("? true"), &list("7 true")), Verdict::Right);
        assert_eq!(compare(&list("8 true"), &list("8")), Verdict::Wrong("8 true".into(), "8".into()));
        assert_eq!(compare(&[], &list("8")), Verdict::Unchecked);
    }

    #[test]
    fn other_programs_may_print_more_and_round() {
        assert_eq!(compare_loosely(&list("1048576 true"), &list("12 1.04858e+06 3 true")), Verdict::Right);
        assert!(matches!(compare_loosely(&list("8 true"), &list("true 8")), Verdict::Wrong(..)));
    }
}
