//! Distributed mutual exclusion: a ring of cells that hand a token leftwards on request, as a circuit whose
//! gates switch one at a time, in the spirit of Martin's DME.
//!
//! Wires of a cell: `user` requests, `grant` answers the user, `token` is held, `ask` requests
//! the token from the right neighbour, `give` acknowledges the left neighbour's request.
//! Between neighbours runs a four-phase handshake: ask rises, give rises, the token moves, ask falls, give
//! falls.

use super::{REACHABLE, count, each, exclusive, file, frame};

/// The circuit of `n` cells, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    let start = each(n, " &\n  ", |i| {
        let not = if i == 0 { "" } else { "!" };
        format!("!s.c[{i}].user & !s.c[{i}].grant & {not}s.c[{i}].token & !s.c[{i}].ask & !s.c[{i}].give")
    });
    let moves = each(n, " |\n  ", |i| {
        let (left, right) = ((i + n - 1) % n, (i + 1) % n);
        format!("Switch(s.c[{left}], s.c[{i}], t.c[{i}], s.c[{right}]) & {}", frame(n, "c", &[i]))
    });
    let exclusive = exclusive(n, |i| format!("s.c[{i}].grant"));
    let body = format!(
        "{CELL}class State {{ Cell c[{n}]; }};\n\n\
         bool Start(State s)\n  {start};\n\n\
         bool Trans(State s, State t) s ~+ t\n  {moves};\n\n\
         {REACHABLE}\n\
         bool Exclusive(State s)\n  {exclusive};\n\n\
         forall State s. Reachable(s) -> Exclusive(s);\n\n{SERVED}"
    );
    file(
        &format!("A mutual exclusion circuit of {n} cells."),
        &[count(states(n)), "true".to_owned(), "true".to_owned()],
        &body,
    )
}

const CELL: &str = "\
class Cell { bool user, grant, token, ask, give; };

// Cell c with its neighbours switches one wire and becomes d.
bool Switch(Cell left, Cell c, Cell d, Cell right) c ~+ d
  d.grant = c.grant & d.token = c.token & d.ask = c.ask & d.give = c.give &
    d.user != c.user & c.user = c.grant |
  d.user = c.user & d.token = c.token & d.ask = c.ask & d.give = c.give &
    (c.user & c.token & !c.ask & !c.give & !c.grant & d.grant | !c.user & c.grant & !d.grant) |
  d.user = c.user & d.grant = c.grant & d.ask = c.ask & d.give = c.give &
    (c.ask & right.give & !right.token & !c.token & d.token | c.give & c.token & !d.token) |
  d.user = c.user & d.grant = c.grant & d.token = c.token & d.give = c.give &
    (!c.ask & !c.token & !c.give & !right.give & (c.user | left.ask) & d.ask | c.ask & c.token & !d.ask) |
  d.user = c.user & d.grant = c.grant & d.token = c.token & d.ask = c.ask &
    (!c.give & left.ask & c.token & !c.ask & !c.grant & d.give | c.give & !left.ask & !d.give);

";

const SERVED: &str = "\
mu bool Served(State s)
  s.c[0].grant |
  (exists State t. Trans(s, t) & Served(t));

forall State s. Reachable(s) & s.c[0].user -> Served(s);
";

const USER: u64 = 1;
const GRANT: u64 = 2;
const TOKEN: u64 = 4;
const ASK: u64 = 8;
const GIVE: u64 = 16;

/// The number of reachable states, if a search can tell.
fn states(n: usize) -> Option<usize> {
    // A word holds twelve cells of five bits.
    if n > 12 {
        return None;
    }
    crate::explore::reachable(TOKEN, |word, next| successors(n, word, next)).map(|set| set.len())
}

fn successors(n: usize, word: u64, next: &mut Vec<u64>) {
    let cell = |i: usize| word >> (5 * i) & 31;
    for i in 0..n {
        let flips = switching(cell((i + n - 1) % n), cell(i), cell((i + 1) % n));
        for wire in [USER, GRANT, TOKEN, ASK, GIVE] {
            if flips & wire != 0 {
                next.push(word ^ wire << (5 * i));
            }
        }
    }
}

/// The wires of a cell that may switch.
fn switching(left: u64, cell: u64, right: u64) -> u64 {
    let on = |wires: u64| cell & wires == wires;
    let off = |wires: u64| cell & wires == 0;
    let mut flips = 0;
    let mut allow = |wire: u64, condition: bool| flips |= if condition { wire } else { 0 };
    allow(USER, on(USER) == on(GRANT));
    allow(GRANT, on(USER | TOKEN) && off(ASK | GIVE | GRANT) || off(USER) && on(GRANT));
    allow(TOKEN, on(ASK) && off(TOKEN) && right & (GIVE | TOKEN) == GIVE || on(GIVE | TOKEN));
    let wanted = on(USER) || left & ASK != 0;
    allow(ASK, off(ASK | TOKEN | GIVE) && right & GIVE == 0 && wanted || on(ASK | TOKEN));
    let asked = left & ASK != 0;
    allow(GIVE, off(GIVE | ASK | GRANT) && asked && on(TOKEN) || on(GIVE) && !asked);
    flips
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::reachable;

    #[test]
    fn exclusion_and_service_hold_in_larger_rings() {
        for n in 2..=4 {
            let states = reachable(TOKEN, |word, next| successors(n, word, next)).expect("few states");
            let grants = |word: u64| (0..n).filter(|i| word >> (5 * i) & GRANT != 0).count();
            assert!(states.iter().all(|&word| grants(word) <= 1), "exclusion of {n}");
            for &word in states.iter().filter(|&word| word & USER != 0) {
                let later = reachable(word, |word, next| successors(n, word, next)).expect("few states");
                assert!(later.iter().any(|word| word & GRANT != 0), "service in {n} from {word:b}");
            }
        }
    }
}
