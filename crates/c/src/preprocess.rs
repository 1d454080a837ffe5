//! Directives without a preprocessor: macros, conditions, and headers of the standard, which are those of the folder `headers`.
//!
//! - In: a text with directives.
//! - Out: the text without them, line for line, and the first thing that only a preprocessor of the system can know: another header, a macro of a compiler.
//! - Never: read a file. A macro that grows without an end is left where it is.

mod condition;
mod pieces;

use crate::types::DataModel;
use pieces::{Kind, Piece, pieces};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

/// Headers of the standard: what programs use of them.
const HEADERS: [(&str, &str); 15] = [
    ("assert.h", include_str!("../headers/assert.h")),
    ("ctype.h", include_str!("../headers/ctype.h")),
    ("errno.h", include_str!("../headers/errno.h")),
    ("inttypes.h", include_str!("../headers/stdint.h")),
    ("limits.h", include_str!("../headers/limits.h")),
    ("stdalign.h", ""),
    ("stdbool.h", include_str!("../headers/stdbool.h")),
    ("stddef.h", include_str!("../headers/stddef.h")),
    ("stdint.h", include_str!("../headers/stdint.h")),
    ("stdio.h", include_str!("../headers/stdio.h")),
    ("stdlib.h", include_str!("../headers/stdlib.h")),
    ("stdnoreturn.h", include_str!("../headers/stdnoreturn.h")),
    ("string.h", include_str!("../headers/string.h")),
    ("alloca.h", include_str!("../headers/alloca.h")),
    ("time.h", include_str!("../headers/time.h")),
];

/// What compilers define, as far as the headers and programs ask for it.
const COMMON: &str = "#define __STDC__ 1\n#define __STDC_VERSION__ 201112L\n#define __STDC_HOSTED__ 1\n#define __CHAR_BIT__ 8\n";
const LP64: &str = "#define __SIZE_TYPE__ unsigned long\n#define __LONG_LONG_TYPE__ long\n#define __WORD_TYPE__ long\n\
     #define __LONG_MAX__ 9223372036854775807L\n#define __LP64__ 1\n";
const ILP32: &str = "#define __SIZE_TYPE__ unsigned int\n#define __LONG_LONG_TYPE__ long long\n#define __WORD_TYPE__ int\n\
     #define __LONG_MAX__ 2147483647L\n";

/// So many words come out of macros at most.
const MOST_EXPANDED: usize = 300_000;

/// A text without directives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessed {
    /// The text, with as many lines.
    pub text: String,
    /// What is left to a preprocessor of the system, if there is something: where it stands in the text that was given, and what it is.
    pub unsure: Option<(Range<usize>, String)>,
}

/// Follows the directives of a text.
pub fn preprocess(text: &str, model: DataModel) -> Preprocessed {
    let mut reader = Reader { at: 0..0, ..Reader::default() };
    let own = if model == DataModel::Ilp32 { ILP32 } else { LP64 };
    reader.header(COMMON);
    reader.header(own);
    let text = reader.read(text);
    Preprocessed { text, unsure: reader.unsure }
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq)]
struct Macro {
    /// Its parameters, if it takes arguments; the last one may take all that are left.
    params: Option<Vec<Rc<str>>>,
    is_variadic: bool,
    body: Vec<Piece>,
}

/// A condition that is open.
#[derive(Clone, Copy)]
struct Open {
    /// Its lines count.
    counts: bool,
    /// Some branch of it has counted.
    has_counted: bool,
    has_else: bool,
}

#[derive(Default)]
struct Reader {
    macros: FxHashMap<Rc<str>, Macro>,
    open: Vec<Open>,
    included: FxHashSet<String>,
    n_expanded: usize,
    /// The directive or line that is read.
    at: Range<usize>,
    in_header: bool,
    unsure: Option<(Range<usize>, String)>,
}

impl Reader {
    fn leave(&mut self, why: String) {
        if !self.in_header {
            self.unsure.get_or_insert((self.at.clone(), why));
        }
    }

    fn counts(&self) -> bool {
        self.open.iter().all(|open| open.counts)
    }

    /// The text of a header, on one line.
    fn header(&mut self, text: &str) -> String {
        let outer = std::mem::replace(&mut self.in_header, true);
        let text = self.read(text);
        self.in_header = outer;
        text.split_whitespace().collect::<Vec<&str>>().join(" ")
    }

