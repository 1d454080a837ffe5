//! Programs in C that are control and little else, as they come out of protocols and drivers.

use crate::dice::Dice;
use std::fmt::Write;

/// Whether a target is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    /// None is.
    Absent,
    /// One is, deep inside.
    Present,
}

/// A handshake: a loop over a state that is one of `n` numbers, a long chain of comparisons with jumps, flags from outside, and a stage that counts how far things are. Which flags matter where is left to dice.
pub fn handshake(n: usize, bug: Bug, seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let state = |k: usize| 4096 + 37 * k;
    let mut text = format!(
        "// handshake: a loop over {n} states\nextern int nondet(void);\nextern void reach_error(void);\n"
    );
    text.push_str("int handshake(int initial) {\n");
    for flag in 0..8 {
        writeln!(text, "  int flag{flag} = nondet();").expect(WRITES);
    }
    text.push_str("  int state, next = 0, before, ret = -1, stage = 0, rounds = 0;\n  state = initial;\n  while (1) {\n    before = state;\n");
    for k in 0..n {
        writeln!(text, "    if (state == {}) goto state_{};", state(k), state(k)).expect(WRITES);
    }
    text.push_str("    goto end;\n");
    // The stage counts up along the way, and the last state looks at it.
    let marks = [n / 5, 2 * n / 5, 3 * n / 5];
    for k in 0..n {
        writeln!(text, "  state_{}:", state(k)).expect(WRITES);
        if let Some(mark) = marks.iter().position(|mark| *mark == k) {
            writeln!(text, "    ret = nondet();\n    if (stage == {mark}) stage = {};", mark + 1)
                .expect(WRITES);
        }
        if k + 1 == n {
            let wanted = if bug == Bug::Present { 3 } else { 5 };
            writeln!(text, "    if (stage == {wanted}) reach_error();\n    ret = 1;\n    goto end;")
                .expect(WRITES);
            continue;
        }
        let (flag, other) = (dice.below(8), (k + 2).min(n - 1));
        match dice.below(4) {
            0 => {
                writeln!(text, "    if (flag{flag}) state = {}; else state = {};", state(k + 1), state(other))
            }
            1 => {
                writeln!(text, "    if (ret <= 0 && flag{flag} > 3) goto end;\n    state = {};", state(k + 1))
            }
            2 => writeln!(text, "    next = {};\n    state = {};", state(other), state(k + 1)),
            _ => writeln!(
                text,
                "    if (next != 0 && flag{flag} == 7) {{ state = next; next = 0; }} else state = {};",
                state(k + 1)
            ),
        }
        .expect(WRITES);
        text.push_str("    goto round;\n");
    }
    text.push_str("  round:\n    if (state != before) rounds++;\n    if (rounds > 1000) goto end;\n  }\nend:\n  return ret;\n}\n");
    writeln!(text, "int main(void) {{\n  handshake({});\n  return 0;\n}}", state(0)).expect(WRITES);
    text
}

/// Locks: which of `n` are taken depends on numbers from outside that do not change, and those are given back again.
pub fn locks(n: usize, bug: Bug) -> String {
    let mut text = format!(
        "// locks: {n} of them\nextern int nondet(void);\nextern void reach_error(void);\nint main(void) {{\n"
    );
    for k in 0..n {
        writeln!(text, "  int wanted{k} = nondet(), lock{k};").expect(WRITES);
    }
    text.push_str("  while (nondet()) {\n");
    for k in 0..n {
        writeln!(text, "    lock{k} = 0;").expect(WRITES);
    }
    for k in 0..n {
        writeln!(text, "    if (wanted{k} != 0) lock{k} = 1;").expect(WRITES);
    }
    for k in 0..n {
        let given = if bug == Bug::Present && k + 2 == n { k + 1 } else { k };
        writeln!(text, "    if (wanted{k} != 0) {{ if (lock{k} != 1) reach_error(); lock{given} = 0; }}")
            .expect(WRITES);
    }
    text.push_str("  }\n  return 0;\n}\n");
    text
}

/// A driver: `n` requests, each in a function of its own, and rules about the state of the request that they call functions for. Numbers have names that are global variables.
pub fn dispatch(n: usize, bug: Bug) -> String {
    let mut text = String::from(
        "// dispatch: requests of a driver
extern int nondet(void);
extern void reach_error(void);
int NEW, DONE, PASSED, WAITS;
int s, registered, lower, event, status_of_request;
void wrong(void) { reach_error(); }
void begin(void) { NEW = 1; DONE = 2; PASSED = 3; WAITS = 4; s = NEW; lower = 0; event = lower; registered = event; }
void complete(void) { if (s == NEW) s = DONE; else wrong(); }
int pass(void) {
  int result, kind = nondet();
  if (registered) { event = 1; }
  if (kind == 0) result = 0; else if (kind == 1) result = -1073741823; else result = 259;
  if (s == NEW) { if (registered && result == 259) s = WAITS; else if (registered) s = NEW; else s = PASSED; lower = result; }
  else wrong();
  return result;
}
void wait_for_it(void) { if (s == WAITS && event == 1) { s = NEW; event = 0; } else if (s == WAITS) wrong(); }
",
    );
    for k in 0..n {
        writeln!(text, "int request{k}(void) {{\n  int status = 0, minor = nondet(), removed = nondet();")
            .expect(WRITES);
        writeln!(text, "  if (removed) {{ status = -1073741738; complete(); return status; }}")
            .expect(WRITES);
        match k % 3 {
            0 => writeln!(text, "  if (minor == {k}) {{ status = -1073741810; complete(); return status; }}\n  return pass();"),
            1 => writeln!(text, "  int loops = nondet();\n  while (loops > 0) {{ status = loops > 3 ? 0 : -1073741823; loops--; }}\n  complete();\n  return status;"),
            _ => {
                let forgets = if bug == Bug::Present && k + 3 > n { format!("if (minor != {k}) ") } else { String::new() };
                writeln!(text, "  if (registered != 0) wrong(); registered = 1;\n  status = pass();\n  if (status == 259) {{ {forgets}wait_for_it(); status = 0; }}\n  complete();\n  return status;")
            }
        }
        .expect(WRITES);
        text.push_str("}\n");
    }
    text.push_str("int main(void) {\n  int which = nondet(), status = -1;\n  begin();\n");
    for k in 0..n {
        writeln!(text, "  if (which == {k}) {{ status = request{k}(); goto done; }}").expect(WRITES);
    }
    text.push_str("  return 0;\ndone:\n  if (s != DONE && s != PASSED) wrong();\n  if (s == PASSED && status != lower) wrong();\n  return status;\n}\n");
    text
}

const WRITES: &str = "writing to a string succeeds";
