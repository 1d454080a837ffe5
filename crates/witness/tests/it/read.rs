//! Witnesses as text: every style of YAML that tools write, what is wrong with a text and where, and that no text makes it panic.

use base::{Random, Sources, render};
use witness::{Action, Content, Entry, Fact, Segment, WaypointKind};

const VIOLATION: &str = r#"- entry_type: violation_sequence
  metadata:
    format_version: "2.0"
    uuid: "5d0d0a56-1f3a-4a0f-9a3c-111111111111"
    creation_time: "2024-01-02T03:04:05Z"
    producer:
      name: "some tool"
      version: "1"
    task:
      input_files:
        - "p.c"
      input_file_hashes:
        "p.c": "00"
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: ILP32
      language: C
  content:
    - segment:
        - waypoint:
            type: function_return
            action: follow
            location:
              file_name: "p.c"
              line: 4
              column: 33
              function: "main"
            constraint:
              value: "\\result == 14"
              format: acsl_expression
    - segment:
        - waypoint:
            type: branching
            action: avoid
            location: {file_name: p.c, line: 7}
            constraint: {value: 'false'}
        - waypoint:
            type: target
            action: follow
            location:
              file_name: "p.c"
              line: 10
              column: 7
"#;

fn read(text: &str) -> Result<Vec<Entry>, String> {
    let mut sources = Sources::default();
    let file = sources.add("w.yml", text);
    witness::read(&sources, file).map_err(|error| render(&sources, &error))
}

fn segments(text: &str) -> Vec<Segment> {
    match read(text).expect("a witness").swap_remove(0).content {
        Content::Violation(segments) => segments,
        Content::Correctness(_) => panic!("it tells of a violation"),
    }
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let message = read(text).map(|_| ()).expect_err("it is no witness");
    // How far excerpts are indented is not the point here.
    let lines =
        |text: &str| -> Vec<String> { text.trim_end().lines().map(|line| line.trim().to_owned()).collect() };
    assert_eq!(lines(&message), lines(expected), "{message}");
}

#[test]
fn waypoints_in_block_and_in_flow_style() {
    let segments = segments(VIOLATION);
    assert_eq!(segments.len(), 2);
    let returned = &segments[0].waypoints[0];
    assert_eq!((returned.kind, returned.action), (WaypointKind::FunctionReturn, Action::Follow));
    assert_eq!((returned.location.line, returned.location.column), (4, Some(33)));
    assert_eq!(returned.constraint.as_ref().expect("a constraint").value, "\\result == 14");
    let avoided = &segments[1].waypoints[0];
    assert_eq!((avoided.kind, avoided.action), (WaypointKind::Branching, Action::Avoid));
    assert_eq!(avoided.constraint.as_ref().expect("a constraint").value, "false");
    assert_eq!(avoided.location.column, None);
}

