//! `szymanski`: mutual exclusion of `n` threads, who wait in an anteroom until its door is shut.
//!
//! A flag says how far its thread is: 0 elsewhere, 1 before the door, 2 in the anteroom waiting for others, 3 in the
//! door, 4 behind the shut door. Each test looks at all flags in one step; the algorithm is correct for that. The
//! broken variant tests whether the door is open before it says that it stands there. The text is quadratic in `n`.

use super::Variant;
use super::answer::Answer;
use super::count::Count;
use super::exclusion;
use std::num::NonZeroU32;

/// So many threads that enter a critical section by the algorithm of Szymanski.
pub fn szymanski(threads: NonZeroU32, variant: Variant) -> String {
    let n = threads.get();
    let answer = match variant {
        Variant::Broken if n > 1 => Answer::From {
            switches: 2,
            rounds: 2,
            not_before: "a thread inside has shut the door, and another one, if it looks now, waits",
            because: "the first thread finds the door open, is interrupted until another one is inside, and goes first",
        },
        _ => Answer::Never {
            because: "the door opens for others when all behind it have left, the least first",
        },
    };
    let order = match variant {
        Variant::Correct => "stands before the door (1), waits until it is open",
        Variant::Broken => "waits until the door is open, stands before it (1; in the wrong order)",
    };
    let flags: Vec<String> = (0..n).map(|i| format!("flag{i}")).collect();
    let types: Vec<String> = flags.iter().map(|flag| format!("{flag}: int<3>")).collect();
    let zeros: Vec<String> = flags.iter().map(|flag| format!("{flag} = 0")).collect();
    let served = match variant {
        Variant::Correct => {
            "// Who has begun to enter gets in unless the schedule forgets somebody; there is no deadlock.\n"
        }
        Variant::Broken => "",
    };
    let mut text = format!(
        "// szymanski, n = {n}: mutual exclusion of {} by one flag each, with values 0 to 4.
// A thread {order}, steps into it (3),
// makes room if somebody stands before it (2) until somebody has shut it, shuts it (4), and lets lesser threads go first.
{served}// ERROR: a thread enters the critical section, and another one is there.
{}decl {}, critical;
init {} & !critical;
",
        Count::Number(threads).of("thread"),
        answer.lines(),
        types.join(", "),
        zeros.join(" & ")
    );
    for own in 0..n {
        text += &thread(own, n, variant);
    }
    text
}

fn thread(own: u32, n: u32, variant: Variant) -> String {
    let others = || (0..n).filter(|&i| i != own);
    let open = all(others().map(|i| format!("flag{i} < 3")));
    let stand = format!("    flag{own} := 1;");
    let wait = format!("    WAIT: assume({open});");
    let begin = match variant {
        Variant::Correct => [stand, wait],
        Variant::Broken => [wait, stand],
    };
    let enter = format!(
        "{}
    flag{own} := 3;
    if ({}) then
      flag{own} := 2;
      assume({});
    fi
    flag{own} := 4;
    assume({});",
        begin.join("\n"),
        some(others().map(|i| format!("flag{i} = 1"))),
        some(others().map(|i| format!("flag{i} = 4"))),
        all((0..own).map(|i| format!("flag{i} < 2")))
    );
    let behind = all((own + 1..n).map(|i| format!("(flag{i} < 2 | flag{i} = 4)")));
    let leave = format!("    assume({behind});\n    flag{own} := 0;");
    exclusion::thread(&format!("p{own}"), &enter, &leave)
}

fn all(conditions: impl Iterator<Item = String>) -> String {
    let conditions: Vec<String> = conditions.collect();
    if conditions.is_empty() { "T".to_owned() } else { conditions.join(" & ") }
}

fn some(conditions: impl Iterator<Item = String>) -> String {
    let conditions: Vec<String> = conditions.collect();
    if conditions.is_empty() { "F".to_owned() } else { conditions.join(" | ") }
}
