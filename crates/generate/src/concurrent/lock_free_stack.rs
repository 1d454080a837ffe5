//! `lock_free_stack`: a stack whose top is changed by compare-and-swap, over a pool of two nodes.
//!
//! Pop reads the top and the node below it, and then replaces the one by the other if the top is still the same. In
//! between, others may have popped both and pushed the first one again: the same top, above another node (ABA). The
//! top then becomes a node that somebody owns. The correct variant keeps a tag beside the top, which each change
//! increases; it is so wide that the threads, which change the top at most three times each, never bring it back.
//!
//! `owned1` and `owned2` are not part of the algorithm. They change together with the top.

use super::Variant;
use super::answer::Answer;
use super::count::Count;
use std::num::NonZeroU32;

/// So many threads; each pops twice and pushes what it popped first.
pub fn lock_free_stack(threads: NonZeroU32, variant: Variant) -> String {
    let n = threads.get();
    let answer = match variant {
        Variant::Broken if n > 1 => Answer::From {
            switches: 2,
            rounds: 2,
            not_before: "the thread that began last knows the present top, and only one that did not makes a mistake",
            because: "a thread about to pop is interrupted by one that pops twice and pushes once, pops, and pops again",
        },
        Variant::Broken => Answer::Never { because: "nobody interrupts the only thread" },
        Variant::Correct => {
            Answer::Never { because: "a pop succeeds only if nothing has changed since it looked" }
        }
    };
    let mut text = format!(
        "// lock_free_stack, n = {n}: a stack of nodes 1 and 2, {}, for {}.
// Pop and push read the top and change it later, in one step, if it is the same then (compare-and-swap).
// ERROR: a node is popped that has been popped and not been pushed since.
{}decl top: int<2>, next1: int<2>, next2: int<2>;
init top = 1 & next1 = 2 & next2 = 0;
decl owned1, owned2;
init !owned1 & !owned2;
",
        match variant {
            Variant::Correct => "with a tag",
            Variant::Broken => "without a tag",
        },
        Count::Number(threads).of("thread"),
        answer.lines()
    );
    let tag = Tag::new(n, variant);
    text += &tag.declaration;
    text += &format!("\nthread worker[{n}]\nbegin\n{REGISTERS}{}", tag.register);
    text += &format!("{}\n{}\n{MAIN}end\n", pop(&tag), push(&tag));
    text
}

// They are private globals, because locals start with every value, and a checker that lists states would list them all.
const REGISTERS: &str = "  decl first: int<2>, second: int<2>, mine: int<2>;
  init first = 0 & second = 0 & mine = 0;
";

/// What the tag adds to the text.
#[derive(Default)]
struct Tag {
    declaration: String,
    register: String,
    read: &'static str,
    same: &'static str,
    increase: &'static str,
}

impl Tag {
    fn new(n: u32, variant: Variant) -> Self {
        if variant == Variant::Broken {
            return Self::default();
        }
        let width = (3 * u64::from(n) + 1).next_power_of_two().ilog2();
        Self {
            declaration: format!("decl tag: int<{width}>;\ninit tag = 0;\n"),
            register: format!("  decl seen: int<{width}>;\n  init seen = 0;\n"),
            read: "\n    seen := tag;",
            same: " & tag = seen",
            increase: "\n        tag := tag + 1;",
        }
    }
}

// The tag is read first: if the top is read later and both are unchanged at the end, nothing happened in between.
fn pop(tag: &Tag) -> String {
    let Tag { read, same, increase, .. } = tag;
    format!(
        "
  int<2> pop()
  begin
    AGAIN: skip;{read}
    first := top;
    if (first = 0) then
      return 0;
    fi
    second := first = 1 ? next1 : next2;
    atomic begin
      if (top = first{same}) then
        top := second;{increase}
        if (first = 1 ? owned1 : owned2) then
          ERROR: skip;
        fi
        owned1, owned2 := owned1 | first = 1, owned2 | first = 2;
        return first;
      fi
    end
    goto AGAIN;
  end"
    )
}

fn push(tag: &Tag) -> String {
    let Tag { read, same, increase, .. } = tag;
    format!(
        "
  void push(node: int<2>)
  begin
    AGAIN: skip;{read}
    first := top;
    if (node = 1) then
      next1 := first;
    else
      next2 := first;
    fi
    atomic begin
      if (top = first{same}) then
        top := node;{increase}
        owned1, owned2 := owned1 & node != 1, owned2 & node != 2;
        return;
      fi
    end
    goto AGAIN;
  end"
    )
}

const MAIN: &str = "
  void main()
  begin
    mine := pop();
    pop();
    if (mine != 0) then
      push(mine);
    fi
  end
";