#[test]
fn other_styles_of_the_same() {
    let flow = "[{entry_type: invariant_set, metadata: {format_version: '2.0', uuid: u, creation_time: t,
      producer: {name: n, version: v}, # a comment
      task: {input_files: p.c, input_file_hashes: {p.c: x}, specification: 'CHECK( init(main()), LTL(G ! overflow) )',
      data_model: LP64, language: C}},
      content: [{invariant: {type: loop_invariant, location: {file_name: p.c, line: 3, column: 1, function: main},
      value: \"x >= 0 && y != '#'\", format: c_expression}}]}]";
    let block = "---
# a comment
- content:
  - invariant:
      format: c_expression   # another one
      value: |
        x >= 0 && y != '#'
      type: loop_invariant
      location:
          line: 3
          file_name: p.c
          column: 1
          function: main
  metadata:
      format_version: \"2.0\"
      task:
          input_files: [p.c]
          input_file_hashes:
              p.c: x
          specification: >-
              CHECK( init(main()),
              LTL(G ! overflow) )
          data_model: LP64
          language: C
  entry_type: invariant_set
...
";
    for text in [flow, block] {
        let entries = read(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(entries[0].metadata.specification.value, "CHECK( init(main()), LTL(G ! overflow) )");
        let Content::Correctness(facts) = &entries[0].content else { panic!("it tells of correctness") };
        let [Fact::Invariant { is_loop: true, location, value }] = &facts[..] else { panic!("{facts:?}") };
        assert_eq!((location.line, value.value.trim()), (3, "x >= 0 && y != '#'"));
    }
}

#[test]
fn what_was_written_is_read() {
    let entries = read(VIOLATION).expect("a witness");
    let written = witness::write(&entries[0]);
    let again = read(&written).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(witness::write(&again[0]), written);
    assert!(
        written.contains("uuid: \"") && !written.contains("5d0d0a56"),
        "the identifier is that of the content"
    );
}

#[test]
fn mistakes_have_places() {
    let changed = |from: &str, to: &str| {
        assert!(VIOLATION.contains(from), "{from}");
        VIOLATION.replacen(from, to, 1)
    };
    refused(
        &changed("type: function_return", "type: function_returns"),
        "error: expected `assumption`, `branching`, `function_enter`, `function_return`, `target`, found `function_returns`
  --> w.yml:20:19
20 |             type: function_returns
   |                   ^^^^^^^^^^^^^^^^",
    );
    refused(
        &changed("line: 4", "line: four"),
        "error: expected the number of a line, found `four`
  --> w.yml:24:21
24 |               line: four
   |                     ^^^^",
    );
    refused(
        &changed("format_version: \"2.0\"", "format_version: \"3.0\""),
        "error: expected `2.0`, `2.1`, found `3.0`
 --> w.yml:3:22
3 |     format_version: \"3.0\"
  |                      ^^^",
    );
    refused(
        &changed("    producer:", "  \tproducer:"),
        "error: lines are indented by spaces, not by tabs
 --> w.yml:6:4
6 |    producer:
  |    ^^^^^^^^^",
    );
    refused(
        "- entry_type: &a violation_sequence\n",
        "error: anchors and aliases are not supported
 --> w.yml:1:15
1 | - entry_type: &a violation_sequence
  |               ^^",
    );
    refused(
        "entry_type: x",
        "error: expected a list of entries, each `- entry_type: …`, found keys with values
 --> w.yml:1:1
1 | entry_type: x
  | ^^^^^^^^^^^^^",
    );
    refused(
        "- [a, b",
        "error: this is no YAML: while parsing a flow sequence, expected ',' or ']'
 --> w.yml:1:8
1 | - [a, b
  |        ^",
    );
    refused(
        "",
        "error: expected a list of entries, each `- entry_type: …`, found nothing\n --> w.yml:1:1\n1 | \n  | ^",
    );
    refused(
        &changed("              line: 10\n", ""),
        "error: expected the key `line` here
  --> w.yml:40:15
40 |               file_name: \"p.c\"
   |               ^^^^^^^^^^^^^^^^",
    );
}

#[test]
fn segments_have_an_order() {
    let twice = VIOLATION.replace("type: function_return", "type: target");
    assert!(read(&twice).unwrap_err().contains("a `target` is the last thing that is passed"));
    let no_target = VIOLATION.replace("type: target", "type: function_enter");
    assert!(read(&no_target).unwrap_err().contains("the last segment passes a `target`, or a cycle"));
    let two = VIOLATION.replace("action: avoid", "action: follow");
    assert!(
        read(&two).unwrap_err().contains("a segment has one waypoint that is passed, and this one has 2")
    );
}

/// A text with some of its pieces changed.
fn mutated(random: &mut Random) -> String {
    let strange = [
        "\t",
        "  ",
        "\n",
        "- ",
        ": ",
        ":",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "#",
        "&a",
        "*a",
        "!t",
        "|",
        ">-",
        "---\n",
        "...\n",
        ",",
        "\\",
        "é",
        "? ",
        "%",
        "\r\n",
        "0",
        "99999999999",
        "null",
        "- - -",
    ];
    let mut pieces: Vec<&str> = VIOLATION.split_inclusive([' ', '\n', ':', '"']).collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(pieces.len() as u64) as usize;
        let other = random.below(pieces.len() as u64) as usize;
        match random.below(4) {
            0 => _ = pieces.remove(at),
            1 => pieces.insert(at, strange[random.below(strange.len() as u64) as usize]),
            2 => pieces.swap(at, other),
            _ => pieces.truncate(at.max(1)),
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

#[test]
fn no_text_makes_it_panic() {
    let (mut n_read, mut n_refused) = (0, 0);
    for seed in generate::random::seeds(0..4000) {
        let text = mutated(&mut Random::new(seed));
        match std::panic::catch_unwind(|| read(&text).map(|entries| witness::write(&entries[0]))) {
            Ok(Ok(_)) => n_read += 1,
            Ok(Err(message)) => {
                assert!(message.contains("w.yml:"), "GETAFIX_SEED={seed}: {message}");
                n_refused += 1;
            }
            Err(_) => panic!("GETAFIX_SEED={seed}\n{text}"),
        }
    }
    println!("{n_read} read, {n_refused} refused");
    assert!(
        n_read > 50 && n_refused > 1000 || n_read + n_refused < 4000,
        "{n_read} read, {n_refused} refused"
    );
}
