//! Rows in aligned columns: step, line, the state of a monitor if there is one, statement, effect, and labels if some are passed.

use std::fmt::Write;

/// Deeper calls are not indented further; their depth is written down.
const DEEPEST: usize = 12;

/// The widest column of statements; longer ones push their effect to the right.
const WIDEST: usize = 48;

/// One row.
#[derive(Clone, Default, Debug)]
pub struct Row {
    /// The number of the step, if it is one.
    pub number: Option<u128>,
    /// The file of the line, unless it is the first one.
    pub file: Option<String>,
    /// The line of the program.
    pub line: Option<usize>,
    /// The state of the monitor afterwards.
    pub monitor: Option<String>,
    /// How many callers wait.
    pub depth: usize,
    /// The statement.
    pub statement: String,
    /// What it does.
    pub effect: String,
    /// The labels of a formula that are there.
    pub labels: String,
}

impl Row {
    /// `12`, or `list.c:12` where that is not the first file.
    fn place(&self) -> String {
        match (&self.file, self.line) {
            (_, None) => String::new(),
            (None, Some(line)) => line.to_string(),
            (Some(file), Some(line)) => format!("{}:{line}", file.rsplit('/').next().unwrap_or(file)),
        }
    }
}

/// The widths of the columns.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    number: usize,
    line: usize,
    /// None if there is no monitor.
    monitor: Option<usize>,
    statement: usize,
    /// None if there are no labels.
    effect: Option<usize>,
}

impl Table {
    /// Widths for these rows.
    pub fn new<'r>(rows: impl Iterator<Item = &'r Row> + Clone) -> Self {
        let widest = |width: &dyn Fn(&Row) -> usize| rows.clone().map(width).max().unwrap_or(0);
        Self {
            number: widest(&|row| digits(row.number)).max("step".len()),
            line: widest(&|row| row.place().chars().count()).max("line".len()),
            monitor: rows
                .clone()
                .filter_map(|row| Some(row.monitor.as_ref()?.chars().count()))
                .max()
                .map(|width| width.clamp("monitor".len(), WIDEST)),
            statement: widest(&|row| indented(row).chars().count()).clamp("statement".len(), WIDEST),
            effect: rows.clone().any(|row| !row.labels.is_empty()).then(|| {
                let is_step = |row: &Row| row.number.is_some() || !row.labels.is_empty();
                widest(&|row| if is_step(row) { row.effect.chars().count() } else { 0 })
                    .clamp("effect".len(), WIDEST)
            }),
        }
    }

    /// Widths for rows that are not known yet, from the largest line and the longest statement.
    pub fn for_program(n_steps: u64, n_lines: usize, statement: usize) -> Self {
        Self {
            number: digits(Some(n_steps)).max("step".len()),
            line: digits(Some(n_lines)).max("line".len()),
            monitor: None,
            statement: statement.clamp("statement".len(), WIDEST),
            effect: None,
        }
    }

    /// The names of the columns.
    pub fn head(&self) -> String {
        self.columns("step", "line", "monitor", "statement", ("effect", "label"))
    }

    /// One row, ending in a newline.
    pub fn row(&self, row: &Row) -> String {
        let number = row.number.map_or_else(String::new, |n| n.to_string());
        let line = row.place();
        let monitor = row.monitor.as_deref().unwrap_or_default();
        self.columns(&number, &line, monitor, &indented(row), (&row.effect, &row.labels))
    }

    fn columns(
        &self,
        number: &str,
        line: &str,
        monitor: &str,
        statement: &str,
        (effect, labels): (&str, &str),
    ) -> String {
        let mut out = String::new();
        let (a, b, c) = (self.number, self.line, self.statement);
        let monitor = self.monitor.map_or_else(String::new, |width| format!("{monitor:width$}  "));
        let effect = match self.effect {
            Some(width) => format!("{effect:width$}  {labels}"),
            None => effect.to_owned(),
        };
        write!(out, "{number:>a$}  {line:>b$}  {monitor}{statement:c$}  {effect}")
            .expect("a string takes every text");
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

fn digits(number: Option<impl ToString>) -> usize {
    number.map_or(0, |number| number.to_string().len())
}

fn indented(row: &Row) -> String {
    let indent = "  ".repeat(row.depth.min(DEEPEST));
    if row.depth > DEEPEST {
        format!("{indent}({}) {}", row.depth, row.statement)
    } else {
        format!("{indent}{}", row.statement)
    }
}
