//! Lines, columns and excerpts.

use base::{Diagnostic, Sources, Span, render};

/// The message `here` about the first occurrence of `word` in a file with this text.
fn point(text: &str, word: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text);
    let start = sources.file(file).text.find(word).expect("the word occurs in the text");
    render(&sources, &Diagnostic::error(Span::new(file, start..start + word.len()), "here"))
}

#[test]
fn the_place_is_underlined() {
    let expected = "error: here\n  --> demo.mu:2:3\n 2 | é öl d\n   |   ^^\n";
    assert_eq!(point("ab\né öl d\n", "öl"), expected);
}

#[test]
fn carriage_returns_belong_to_the_line_end() {
    let expected = "error: here\n  --> demo.mu:2:3\n 2 | c d\n   |   ^\n";
    assert_eq!(point("a b\r\nc d\r\ne", "d"), expected);
    assert_eq!(point("a b\r\nc d\r\ne", "d\r\ne"), expected);
}

#[test]
fn a_byte_order_mark_is_no_column() {
    let expected = "error: here\n  --> demo.mu:1:1\n 1 | a b\n   | ^\n";
    assert_eq!(point("\u{feff}a b", "a"), expected);
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("{}x{}", "é".repeat(5000), "z".repeat(5000));
    let (left, right) = ("é".repeat(50), "z".repeat(49));
    let pad = " ".repeat(51);
    let expected = format!("error: here\n  --> demo.mu:1:5001\n 1 | …{left}x{right}…\n   | {pad}^\n");
    assert_eq!(point(&text, "x"), expected);
}

#[test]
fn places_beyond_the_text_and_inside_characters_are_moved() {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", "aé\n");
    assert_eq!(sources.line_column(Span::new(file, 2..3)), (1, 2));
    assert_eq!(sources.line_column(Span::new(file, 3..3)), (1, 3));
    assert_eq!(sources.line_column(Span::new(file, 4..4)), (2, 1));
    assert_eq!(sources.line_column(Span::new(file, 99..100)), (2, 1));
    let far = render(&sources, &Diagnostic::error(Span::new(file, 99..100), "here"));
    assert_eq!(far, "error: here\n  --> demo.mu:2:1\n 2 | \n   | ^\n");
}

/// The counting table agrees with counting.
#[test]
fn columns_count_characters() {
    let text = "aé€𝄞\n".repeat(700) + &"é€x𝄞".repeat(900);
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text.clone());
    for (at, _) in text.char_indices() {
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        let expected = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
        assert_eq!(sources.line_column(Span::new(file, at..at)), expected, "{at}");
    }
}

/// Reporting is linear: this takes minutes if every message counts from the beginning of file or line.
#[test]
fn many_messages_on_many_lines_and_on_one() {
    for text in ["x y z w\n".repeat(100_000), "x y z w ".repeat(100_000)] {
        let mut sources = Sources::default();
        let file = sources.add("demo.mu", text);
        let length = (0..100_000)
            .map(|n| render(&sources, &Diagnostic::error(Span::new(file, 8 * n..8 * n + 1), "here")).len())
            .sum::<usize>();
        assert!(length > 3_000_000);
    }
}
