//! `philosophers`: n threads around a table, a fork between every two of them, and each needs both of its forks to eat.
//!
//! Everybody takes the right fork first, and so all can wait for each other for ever. In the correct variant one of them is left-handed. A
//! fork is taken in one step, in which a thread waits alone.

use super::Variant;
use super::answer::Answer;
use std::num::NonZeroU32;

/// So many philosophers, at least two.
pub fn philosophers(n: NonZeroU32, variant: Variant) -> String {
    let n = n.get().max(2);
    let (who, end) = match variant {
        Variant::Correct => {
            ("one of them is left-handed", "Nobody waits for ever because of a deadlock: there is none.")
        }
        Variant::Broken => ("all are right-handed", "They can come to a deadlock: everybody has one fork."),
    };
    let answer = Answer::Never { because: "who eats has taken both forks, and nobody else puts them back" };
    let forks: Vec<String> = (0..n).map(|fork| format!("fork{fork}")).collect();
    let mut text = format!(
        "// philosophers, n = {n}: each needs two forks to eat; {who}.
// {end}
// Somebody eats again and again in every infinite run. Who is forgotten starves, and so does who is always too late.
// ERROR: somebody eats without a fork.
{}decl {};
init {};
",
        answer.lines(),
        forks.join(", "),
        forks.iter().map(|fork| format!("!{fork}")).collect::<Vec<String>>().join(" & ")
    );
    for philosopher in 0..n {
        let (right, left) = (philosopher, (philosopher + 1) % n);
        let is_left_handed = variant == Variant::Correct && philosopher == 0;
        let (first, second) = if is_left_handed { (left, right) } else { (right, left) };
        text += &thread(philosopher, first, second);
    }
    text
}

fn thread(philosopher: u32, first: u32, second: u32) -> String {
    format!(
        "
thread p{philosopher}
begin
  void main()
  begin
    while (T) do
      HUNGRY: atomic begin assume(!fork{first}); fork{first} := T; end
      atomic begin assume(!fork{second}); fork{second} := T; end
      EAT: if (!fork{first}) then
        ERROR: skip;
      fi
      fork{first} := F;
      fork{second} := F;
    od
  end
end
"
    )
}
