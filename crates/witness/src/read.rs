//! Witnesses from text: what is missing or of another kind is a diagnostic with its place.

use crate::model::{Action, Content, Entry, Fact, Location, Metadata, Segment, Text, Waypoint, WaypointKind};
use crate::yaml::{self, Node, NodeKind};
use base::{Diagnostic, FileId, Sources, Span};

type Read<T> = Result<T, Diagnostic>;

/// Reads a file of witnesses: one entry at least, all of one kind.
pub fn read(sources: &Sources, file: FileId) -> Read<Vec<Entry>> {
    let root = yaml::read(sources, file)?;
    let items = list(&root, "a list of entries, each `- entry_type: …`")?;
    let entries = items.iter().map(entry).collect::<Read<Vec<Entry>>>()?;
    let Some(first) = entries.first() else {
        return Err(Diagnostic::error(root.span, "expected an entry, `- entry_type: …`"));
    };
    for (entry, item) in entries.iter().zip(items) {
        if entry.content.entry_type() != first.content.entry_type() {
            let message = "a witness tells of a violation or of correctness, not of both";
            return Err(Diagnostic::error(item.span, message));
        }
        if matches!(entry.content, Content::Violation(_)) && entries.len() > 1 {
            let span = items[1].span;
            return Err(Diagnostic::error(
                span,
                "one violation is looked at at a time; this file has several",
            ));
        }
    }
    Ok(entries)
}

fn found(node: &Node) -> String {
    match &node.kind {
        NodeKind::Null => "nothing".to_owned(),
        NodeKind::Scalar(text) => format!("`{}`", text.chars().take(40).collect::<String>()),
        NodeKind::List(_) => "a list".to_owned(),
        NodeKind::Mapping(_) => "keys with values".to_owned(),
    }
}

fn expected(node: &Node, what: &str) -> Diagnostic {
    Diagnostic::error(node.span, format!("expected {what}, found {}", found(node)))
}

fn list<'n>(node: &'n Node, what: &str) -> Read<&'n [Node]> {
    match &node.kind {
        NodeKind::List(items) => Ok(items),
        _ => Err(expected(node, what)),
    }
}

type Keys = [(String, Span, Node)];

fn mapping<'n>(node: &'n Node, what: &str) -> Read<&'n Keys> {
    match &node.kind {
        NodeKind::Mapping(entries) => Ok(entries),
        _ => Err(expected(node, what)),
    }
}

fn text(node: &Node, what: &str) -> Read<Text> {
    match &node.kind {
        NodeKind::Scalar(value) => Ok(Text { value: value.clone(), span: Some(node.span) }),
        _ => Err(expected(node, what)),
    }
}

fn get<'n>(keys: &'n Keys, key: &str) -> Option<&'n Node> {
    keys.iter()
        .find(|(name, ..)| name == key)
        .map(|(.., node)| node)
        .filter(|node| !matches!(node.kind, NodeKind::Null))
}

/// The value of a key that has to be there.
fn need<'n>(node: &'n Node, keys: &'n Keys, key: &str) -> Read<&'n Node> {
    get(keys, key).ok_or_else(|| {
        let error = Diagnostic::error(node.span, format!("expected the key `{key}` here"));
        match base::nearest(key, keys.iter().map(|(name, ..)| name.as_str())) {
            Some(other) => error.note(format!("there is `{other}`"), None),
            None => error,
        }
    })
}

fn need_text(node: &Node, keys: &Keys, key: &str) -> Read<Text> {
    text(need(node, keys, key)?, &format!("a text as `{key}`"))
}

/// One of some words.
fn choice<T: Copy>(text: &Text, all: &[(&'static str, T)], node: &Node) -> Read<T> {
    let known = all.iter().find(|(word, _)| *word == text.value);
    known.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
        let span = text.span.unwrap_or(node.span);
        Diagnostic::error(span, format!("expected `{}`, found `{}`", words.join("`, `"), text.value))
    })
}

