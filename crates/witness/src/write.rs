//! Witnesses as text. The same witness is the same bytes: its identifier is made from what it says.

use crate::model::{Action, Content, Entry, Fact, Location, Metadata, Text, Waypoint, WaypointKind, word};
use base::sha256;
use std::fmt::Write;

/// The text of a witness.
pub fn write(entry: &Entry) -> String {
    let content = content(&entry.content, result_format(&entry.metadata));
    let Metadata { format_version, creation_time, producer, files, specification, data_model } =
        &entry.metadata;
    let mut task = String::from("      input_files:\n");
    files.iter().for_each(|(name, _)| put(&mut task, 8, format_args!("- {}", quoted(&name.value))));
    put(&mut task, 6, format_args!("input_file_hashes:"));
    for (name, hash) in files {
        let hash = hash.as_ref().map_or("", |hash| &hash.value);
        put(&mut task, 8, format_args!("{}: {}", quoted(&name.value), quoted(hash)));
    }
    put(&mut task, 6, format_args!("specification: {}", quoted(&specification.value)));
    put(&mut task, 6, format_args!("data_model: {}", data_model.value));
    put(&mut task, 6, format_args!("language: C"));
    let uuid = uuid(&format!("{}\n{creation_time}\n{producer:?}\n{task}\n{content}", format_version.value));
    let mut out = format!("- entry_type: {}\n  metadata:\n", entry.content.entry_type());
    put(&mut out, 4, format_args!("format_version: {}", quoted(&format_version.value)));
    put(&mut out, 4, format_args!("uuid: {}", quoted(&uuid)));
    put(&mut out, 4, format_args!("creation_time: {}", quoted(creation_time)));
    put(&mut out, 4, format_args!("producer:"));
    put(&mut out, 6, format_args!("name: {}", quoted(&producer.0)));
    put(&mut out, 6, format_args!("version: {}", quoted(&producer.1)));
    put(&mut out, 4, format_args!("task:"));
    out.push_str(&task);
    out.push_str(&content);
    out
}

/// A line.
fn put(out: &mut String, indent: usize, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{:indent$}{line}", "").expect("a string takes everything");
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => write!(out, "\\u{:04x}", c as u32).expect("a string takes everything"),
            c => out.push(c),
        }
    }
    out + "\""
}

/// An identifier of the custom kind, made from a hash: RFC 9562, version 8.
fn uuid(text: &str) -> String {
    let mut bytes = sha256::hash(text.as_bytes());
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// What an expression about a result is called: that depends on the version.
fn result_format(metadata: &Metadata) -> &'static str {
    if metadata.format_version.value == "2.0" { "acsl_expression" } else { "ext_c_expression" }
}

fn content(content: &Content, result_format: &str) -> String {
    let mut out = String::new();
    match content {
        Content::Correctness(facts) if facts.is_empty() => put(&mut out, 2, format_args!("content: []")),
        Content::Correctness(facts) => {
            put(&mut out, 2, format_args!("content:"));
            facts.iter().for_each(|each| fact(&mut out, each));
        }
        Content::Violation(segments) => {
            put(&mut out, 2, format_args!("content:"));
            for segment in segments {
                put(&mut out, 4, format_args!("- segment:"));
                segment.waypoints.iter().for_each(|each| waypoint(&mut out, each, result_format));
            }
        }
    }
    out
}

fn location(out: &mut String, indent: usize, location: &Location) {
    put(out, indent, format_args!("location:"));
    put(out, indent + 2, format_args!("file_name: {}", quoted(&location.file)));
    put(out, indent + 2, format_args!("line: {}", location.line));
    if let Some(column) = location.column {
        put(out, indent + 2, format_args!("column: {column}"));
    }
    if let Some(function) = &location.function {
        put(out, indent + 2, format_args!("function: {}", quoted(function)));
    }
}

fn fact(out: &mut String, fact: &Fact) {
    match fact {
        Fact::Invariant { is_loop, location: at, value } => {
            let kind = if *is_loop { "loop_invariant" } else { "location_invariant" };
            put(out, 4, format_args!("- invariant:"));
            put(out, 8, format_args!("type: {kind}"));
            location(out, 8, at);
            put(out, 8, format_args!("value: {}", quoted(&value.value)));
            put(out, 8, format_args!("format: c_expression"));
        }
        Fact::Contract { location: at, requires, ensures } => {
            put(out, 4, format_args!("- contract:"));
            put(out, 8, format_args!("type: function_contract"));
            location(out, 8, at);
            put(out, 8, format_args!("requires: {}", quoted(&requires.value)));
            put(out, 8, format_args!("ensures: {}", quoted(&ensures.value)));
            put(out, 8, format_args!("format: ext_c_expression"));
        }
        Fact::Other(_) => {}
    }
}

fn waypoint(out: &mut String, waypoint: &Waypoint, result_format: &str) {
    let Waypoint { kind, action, location: at, constraint } = waypoint;
    put(out, 8, format_args!("- waypoint:"));
    put(out, 12, format_args!("type: {}", word(&WaypointKind::ALL, kind)));
    put(out, 12, format_args!("action: {}", word(&Action::ALL, action)));
    location(out, 12, at);
    if let Some(Text { value, .. }) = constraint {
        put(out, 12, format_args!("constraint:"));
        put(out, 14, format_args!("value: {}", quoted(value)));
        match kind {
            WaypointKind::Assumption => put(out, 14, format_args!("format: c_expression")),
            WaypointKind::FunctionReturn => put(out, 14, format_args!("format: {result_format}")),
            _ => {}
        }
    }
}
