//! MUCKE's tokens. Operators are runs of operator characters, whatever they mean: `&!` is one unknown operator.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    Name(String),
    Number(u64),
    Text,
    /// A reserved word by its meaning, an operator, or punctuation.
    Word(&'static str),
}

const KEYWORDS: [(&str, &str); 27] = [
    ("Exists", "exists"),
    ("EXISTS", "exists"),
    ("exists", "exists"),
    ("Forall", "forall"),
    ("FORALL", "forall"),
    ("forall", "forall"),
    ("if", "if"),
    ("then", "then"),
    ("else", "else"),
    ("fi", "fi"),
    ("class", "class"),
    ("struct", "class"),
    ("enum", "enum"),
    ("case", "case"),
    ("esac", "esac"),
    ("true", "true"),
    ("false", "false"),
    ("mu", "mu"),
    ("nu", "nu"),
    ("assume", "assume"),
    ("cofactor", "cofactor"),
    ("witcs", "witcs"),
    ("witnessconstraint", "witcs"),
    ("WitnessConstraint", "witcs"),
    ("alloccs", "alloccs"),
    ("allocationConstraint", "alloccs"),
    ("AllocationConstraint", "alloccs"),
];

const DIRECTIVES: [(&str, &str); 18] = [
    ("#quit", "#quit"),
    ("#print", "#print"),
    ("#load", "#load"),
    ("#cex", "#about"),
    ("#counterexample", "#about"),
    ("#wit", "#about"),
    ("#witness", "#about"),
    ("#vis", "#about"),
    ("#visualize", "#about"),
    ("#ons", "#about"),
    ("#onsetsize", "#about"),
    ("#size", "#about"),
    ("#reset", "#about"),
    ("#dump", "#about"),
    ("#undump", "#about"),
    ("#verbose", "#switch"),
    ("#frontier", "#switch"),
    ("#timer", "#switch"),
];

const OPERATORS: [&str; 15] =
    ["!", "&", "|", "<-", "->", "<->", "<+>", "?", ":", "=", "!=", "<", ">", "~+", "~-"];

const PUNCTUATION: [&str; 9] = ["{", "}", "[", "]", "(", ")", ";", ",", "."];

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'#'
}

fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || byte == b'$' || byte == b'\''
}

fn is_operator(byte: u8) -> bool {
    b"+/-*\\:=!&|?~<>".contains(&byte)
}

/// The tokens up to `#quit` or the end.
pub fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, Vec::new());
    let run = |from: usize, keep: fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| !keep(*byte)).map_or(bytes.len(), |length| from + length)
    };
    while let Some(&byte) = bytes.get(at) {
        if b" \t\n".contains(&byte) {
            at += 1;
        } else if bytes[at..].starts_with(b"//") {
            at = run(at, |byte| byte != b'\n');
        } else if bytes[at..].starts_with(b"/*") {
            let length = text[at + 2..].find("*/").ok_or("a comment that does not end")?;
            at += length + 4;
        } else if byte == b'"' {
            let length = text[at + 1..].find('"').ok_or("a text that does not end")?;
            found.push(Token::Text);
            at += length + 2;
        } else if begins_name(byte) {
            let end = run(at, continues_name);
            let name = &text[at..end];
            let known = KEYWORDS.iter().chain(&DIRECTIVES).chain(&[("show", "show")]);
            let word = known.into_iter().find(|known| known.0 == name);
            if name == "#quit" {
                break;
            }
            found.push(word.map_or_else(|| Token::Name(name.to_owned()), |word| Token::Word(word.1)));
            at = end;
        } else if byte.is_ascii_digit() {
            let end = run(at, |byte| byte.is_ascii_digit());
            found.push(Token::Number(text[at..end].parse().map_err(|_| "a number that is too large")?));
            at = end;
        } else if is_operator(byte) {
            let end = run(at, is_operator);
            let operator = OPERATORS.into_iter().find(|known| *known == &text[at..end]);
            found.push(Token::Word(operator.ok_or(format!("the operator `{}`", &text[at..end]))?));
            at = end;
        } else {
            let mark = PUNCTUATION.into_iter().find(|mark| mark.as_bytes()[0] == byte);
            found.push(Token::Word(mark.ok_or(format!("the character {byte:#x}"))?));
            at += 1;
        }
    }
    Ok(found)
}
