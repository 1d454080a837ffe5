//! Files in canonical form for their writers: the same tree, the same comments, and nothing to do the second time.

use base::Sources;
use calculus::random::Shape;
use calculus::syntax::File;

fn parse(text: &str) -> File {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    assert_eq!(diagnostics, [], "{text}");
    tree
}

fn format(text: &str) -> String {
    calculus::format(text, &parse(text))
}

#[track_caller]
fn formats(text: &str, expected: &str) {
    assert_eq!(format(text), expected, "{text}");
    assert_eq!(format(expected), expected, "a second time");
}

#[test]
fn items_are_canonical_and_comments_stay() {
    formats("", "");
    formats("\n\n // only this  \n\n\n", "// only this\n");
    formats("true;false;", "true;\nfalse;\n");
    formats("  true  ; // why  \n\n\n\n\tfalse\n;", "true; // why\n\nfalse;\n");
    formats(
        "// head\n\nenum E{a,b};/* behind */\n  // before\n#ons   R ;\n",
        "// head\n\nenum E { a, b }; /* behind */\n// before\n#ons R;\n",
    );
    formats("#print \"a // b\",\"c\" ;", "#print \"a // b\", \"c\";\n");
    formats("#load  a.mu,b.mu;", "#load a.mu, b.mu;\n");
    formats("/* one\n     two */ true;", "/* one\n     two */\ntrue;\n");
}

#[test]
fn blanks_within_a_line_are_canonical() {
    formats(
        "bool P( S  u,S v[k+1] )u.a=v[ 0 ] .b&!( Q (u)|R( ) )->(exists S x,bool y.x=u);",
        "bool P(S u, S v[k + 1]) u.a = v[0].b & !(Q(u) | R()) -> (exists S x, bool y. x = u);\n",
    );
    formats(
        "enum E{ 0 .. 7 };class C{bool a,b[3];E e;};",
        "enum E { 0..7 };\nclass C { bool a, b[3]; E e; };\n",
    );
    formats("Forall S x.exists  S y.x.a=y.a;", "Forall S x. exists S y. x.a = y.a;\n");
    formats("mu bool R(bool x)a<b,c ~+d x;", "mu bool R(bool x) a < b, c ~+ d x;\n");
    formats("#param   k=3;#label A=\"f:L\";", "#param k = 3;\n#label A = \"f:L\";\n");
    formats("forall i in 0..n-1.if(a)b else c;", "forall i in 0..n - 1. if (a) b else c;\n");
}

#[test]
fn the_lines_of_an_item_are_its_writers() {
    let text = "mu bool R(bool x)\n    // START\n    x\n    // STEP\n  | R(!x);\n";
    formats(text, text);
    formats("  mu bool R(bool x)\n      x\n    |   R(! x)\n  ;\n", "mu bool R(bool x)\n    x\n  | R(!x);\n");
    formats("bool   P( ) // why  \n   true ;false;", "bool P() // why\n   true;\nfalse;\n");
    let long = |n: usize| vec!["Name(argument, another)"; n].join(" & ");
    formats(&format!("bool P() {};", long(2)), &format!("bool P() {};\n", long(2)));
    let broken = ["Name(argument, another)"; 6].join(" &\n  ");
    formats(&format!("bool P() {};", long(6)), &format!("bool P()\n  {broken};\n"));
}

#[test]
fn comments_and_colons_stay_below_each_other() {
    let text = "\
bool D(E a, E b)
  case
    a = gate   : b = hall;    // in
    a = cellar : b = gate;    // up
    a = tower  : b = hall;
  esac;

true;   // one
false;  // two
";
    formats(text, text);
    formats("true ;  // one\nfalse&true;// two\n", "true;   // one\nfalse & true; // two\n");
    formats("a&b;   // one\na&b&c; // two\n", "a & b;     // one\na & b & c; // two\n");
}

/// What stands behind `#quit`, and what MUCKE reads and nobody uses, stays.
#[test]
fn what_is_no_item_is_left_alone() {
    formats("enum E { a };\nE   x;\ntrue;", "enum E { a };\nE   x;\ntrue;\n");
    formats("true ;\n#quit\nwhat  ever;", "true;\n#quit;\nwhat  ever;\n");
}

