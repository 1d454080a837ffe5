//! An answer as a page: the program beside the run, and the state after each step.
//!
//! Contract: one text that needs nothing beside it and asks for nothing. Everything from outside, program text, names, formulas, file names, is data in one JSON object in which no `<` occurs, or
//! escaped; the page's policy allows its own script and style, by their hashes, and nothing else. The same answer is the same bytes.

mod list;
mod packed;

pub use list::{Listed, index};

use base::sha256;
use serde_json::{Value, json};

/// The script; its replay is what tests compare with the semantics.
pub const SCRIPT: &str = concat!(
    include_str!("html/replay.js"),
    include_str!("html/pictures.js"),
    include_str!("html/still.js"),
    include_str!("html/lists.js"),
    include_str!("html/page.js")
);

const STYLE: &str = include_str!("html/report.css");

/// What a page shows.
#[derive(Clone, Debug)]
pub struct Page<'p> {
    /// The name of the program's file, as it was given.
    pub name: &'p str,
    /// The program.
    pub source: Option<&'p str>,
    /// The exit status.
    pub status: u8,
    /// The answer in words, without its run.
    pub text: &'p str,
    /// The answer, without its run.
    pub answer: &'p Value,
    /// The run.
    pub trace: &'p Value,
    /// Further runs, if a formula speaks of several.
    pub further: &'p [Value],
    /// Remarks.
    pub notes: &'p [String],
    /// Of an answer without a run: what holds, and why that is the answer.
    pub proof: &'p Proof,
    /// Of an answer that rests on no run: its derivation, tuple by tuple.
    pub reasons: &'p [Value],
    /// Graphs that are drawn: `states` and `calls`.
    pub pictures: &'p Value,
    /// Figures, if they are shown.
    pub figures: &'p str,
}

/// What is shown of a proof.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Why it is one, in words.
    pub why: Vec<String>,
    /// What holds at places of the program, in the order of the text.
    pub invariants: Vec<Invariant>,
}

/// What holds whenever a run is about to execute a statement.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The line of the statement.
    pub line: usize,
    /// Its column; 0 if that is not known.
    pub column: usize,
    /// Its function.
    pub function: String,
    /// It is where the function ends.
    pub is_end: bool,
    /// In the language of the program; each can be an operand of `&`.
    pub clauses: Vec<String>,
    /// The proof says no more.
    pub is_whole: bool,
}

impl Page<'_> {
    /// The text of the page.
    pub fn html(&self) -> String {
        let mut lines = self.text.lines();
        let headline = lines.next().unwrap_or_default();
        let details: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
        let mut answer = self.answer.clone();
        if !answer.is_object() {
            answer = json!({});
        }
        // Two runs write the same bytes, unless figures are asked for.
        if let Some(answer) = answer.as_object_mut().filter(|_| self.figures.is_empty()) {
            answer.remove("stats");
            answer.remove("search");
        }
        let invariant = |of: &Invariant| {
            let Invariant { line, column, function, is_end, clauses, is_whole } = of;
            json!({ "line": line, "column": column, "function": function, "end": is_end, "clauses": clauses, "whole": is_whole })
        };
        answer["trace"] = packed::packed(self.trace);
        answer["further_traces"] = self.further.iter().map(packed::packed).collect();
        let data = json!({
            "name": self.name,
            "source": self.source.map(|text| json!({ "text": text })),
            "status": self.status,
            "headline": headline,
            "details": details,
            "notes": self.notes,
            "advice": self.advice(),
            "why": self.proof.why,
            "invariants": self.proof.invariants.iter().map(invariant).collect::<Vec<Value>>(),
            "reasons": self.reasons,
            "pictures": self.pictures,
            "stats": (!self.figures.is_empty()).then_some(self.figures),
            "answer": answer,
        });
        document(&format!("{headline} · {}", self.name), &data, self.text)
    }

    /// What may help where there is no answer.
    fn advice(&self) -> Vec<String> {
        let reason = self.answer["reason"].as_str().unwrap_or_default();
        if self.status != 5 || reason.is_empty() {
            return Vec::new();
        }
        let advice = [
            ("timeout after", "give it longer: --timeout 10m"),
            ("out of memory", "give it more: --memory 8G"),
            ("unreachable within", "a smaller bound is answered: the reason names one"),
            ("depends on", "replace what is named there by an input, or by what you assume of it"),
            (
                "no run of the program",
                "ask a shipped algorithm, or look at the formula: its derivation is no run",
            ),
            ("solver", "install an SMT solver: pip install z3-solver"),
        ];
        advice
            .iter()
            .filter(|(sign, _)| reason.contains(sign))
            .map(|(_, advice)| (*advice).to_owned())
            .collect()
    }
}

fn document(title: &str, data: &Value, plain: &str) -> String {
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    // In a script element, only `<` could end the data.
    let data = data
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let keys = "↑ ↓ step · shift over calls · o out · n next thread · c next change · f fold · / find · Home End · 1 2 3 views";
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header id=\"head\"></header>\n<div id=\"about\"></div>\n<nav id=\"tabs\"></nav>\n<svg id=\"ink\" hidden></svg>\n<main id=\"main\"></main>\n<pre id=\"plain\">{}</pre>\n<footer id=\"keys\">{keys}</footer>\n\
         <script id=\"data\" type=\"application/json\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(title),
        escaped(plain)
    )
}

/// Text as markup.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\0' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
        out
    })
}

/// `'sha256-…'`: what a policy calls a script or a style.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", base::base64(&sha256::hash(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let bad = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \u{2028} \0 \"'&";
        let invariant = Invariant {
            line: 1,
            column: 1,
            function: bad.to_owned(),
            is_end: false,
            clauses: vec![bad.to_owned()],
            is_whole: true,
        };
        let page = Page {
            name: bad,
            source: Some(bad),
            status: 0,
            text: bad,
            answer: &json!({ "tool": bad }),
            trace: &Value::Null,
            further: &[],
            notes: &[bad.to_owned()],
            proof: &Proof { why: vec![bad.to_owned()], invariants: vec![invariant] },
            reasons: &[],
            pictures: &Value::Null,
            figures: bad,
        };
        let html = page.html();
        assert_eq!(html.matches("<script").count(), 2, "the data and the script");
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("<img") && !html.contains("<!--") && !html.contains('\0'));
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
        let page = "a b\".html".to_owned();
        let index = index(&[Listed { name: bad.to_owned(), headline: bad.to_owned(), status: 0, page }]);
        assert!(index.contains("href=\"a%20b%22.html\"") && !index.contains("<script"));
    }

    #[test]
    fn the_script_makes_no_markup_and_asks_for_nothing() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "Function(",
            "fetch(",
            "XMLHttp",
            "import(",
            "localStorage",
            "sessionStorage",
            "cookie",
            "http:",
            "https:",
        ] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
