//! Claims as text.
//!
//! ```text
//! getafix claim 1;                     // 2, if it is about memory
//! program 0x5d0fa7e6c1b2a394;          // which program it was written for
//! integers math;
//! cells a watched 14, next;            // only if it is about memory: the cells that are followed
//! unreachable reach_error, f:ERROR;    // or: endless; or: terminating;
//! input 2 = 5;                         // only if endless: an input that is fixed
//! main @entry: true;                   // line 12
//! f @exit: $ret == n$0 + 1;            // line 7
//! main decreases n - i on 2, 3;        // only if terminating: edges of main, counted from 0
//! calls decrease f: n$0, g: m + 1 on f 4, g 1;
//! ```
//!
//! A point is the entry or the exit of a function, or the number of a node of the composed program. What is not mentioned is never reached.
//! Formulas are those of [`integers::read`].

use crate::cells::{self, CellsOf};
use crate::claim::{Claim, Statement};
use crate::measures;
use base::{Diagnostic, FileId, Sources};
use integers::ghosts::Ghosted;
use integers::read::{Reader, function_named};
use integers::{FunctionId, InputId, Names, NodeId, show};
use std::fmt::Write;

/// What stands before the formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Which integers are meant, in one word.
    pub integers: String,
    /// The cells of memory that are followed; none, if the program has no memory.
    pub cells: Vec<CellsOf>,
    /// What is not reached, by name; for claims that no run ends, nothing.
    pub targets: Vec<String>,
    /// What is claimed.
    pub statement: Statement,
}

/// A claim of which the beginning has been read. The rest needs the program that it tells of.
pub struct Draft {
    /// The beginning.
    pub header: Header,
    /// The number of the program that it was written for.
    program: i128,
    reader: Reader,
}

/// The text of a claim.
pub fn write(header: &Header, claim: &Claim, subject: &Ghosted, sources: &Sources) -> String {
    let program = &subject.program;
    let version = if header.cells.is_empty() { 1 } else { 2 };
    let mut out = format!(
        "getafix claim {version};\nprogram {:#018x};\nintegers {};\n",
        number(subject),
        header.integers
    );
    let mut line =
        |text: std::fmt::Arguments<'_>| writeln!(out, "{text}").expect("a string takes everything");
    if !header.cells.is_empty() {
        let cells: Vec<String> = header.cells.iter().map(CellsOf::to_string).collect();
        line(format_args!("cells {};", cells.join(", ")));
    }
    match &claim.statement {
        Statement::Terminating(_) => line(format_args!("terminating;")),
        Statement::Unreachable => line(format_args!("unreachable {};", header.targets.join(", "))),
        Statement::Endless(inputs) => {
            line(format_args!("endless;"));
            for &(id, number) in inputs {
                let input = program.input(id);
                let (at, _) = sources.line_column(input.span);
                line(format_args!("input {} = {number};  // {}, line {at}", id.0, input.name));
            }
        }
    }
    for (n, (function, formulas)) in program.functions.iter().zip(&claim.formulas).enumerate() {
        let names = Names::new(program, FunctionId::new(n));
        for (node, formula) in formulas.iter().enumerate() {
            if formula.as_truth() == Some(false) {
                continue;
            }
            let point = function.point(NodeId::new(node));
            let (at, _) = sources.line_column(function.nodes[node].span);
            line(format_args!("{} @{point}: {};  // line {at}", function.name, names.show(formula)));
        }
    }
    if let Statement::Terminating(measures) = &claim.statement {
        measures.iter().for_each(|measure| out.push_str(&measures::write(measure, program, sources)));
    }
    out
}