fn entry(node: &Node) -> Read<Entry> {
    let keys = mapping(node, "an entry, `entry_type: …`")?;
    let kinds = [("violation_sequence", true), ("invariant_set", false)];
    let is_violation = choice(&need_text(node, keys, "entry_type")?, &kinds, node)?;
    let metadata = metadata(need(node, keys, "metadata")?)?;
    let content = match keys.iter().find(|(name, ..)| name == "content") {
        Some((.., content)) => content,
        None => need(node, keys, "content")?,
    };
    let items = match content.kind {
        NodeKind::Null if !is_violation => &[],
        _ => list(content, "a list as `content`")?,
    };
    let content = match is_violation {
        true => Content::Violation(segments(items, content)?),
        false => Content::Correctness(items.iter().map(fact).collect::<Read<Vec<Fact>>>()?),
    };
    Ok(Entry { metadata, content })
}

fn metadata(node: &Node) -> Read<Metadata> {
    let keys = mapping(node, "metadata, `format_version: …`")?;
    let format_version = need_text(node, keys, "format_version")?;
    choice(&format_version, &[("2.0", ()), ("2.1", ())], node)?;
    let optional =
        |key: &str| get(keys, key).map_or(Ok(String::new()), |node| Ok(text(node, "a text")?.value));
    let task_node = need(node, keys, "task")?;
    let task = mapping(task_node, "a task, `input_files: …`")?;
    let hashes = match get(task, "input_file_hashes") {
        Some(hashes) => mapping(hashes, "the hash of each file")?,
        None => &[],
    };
    let inputs = need(task_node, task, "input_files")?;
    let names = match &inputs.kind {
        NodeKind::Scalar(_) => std::slice::from_ref(inputs),
        _ => list(inputs, "a list of files")?,
    };
    let mut files = Vec::new();
    for name in names {
        let name = text(name, "the name of a file")?;
        let hash = get(hashes, &name.value).map(|hash| text(hash, "a hash")).transpose()?;
        files.push((name, hash));
    }
    let data_model = need_text(task_node, task, "data_model")?;
    choice(&data_model, &[("ILP32", ()), ("LP64", ())], task_node)?;
    if let Some(language) = get(task, "language") {
        choice(&text(language, "a language")?, &[("C", ())], language)?;
    }
    Ok(Metadata {
        format_version,
        creation_time: optional("creation_time")?,
        producer: (String::new(), String::new()),
        files,
        specification: need_text(task_node, task, "specification")?,
        data_model,
    })
}

fn number(node: &Node, what: &str) -> Read<u32> {
    let text = text(node, what)?;
    text.value.trim().parse().ok().filter(|n| *n > 0).ok_or_else(|| expected(node, what))
}

fn location(node: &Node) -> Read<Location> {
    let keys = mapping(node, "a place, `file_name: …` and `line: …`")?;
    let optional = |key| get(keys, key);
    Ok(Location {
        file: need_text(node, keys, "file_name")?.value,
        line: number(need(node, keys, "line")?, "the number of a line")?,
        column: optional("column").map(|column| number(column, "the number of a column")).transpose()?,
        function: optional("function").map(|name| Ok(text(name, "a function")?.value)).transpose()?,
        span: Some(node.span),
    })
}

fn segments(items: &[Node], content: &Node) -> Read<Vec<Segment>> {
    if items.is_empty() {
        return Err(Diagnostic::error(content.span, "a violation has a segment at least, with the `target`"));
    }
    let mut segments = Vec::new();
    for item in items {
        let keys = mapping(item, "`segment:` and its waypoints")?;
        let waypoints = list(need(item, keys, "segment")?, "a list of waypoints")?;
        let waypoints = waypoints.iter().map(waypoint).collect::<Read<Vec<Waypoint>>>()?;
        let n_passed = waypoints.iter().filter(|waypoint| waypoint.action != Action::Avoid).count();
        if n_passed != 1 {
            let message = format!("a segment has one waypoint that is passed, and this one has {n_passed}");
            return Err(Diagnostic::error(item.span, message));
        }
        segments.push(Segment { waypoints });
    }
    ordered(&segments, items)?;
    Ok(segments)
}

