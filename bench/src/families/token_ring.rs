//! Mutual exclusion by a token that travels round a ring of stations.
//!
//! A station asks, enters while it holds the token, and passes the token on when it leaves or has nothing to
//! do.
//! The holder is idle, waiting or critical and the others idle or waiting: 3 n 2^(n-1) states. A station
//! that waits enters on every path, because asking runs out and a waiting holder can only enter.

use super::{REACHABLE, each, exclusive, file, frame};

/// The ring of `n` stations, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    let moves = each(n, " |\n  ", |i| moves(n, i));
    let start = each(n, " &\n  ", |i| {
        format!("s.at[{i}].phase = idle & {}s.at[{i}].token", if i == 0 { "" } else { "!" })
    });
    let exclusive = exclusive(n, |i| format!("s.at[{i}].phase = critical"));
    let body = format!(
        "{STATION}class State {{ Station at[{n}]; }};\n\n\
         bool Start(State s)\n  {start};\n\n\
         bool Trans(State s, State t) s ~+ t\n  {moves};\n\n\
         {REACHABLE}\n\
         bool Exclusive(State s)\n  {exclusive};\n\n\
         forall State s. Reachable(s) -> Exclusive(s);\n\n{INEVITABLE}"
    );
    let states = 3 * n as u128 * (1 << (n - 1));
    file(
        &format!("A token ring of {n} stations."),
        &[states.to_string(), "true".to_owned(), "true".to_owned()],
        &body,
    )
}

fn moves(n: usize, i: usize) -> String {
    let j = (i + 1) % n;
    format!(
        "(Ask(s.at[{i}], t.at[{i}]) | Enter(s.at[{i}], t.at[{i}])) & {} |\n  \
         Pass(s.at[{i}], t.at[{i}], s.at[{j}], t.at[{j}]) & {}",
        frame(n, "at", &[i]),
        frame(n, "at", &[i, j])
    )
}

const STATION: &str = "\
enum Phase { idle, waiting, critical };

class Station { Phase phase; bool token; };

bool Ask(Station a, Station b)
  a.phase = idle & b.phase = waiting & b.token = a.token;

bool Enter(Station a, Station b)
  a.phase = waiting & a.token & b.phase = critical & b.token;

// Station a hands the token to its neighbour c; b and d are the two afterwards.
bool Pass(Station a, Station b, Station c, Station d)
  a.token & a.phase != waiting & b.phase = idle & !b.token &
  !c.token & d.phase = c.phase & d.token;

";

const INEVITABLE: &str = "\
mu bool Inevitable(State s)
  s.at[0].phase = critical |
  (exists State t. Trans(s, t)) & (forall State t. Trans(s, t) -> Inevitable(t));

forall State s. Reachable(s) & s.at[0].phase = waiting -> Inevitable(s);
";