/// A number that tells programs apart: that of Fowler, Noll and Vo for the text of the program.
fn number(subject: &Ghosted) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    show(&subject.program).bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Draft {
    /// Reads the beginning.
    pub fn read(sources: &Sources, file: FileId) -> Result<Self, Diagnostic> {
        let mut reader = Reader::file(sources, file)?;
        for word in ["getafix", "claim"] {
            expect_word(&mut reader, &[word])?;
        }
        let span = reader.span();
        let version = reader.number()?;
        if !(1..=2).contains(&version) {
            return Err(Diagnostic::error(
                span,
                "claims of this version are not known; expected `getafix claim 1` or `getafix claim 2`",
            ));
        }
        reader.expect(";")?;
        expect_word(&mut reader, &["program"])?;
        let program = reader.number()?;
        reader.expect(";")?;
        expect_word(&mut reader, &["integers"])?;
        let integers = expect_word(&mut reader, &["math", "checked", "wrap"])?;
        reader.expect(";")?;
        let cells =
            if version == 2 && reader.accept_name("cells") { cells::read(&mut reader)? } else { Vec::new() };
        let mut targets = Vec::new();
        let statement = match &expect_word(&mut reader, &["unreachable", "endless", "terminating"])?[..] {
            "terminating" => {
                reader.expect(";")?;
                Statement::Terminating(Vec::new())
            }
            "endless" => {
                reader.expect(";")?;
                Statement::Endless(fixed(&mut reader)?)
            }
            _ => {
                targets.push(target(&mut reader)?);
                while reader.accept(",") {
                    targets.push(target(&mut reader)?);
                }
                reader.expect(";")?;
                Statement::Unreachable
            }
        };
        let header = Header { integers, cells, targets, statement };
        Ok(Self { header, program, reader })
    }

    /// Whether it was written for this program.
    pub fn is_about(&self, subject: &Ghosted) -> bool {
        self.program == i128::from(number(subject))
    }

    /// Reads the formulas.
    pub fn finish(mut self, subject: &Ghosted) -> Result<Claim, Diagnostic> {
        let program = &subject.program;
        let mut claim = Claim::nowhere(self.header.statement.clone(), subject);
        let mut is_told: Vec<Vec<bool>> =
            claim.formulas.iter().map(|nodes| vec![false; nodes.len()]).collect();
        let mut names: Vec<Option<Names>> = vec![None; program.functions.len()];
        let reader = &mut self.reader;
        while !reader.is_at_end() {
            let (name, span) = reader.name()?;
            if !reader.accept("@") {
                let Statement::Terminating(measures) = &mut claim.statement else {
                    return Err(reader.unexpected("`@`"));
                };
                measures.push(measures::read(reader, program, &name, span)?);
                continue;
            }
            let id = function_named(program, &name, span)?;
            let span = reader.span();
            let node = point(reader, program.function(id))?;
            if std::mem::replace(&mut is_told[id.index()][node.index()], true) {
                return Err(Diagnostic::error(span, "this point has a formula already"));
            }
            reader.expect(":")?;
            let names = names[id.index()].get_or_insert_with(|| Names::new(program, id));
            claim.formulas[id.index()][node.index()] = reader.formula(names)?;
            reader.expect(";")?;
        }
        Ok(claim)
    }
}

/// One of some words.
pub(crate) fn expect_word(reader: &mut Reader, words: &[&str]) -> Result<String, Diagnostic> {
    let error = reader.unexpected(&format!("`{}`", words.join("` or `")));
    match reader.name() {
        Ok((name, _)) if words.contains(&&name[..]) => Ok(name),
        _ => Err(error),
    }
}

/// `L`, `f:L`.
fn target(reader: &mut Reader) -> Result<String, Diagnostic> {
    let (mut name, _) = reader.name()?;
    if reader.accept(":") {
        name = format!("{name}:{}", reader.name()?.0);
    }
    Ok(name)
}

/// The inputs that are fixed. A function called `input` is no input: its name is followed by a point.
fn fixed(reader: &mut Reader) -> Result<Vec<(InputId, i128)>, Diagnostic> {
    let mut inputs = Vec::new();
    while reader.accept_name_and_number("input") {
        let span = reader.span();
        let id =
            u32::try_from(reader.number()?).map_err(|_| Diagnostic::error(span, "there is no such input"))?;
        reader.expect("=")?;
        inputs.push((InputId(id), reader.number()?));
        reader.expect(";")?;
    }
    Ok(inputs)
}

/// `entry`, `exit` or a number.
fn point(reader: &mut Reader, function: &integers::Function) -> Result<NodeId, Diagnostic> {
    let span = reader.span();
    if let Ok((name, _)) = reader.name() {
        return match &name[..] {
            "entry" => Ok(function.entry),
            "exit" => Ok(function.exit),
            _ => {
                Err(Diagnostic::error(span, format!("expected `entry`, `exit` or a number, found `{name}`")))
            }
        };
    }
    let number = usize::try_from(reader.number()?).ok().filter(|n| *n < function.nodes.len());
    number.map(NodeId::new).ok_or_else(|| {
        Diagnostic::error(span, format!("`{}` has {} points", function.name, function.nodes.len()))
    })
}
