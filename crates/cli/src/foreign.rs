//! Texts in another language where a Boolean program is wanted, by what they say.
//!
//! Contract: asked only about a text that is no Boolean program. The first sign of the other language is the place to point at; a text that
//! has the brackets of a Boolean program is one, with a mistake.

use base::{Diagnostic, FileId, Span};
use std::ops::Range;
use std::path::Path;

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    C,
    Promela,
    Formula,
    Monitor,
    Smv,
}

/// What to say about the text of a file that is no Boolean program but something else.
pub fn diagnosis(file: FileId, path: &Path, text: &str) -> Option<Diagnostic> {
    let (language, place) = recognise(text)?;
    let (is, instead) = match language {
        Language::C if path.as_os_str() == "-" => {
            ("a program in C", "`--language c` reads it as such".to_owned())
        }
        Language::C => {
            let name = path.with_extension("c");
            let advice = format!("call it `{0}`, and `getafix check {0}` checks it", name.display());
            ("a program in C", advice)
        }
        Language::Formula => {
            ("a file of the calculus", format!("`getafix mu {}` evaluates it", path.display()))
        }
        Language::Monitor => {
            let advice = format!("`getafix check PROGRAM --monitor {}` asks about it", path.display());
            ("a monitor", advice)
        }
        Language::Promela => ("a model in Promela, the language of Spin", "it cannot be read".to_owned()),
        Language::Smv => ("a model in the language of SMV", "it cannot be read".to_owned()),
    };
    let message = format!("this is {is}, not a Boolean program: {instead}");
    let form = "a Boolean program looks like `decl x; void main() begin x := T; assert(x); end`";
    Some(Diagnostic::error(Span::new(file, place), message).note(form, None))
}

/// The language of a text, and its first sign.
fn recognise(text: &str) -> Option<(Language, Range<usize>)> {
    let pieces = pieces(text);
    let first = pieces.first()?.clone();
    let word = |range: &Range<usize>| &text[range.clone()];
    let find = |words: &[&str]| pieces.iter().find(|piece| words.contains(&word(piece))).cloned();
    match word(&first) {
        "monitor" => return Some((Language::Monitor, first)),
        "MODULE" => return Some((Language::Smv, first)),
        "mu" | "nu" => return Some((Language::Formula, first)),
        _ => {}
    }
    if let Some(place) = find(&["#include", "#define", "#ifdef", "#ifndef"]) {
        let promela = find(&["proctype"]).map(|place| (Language::Promela, place));
        return promela.or(Some((Language::C, place)));
    }
    if word(&first).starts_with('#') {
        return Some((Language::Formula, first));
    }
    if find(&["begin", "decl"]).is_some() {
        return None;
    }
    if let Some(place) = find(&["proctype", "mtype", "::"]) {
        return Some((Language::Promela, place));
    }
    if let Some(place) = find(&["exists", "forall", "mu", "nu"]) {
        return Some((Language::Formula, place));
    }
    let is_block = |pair: &&[Range<usize>]| (word(&pair[0]), word(&pair[1])) == (")", "{");
    let block = pieces.windows(2).find(is_block).map(|pair| pair[1].clone());
    block
        .or_else(|| find(&["extern", "typedef", "struct", "unsigned", "#pragma"]))
        .map(|place| (Language::C, place))
}

/// Words, with a `#` before them if there is one, and marks, without comments and quoted texts.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let until =
        |start: usize, end: &str| text[start..].find(end).map_or(text.len(), |n| start + n + end.len());
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let start = at;
        if rest.starts_with(b"//") {
            at = until(at, "\n");
        } else if rest.starts_with(b"/*") {
            at = until(at + 2, "*/");
        } else if rest[0] == b'"' {
            at = until(at + 1, "\"");
        } else if is_word(rest[0]) || rest[0] == b'#' {
            at += 1 + rest[1..].iter().take_while(|byte| is_word(**byte)).count();
            pieces.push(start..at);
        } else if rest.starts_with(b"::") {
            at += 2;
            pieces.push(start..at);
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            if !rest[0].is_ascii_whitespace() {
                pieces.push(start..at);
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(text: &str, expected: Option<(Language, &str)>) {
        let found = recognise(text).map(|(language, place)| (language, &text[place]));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn languages_are_known_by_their_signs() {
        is("#include <stdio.h>\nint main() { return 0; }", Some((Language::C, "#include")));
        is("/* ( */ int x;\nint main(void)\n{\n}", Some((Language::C, "{")));
        is("bool b;\nvoid main() { b = true; }", Some((Language::C, "{")));
        is("extern int x;", Some((Language::C, "extern")));
        is("byte x;\nactive proctype P() { do :: x = 1 od }", Some((Language::Promela, "proctype")));
        is("#define N 3\nproctype P() { skip }", Some((Language::Promela, "proctype")));
        is("// R\nmu bool R(bool x) x;", Some((Language::Formula, "mu")));
        is("#param k = 2;\ntrue;", Some((Language::Formula, "#param")));
        is("enum E { a, b }; exists E e. e = a;", Some((Language::Formula, "exists")));
        is("monitor m begin end", Some((Language::Monitor, "monitor")));
        is("MODULE main\nVAR x : boolean;", Some((Language::Smv, "MODULE")));
    }

    #[test]
    fn a_boolean_program_with_mistakes_is_one() {
        is("void main() begin if (x) { skip; } end", None);
        is("decl x; // #include\nvoid main() { }", None);
        is("", None);
        is("\u{e9}", None);
    }
}
