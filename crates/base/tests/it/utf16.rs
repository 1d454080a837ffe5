//! Places as editors count them, against a twin that encodes everything before the place.

use base::{Position, Random, Utf16};
use testing::{Counts, seeds};

/// All boundaries of characters with their places, by walking through the text.
fn places(text: &str) -> Vec<(usize, Position)> {
    let (mut line, mut unit, mut found) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        found.push((at, Position { line, unit }));
        unit += letter.len_utf16() as u32;
        if letter == '\n' || letter == '\r' && !text[at + 1..].starts_with('\n') {
            (line, unit) = (line + 1, 0);
        }
    }
    found.push((text.len(), Position { line, unit }));
    found
}

fn random_text(random: &mut Random) -> String {
    let letters = ["a", "b ", "π", "𝔹", "\n", "\r\n", "\r", "\t", "é", "\u{feff}", "日"];
    // Long stretches, so that the strides of the table are crossed.
    let n = if random.chance(20) { random.index(4000) } else { random.index(40) };
    (0..n).map(|_| *random.pick(&letters)).collect()
}

#[test]
fn both_ways_agree_with_the_twin() {
    let mut counts = Counts::default();
    for seed in seeds(0..300) {
        let text = random_text(&mut Random::new(seed));
        let table = Utf16::new(text.as_str());
        for (at, place) in places(&text) {
            assert_eq!(table.position(at), place, "seed {seed}, byte {at}");
            // The place between the two halves of a line end is that of its first half.
            let is_inside_end = at > 0 && text.as_bytes()[at - 1] == b'\r' && text[at..].starts_with('\n');
            let expected = if is_inside_end { at - 1 } else { at };
            assert_eq!(table.offset(place), expected, "seed {seed}, byte {at}, {place:?}");
            counts.count(if is_inside_end { "inside a line end" } else { "places" });
            if text[at..].starts_with('𝔹') {
                let inside = Position { unit: place.unit + 1, ..place };
                assert_eq!(table.offset(inside), at, "seed {seed}: inside a pair");
                counts.count("inside a pair");
            }
            counts.add("beyond a stride", u64::from(at > 1024));
        }
    }
    counts.at_least(&[
        ("places", 10_000),
        ("inside a line end", 100),
        ("inside a pair", 100),
        ("beyond a stride", 1000),
    ]);
}

#[test]
fn places_outside_the_text_are_the_nearest_inside() {
    let table = Utf16::new("ab\ncd\r\n");
    let offset = |line, unit| table.offset(Position { line, unit });
    assert_eq!(offset(0, 99), 2);
    assert_eq!(offset(1, u32::MAX), 5);
    assert_eq!(offset(2, 5), 7);
    assert_eq!(offset(u32::MAX, u32::MAX), 7);
    assert_eq!(table.position(99), Position { line: 2, unit: 0 });
    assert_eq!(Utf16::new("").offset(Position { line: 3, unit: 3 }), 0);
    assert_eq!(Utf16::new("𝔹").position(2), Position { line: 0, unit: 0 });
}
