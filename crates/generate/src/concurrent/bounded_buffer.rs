//! `bounded_buffer`: threads that put something into a buffer with two places, and threads that take it out.
//!
//! Looking whether there is a place, and taking it, is one step. In the broken variant it is two.

use super::Variant;
use super::answer::Answer;
use std::num::NonZeroU32;

/// So many threads of each kind, at least two.
pub fn bounded_buffer(n: NonZeroU32, variant: Variant) -> String {
    let n = n.get().max(2);
    let (put, answer) = match variant {
        Variant::Correct => (
            "PUT: atomic begin assume(count < 2); count := count + 1; end",
            Answer::Never { because: "a place is looked for and taken in one step" },
        ),
        Variant::Broken => (
            "PUT: assume(count < 2);\n      count := count + 1;",
            Answer::From {
                switches: 2,
                rounds: 2,
                not_before: "one thread by itself finds no place where there is none, and a second one has to come in between",
                because: "two threads find the last place, and both take it",
            },
        ),
    };
    format!(
        "// bounded_buffer, n = {n}: producers and consumers share a buffer with two places.
// Something is used again and again in every infinite run; each by itself may starve, unless the schedule is strongly fair.
// ERROR: there is more in the buffer than fits.
{}decl count: int<2>;
init count = 0;

thread producer[{n}]
begin
  void main()
  begin
    while (T) do
      {put}
      if (count = 3) then
        ERROR: skip;
      fi
    od
  end
end

thread consumer[{n}]
begin
  void main()
  begin
    while (T) do
      GET: atomic begin assume(count > 0); count := count - 1; end
      USE: skip;
    od
  end
end
",
        answer.lines()
    )
}
