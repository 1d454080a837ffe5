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
    formats("  true  ;   // why  \n\n\n\n\tfalse\n;", "true; // why\n\nfalse;\n");
    formats(
        "// head\n\nenum E{a,b};/* behind */\n  // before\n#ons   R ;\n",
        "// head\n\nenum E { a, b }; /* behind */\n// before\n#ons R;\n",
    );
    formats("#print \"a // b\",\"c\";", "#print \"a // b c\";\n");
    formats("#load a.mu, b.mu;", "#load \"b.mu\";\n#load \"a.mu\";\n");
    formats("/* one\n     two */ true;", "/* one\n     two */\ntrue;\n");
}

#[test]
fn an_item_with_comments_inside_is_left_alone() {
    let text = "mu bool R(bool x)\n    // START\n    x\n    // STEP\n  |   R(!x);\n";
    formats(text, text);
    formats("bool   P( )  // why  \n   true ;false;", "bool   P( )  // why\n   true ;\nfalse;\n");
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
        let formatted = format(&text);
        assert_eq!(
            calculus::print(&parse(&formatted)),
            calculus::print(&parse(&text)),
            "seed {seed}\n{text}"
        );
        assert_eq!(format(&formatted), formatted, "seed {seed}");
    }
}
