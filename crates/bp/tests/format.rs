//! Comments in canonical texts: in every position they survive, in order, and below each other where they were; the text means the same, and
//! formatting it again changes nothing. A failure names its seed.

mod harness;

use base::{Random, Sources};

const PROGRAM: &str = "
    decl a, b, {x>0}; decl n: int<3>, c: enum {red, green}; init a & n = 1;
    <bool, int<3>> f(p, q: int<3>) begin decl l, d: enum {red, dark}; enforce p | n != 2;
      L: M: if (p) then l := T; elsif (d = dark) then return l, q; else while (*) do n := n + 1; od fi
      a, _ := schoose[a, b], * constrain a' => b'; return l ? p : F, q - 1 * 2;
    end
    void main() begin decl r: int<3>; K: a, r := f(!a ^ b, r); f(*, 3); goto K, H;
      atomic begin H: assert(a <=> b); assume(n >= 2); constrain({x>0}); dead a, r; end
      print(a, red, 300); atomic_begin; atomic_end; skip; return;
    end
";

const THREADS: &str = "
    decl g; thread p[2] begin decl x; init x; bool h(y) begin return !y; end
      void main() begin x := h(g); L: atomic begin x := h(x); end goto L; end_thread; end end
    thread q[*] begin decl x: int<2>; init g; void main() begin atomic_begin; dead x; atomic_end; end end
";

const MONITOR: &str = "
    monitor m begin initial state s: on at(L) & !at(main:K) goto t; on call(f) | ret(f) | in(main) goto s;
    state u: target state t: on f.p = (n > 2) ? T : main.r = 1 goto s; on T goto t; end
";

/// Something that is formatted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Program,
    Monitor,
}

/// The canonical text; the text has no mistakes.
#[track_caller]
fn format(kind: Kind, text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test", text);
    let formatted = match kind {
        Kind::Monitor => bp::monitor::format(&sources, file),
        Kind::Program => match bp::parse(&sources, file) {
            (program, diagnostics) if diagnostics.is_empty() => Ok(bp::print(&program)),
            (_, diagnostics) => Err(diagnostics),
        },
    };
    formatted
        .unwrap_or_else(|diagnostics| panic!("{text}\n{}", harness::lines(&sources, &diagnostics).join("\n")))
}

/// The numbers of the comments in a text, in order: they are `@n@`.
fn comments(text: &str) -> Vec<usize> {
    text.split('@').skip(1).step_by(2).map(|number| number.parse().expect("a number")).collect()
}

/// A text without its comments, on one line.
fn bare(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    let mut rest = lines.collect::<Vec<_>>().join(" ");
    while let Some(start) = rest.find("/*") {
        let end = rest[start..].find("*/").expect("the end of a comment") + start + 2;
        rest.replace_range(start..end, " ");
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn survives(kind: Kind, text: &str) {
    let formatted = format(kind, text);
    assert_eq!(comments(&formatted), comments(text), "\n{text}\n=>\n{formatted}");
    assert_eq!(format(kind, &formatted), formatted, "a second time:\n{text}");
    // `decl` with comments inside has a line for each variable, and otherwise nothing changes.
    assert_eq!(bare(&formatted), bare(&format(kind, &bare(text))), "\n{text}\n=>\n{formatted}");
}

/// Where something may be put into a canonical text: around punctuation, and where there are blanks.
fn positions(text: &str) -> Vec<usize> {
    let is_free = |at: usize| {
        let (before, after) = (text[..at].chars().next_back(), text[at..].chars().next());
        let is_mark = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "(),;[]".contains(c));
        is_mark(before) || is_mark(after)
    };
    (0..=text.len()).filter(|at| text.is_char_boundary(*at) && is_free(*at)).collect()
}

const STYLES: [(&str, &str); 6] = [
    ("/*", "*/"),
    (" // ", "\n"),
    ("\n// ", "\n"),
    ("\n\n  /* a\n b", " */\n"),
    ("    // ", "\n"),
    ("\t/* ", " */  "),
];

#[test]
fn a_comment_survives_in_every_position() {
    let mut n_positions = 0;
    for (kind, text) in [(Kind::Program, PROGRAM), (Kind::Program, THREADS), (Kind::Monitor, MONITOR)] {
        let canonical = format(kind, text);
        for at in positions(&canonical) {
            for (open, close) in STYLES {
                let text = format!("{}{open}@1@{close}{}", &canonical[..at], &canonical[at..]);
                survives(kind, &text);
                n_positions += 1;
            }
        }
    }
    assert!(n_positions > 4000, "{n_positions} positions");
}

#[test]
fn many_comments_survive_in_order() {
    let mut n_comments = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let (kind, text) =
            [(Kind::Program, PROGRAM), (Kind::Program, THREADS), (Kind::Monitor, MONITOR)][random.index(3)];
        let canonical = format(kind, text);
        let one_in = 1 + random.below(12);
        let (mut text, mut at) = (String::new(), 0);
        let mut n = 0;
        for position in positions(&canonical) {
            if random.below(one_in) > 0 {
                continue;
            }
            let (open, close) = *random.pick(&STYLES);
            text.push_str(&canonical[at..position]);
            text.push_str(&format!("{open}@{n}@{close}"));
            (at, n) = (position, n + 1);
            n_comments += 1;
        }
        text.push_str(&canonical[at..]);
        let result = std::panic::catch_unwind(|| survives(kind, &text));
        assert!(result.is_ok(), "seed {seed}");
    }
    assert!(n_comments > 10_000, "{n_comments} comments");
}

