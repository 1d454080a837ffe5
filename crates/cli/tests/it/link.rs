//! Programs in C of several files, and their library, on the command line.

use crate::harness::Sandbox;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .file(
            "a.c",
            "extern int limit; int next(int); void reach_error(void);\nint main(void) {\n  if (next(4) != limit) reach_error();\n  return 0;\n}\n",
        )
        .file("b.c", "int limit = 5;\nint next(int x) { return x + 1; }\n")
        .file("wrong.c", "long limit;\nint next(int x) { return x + 1; }\n")
        .file("call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .file(
            "both.yml",
            "format_version: '2.0'\ninput_files: ['a.c', 'b.c']\nproperties:\n  - property_file: call.prp\n    expected_verdict: true\n",
        );
    sandbox
}

#[test]
fn files_are_linked_to_one_program() {
    let sandbox = sandbox();
    for arguments in
        [&["check", "--link", "a.c", "b.c"][..], &["check", "a.c", "--link", "b.c"], &["check", "both.yml"]]
    {
        let outcome = sandbox.run(arguments);
        assert_eq!(outcome.code, 0, "{outcome:?}");
        assert!(outcome.stdout.starts_with("UNREACHABLE\n"), "{outcome:?}");
    }
    let run = sandbox.run(&["run", "a.c", "--link", "b.c"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("next"), "{run:?}");
    let shown = sandbox.run(&["check", "--link", "a.c", "b.c", "--show", "cfg"]);
    assert!(shown.stdout.contains("global limit: int32 = 5"), "{shown:?}");
    // Without the option they are two, of which the second is none.
    let two = sandbox.run(&["check", "a.c", "b.c"]);
    assert_eq!(two.code, 2, "{two:?}");
}

#[test]
fn what_does_not_agree_is_told_with_both_places() {
    let outcome = sandbox().run(&["check", "--link", "a.c", "wrong.c"]);
    assert_eq!(outcome.code, 2, "{outcome:?}");
    assert_eq!(
        outcome.stderr,
        "error: `limit` was declared with another type before\n  --> wrong.c:1:6\n 1 | long limit;\n   |      ^^^^^\nnote: first here\n  --> a.c:1:12\n 1 | extern int limit; int next(int); void reach_error(void);\n   |            ^^^^^\n"
    );
}

#[test]
fn a_library_of_one_s_own_counts_before_ours() {
    let sandbox = Sandbox::new();
    sandbox
        .file(
            "p.c",
            "int abs(int); int half(int); void reach_error(void);\nint main(void) {\n  if (half(abs(-8)) == 4) reach_error();\n  return 0;\n}\n",
        )
        .file("half.c", "int half(int x) { return x / 2; }\n")
        .file("other.c", "int half(int x) { return x / 2; }\nint abs(int x) { return 0; }\n");
    let ours = sandbox.run(&["check", "p.c", "--library", "half.c", "--trace", "none"]);
    assert_eq!((ours.code, ours.stdout.lines().next()), (10, Some("REACHABLE")), "{ours:?}");
    let other = sandbox.run(&["check", "p.c", "--library", "other.c"]);
    assert_eq!((other.code, other.stdout.lines().next()), (0, Some("UNREACHABLE")), "{other:?}");
    let none = sandbox.run(&["check", "p.c"]);
    assert_eq!(none.code, 5, "{none:?}");
    let missing = sandbox.run(&["check", "p.c", "--library", "nowhere.c"]);
    assert_eq!(missing.code, 2, "{missing:?}");
}