#[test]
fn files_of_the_repository_keep_their_trees_and_comments() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut n_files = 0;
    for directory in ["algorithms", "examples"] {
        for entry in std::fs::read_dir(root.join(directory)).expect("a directory of the repository") {
            let path = entry.expect("a readable entry").path();
            if path.extension().is_none_or(|extension| extension != "mu") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            let formatted = format(&text);
            assert_eq!(calculus::print(&parse(&formatted)), calculus::print(&parse(&text)), "{path:?}");
            assert_eq!(format(&formatted), formatted, "{path:?}");
            let comments = |text: &str| -> Vec<String> {
                let of = |line: &str| line.split_once("//").map(|(_, comment)| comment.trim_end().to_owned());
                text.lines().filter_map(of).collect()
            };
            assert_eq!(comments(&formatted), comments(&text), "{path:?}");
            n_files += 1;
        }
    }
    assert!(n_files > 15, "{n_files} files");
}

#[test]
fn random_files_keep_their_trees() {
    for seed in 0..200 {
        let text = calculus::random::system(seed, &Shape::default());
        keeps(&text, &format!("seed {seed}"));
    }
}

/// The formatted text has the same tree and the same comments, which are `@n@`, and is canonical.
#[track_caller]
fn keeps(text: &str, about: &str) {
    let formatted = format(text);
    assert_eq!(calculus::print(&parse(&formatted)), calculus::print(&parse(text)), "{about}\n{text}");
    assert_eq!(comments(&formatted), comments(text), "{about}\n{text}\n=>\n{formatted}");
    assert_eq!(format(&formatted), formatted, "{about}\n{text}\n=>\n{formatted}");
}

fn comments(text: &str) -> Vec<&str> {
    text.split('@').skip(1).step_by(2).collect()
}

/// Where a comment may be put into a text: around punctuation, and where there are blanks, but not into quotes and comments.
fn positions(text: &str) -> Vec<usize> {
    let is_mark = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "(),;[]&|".contains(c));
    let is_free = |at: usize| {
        let is_quoted = text[..at].matches('"').count() % 2 == 1;
        let is_name_of_file = text[..at].rfind("#load").is_some_and(|load| !text[load..at].contains(';'));
        let is_between = is_mark(text[..at].chars().next_back()) || is_mark(text[at..].chars().next());
        let is_comment = text[..at].rsplit('\n').next().is_some_and(|line| line.contains("//"));
        is_between && !is_quoted && !is_name_of_file && !is_comment
    };
    (0..=text.len()).filter(|at| text.is_char_boundary(*at) && is_free(*at)).collect()
}

const STYLES: [(&str, &str); 5] =
    [("/*", "*/"), (" // ", "\n"), ("\n// ", "\n"), ("\n\n  /* a\n b", " */\n"), ("\t// ", "\n   ")];

#[test]
fn comments_survive_in_every_position() {
    let text = "\
enum E { a, b }; class S { E e; bool f[3]; };
#param k = 2; #label L = \"f:L\";
bool Step(S s, S t) case s.e = a : t.e = b; s.f[0] : t.e = s.e & t.f[k - 1]; esac;
mu bool R(S s) s.e = a | (exists S r, E e. R(r) & !(Step(r, s) -> e = a));
forall i in 0..k. R(s) & true; #wit exists S s. R(s); #print \"@\", \"@\";
";
    let text = text.replace('@', "x");
    let mut n_positions = 0;
    for at in positions(&text) {
        for (open, close) in STYLES {
            keeps(&format!("{}{open}@1@{close}{}", &text[..at], &text[at..]), "one comment");
            n_positions += 1;
        }
    }
    assert!(n_positions > 500, "{n_positions} positions");
}

#[test]
fn many_comments_survive_in_random_files() {
    let mut n_comments = 0;
    for seed in 0..300 {
        let mut random = base::Random::new(seed);
        let source = calculus::random::system(seed, &Shape::default());
        let one_in = 1 + random.below(15);
        let (mut text, mut at) = (String::new(), 0);
        for position in positions(&source) {
            if random.below(one_in) > 0 {
                continue;
            }
            let (open, close) = *random.pick(&STYLES);
            text.push_str(&source[at..position]);
            text.push_str(&format!("{open}@{n_comments}@{close}"));
            (at, n_comments) = (position, n_comments + 1);
        }
        text.push_str(&source[at..]);
        keeps(&text, &format!("seed {seed}"));
    }
    assert!(n_comments > 10_000, "{n_comments} comments");
}
