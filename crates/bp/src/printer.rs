//! The canonical text of a program.
//!
//! Contract: the text parses back to the same program, and printing that gives the same text again. Comments stay: one
//! that follows something on its line stays behind it, below those it was below, any other stands on a line of its own before what
//! follows. Of blank lines between statements or declarations one is kept.

mod expression;

use crate::ast::*;
use crate::names::Word;
use base::{Behind, Span, align};
use std::fmt::Write;

/// Deeper blocks are not indented further: the text of a program would grow with the square of its depth.
const MAX_INDENT: usize = 40;

/// The canonical text of a program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program);
    printer.unit(&program.unit);
    for thread in &program.threads {
        printer.thread(thread);
    }
    printer.finish()
}

/// What the last line is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// There is none, or a block begins with it: no blank line follows.
    Start,
    /// It is a beginning of a block; a comment may follow on it.
    Opening,
    /// It is something a comment may follow.
    Item,
    /// It ends in a comment.
    Comment,
}

/// The blank line before something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// As in the source.
    Kept,
    /// Always one.
    Forced,
    /// Never one.
    None,
}

pub(crate) struct Printer<'p> {
    pub(crate) program: &'p Program,
    pub(crate) out: String,
    pub(crate) indent: usize,
    /// The atoms of a monitor's guards.
    pub(crate) atoms: &'p [String],
    /// How many comments are printed.
    n_comments: usize,
    line: Line,
    /// The comments whose columns matter.
    behind: Vec<Behind>,
    /// How many of them stand on earlier lines.
    n_behind: usize,
}

impl<'p> Printer<'p> {
    /// A printer of what a tree says.
    pub(crate) fn new(program: &'p Program) -> Self {
        let line = Line::Start;
        let (behind, atoms) = (Vec::new(), &[][..]);
        Self { program, out: String::new(), indent: 0, atoms, n_comments: 0, line, behind, n_behind: 0 }
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> String {
        self.comments(u32::MAX, Gap::Kept);
        align(&self.out, &self.behind)
    }
}

impl Printer<'_> {
    // Lines and comments.

    /// Begins a line for what stands at `start` in the source, behind the comments before it.
    pub(crate) fn begin(&mut self, start: u32, gap: Gap) {
        let is_first = !self.comments(start, gap);
        self.gap(start, if is_first || gap == Gap::None { gap } else { Gap::Kept });
        self.indentation();
    }

    /// Ends a line.
    pub(crate) fn end(&mut self, line: Line) {
        self.out.push('\n');
        self.line = line;
        self.n_behind = self.behind.len();
    }

    /// One line.
    fn line(&mut self, span: Span, gap: Gap, text: &str) {
        self.begin(span.start, gap);
        self.out.push_str(text);
        self.end(Line::Item);
    }

    fn indentation(&mut self) {
        for _ in 0..self.indent.min(MAX_INDENT) {
            self.out.push_str("  ");
        }
    }

    fn gap(&mut self, start: u32, gap: Gap) {
        let is_kept = gap == Gap::Kept && self.program.paragraphs.binary_search(&start).is_ok();
        if (is_kept || gap == Gap::Forced) && !matches!(self.line, Line::Start | Line::Opening) {
            self.out.push('\n');
        }
    }

    /// Prints the comments before a place of the source; whether one got a line of its own.
    fn comments(&mut self, before: u32, gap: Gap) -> bool {
        let program = self.program;
        let mut gap = if gap == Gap::None { Gap::Kept } else { gap };
        let mut is_any = false;
        while let Some(comment) =
            program.comments.get(self.n_comments).filter(|comment| comment.span.start < before)
        {
            self.n_comments += 1;
            let follows = !comment.is_own_line && matches!(self.line, Line::Item | Line::Opening);
            if follows {
                // The comment goes to the end of the last line.
                self.out.pop();
                self.out.push(' ');
                let at = self.out.len();
                // Only the last one of a line can have a column.
                self.behind.truncate(self.n_behind);
                self.behind.extend(comment.margin.map(|margin| Behind { at, margin }));
            } else {
                self.gap(comment.span.start, std::mem::replace(&mut gap, Gap::Kept));
                self.indentation();
                is_any = true;
            }
            self.out.push_str(&comment.text);
            self.out.push('\n');
            let is_whole_line = !follows || comment.text.starts_with("//");
            self.line = match self.line {
                line if !is_whole_line => line,
                Line::Opening if follows => Line::Start,
                _ => Line::Comment,
            };
        }
        is_any
    }

