//! Peterson's mutual exclusion for n processes, the filter lock.
//!
//! A process climbs levels 1 to n-1 and is critical at level n. On arriving at a level it claims it by
//! writing its name into `last`, a step of its own; it climbs on when someone else claimed after
//! it or everyone else is below. The test of a level is one atomic step.

use super::{REACHABLE, count, each, exclusive, file, frame};

/// The lock for `n` processes, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    let below = each(n - 1, "", |l| {
        let values = each(l + 1, " | ", |k| format!("x = {k}"));
        format!("bool Below{}(Level x)\n  {values};\n\n", l + 1)
    });
    let start = each(n, " & ", |i| format!("s.p[{i}].level = 0 & !s.p[{i}].claimed"));
    let last = each(n - 1, " & ", |l| format!("s.last[{l}] = 0"));
    let body = format!(
        "enum Level {{ 0 .. {n} }};\nenum Name {{ 0 .. {} }};\n\n\
         class Process {{ Level level; bool claimed; }};\n\
         class State {{ Process p[{n}]; Name last[{}]; }};\n\n\
         {below}bool Start(State s)\n  {start} & {last};\n\n\
         bool Trans(State s, State t) s ~+ t\n  {};\n\n\
         {REACHABLE}\n\
         bool Exclusive(State s)\n  {};\n\n\
         forall State s. Reachable(s) -> Exclusive(s);\n\n\
         exists State s. Reachable(s) & s.p[{}].level = {n};\n",
        n - 1,
        n - 1,
        each(n, " |\n  ", |i| process(n, i)),
        exclusive(n, |i| format!("s.p[{i}].level = {n}")),
        n - 1,
    );
    file(
        &format!("Peterson's filter lock for {n} processes."),
        &[count(states(n)), "true".to_owned(), "true".to_owned()],
        &body,
    )
}

/// The steps of process i.
fn process(n: usize, i: usize) -> String {
    let names = frame(n - 1, "last", &[]);
    let mut steps = vec![
        step(i, &format!("s.p[{i}].level = 0 & {names}"), 1, "!"),
        step(i, &format!("s.p[{i}].level = {n} & {names}"), 0, "!"),
    ];
    for level in 1..n {
        let others: Vec<String> =
            (0..n).filter(|&k| k != i).map(|k| format!("Below{level}(s.p[{k}].level)")).collect();
        let written = frame(n - 1, "last", &[level - 1]);
        let claim =
            format!("s.p[{i}].level = {level} & !s.p[{i}].claimed & t.last[{}] = {i} & {written}", level - 1);
        let climb = format!(
            "s.p[{i}].level = {level} & s.p[{i}].claimed & (s.last[{}] != {i} | {}) & {names}",
            level - 1,
            others.join(" & ")
        );
        steps.push(step(i, &claim, level, ""));
        steps.push(step(i, &climb, level + 1, "!"));
    }
    format!("({}) & {}", steps.join(" |\n   "), frame(n, "p", &[i]))
}

fn step(i: usize, condition: &str, level: usize, claimed: &str) -> String {
    format!("{condition} & t.p[{i}].level = {level} & {claimed}t.p[{i}].claimed")
}

/// The number of reachable states, by search: four bits a process (level and claim), three a name.
fn states(n: usize) -> Option<usize> {
    if n > 7 {
        return None;
    }
    let states = crate::explore::reachable(0, |word, next| {
        let level = |i: usize| (word >> (4 * i) & 7) as usize;
        let moved = |word: u64, i: usize, level: usize, claimed: u64| {
            word & !(15 << (4 * i)) | (level as u64 | claimed << 3) << (4 * i)
        };
        for i in 0..n {
            let at = level(i);
            let name = 4 * n + 3 * at.saturating_sub(1);
            if at == 0 || at == n {
                next.push(moved(word, i, usize::from(at == 0), 0));
            } else if word >> (4 * i) & 8 == 0 {
                next.push(moved(word & !(7 << name) | (i as u64) << name, i, at, 1));
            } else if word >> name & 7 != i as u64 || (0..n).all(|k| k == i || level(k) < at) {
                next.push(moved(word, i, at + 1, 0));
            }
        }
    });
    states.map(|set| set.len())
}
