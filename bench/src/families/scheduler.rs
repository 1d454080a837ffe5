//! Milner's scheduler: n cyclers start their tasks in turn; tasks end in any order.
//!
//! The cycler whose turn it is is ready, busy (task running, turn not yet passed) or done (task over,
//! turn not yet passed); every other rests or is still running: 3 n 2^(n-1) states.

use super::{REACHABLE, each, file, frame};

/// The scheduler of `n` cyclers, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    let moves = each(n, " |\n  ", |i| moves(n, i));
    let start = each(n, " & ", |i| format!("s.c[{i}] = {}", if i == 0 { "ready" } else { "rest" }));
    let body = format!(
        "{CYCLER}class State {{ Cycler c[{n}]; }};\n\n\
         bool Start(State s)\n  {start};\n\n\
         bool Trans(State s, State t) s ~+ t\n  {moves};\n\n\
         {REACHABLE}\n{LIVE}"
    );
    let states = 3 * n as u128 * (1 << (n - 1));
    file(
        &format!("Milner's scheduler of {n} cyclers."),
        &[states.to_string(), "true".to_owned(), "true".to_owned()],
        &body,
    )
}

fn moves(n: usize, i: usize) -> String {
    let j = (i + 1) % n;
    format!(
        "Alone(s.c[{i}], t.c[{i}]) & {} |\n  Pass(s.c[{i}], t.c[{i}], s.c[{j}], t.c[{j}]) & {}",
        frame(n, "c", &[i]),
        frame(n, "c", &[i, j])
    )
}

const CYCLER: &str = "\
enum Cycler { rest, ready, busy, running, done };

// Starting the task, and ending it before or after the turn is passed.
bool Alone(Cycler a, Cycler b)
  a = ready & b = busy | a = busy & b = done | a = running & b = rest;

// Cycler a passes the turn to c; b and d are the two afterwards.
bool Pass(Cycler a, Cycler b, Cycler c, Cycler d)
  (a = busy & b = running | a = done & b = rest) & c = rest & d = ready;

";

const LIVE: &str = "\
nu bool Live(State s)
  (exists State t. Trans(s, t)) & (forall State t. Trans(s, t) -> Live(t));

forall State s. Reachable(s) -> Live(s);

mu bool MayStart(State s)
  s.c[0] = ready |
  (exists State t. Trans(s, t) & MayStart(t));

forall State s. Reachable(s) -> MayStart(s);
";