    // Declarations.

    fn unit(&mut self, unit: &Unit) {
        for declaration in &unit.declarations {
            match declaration {
                Declaration::Variables(variables) => self.variables(variables),
                Declaration::Init { condition, span } => {
                    self.begin(span.start, Gap::Kept);
                    self.out.push_str("init ");
                    self.expression(*condition);
                    self.out.push(';');
                    self.end(Line::Item);
                }
            }
        }
        unit.functions.iter().for_each(|function| self.function(function));
    }

    fn thread(&mut self, thread: &Thread) {
        self.begin(thread.head.start, Gap::Forced);
        let copies = match thread.copies {
            Copies::Single => String::new(),
            Copies::Fixed(n) => format!("[{n}]"),
            Copies::Any => "[*]".to_owned(),
        };
        let _ = write!(self.out, "thread {}{copies}", self.program.text(thread.name));
        self.block(thread.head);
        self.unit(&thread.unit);
        self.close(thread.end, "end");
    }

    /// The end of the line with the head of a function or a thread, and its `begin`.
    pub(crate) fn block(&mut self, head: Span) {
        self.end(Line::Item);
        self.comments(head.end.saturating_sub(Word::Begin.text().len() as u32), Gap::Kept);
        self.indentation();
        self.out.push_str("begin");
        self.end(Line::Opening);
        self.indent += 1;
    }

    /// The word that closes a block.
    pub(crate) fn close(&mut self, span: Span, word: &str) {
        self.comments(span.start, Gap::Kept);
        self.indent -= 1;
        self.line(span, Gap::None, word);
    }

    fn variables(&mut self, declared: &Variables) {
        self.begin(declared.span.start, Gap::Kept);
        self.out.push_str("decl");
        let last = declared.variables.last().map_or(declared.span.start, |variable| variable.name.span.start);
        let comment = self.program.comments.get(self.n_comments);
        if comment.is_none_or(|comment| comment.span.start > last) {
            for (n, variable) in declared.variables.iter().enumerate() {
                self.out.push_str(if n == 0 { " " } else { ", " });
                self.variable(variable);
            }
            self.out.push(';');
            self.end(Line::Item);
            return;
        }
        // Comments explain single variables: each gets a line.
        self.end(Line::Opening);
        self.indent += 1;
        for (n, variable) in declared.variables.iter().enumerate() {
            self.begin(variable.name.span.start, Gap::Kept);
            self.variable(variable);
            self.out.push(if n + 1 == declared.variables.len() { ';' } else { ',' });
            self.end(Line::Item);
        }
        // A comment before the semicolon stands behind it, as it will when the text is read again.
        self.indent -= 1;
    }

    fn variable(&mut self, variable: &Variable) {
        self.out.push_str(self.program.text(variable.name));
        if let Some(ty) = &variable.ty {
            self.out.push_str(": ");
            self.ty(ty);
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Bool => self.out.push_str("bool"),
            TypeKind::Int(width) => {
                let _ = write!(self.out, "int<{width}>");
            }
            TypeKind::Enum(names) => {
                self.out.push_str("enum {");
                self.list(names, |printer, name| printer.out.push_str(printer.program.text(*name)));
                self.out.push('}');
            }
        }
    }