/// Where the comment of a line begins.
fn column(line: &str) -> Option<usize> {
    line.find("//").filter(|at| !line[..*at].trim().is_empty()).map(|at| line[..at].chars().count())
}

#[test]
fn comments_that_stand_below_each_other_stay_so() {
    const STATEMENTS: [&str; 8] =
        ["skip;", "x:=T;", "x  :=  x&y;", "x, y := y, x;", "if x then", "fi;", "assert x;", "goto   L ;"];
    let mut n_pairs = 0;
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut lines: Vec<String> = vec!["decl x, y;".to_owned(), "void main() begin L: skip;".to_owned()];
        let (mut column_of_all, mut depth) = (4 + random.index(25), 0);
        for _ in 0..1 + random.index(12) {
            let mut statement = *random.pick(&STATEMENTS);
            match statement {
                "fi;" if depth == 0 => statement = "skip;",
                "fi;" => depth -= 1,
                "if x then" => depth += 1,
                _ => {}
            }
            if random.below(6) == 0 {
                column_of_all = 4 + random.index(25);
            }
            let indent = " ".repeat(random.index(8));
            let line = format!("{indent}{statement}");
            lines.push(match random.below(5) {
                0 => line,
                _ => format!("{line:column_of_all$} // c"),
            });
        }
        lines.push(format!("{}end", "fi ".repeat(depth)));
        let text = lines.join("\n");
        let formatted = format(Kind::Program, &text);
        assert_eq!(format(Kind::Program, &formatted), formatted, "seed {seed}\n{text}");
        // The comments come in the same order.
        let columns: Vec<usize> = formatted.lines().filter_map(column).collect();
        let sources: Vec<(usize, usize)> =
            lines.iter().enumerate().filter_map(|(n, line)| Some((n, column(line)?))).collect();
        assert_eq!(columns.len(), sources.len(), "seed {seed}\n{text}\n=>\n{formatted}");
        for (n, pair) in sources.windows(2).enumerate() {
            if pair[0].0 + 1 == pair[1].0 && pair[0].1 == pair[1].1 {
                assert_eq!(columns[n], columns[n + 1], "seed {seed}\n{text}\n=>\n{formatted}");
                assert!(columns[n] >= pair[0].1, "seed {seed}\n{text}\n=>\n{formatted}");
                n_pairs += 1;
            }
        }
    }
    assert!(n_pairs > 500, "{n_pairs} pairs");
}

#[test]
fn columns_are_kept_and_move_together() {
    let check = |text: &str, expected: &str| assert_eq!(format(Kind::Program, text), expected);
    check("decl a;      // one\ndecl bc;     // two\n", "decl a;      // one\ndecl bc;     // two\n");
    check("decl a;// one\ndecl bc; // two\n", "decl a; // one\ndecl bc; // two\n");
    check(
        "decl a;         // one\ninit a&(a|a=a) ; // two\n",
        "decl a;         // one\ninit a & (a | a = a); // two\n",
    );
    check("init a&a;   // one\ninit a&a&a; // two\n", "init a & a;     // one\ninit a & a & a; // two\n");
    check("decl a;\t// one\n", "decl a; // one\n");
}

#[test]
fn monitors_have_a_canonical_form() {
    let text = "// m\nmonitor m begin initial target state s: on (at(L)) goto s; // a\n\n\n  // b\nstate t: state u:on !(call(f)&x) goto t;end // c";
    let expected = "\
// m
monitor m
begin
  initial target state s:
    on at(L) goto s; // a

  // b
  state t:
  state u:
    on !(call(f) & x) goto t;
end // c
";
    assert_eq!(format(Kind::Monitor, text), expected);
    assert_eq!(format(Kind::Monitor, expected), expected);
    let mut sources = Sources::default();
    let file = sources.add("test.mon", "monitor m begin state s on T goto s; end");
    let diagnostics = bp::monitor::format(&sources, file).expect_err("a colon is missing");
    assert_eq!(harness::lines(&sources, &diagnostics), ["1:25: expected `:`, found `on`"]);
}
