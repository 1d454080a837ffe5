//! Levels of calls that negate a number, in C: the template of YASM 2008, of which `T1` and `T2` are instances.

/// What the innermost level does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Innermost {
    /// Negates once more: the error is reachable if and only if the number of levels is even.
    Negates,
    /// Calls itself twice: the error is unreachable, and some runs never end.
    CallsItself,
}

/// A program of so many levels.
pub fn levels_in_c(n: usize, innermost: Innermost) -> String {
    let mut text = String::from("extern int nondet(void);\nint g;\n");
    for i in 1..=n {
        text += &format!("void level_{i}(void);\n");
    }
    for i in 1..=n {
        let inner = match innermost {
            Innermost::Negates if i == n => "g = -1 * g;".to_owned(),
            Innermost::CallsItself if i == n => format!("level_{n}(); g = -1 * g; level_{n}();"),
            _ => format!("level_{0}(); g = -1 * g; level_{0}();", i + 1),
        };
        text += &format!(
            "void level_{i}(void) {{\n  int t = 0;\n  g = -1 * g;\n  if (g <= 0) {{\n    t = t + 1;\n  }} else {{\n    {inner}\n  }}\n  g = -1 * g;\n}}\n"
        );
    }
    text + "void main(void) {\n  g = nondet();\n  level_1();\n  if (g < 0) {\n    ERROR: ;\n  }\n  END: ;\n}\n"
}
