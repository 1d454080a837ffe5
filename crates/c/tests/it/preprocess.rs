//! Directives that are followed without a preprocessor, against the preprocessor of the system: what is left of a text is the same, word for word, and lines stay where they are.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the random texts. Without a C compiler nothing is compared with it, and a note says so.

use base::Sources;
use c::{DataModel, Options, preprocess};
use integers::explore::Random;
use std::process::Command;
use testing::{Counts, Folder};

/// The words of a text, without line markers.
fn words(text: &str) -> Vec<String> {
    let kept: String = text.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<&str>>().join("\n");
    let mut found: Vec<String> = Vec::new();
    let mut rest = kept.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            '"' | '\'' => 1 + rest[1..].find(first).map_or(rest.len() - 1, |end| end + 1),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    found
}

fn theirs(text: &str) -> String {
    let folder = Folder::temporary();
    let file = folder.path().join("text.c");
    std::fs::write(&file, text).expect("it can be written");
    let output =
        Command::new("cc").args(["-E", "-P", "-w"]).arg(&file).output().expect("the preprocessor starts");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

const TEXTS: [&str; 9] = [
    "#define N 10\n#define M (N + 1)\nint a[M], N1, xN; // N\nchar *s = \"N\"; /* N\nN */ int b = N;\n",
    "#define F(x, y) x + y * (x)\nint a = F(1, F(2, (3, 4))), F, b = F (5,\n 6) ;\nint c;\n",
    "#define S(x) #x\n#define J(a, b) a ## b\n#define V(f, ...) f(__VA_ARGS__)\nchar *s = S( a  \"b\\n\" + 'c' ); int J(x, 1) = J(1, 2) J(+, +); V(g, 1, (2, 3)) V(h)\n",
    "#define X X + Y\n#define Y X\n#define G(x) G(x + 1)\nX Y G(2) G (G(3))\n#undef X\nX Y\n",
    "#define A 3\n#if A > 2 && defined(A) && !defined B\none\n# if 0\nno\n#elif A == 3\ntwo\n#else\nno\n#endif\n#else\nno\n#endif\n#ifndef A\nno\n#else\nthree\n#endif\n#ifdef B\nno\n#endif\n",
    "#if (1 ? 2 : 0) + -3 < 0\nyes\n#endif\n#if 0x10 == 16 && 010 == 8 && 'a' == 97 && (1 << 4 | 1) % 2 && ~0 == -1 && UNKNOWN == 0\nyes\n#endif\n",
    "#define LONG one \\\n  two \\\n  three\nLONG\n#define E\nE x E\n#define EMPTY() y\nEMPTY() EMPTY( )\n",
    "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n#define z z[0]\n#define h(x) x(z)\nh(z) h(1)\n",
    "#define CHECK(c) do { if (!(c)) error(); } while (0)\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nCHECK(MAX(1, MAX(2, 3)) == 3);\n#pragma weak x\nint last;\n",
];

#[test]
fn what_is_left_is_what_a_preprocessor_leaves() {
    for text in TEXTS {
        let ours = preprocess(text, DataModel::Lp64);
        assert_eq!(ours.unsure, None, "{text}");
        assert_eq!(ours.text.matches('\n').count(), text.matches('\n').count(), "{text}");
        if testing::has_c_compiler() {
            assert_eq!(words(&ours.text), words(&theirs(text)), "{text}");
        }
    }
}

/// A text with macros that use each other, with and without arguments, and conditions about them.
fn random_text(random: &mut Random, counts: &mut Counts) -> String {
    let mut text = String::new();
    let word = |random: &mut Random| {
        let word = random.below(12);
        match word {
            0..4 => format!("A{word}"),
            4..7 => format!(
                "F{}({}, {})",
                word - 4,
                random.below(9),
                ["A0", "F0(1, 2)", "x", "(a, b)"][random.below(4) as usize]
            ),
            7 => format!("F{}", random.below(3)),
            8 => "(".to_owned() + &random.below(9).to_string() + ")",
            _ => ["x", "+", "y1", "\"A0\""][word as usize - 9 + random.below(2) as usize].to_owned(),
        }
    };
    for _ in 0..4 + random.below(14) {
        let n = random.below(4);
        let body: Vec<String> = (0..random.below(4)).map(|_| word(random)).collect();
        let body = body.join(" ");
        match random.below(9) {
            0 | 1 => {
                counts.count("macros");
                text += &format!("#undef A{n}\n#define A{n} {body}\n");
            }
            2 | 3 => {
                counts.count("macros with arguments");
                let n = n % 3;
                let kinds = ["p q", "p + #q", "p ## q", "(p) * F1(q, p)", "q A1 p"];
                let kind = kinds[random.below(5) as usize];
                text += &format!("#undef F{n}\n#define F{n}(p, q) {kind} {}\n", body.replace('#', ""));
            }
            4 => {
                counts.count("conditions");
                text += &format!(
                    "#if{} A{n}\n{body}\n#elif {} > 3\nno\n#else\n{body} two\n#endif\n",
                    ["def", "ndef"][random.below(2) as usize],
                    random.below(8)
                );
            }
            _ => {
                counts.count("lines");
                text += &format!("line {body} {};\n", word(random));
            }
        }
    }
    text
}

#[test]
fn random_texts_are_left_as_a_preprocessor_leaves_them() {
    if !testing::has_c_compiler() {
        return;
    }
    let mut counts = Counts::default();
    for seed in generate::random::seeds(0..24) {
        let text = random_text(&mut Random::new(seed), &mut counts);
        let folder = Folder::temporary();
        let file = folder.path().join("text.c");
        std::fs::write(&file, &text).expect("it can be written");
        let output = Command::new("cc").args(["-E", "-P", "-w"]).arg(&file).output().expect("it starts");
        // What does not paste, or is called with too few arguments, is an error there.
        if !output.status.success() {
            counts.count("refused");
            continue;
        }
        let ours = preprocess(&text, DataModel::Lp64);
        assert_eq!(ours.unsure, None, "GETAFIX_SEED={seed}\n{text}");
        let theirs = String::from_utf8(output.stdout).expect("it prints text");
        assert_eq!(words(&ours.text), words(&theirs), "GETAFIX_SEED={seed}\n{text}");
        counts.count("compared");
    }
    counts.at_least(&[("compared", 8), ("macros", 20), ("macros with arguments", 20), ("conditions", 8)]);
}

#[test]
fn what_only_a_preprocessor_knows_is_named_with_its_place() {
    let unsure = |text: &str| {
        let found = preprocess(text, DataModel::Lp64).unsure;
        found.map(|(at, what)| format!("{}: {what}", &text[at]))
    };
    let named = |text: &str, what: &str| assert_eq!(unsure(text).as_deref(), Some(what), "{text}");
    named("int x;\n#include \"own.h\"\n", "#include \"own.h\": `#include \"own.h\"`");
    named("#include <pthread.h>\n", "#include <pthread.h>: `#include <pthread.h>`");
    named("#ifdef __GNUC__\n#endif\n", "#ifdef __GNUC__: whether `__GNUC__` is defined");
    named("#define F(x) x\nF(1, 2)\n", "F: `F` with other arguments than it takes");
    named("int l = __LINE__;\n", "__LINE__: what `__LINE__` stands for");
    named("#else\n", "#else: `#else` without a condition before it");
    named("#if 1\n", ": a condition that is not closed");
    named("#error no\n", "#error no: the directive `#error`");
}

/// Every header is read by the front end, and the sizes of its types are those of the compiler.
#[test]
fn headers_are_read() {
    let names = [
        "alloca",
        "assert",
        "ctype",
        "errno",
        "inttypes",
        "limits",
        "stdalign",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "string",
        "time",
    ];
    let includes: String = names.iter().map(|name| format!("#include <{name}.h>\n")).collect();
    let text = format!(
        "{includes}void reach_error(void);\nint main(void) {{ int64_t a = INT64_MIN; uint8_t b = UINT8_MAX; bool c = true; size_t n = sizeof(intptr_t);\n\
         char *s = NULL; int *p = malloc(2 * sizeof *p); if (s || !c || b + 1 != 256 || INT_MIN + INT_MAX != -1 || a + INT64_MAX != -1) reach_error();\n\
         if (SIZE_MAX + 1 || LONG_MAX + LONG_MIN != -1 || EOF >= 0 || UINT64_C(1) << 63 == 0) reach_error();\n\
         struct s {{ char c; int i; }}; if (offsetof(struct s, i) != 4 || n != sizeof(void *) || CHAR_BIT != 8) reach_error(); p[1] = 3; assert(p[1] == 3); free(p); return EXIT_SUCCESS; }}\n"
    );
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let made = preprocess(&text, model);
        assert_eq!(made.unsure, None);
        let mut sources = Sources::default();
        let file = sources.add("headers.c", made.text);
        let options = Options { data_model: model, ..Options::default() };
        let translated = c::translate(&sources, file, &options);
        let program =
            translated.unwrap_or_else(|errors| panic!("{}", base::render(&sources, &errors[0]))).program;
        let manner = integers::trace::Manner {
            integers: integers::Integers::Machine,
            goal: integers::Goal::Any,
            max_steps: 10_000,
        };
        let end = integers::trace::walk(&program, &mut |_| None, manner, &mut |_| {});
        assert_eq!(end, integers::trace::End::Returned, "{model:?}");
    }
}

#[test]
fn no_text_is_too_odd() {
    for odd in [
        "#",
        "#define",
        "#define N N\nN",
        "#endif\n#else\n#elif 1",
        "#if 1 \\",
        "'\\",
        "\"",
        "/*",
        "#include <",
        "\u{1d539}'\u{1d539}",
        "#define A B\n#define B A\nA",
        "#define F(",
        "#define F(x) F(x)F(x)\nF(F(F(F(1))))",
        "#define A A A\nA",
        "#if ((((",
        "#if 1 +\n#endif",
        "#define F(x) #\nF(1)",
        "##",
        "#define F(x) ## x ##\nF(1)",
        "#define A(x) B(x) B(x)\n#define B(x) C(x) C(x)\n#define C(x) D(x) D(x)\n#define D(x) x x x x\nA(A(A(A(A(A(A(A(1))))))))",
    ] {
        _ = preprocess(odd, DataModel::Lp64);
    }
    let deep = format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000));
    assert!(preprocess(&deep, DataModel::Lp64).unsure.is_some());
    let deep = format!("#if {}1\n#endif\n", "!".repeat(100_000));
    assert!(preprocess(&deep, DataModel::Lp64).unsure.is_some());
}