    fn list<T>(&mut self, list: &[T], mut element: impl FnMut(&mut Self, &T)) {
        for (n, item) in list.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            element(self, item);
        }
    }

    fn function(&mut self, function: &Function) {
        self.begin(function.head.start, Gap::Forced);
        match &function.results {
            Results::Void => self.out.push_str("void"),
            Results::Bools(n, _) => {
                let _ = write!(self.out, "bool<{n}>");
            }
            Results::One(ty) => self.ty(ty),
            Results::Many(types) => {
                self.out.push('<');
                self.list(types, Self::ty);
                self.out.push('>');
            }
        }
        let _ = write!(self.out, " {}(", self.program.text(function.name));
        self.list(&function.params, Self::variable);
        self.out.push(')');
        self.block(function.head);
        function.locals.iter().for_each(|variables| self.variables(variables));
        if let Some((condition, span)) = function.enforce {
            self.begin(span.start, Gap::Kept);
            self.out.push_str("enforce ");
            self.expression(condition);
            self.out.push(';');
            self.end(Line::Item);
        }
        function.body.iter().for_each(|statement| self.statement(statement));
        self.close(function.end, "end");
    }

    // Statements.

    fn statement(&mut self, statement: &Statement) {
        match statement.kind {
            StatementKind::Fi => return self.close(statement.span, "fi"),
            StatementKind::Od => return self.close(statement.span, "od"),
            StatementKind::EndAtomic => return self.close(statement.span, "end"),
            StatementKind::Elsif(_) | StatementKind::Else => {
                self.comments(statement.span.start, Gap::Kept);
                self.indent -= 1;
                self.begin(statement.span.start, Gap::None);
            }
            _ => {
                let start = statement.labels.first().map_or(statement.span, |label| label.span).start;
                self.begin(start, Gap::Kept);
            }
        }
        for label in &statement.labels {
            let _ = write!(self.out, "{}: ", self.program.text(*label));
        }
        if self.opening(&statement.kind) {
            self.end(Line::Opening);
            self.indent += 1;
        } else {
            self.simple(&statement.kind);
            self.out.push(';');
            self.end(Line::Item);
        }
    }

    /// Prints a word that opens a block; whether it is one.
    fn opening(&mut self, kind: &StatementKind) -> bool {
        let (before, condition, after) = match kind {
            StatementKind::If(condition) => ("if", *condition, "then"),
            StatementKind::Elsif(condition) => ("elsif", *condition, "then"),
            StatementKind::While(condition) => ("while", *condition, "do"),
            StatementKind::Else => {
                self.out.push_str("else");
                return true;
            }
            StatementKind::Atomic => {
                self.out.push_str("atomic begin");
                return true;
            }
            _ => return false,
        };
        self.conditional(before, condition);
        let _ = write!(self.out, " {after}");
        true
    }

    /// A word and a condition in parentheses.
    fn conditional(&mut self, word: &str, condition: ExprId) {
        let space = if matches!(word, "if" | "elsif" | "while") { " " } else { "" };
        let _ = write!(self.out, "{word}{space}(");
        self.expression(condition);
        self.out.push(')');
    }

    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Return(values) if values.is_empty() => self.out.push_str("return"),
            StatementKind::Return(values) => {
                self.out.push_str("return ");
                self.expressions(values);
            }
            StatementKind::Goto(labels) => self.names("goto ", labels),
            StatementKind::Dead(names) => self.names("dead ", names),
            StatementKind::Assign { targets, values, constrain } => {
                self.targets(targets);
                self.expressions(values);
                if let Some(condition) = constrain {
                    self.out.push_str(" constrain ");
                    self.expression(*condition);
                }
            }
            StatementKind::Call { targets, call } => {
                self.targets(targets);
                self.call(call);
            }
            StatementKind::Assert(condition) => self.conditional("assert", *condition),
            StatementKind::Assume(condition) => self.conditional("assume", *condition),
            StatementKind::Constrain(condition) => self.conditional("constrain", *condition),
            StatementKind::Print(values) => {
                self.out.push_str("print(");
                self.expressions(values);
                self.out.push(')');
            }
            StatementKind::StartThread(call) => {
                self.out.push_str("start_thread ");
                self.call(call);
            }
            StatementKind::StartThreadGoto(label) => self.names("start_thread goto ", &[*label]),
            StatementKind::EndThread => self.out.push_str("end_thread"),
            StatementKind::AtomicBegin => self.out.push_str("atomic_begin"),
            StatementKind::AtomicEnd => self.out.push_str("atomic_end"),
            _ => self.out.push_str("skip"),
        }
    }

    fn names(&mut self, word: &str, names: &[Name]) {
        self.out.push_str(word);
        self.list(names, |printer, name| printer.out.push_str(printer.program.text(*name)));
    }

    /// A left side with its `:=`, if there is one.
    fn targets(&mut self, targets: &[Target]) {
        self.list(targets, |printer, target| {
            let text = target.symbol.map_or("_", |symbol| printer.program.names.text(symbol));
            printer.out.push_str(text);
        });
        if !targets.is_empty() {
            self.out.push_str(" := ");
        }
    }

    fn call(&mut self, call: &Call) {
        let _ = write!(self.out, "{}(", self.program.text(call.callee));
        self.expressions(&call.args);
        self.out.push(')');
    }

    fn expressions(&mut self, expressions: &[ExprId]) {
        self.list(expressions, |printer, expression| printer.expression(*expression));
    }

    pub(crate) fn expression(&mut self, expression: ExprId) {
        expression::print(self.program, self.atoms, expression, &mut self.out);
    }
}