    /// The text without directives, line for line.
    fn read(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        // What stands between directives, since the arguments of a macro may go on in the next line.
        let mut between: VecDeque<Piece> = VecDeque::new();
        let mut all = pieces(text).into_iter().peekable();
        while all.peek().is_some() {
            let mut line: Vec<Piece> = Vec::new();
            while let Some(piece) = all.next_if(|piece| piece.kind != Kind::Line) {
                line.push(piece);
            }
            let end = all.next();
            let mut words = line.iter().filter(|piece| piece.kind != Kind::Space);
            let outer = self.at.clone();
            if let (Some(first), Some(last), false) = (line.first(), line.last(), self.in_header) {
                self.at = first.span.start..last.span.end;
            }
            let is_directive = words.next().is_some_and(|word| &*word.text == "#");
            if is_directive {
                self.write(std::mem::take(&mut between), &mut out);
                let words: Vec<Piece> = words.cloned().collect();
                let declared = self.directive(&words, &line, text);
                out.push_str(&declared);
                // A directive that goes on behind a backslash, or a comment, has several lines.
                let n_lines = line.iter().map(|piece| piece.n_lines).sum();
                out.extend(std::iter::repeat_n('\n', n_lines));
            } else if self.counts() {
                between.extend(line);
            } else {
                let n_lines: usize = line.iter().map(|piece| piece.n_lines).sum();
                out.extend(std::iter::repeat_n('\n', n_lines));
            }
            if let Some(end) = end {
                between.push_back(end);
            }
            self.at = outer;
        }
        self.write(between, &mut out);
        if let Some((at, _)) =
            self.open.pop().map(|_| (text.len()..text.len(), ())).filter(|_| !self.in_header)
        {
            self.at = at;
            self.leave("a condition that is not closed".to_owned());
        }
        out
    }

