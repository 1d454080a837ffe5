//! DDDMP texts: round trips and what is wrong with malformed ones.

use crate::truth::{build, build_all, manager, table_of};
use dd::{Bdd, Level};

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("x{i}")).collect()
}

#[test]
fn what_is_dumped_is_read_back() {
    let (mut m, mut other) = (manager(), manager());
    let levels: [Level; 3] = [1, 4, 6];
    let all = build_all(&mut m, levels);
    let elsewhere = build_all(&mut other, [0, 2, 9]);
    for (table, f) in all.iter().enumerate() {
        let text = m.dump("R", *f, &levels, &names(3));
        assert_eq!(m.undump(&text, &levels), Ok(Ok(*f)));
        assert_eq!(other.undump(&text, &[0, 2, 9]), Ok(Ok(elsewhere[table])));
        // The text leaves the order to the reader.
        let swapped = other.undump(&text, &[9, 2, 0]).unwrap().unwrap();
        assert_eq!(table_of(&other, swapped, &[9, 2, 0]), table_of(&m, *f, &levels));
    }
}

#[test]
fn a_dump_is_readable() {
    let mut m = manager();
    let f = m.cube([(3, true), (5, false)]).unwrap();
    let text = m.dump("R", f, &[2, 3, 5], &names(3));
    let expected = "\
.ver DDDMP-2.0
.mode A
.varinfo 0
.dd R
.nnodes 3
.nvars 3
.nsuppvars 2
.suppvarnames x1 x2
.orderedvarnames x0 x1 x2
.ids 1 2
.permids 1 2
.nroots 1
.rootids -3
.nodes
1 T 1 0 0
2 2 1 1 -1
3 1 0 2 1
.end
";
    assert_eq!(text, expected);
}

#[track_caller]
fn check_malformed(text: &str, line: usize, message: &str) {
    let error = manager().undump(text, &[0, 1]).unwrap().unwrap_err();
    assert_eq!((error.line, error.message.as_str()), (line, message));
}

#[test]
fn malformed_texts_are_rejected_at_their_line() {
    check_malformed("", 1, "no `.rootids` with a defined node");
    check_malformed("hello\nworld\n", 2, "no `.rootids` with a defined node");
    check_malformed(".mode B\n", 1, "only text mode (`.mode A`) is supported");
    check_malformed(".mode A\n.nroots 2\n", 2, "expected one root");
    check_malformed(".rootids x\n", 1, "expected a root id");
    check_malformed(".rootids 5\n.nodes\n1 T 1 0 0\n.end\n", 4, "no `.rootids` with a defined node");
    check_malformed(".nodes\none T 1 0 0\n", 2, "expected a node id");
    check_malformed(".nodes\n1 T 1 0 0\n2 0 0 1 no\n", 3, "expected five numbers");
    check_malformed(".nodes\n1 T 1 0 0\n2 2 0 1 -1\n", 3, "a variable that the relation does not have");
    check_malformed(".nodes\n1 T 1 0 0\n2 0 0 3 -1\n", 3, "a node that is used before it is defined");
    check_malformed(".nodes\n1 T 1 0 0\n2 0 0 2 -1\n", 3, "a node that is used before it is defined");
    check_malformed(".nodes\n1 T 1 0 0\n2 0 0 1\n", 3, "expected `id variable index then else`");
    let smallest = i64::MIN;
    let text = format!(".rootids {smallest}\n.nodes\n1 T 1 0 0\n.end\n");
    check_malformed(&text, 4, "no `.rootids` with a defined node");
    let text = format!(".nodes\n1 T 1 0 0\n2 0 0 1 {smallest}\n");
    check_malformed(&text, 3, "a node that is used before it is defined");
}

/// A damaged text is an error or another function, never a panic.
#[test]
fn damaged_texts_are_survived() {
    let mut m = manager();
    let mut random = crate::truth::random(3);
    let levels = [0, 1, 2];
    let words = ["-1", "0", "99999999999999999999", "T", ".nodes", ".end", "-9223372036854775808", "é"];
    for _ in 0..3000 {
        let f = build(&mut m, random.index(256) as u8, levels);
        let text = m.dump("R", f, &levels, &names(3));
        let mut lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(' ').collect()).collect();
        let line = random.index(lines.len());
        let word = random.index(lines[line].len());
        match random.index(3) {
            0 => drop(lines.remove(line)),
            1 => drop(lines[line].remove(word)),
            _ => lines[line][word] = words[random.index(words.len())],
        }
        let damaged: Vec<String> = lines.iter().map(|l| l.join(" ")).collect();
        if let Ok(g) = m.undump(&damaged.join("\n"), &levels).unwrap() {
            assert_eq!(table_of(&m, g, &levels).len(), 8);
        }
    }
}

#[test]
fn dot_names_roots_and_levels() {
    let mut m = manager();
    let f = m.variable(4).unwrap();
    let text = m.dot(&[("R \"q\"".to_owned(), f), ("true".to_owned(), Bdd::TRUE)], |l| format!("x{l}"));
    assert!(text.starts_with("digraph diagram {\n") && text.ends_with("}\n"), "{text}");
    for part in
        ["label=\"R \\\"q\\\"\"", "n1 [label=\"x4\"]", "r1 -> n0", "n1 -> n0 [style=dashed, arrowhead=odot]"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}
