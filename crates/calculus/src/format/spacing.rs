//! The blanks between the tokens of an item, and the lines that its writer gave it.

use super::Page;
use crate::lexer::{Lexer, Mark, Token, Word};
use crate::syntax::Names;
use base::{Behind, FileId, Span};

/// Prints the item in this stretch of the source: its tokens and comments on the lines where they stand, moved to the left as far as its first line is.
pub(super) fn write(page: &mut Page, start: usize, end: usize) {
    let tokens = tokens(page.text, start, end);
    let line = page.lines[page.lines.partition_point(|line| *line <= start) - 1];
    let indent =
        columns(page.text[line..start].split(|letter: char| !letter.is_whitespace()).next().unwrap_or(""));
    let mut writer = Writer { page, indent, is_behind_comment: false };
    let spaces = spaces(writer.page.text, &tokens);
    let mut at = start;
    for (n, (token, span)) in tokens.iter().enumerate() {
        let is_attached = matches!(token, Token::Mark(Mark::Semicolon | Mark::Comma));
        writer.gap(at, span.start as usize, Then { is_apart: spaces[n], is_attached });
        if *token == Token::Mark(Mark::Colon) {
            writer.colon(span.start as usize);
        }
        at = span.end as usize;
        let text = &writer.page.text[span.start as usize..at];
        writer.page.out.push_str(text);
    }
}

/// The tokens of a stretch of a text that parses.
fn tokens(text: &str, start: usize, end: usize) -> Vec<(Token, Span)> {
    let file = FileId(0);
    let mut lexer = Lexer::new(&text[..end], file);
    lexer.go_to(Span::new(file, start..end));
    let mut names = Names::default();
    let mut tokens = Vec::new();
    loop {
        match lexer.next(&mut names) {
            (Token::End, _) => return tokens,
            token => tokens.push(token),
        }
    }
}

/// For each token, whether a blank stands before it if nothing else does.
fn spaces(text: &str, tokens: &[(Token, Span)]) -> Vec<bool> {
    // The brackets that are open, and before which of them a quantifier waits for its dot.
    let (mut depth, mut binders) = (0usize, Vec::new());
    let mut is_behind_binder = false;
    let mut spaces = Vec::new();
    for (n, (token, span)) in tokens.iter().enumerate() {
        let before = n.checked_sub(1).map(|before| tokens[before].0);
        spaces.push(before.is_some_and(|before| is_behind_binder || is_apart(before, *token)));
        is_behind_binder = false;
        match token {
            Token::Mark(Mark::Open | Mark::OpenSquare | Mark::OpenBrace) => depth += 1,
            Token::Mark(Mark::Close | Mark::CloseSquare | Mark::CloseBrace) => {
                depth = depth.saturating_sub(1)
            }
            Token::Word(Word::Exists | Word::Forall) => binders.push(depth),
            Token::Name(_)
                if is_capital(&text[span.start as usize..span.end as usize], tokens.get(n + 1)) =>
            {
                binders.push(depth);
            }
            Token::Mark(Mark::Dot) if binders.last() == Some(&depth) => {
                binders.pop();
                is_behind_binder = true;
            }
            _ => {}
        }
    }
    spaces
}

/// MUCKE's capitals for quantifiers, with a declaration behind them.
fn is_capital(name: &str, next: Option<&(Token, Span)>) -> bool {
    matches!(name, "Exists" | "EXISTS" | "Forall" | "FORALL")
        && matches!(next, Some((Token::Name(_) | Token::Word(Word::Bool), _)))
}

/// A blank stands between two tokens, none of which is the dot behind a quantifier.
fn is_apart(before: Token, token: Token) -> bool {
    let opens =
        matches!(before, Token::Mark(Mark::Open | Mark::OpenSquare | Mark::Not | Mark::Dot | Mark::Dots));
    match token {
        _ if opens => false,
        Token::Mark(
            Mark::Comma | Mark::Semicolon | Mark::Close | Mark::CloseSquare | Mark::Dot | Mark::Dots,
        ) => false,
        Token::Mark(Mark::Open | Mark::OpenSquare) => !matches!(before, Token::Name(_)),
        _ => true,
    }
}

/// What comes behind a gap.
#[derive(Clone, Copy)]
struct Then {
    /// A blank stands before it.
    is_apart: bool,
    /// It stays on the line of the token before.
    is_attached: bool,
}

struct Writer<'p, 't> {
    page: &'p mut Page<'t>,
    /// How far to the right the item begins in the source.
    indent: usize,
    /// A comment has been written since the last token.
    is_behind_comment: bool,
}

impl Writer<'_, '_> {
    /// Prints the comments between two tokens, and what separates them.
    fn gap(&mut self, mut at: usize, end: usize, then: Then) {
        self.is_behind_comment = false;
        loop {
            let rest = &self.page.text[at..end];
            let blanks = &rest[..rest.len() - rest.trim_start().len()];
            let n_lines = blanks.matches('\n').count();
            at += blanks.len();
            if at == end {
                return self.separate(n_lines, blanks, then);
            }
            let rest = &self.page.text[at..end];
            let length = match rest.starts_with("//") {
                true => rest.find('\n').unwrap_or(rest.len()),
                false => rest.find("*/").map_or(rest.len(), |length| length + 2),
            };
            self.separate(n_lines, blanks, Then { is_apart: true, is_attached: false });
            self.comment(at, at + length, n_lines);
            at += length;
        }
    }

    /// Ends lines, or puts a blank, before the next token or comment.
    fn separate(&mut self, n_lines: usize, blanks: &str, then: Then) {
        let out = &mut self.page.out;
        if n_lines == 0 || then.is_attached && !self.is_behind_comment {
            out.push_str(if then.is_apart || self.is_behind_comment { " " } else { "" });
            return;
        }
        out.push_str(if n_lines > 1 { "\n\n" } else { "\n" });
        let last = blanks.rsplit('\n').next().unwrap_or("");
        out.extend(std::iter::repeat_n(' ', columns(last).saturating_sub(self.indent)));
    }

    /// Prints a comment. One at the end of a line has a column.
    fn comment(&mut self, start: usize, end: usize, n_lines: usize) {
        let text = self.page.text;
        let behind = text[end..].trim_start_matches(|letter: char| letter.is_whitespace() && letter != '\n');
        if n_lines == 0 && (behind.is_empty() || behind.starts_with('\n')) {
            let margin = self.page.margin(start);
            self.page.comments.push(Behind { at: self.page.out.len(), margin });
        }
        let lines: Vec<&str> = text[start..end].split('\n').map(str::trim_end).collect();
        self.page.out.push_str(&lines.join("\n"));
        self.is_behind_comment = true;
    }

    /// The first colon of a line has a column, too, unless the line begins with it: those of cases stand below each other.
    fn colon(&mut self, start: usize) {
        let out = &self.page.out;
        let is_first = self.page.colons.last().is_none_or(|last| out[last.at..].contains('\n'));
        if is_first && out.ends_with(' ') && !out.trim_end_matches(' ').ends_with('\n') {
            let margin = self.page.margin(start);
            self.page.colons.push(Behind { at: self.page.out.len(), margin });
        }
    }
}

/// How many columns blanks take.
fn columns(blanks: &str) -> usize {
    blanks.chars().fold(0, |column, letter| if letter == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}
