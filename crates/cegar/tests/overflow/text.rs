//! Random C programs in which something may overflow. `@` stands for what makes names of one program different from those of others, `TICK` for what
//! ends a run that is too long, and `KEPT` for `static`, of variables that hold 0 at the start of each run.

use base::Random;

/// The text as it is checked.
pub fn ours(text: &str) -> String {
    let declared = "int nondet_int(void); unsigned char nondet_uchar(void); void reach_error(void);\n";
    format!("{declared}{}", text.replace('@', "").replace("TICK; ", "").replace("KEPT", "static"))
}

/// The text as it is compiled beside others.
pub fn theirs(text: &str, n: usize) -> String {
    let text = text.replace('@', &format!("p{n}_")).replace("TICK", "tick()");
    text.replace("KEPT", "static __attribute__((section(\"kept\")))")
}

const VARIABLES: [&str; 4] = ["x", "y", "z", "@g"];
const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// A program: inputs, most of them within bounds, statements, and an error that should not be reached.
pub fn program(random: &mut Random) -> String {
    let function = match random.index(3) {
        0 => "static int @f(int a) { if (a < 0) return -a; return a; }".to_owned(),
        1 => format!("static int @f(int a) {{ return a + {}; }}", random.below(4)),
        _ => "static int @f(int a) { KEPT int n; if (n < 5) n++; return a > n ? n : a; }".to_owned(),
    };
    let mut out = format!("KEPT int @g;\n{function}\nint @main(void) {{\n");
    out += "  int x = nondet_int(); int y = nondet_uchar(); int z = 0;\n";
    if random.chance(40) {
        let most = *random.pick(&["100", "1000", "46340", "2147483646"]);
        let least = *random.pick(&["0", "-100", "1"]);
        out += &format!("  if (x < {least} || x > {most}) return 0;\n");
    }
    // A result that overflows in every run, and is often nobody's business.
    if random.chance(25) {
        out += "  for (int i = 0; i < 40; i++) { TICK; @g = @g * 3 + 1; }\n";
    }
    for _ in 0..1 + random.index(3) {
        out += &format!("  {}\n", statement(random, 1));
    }
    out + &format!("  {}\n  return 0;\n}}\n", question(random))
}

fn statement(random: &mut Random, depth: usize) -> String {
    let (a, b) = (*random.pick(&VARIABLES), *random.pick(&VARIABLES));
    let to = *random.pick(&["y", "z", "@g"]);
    match random.index(if depth == 0 { 6 } else { 10 }) {
        0 => format!("{to} = {a} + {};", 1 + random.below(3)),
        1 => format!("{to} = {a} - {};", 1 + random.below(3)),
        2 => format!("{to} = {a} + {b};"),
        3 => format!("{to} = {a} * {};", 2 + random.below(2)),
        4 => format!("{to} = @f({a});"),
        5 => format!("{to} = (unsigned char) {a};"),
        6 => format!("if ({a} < {b}) {{ {} }} else {{ {} }}", statement(random, 0), statement(random, 0)),
        7 => format!("while (z < {a}) {{ TICK; z++; }}"),
        8 => "while (nondet_int()) { TICK; @g++; }".to_owned(),
        _ => format!("for (int i = 0; i < 20; i++) {{ TICK; {} }}", statement(random, 0)),
    }
}

/// What is often not so.
fn question(random: &mut Random) -> String {
    match random.index(6) {
        0 => "if (x + 1 <= x) reach_error();".to_owned(),
        1 => "if (z < 0) reach_error();".to_owned(),
        2 => "if (y < 0 || y > 255) reach_error();".to_owned(),
        3 => "if (@f(x) < -2147483647) reach_error();".to_owned(),
        4 => "z = x; z++; if (z < x) reach_error();".to_owned(),
        _ => {
            let (a, b) = (*random.pick(&VARIABLES), *random.pick(&VARIABLES));
            format!("if ({a} {} {b} && {b} == {}) reach_error();", random.pick(&RELATIONS), random.below(5))
        }
    }
}
