//! `dekker`: mutual exclusion of two threads by two flags and a turn that changes on leaving.
//!
//! The broken variant looks at the other flag before it raises its own.

use super::Variant;
use super::answer::Answer;
use super::exclusion;

/// Two threads that enter a critical section by the algorithm of Dekker.
pub fn dekker(variant: Variant) -> String {
    let answer = match variant {
        Variant::Correct => {
            Answer::Never { because: "whoever enters has seen the other flag down while its own was up" }
        }
        Variant::Broken => Answer::From {
            switches: 2,
            rounds: 2,
            not_before: "a thread inside has its flag up, and the other one, if it looks now, waits",
            because: "a thread that has seen the other flag down is interrupted until the other one is inside",
        },
    };
    let order = match variant {
        Variant::Correct => "raises its flag and then looks at the other one",
        Variant::Broken => "looks at the other flag and then raises its own (in the wrong order)",
    };
    let served = match variant {
        Variant::Correct => {
            "// Who waits gets in unless the schedule forgets the other one; there is no deadlock.\n"
        }
        Variant::Broken => "",
    };
    let mut text = format!(
        "// dekker, n = 2: mutual exclusion of two threads by two flags and a turn.
// A thread {order}.
// While the other flag is up and it is not its turn, a thread lowers its flag and waits for its turn.
{served}// ERROR: a thread enters the critical section, and the other one is there.
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
    let raise = format!("    flag{own} := T;");
    let look = format!(
        "    WAIT: while (flag{other}) do
      if (turn = {other}) then
        flag{own} := F;
        assume(turn = {own});
        flag{own} := T;
      fi
    od"
    );
    let enter = match variant {
        Variant::Correct => [raise, look],
        Variant::Broken => [look, raise],
    };
    let leave = format!("    turn := {other};\n    flag{own} := F;");
    exclusion::thread(&format!("p{own}"), &enter.join("\n"), &leave)
}