    /// Follows a directive; what stands in its place.
    fn directive(&mut self, words: &[Piece], line: &[Piece], text: &str) -> String {
        let Some((name, rest)) = words.split_first() else { return String::new() };
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let counts = self.counts() && self.condition(&name.text, rest);
                self.open.push(Open { counts, has_counted: counts, has_else: false });
            }
            "elif" | "else" | "endif" => self.branch(&name.text, rest),
            _ if !self.counts() => {}
            "include" => return self.include(rest, line, text),
            "define" => self.define(line),
            "undef" => _ = rest.first().map(|name| self.macros.remove(&*name.text)),
            "pragma" => return text_of(line),
            "ident" | "line" | "warning" => {}
            // What preprocessors leave.
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {}
            other => self.leave(format!("the directive `#{other}`")),
        }
        String::new()
    }

    fn branch(&mut self, word: &str, rest: &[Piece]) {
        let Some(open) = self.open.pop() else {
            return self.leave(format!("`#{word}` without a condition before it"));
        };
        if word == "endif" {
            return;
        }
        if open.has_else {
            self.leave(format!("`#{word}` behind `#else`"));
        }
        let is_open = self.counts() && !open.has_counted;
        let counts = is_open && (word == "else" || self.condition("if", rest));
        let has_counted = open.has_counted || counts;
        self.open.push(Open { counts, has_counted, has_else: open.has_else || word == "else" });
    }

    /// Whether a name is a macro. Compilers define names that begin with `_`.
    fn is_defined(&mut self, name: &str) -> bool {
        const ELSEWHERE: [&str; 4] = ["__cplusplus", "_WIN32", "_WIN64", "_MSC_VER"];
        let is_defined = self.macros.contains_key(name);
        if !is_defined && name.starts_with("__") && !ELSEWHERE.contains(&name) {
            self.leave(format!("whether `{name}` is defined"));
        }
        is_defined
    }

    fn condition(&mut self, word: &str, rest: &[Piece]) -> bool {
        if word != "if" {
            let Some(name) = rest.first().filter(|piece| piece.kind == Kind::Name) else {
                self.leave(format!("`#{word}` without a name"));
                return false;
            };
            return self.is_defined(&name.text) == (word == "ifdef");
        }
        // `defined` is about names as they are written.
        let mut words: VecDeque<Piece> = VecDeque::new();
        let mut rest = rest.iter();
        while let Some(piece) = rest.next() {
            if &*piece.text != "defined" {
                words.push_back(piece.clone());
                continue;
            }
            let mut name = rest.next();
            if name.is_some_and(|name| &*name.text == "(") {
                name = rest.next();
                rest.next();
            }
            let is_defined = name.is_some_and(|name| self.is_defined(&name.text));
            words.push_back(Piece::new(Kind::Number, if is_defined { "1" } else { "0" }));
        }
        let expanded = text_of(&self.expanded(words, false));
        if let Some(name) = pieces(&expanded).iter().find(|piece| piece.text.starts_with("__")) {
            self.leave(format!("what `{}` stands for", name.text));
        }
        condition::value(&expanded).unwrap_or_else(|| {
            self.leave("a condition that is no constant".to_owned());
            0
        }) != 0
    }

    fn include(&mut self, rest: &[Piece], line: &[Piece], text: &str) -> String {
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return String::new() };
        let written = text.get(first.span.start..last.span.end).unwrap_or_default();
        let name = written.split_once('<').and_then(|(_, name)| name.split_once('>')).map(|(name, _)| name);
        let is_quoted = rest.first().is_some_and(|piece| piece.kind == Kind::Quoted);
        match name.filter(|_| !is_quoted).and_then(|name| HEADERS.iter().find(|(known, _)| *known == name)) {
            // What depends on a macro is read each time.
            Some((name, text)) if *name == "assert.h" || self.included.insert((*name).to_owned()) => {
                self.header(text)
            }
            Some(_) => String::new(),
            None => {
                self.leave(format!("`{}`", written.trim()));
                String::new()
            }
        }
    }

    fn define(&mut self, line: &[Piece]) {
        let define = line.iter().position(|piece| &*piece.text == "define").unwrap_or(0);
        let blank = |piece: &&Piece| piece.kind == Kind::Space;
        let from = define + 1 + line[define + 1..].iter().take_while(blank).count();
        let Some(name) = line.get(from).filter(|piece| piece.kind == Kind::Name) else {
            return self.leave("`#define` without a name".to_owned());
        };
        let mut rest = &line[from + 1..];
        let (mut params, mut is_variadic) = (None, false);
        if rest.first().is_some_and(|piece| &*piece.text == "(") {
            let Some(end) = rest.iter().position(|piece| &*piece.text == ")") else {
                return self.leave(format!("the parameters of `{}`", name.text));
            };
            let words =
                rest[1..end].iter().filter(|piece| !matches!(piece.kind, Kind::Space) && &*piece.text != ",");
            let mut names: Vec<Rc<str>> = words.map(|piece| piece.text.clone()).collect();
            if names.last().is_some_and(|last| &**last == "...") {
                is_variadic = true;
                *names.last_mut().expect("there is one") = "__VA_ARGS__".into();
            }
            params = Some(names);
            rest = &rest[end + 1..];
        }
        let is_blank = |piece: &Piece| piece.kind == Kind::Space;
        let start = rest.iter().position(|piece| !is_blank(piece)).unwrap_or(rest.len());
        let end = rest.iter().rposition(|piece| !is_blank(piece)).map_or(start, |end| end + 1);
        let body = rest[start..end].iter().map(Piece::flat).collect();
        self.macros.insert(name.text.clone(), Macro { params, is_variadic, body });
    }

    /// Writes what stands between directives.
    fn write(&mut self, between: VecDeque<Piece>, out: &mut String) {
        let outer = self.at.clone();
        self.expanded(between, true).iter().for_each(|piece| piece.write(out));
        self.at = outer;
    }

    /// Words with macros replaced, as the standard says: what comes from a macro is looked at again, but not for the macro itself.
    fn expanded(&mut self, mut rest: VecDeque<Piece>, is_text: bool) -> Vec<Piece> {
        let mut out = Vec::new();
        while let Some(piece) = rest.pop_front() {
            // What comes from no macro is where it is in the text.
            if is_text && piece.hidden.is_empty() && !self.in_header {
                self.at = piece.span.clone();
            }
            if matches!(
                &*piece.text,
                "__FILE__" | "__LINE__" | "__DATE__" | "__TIME__" | "__COUNTER__" | "__has_include"
            ) {
                self.leave(format!("what `{}` stands for", piece.text));
            }
            let found = match piece.kind {
                Kind::Name if !piece.hidden.contains(&piece.text) => self.macros.get(&piece.text),
                _ => None,
            };
            let Some(found) = found.filter(|_| self.n_expanded < MOST_EXPANDED).cloned() else {
                out.push(piece);
                continue;
            };
            let mut hidden = piece.hidden.as_ref().clone();
            hidden.push(piece.text.clone());
            let body = match &found.params {
                None => found.body.clone(),
                Some(params) => match arguments(&mut rest) {
                    // It is not called.
                    None => {
                        out.push(piece);
                        continue;
                    }
                    Some(Arguments { args, n_lines, closing }) => {
                        hidden = piece.hidden.iter().filter(|name| closing.contains(name)).cloned().collect();
                        hidden.push(piece.text.clone());
                        // The lines of the call stay in the text, behind what it becomes.
                        if n_lines > 0 {
                            rest.push_front(Piece { n_lines, ..Piece::new(Kind::Space, "") });
                        }
                        match self.substituted(&found, params, args) {
                            Some(body) => body,
                            None => {
                                self.leave(format!("`{}` with other arguments than it takes", piece.text));
                                continue;
                            }
                        }
                    }
                },
            };
            self.n_expanded += body.len() + 1;
            let hidden = Rc::new(hidden);
            for word in body.into_iter().rev() {
                let hidden = if word.hidden.is_empty() {
                    hidden.clone()
                } else {
                    Rc::new(word.hidden.iter().chain(hidden.iter()).cloned().collect())
                };
                rest.push_front(Piece { hidden, ..word });
            }
            if self.n_expanded >= MOST_EXPANDED {
                self.leave("macros that grow very large".to_owned());
            }
        }
        out
    }

    /// The body of a macro with arguments in the place of its parameters.
    fn substituted(
        &mut self,
        found: &Macro,
        params: &[Rc<str>],
        mut args: Vec<Vec<Piece>>,
    ) -> Option<Vec<Piece>> {
        if params.is_empty() && args.len() == 1 && args[0].iter().all(|piece| piece.kind == Kind::Space) {
            args.clear();
        }
        if found.is_variadic {
            let first = params.len() - 1;
            if args.len() < first {
                return None;
            }
            let rest: Vec<Vec<Piece>> = args.drain(first..).collect();
            args.push(rest.join(&Piece::new(Kind::Sign, ",")));
        }
        if args.len() != params.len() {
            return None;
        }
        let of = |piece: &Piece| {
            params.iter().position(|param| *param == piece.text).filter(|_| piece.kind == Kind::Name)
        };
        let mut body: Vec<Piece> = Vec::new();
        let mut words = found.body.iter().enumerate();
        while let Some((n, word)) = words.next() {
            let next = |from: usize| {
                found.body[from..].iter().position(|piece| piece.kind != Kind::Space).map(|at| from + at)
            };
            if &*word.text == "#"
                && let Some(arg) = next(n + 1).and_then(|at| Some((at, of(&found.body[at])?)))
            {
                while words.next().is_some_and(|(at, _)| at < arg.0) {}
                body.push(Piece::new(Kind::Quoted, &quoted(&args[arg.1])));
            } else if &*word.text == "##" {
                let Some(at) = next(n + 1) else { continue };
                while words.next().is_some_and(|(next, _)| next < at) {}
                while body.last().is_some_and(|piece| piece.kind == Kind::Space) {
                    body.pop();
                }
                let right = match of(&found.body[at]) {
                    Some(arg) => args[arg].clone(),
                    None => vec![found.body[at].clone()],
                };
                let mut right = right.into_iter().filter(|piece| piece.kind != Kind::Space);
                let left = body.pop().map(|left| left.text).unwrap_or_default();
                let pasted = format!("{left}{}", right.next().map(|piece| piece.text).unwrap_or_default());
                body.extend(pieces(&pasted));
                body.extend(right);
            } else if let Some(arg) = of(word) {
                let is_pasted = next(n + 1).is_some_and(|at| &*found.body[at].text == "##");
                if is_pasted {
                    body.extend(args[arg].iter().map(Piece::flat));
                } else {
                    body.extend(self.expanded(args[arg].iter().map(Piece::flat).collect(), false));
                }
            } else {
                body.push(word.clone());
            }
        }
        Some(body)
    }
}

