//! `peterson`: mutual exclusion of two threads by two flags and a turn.
//!
//! The broken variant gives way first and raises its flag then. A thread between the two is not seen by the other,
//! whose giving way in its turn lets it pass later.

use super::Variant;
use super::answer::Answer;
use super::exclusion;

/// Two threads that enter a critical section by the algorithm of Peterson.
pub fn peterson(variant: Variant) -> String {
    let answer = match variant {
        Variant::Correct => {
            Answer::Never { because: "of two threads that want to enter, the one that gave way last waits" }
        }
        Variant::Broken => Answer::From {
            switches: 2,
            rounds: 2,
            not_before: "a thread inside has its flag up, and the other one, if it begins now, gives way to it",
            because: "a thread stops with its flag down, the other one gives way and enters, and the first one follows",
        },
    };
    let order = match variant {
        Variant::Correct => "raises its flag, gives way to the other one",
        Variant::Broken => "gives way to the other one, raises its flag (in the wrong order)",
    };
    let served = match variant {
        Variant::Correct => " Who waits gets in unless the schedule forgets the other one.",
        Variant::Broken => "",
    };
    let mut text = format!(
        "// peterson, n = 2: mutual exclusion of two threads by two flags and a turn.
// A thread {order}, and waits while
// the other flag is up and it is the other one's turn.
// ERROR: a thread enters the critical section, and the other one is there.{served}
{}decl flag0, flag1, turn: int<1>, critical;
init !flag0 & !flag1 & !critical;
",
        answer.lines()
    );
    text += &thread(0, 1, variant);
    text += &thread(1, 0, variant);
    text
}

fn thread(own: u32, other: u32, variant: Variant) -> String {
    let (raise, give_way) = (format!("flag{own} := T;"), format!("turn := {other};"));
    let (first, second) = match variant {
        Variant::Correct => (raise, give_way),
        Variant::Broken => (give_way, raise),
    };
    let enter = format!(
        "    {first}
    {second}
    WAIT: if (flag{other}) then
      if (turn = {other}) then
        goto WAIT;
      fi
    fi"
    );
    exclusion::thread(&format!("p{own}"), &enter, &format!("    flag{own} := F;"))
}