/// A target is the last, or there is a cycle, which is at the end.
fn ordered(segments: &[Segment], items: &[Node]) -> Read<()> {
    let passed = |segment: &Segment| segment.waypoints.iter().find(|w| w.action != Action::Avoid).cloned();
    let kinds: Vec<(WaypointKind, Action)> =
        segments.iter().filter_map(|segment| passed(segment).map(|w| (w.kind, w.action))).collect();
    let has_cycle = kinds.iter().any(|(_, action)| *action == Action::Cycle);
    for (n, ((kind, action), item)) in kinds.iter().zip(items).enumerate() {
        let is_last = n + 1 == kinds.len();
        let mistake = match (kind, action) {
            (WaypointKind::Target, _) if !is_last => "a `target` is the last thing that is passed",
            (WaypointKind::Target, Action::Cycle) => "a `target` is passed once",
            (kind, _) if is_last && !has_cycle && *kind != WaypointKind::Target => {
                "the last segment passes a `target`, or a cycle"
            }
            (_, Action::Follow) if kinds[..n].iter().any(|(_, action)| *action == Action::Cycle) => {
                "nothing follows a cycle"
            }
            _ => continue,
        };
        return Err(Diagnostic::error(item.span, mistake));
    }
    Ok(())
}

fn waypoint(node: &Node) -> Read<Waypoint> {
    let keys = mapping(node, "`waypoint:`")?;
    let node = need(node, keys, "waypoint")?;
    let keys = mapping(node, "a waypoint, `type: …`")?;
    let kind = choice(&need_text(node, keys, "type")?, &WaypointKind::ALL, node)?;
    let action = choice(&need_text(node, keys, "action")?, &Action::ALL, node)?;
    let location = location(need(node, keys, "location")?)?;
    let constraint = match get(keys, "constraint") {
        Some(constraint) => {
            let keys = mapping(constraint, "a constraint, `value: …`")?;
            let value = need_text(constraint, keys, "value")?;
            if let Some(format) = get(keys, "format") {
                let formats = ["c_expression", "ext_c_expression", "acsl_expression"].map(|word| (word, ()));
                choice(&text(format, "a format")?, &formats, format)?;
            }
            Some(value)
        }
        None => None,
    };
    let is_needed = matches!(kind, WaypointKind::Assumption | WaypointKind::Branching);
    if is_needed && constraint.is_none() {
        return Err(Diagnostic::error(node.span, "a waypoint of this type has a `constraint`"));
    }
    Ok(Waypoint { kind, action, location, constraint })
}

fn fact(node: &Node) -> Read<Fact> {
    let keys = mapping(node, "`invariant:`")?;
    if let Some(contract) = get(keys, "contract") {
        let keys = mapping(contract, "a contract, `type: function_contract`")?;
        let part = |key| get(keys, key).map_or(Ok(Text::new("1")), |node| text(node, "an expression"));
        return Ok(Fact::Contract {
            location: location(need(contract, keys, "location")?)?,
            requires: part("requires")?,
            ensures: part("ensures")?,
        });
    }
    let node = need(node, keys, "invariant")?;
    let keys = mapping(node, "an invariant, `type: …`")?;
    let kind = need_text(node, keys, "type")?;
    let is_loop = match &kind.value[..] {
        "loop_invariant" => true,
        "location_invariant" => false,
        "loop_transition_invariant" | "location_transition_invariant" => return Ok(Fact::Other(kind)),
        _ => {
            let kinds = [("loop_invariant", ()), ("location_invariant", ())];
            return Err(choice(&kind, &kinds, node).expect_err("it is none of these"));
        }
    };
    let value = need_text(node, keys, "value")?;
    if let Some(format) = get(keys, "format") {
        let format = text(format, "a format")?;
        if format.value == "ext_c_expression" && value.value.contains('\\') {
            return Ok(Fact::Other(Text {
                value: format!("{} in {}", kind.value, format.value),
                span: value.span,
            }));
        }
        choice(&format, &[("c_expression", ()), ("ext_c_expression", ())], node)?;
    }
    Ok(Fact::Invariant { is_loop, location: location(need(node, keys, "location")?)?, value })
}