/// What a macro is called with.
struct Arguments {
    args: Vec<Vec<Piece>>,
    /// How many lines end in them.
    n_lines: usize,
    /// The macros that the closing bracket comes from.
    closing: Rc<Vec<Rc<str>>>,
}

/// The arguments of a call that follows; nothing, if none follows.
fn arguments(rest: &mut VecDeque<Piece>) -> Option<Arguments> {
    let is_blank = |piece: &&Piece| matches!(piece.kind, Kind::Space | Kind::Line);
    let first = rest.iter().take_while(is_blank).count();
    if rest.get(first).is_none_or(|piece| &*piece.text != "(") {
        return None;
    }
    let mut depth = 0usize;
    let is_end = |piece: &Piece| {
        match &*piece.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    let last = first + rest.iter().skip(first).position(is_end)?;
    let mut args: Vec<Vec<Piece>> = vec![Vec::new()];
    let closing = rest[last].hidden.clone();
    let (mut depth, mut n_lines) = (0, 0);
    for (n, piece) in rest.drain(..=last).enumerate() {
        n_lines += piece.n_lines;
        depth += match &*piece.text {
            "(" => 1,
            ")" => -1,
            _ => 0,
        };
        match &*piece.text {
            "," if depth == 1 => args.push(Vec::new()),
            _ if n <= first || n == last => {}
            _ => args.last_mut().expect("there is one").push(piece.flat()),
        }
    }
    Some(Arguments { args, n_lines, closing })
}

/// An argument as a text in quotes.
fn quoted(arg: &[Piece]) -> String {
    let text = text_of(arg);
    let inner: String = pieces(text.trim())
        .iter()
        .map(|piece| match piece.kind {
            Kind::Quoted => piece.text.replace('\\', "\\\\").replace('"', "\\\""),
            _ => piece.text.to_string(),
        })
        .collect();
    format!("\"{inner}\"")
}

fn text_of(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| &*piece.text).collect()
}
