//! Answers of a solver as S-expressions.

/// A symbol, number, keyword or string as it is written, or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexpr {
    /// Anything without parentheses. Symbols between bars are without them.
    Atom(String),
    /// What is between parentheses.
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// The text of an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            Sexpr::List(_) => None,
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Atom(_) => None,
            Sexpr::List(list) => Some(list),
        }
    }

    /// The number, if it is one that fits: `5`, `(- 5)`.
    pub fn number(&self) -> Option<i128> {
        match self {
            Sexpr::Atom(text) if text.bytes().all(|c| c.is_ascii_digit()) => text.parse().ok(),
            Sexpr::Atom(_) => None,
            Sexpr::List(list) => match &list[..] {
                // The least number has no opposite that fits.
                [Sexpr::Atom(minus), Sexpr::Atom(digits)]
                    if minus == "-" && digits.bytes().all(|c| c.is_ascii_digit()) =>
                {
                    format!("-{digits}").parse().ok()
                }
                _ => None,
            },
        }
    }
}

/// Deeper lists are not read.
const DEEPEST: usize = 1000;

/// Reads all S-expressions of a text; `None` if parentheses, bars or quotes do not match.
pub fn read(text: &str) -> Option<Vec<Sexpr>> {
    let mut open: Vec<Vec<Sexpr>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let (atom, after) = match c {
            '(' if open.len() > DEEPEST => return None,
            '(' => {
                open.push(Vec::new());
                (None, after)
            }
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Sexpr::List(list));
                (None, after)
            }
            ';' => (None, after.split_once('\n').map_or("", |(_, after)| after)),
            '|' => {
                let (symbol, after) = after.split_once('|')?;
                (Some(symbol), after)
            }
            '"' => {
                let end = string_end(after)?;
                (Some(&rest[..end + 2]), &after[end + 1..])
            }
            _ if c.is_whitespace() => (None, after),
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || "()|\";".contains(c)).unwrap_or(rest.len());
                rest.split_at_checked(end).map(|(atom, after)| (Some(atom), after))?
            }
        };
        if let Some(atom) = atom {
            open.last_mut()?.push(Sexpr::Atom(atom.to_owned()));
        }
        rest = after;
    }
    let whole = open.pop()?;
    open.is_empty().then_some(whole)
}

/// Where a string ends: two quotes stand for one inside it.
fn string_end(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('"')?;
        if !text[at + 1..].starts_with('"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            read(text).map(|list| format!("{list:?}")).unwrap_or_default().replace("Atom", ""),
            expected
        );
    }

    #[test]
    fn lists_symbols_strings_and_comments_are_read() {
        check("sat", r#"[("sat")]"#);
        check(
            "((x (- 5)) ; comment )\n (|a b| \"q\"\"(\"))",
            r#"[List([List([("x"), List([("-"), ("5")])]), List([("a b"), ("\"q\"\"(\"")])])]"#,
        );
        check("", "[]");
    }

    #[test]
    fn what_does_not_match_is_refused() {
        for text in ["(", ")", "(a))", "|a", "\"a", "\"a\"\""] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_fit_are_numbers() {
        let number = |text: &str| read(text).and_then(|list| list[0].number());
        assert_eq!(number("17"), Some(17));
        assert_eq!(number("(- 17)"), Some(-17));
        assert_eq!(number("(- 170141183460469231731687303715884105728)"), Some(i128::MIN));
        for text in
            ["170141183460469231731687303715884105728", "1.5", "(- x)", "(+ 1 2)", "+5", "-5", "||", "(- ||)"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
