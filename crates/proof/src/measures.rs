//! Measures as text: `f decreases n - i on 2, 3;` and `calls decrease f: n$0, g: m + 1 on f 4, g 1;`.
//!
//! Edges are those of the composed program, in its order, counted from 0 in each function.

use crate::claim::Measure;
use crate::text::expect_word;
use base::{Diagnostic, Sources, Span};
use integers::read::{Reader, function_named};
use integers::{EdgeId, FunctionId, Names, Program};

/// A line.
pub(crate) fn write(measure: &Measure, program: &Program, sources: &Sources) -> String {
    let name = |id: &FunctionId| &program.function(*id).name;
    let line = |id: &FunctionId, edge: &EdgeId| {
        let (line, _) = sources.line_column(program.function(*id).edge(*edge).span);
        line.to_string()
    };
    let (text, lines): (String, Vec<String>) = match measure {
        Measure::Steps { function, term, edges } => {
            let on: Vec<String> = edges.iter().map(|edge| edge.0.to_string()).collect();
            let term = Names::new(program, *function).show(term);
            let text = format!("{} decreases {term} on {}", name(function), on.join(", "));
            (text, edges.iter().map(|edge| line(function, edge)).collect())
        }
        Measure::Calls { terms, edges } => {
            let told: Vec<String> = terms
                .iter()
                .map(|(id, term)| format!("{}: {}", name(id), Names::new(program, *id).show(term)))
                .collect();
            let on: Vec<String> = edges.iter().map(|(id, edge)| format!("{} {}", name(id), edge.0)).collect();
            let text = format!("calls decrease {} on {}", told.join(", "), on.join(", "));
            (text, edges.iter().map(|(id, edge)| line(id, edge)).collect())
        }
    };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{text};  // {word} {}\n", lines.join(", "))
}

/// Reads one whose first word has been read.
pub(crate) fn read(
    reader: &mut Reader,
    program: &Program,
    name: &str,
    span: Span,
) -> Result<Measure, Diagnostic> {
    let words: &[&str] = if name == "calls" { &["decrease", "decreases"] } else { &["decreases"] };
    if expect_word(reader, words)? == "decreases" {
        let function = function_named(program, name, span)?;
        let term = reader.term(&Names::new(program, function))?;
        expect_word(reader, &["on"])?;
        let edges = list(reader, |reader| edge(reader, program, function))?;
        reader.expect(";")?;
        return Ok(Measure::Steps { function, term, edges });
    }
    let named = |reader: &mut Reader| {
        let (name, span) = reader.name()?;
        function_named(program, &name, span)
    };
    let terms = list(reader, |reader| {
        let function = named(reader)?;
        reader.expect(":")?;
        Ok((function, reader.term(&Names::new(program, function))?))
    })?;
    expect_word(reader, &["on"])?;
    let edges = list(reader, |reader| {
        let function = named(reader)?;
        Ok((function, edge(reader, program, function)?))
    })?;
    reader.expect(";")?;
    Ok(Measure::Calls { terms, edges })
}

fn list<T>(
    reader: &mut Reader,
    mut item: impl FnMut(&mut Reader) -> Result<T, Diagnostic>,
) -> Result<Vec<T>, Diagnostic> {
    let mut items = vec![item(reader)?];
    while reader.accept(",") {
        items.push(item(reader)?);
    }
    Ok(items)
}

fn edge(reader: &mut Reader, program: &Program, function: FunctionId) -> Result<EdgeId, Diagnostic> {
    let span = reader.span();
    let function = program.function(function);
    let number = usize::try_from(reader.number()?).ok().filter(|n| *n < function.edges.len());
    number.map(EdgeId::new).ok_or_else(|| {
        Diagnostic::error(span, format!("`{}` has {} edges", function.name, function.edges.len()))
    })
}
