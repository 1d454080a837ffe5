//! `ticket_lock`: a lock whose threads take numbers and are served in their order.
//!
//! A number is drawn in one step. In the broken variant it is read first and increased then, so that two threads may draw the same one.

use super::Variant;
use super::answer::Answer;
use std::num::NonZeroU32;

/// So many threads, at least two.
pub fn ticket_lock(n: NonZeroU32, variant: Variant) -> String {
    let n = n.get().max(2);
    let width = n.next_power_of_two().ilog2().max(1);
    let (draw, answer) = match variant {
        Variant::Correct => (
            "TRY: atomic begin ticket := next; next := next + 1; end",
            Answer::Never {
                because: "no two threads have the same number, and only who is inside calls the next one",
            },
        ),
        Variant::Broken => (
            "TRY: ticket := next;\n      next := next + 1;",
            Answer::From {
                switches: 3,
                rounds: 2,
                not_before: "both have to read the same number before either increases it, and to be inside together",
                because: "two threads draw the same number and enter, and one of them calls the next one",
            },
        ),
    };
    format!(
        "// ticket_lock, n = {n}: threads draw numbers and are served in their order.
// Who has drawn a number is served in every infinite run, and who is about to draw one in every one that is weakly fair.
// ERROR: somebody is inside whose number is not called.
{}decl next: int<{width}>, serving: int<{width}>;
init next = 0 & serving = 0;

thread p[{n}]
begin
  decl ticket: int<{width}>;
  init ticket = 0;

  void main()
  begin
    while (T) do
      {draw}
      WAIT: assume(serving = ticket);
      CS: if (serving != ticket) then
        ERROR: skip;
      fi
      serving := serving + 1;
    od
  end
end
",
        answer.lines()
    )
}
