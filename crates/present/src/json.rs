//! Values that several parts of the JSON output share.

use serde_json::{Value, json};

/// A number where JSON readers keep it exact, otherwise its digits.
pub fn number(digits: &str) -> Value {
    match digits.parse::<u64>() {
        Ok(n) if n < 1 << 53 => json!(n),
        _ => json!(digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_keep_their_digits() {
        assert_eq!(number("12"), json!(12));
        assert_eq!(number("9007199254740992"), json!("9007199254740992"));
        assert_eq!(number("99999999999999999999999"), json!("99999999999999999999999"));
    }
}
