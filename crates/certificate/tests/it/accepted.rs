//! Certificates that are proofs.

use crate::program::load;

/// A program that takes a lock and gives it back; `other` is nothing to the functions.
pub const LOCK: &str = "decl locked, other;
init !locked & !other;
void main() begin
  decl x: int<2>;
  lock();
  x := 2;
  unlock();
  if locked | other then ERROR: skip; fi
end
void lock() begin
  assume !locked;
  locked := T;
end
void unlock() begin
  locked := F;
end
";

#[track_caller]
fn accepts(program: &str, rows: &str) {
    assert_eq!(load(program).verdict(&format!("getafix certificate 1\n{rows}")), "accepted");
}

#[test]
fn entries_are_enough_if_time_does_not_matter() {
    accepts(
        LOCK,
        "n1 = entry locked ? T : F
         n2 = entry other ? F : !n1
         function main
         entry = n2
         function lock
         entry = !n1
         function unlock
         entry = n1",
    );
}

#[test]
fn a_summary_need_not_speak_of_globals_that_the_function_does_not_touch() {
    accepts(
        LOCK,
        "n1 = entry locked ? T : F
         n2 = locked ? T : F
         n3 = entry other ? F : !n1
         n4 = other ? F : n2
         function main
         entry = n3
         node 1 = n4
         function lock
         entry = !n1
         node 1 = !n2
         node 3 = n2
         function unlock
         entry = T
         node 2 = !n2",
    );
}

#[test]
fn a_summary_need_not_speak_of_variables_whose_value_is_not_used_again() {
    let program = "decl g; void main() begin decl x;
      x := F;
      g := x;
      x := T;
      if g then ERROR: skip; fi
    end";
    accepts(program, "function main\n entry = T\n n1 = g ? T : F\n node 2 = !n1\n node 3 = !n1\n node 4 = F");
}

#[test]
fn a_loop_without_a_named_point_is_gone_round_until_nothing_is_new() {
    let program = "void main() begin decl x: int<4>;
      x := 0;
      while * do x := x + 2; od
      if x = 5 then ERROR: skip; fi
    end";
    accepts(program, "function main\n entry = T");
}

#[test]
fn a_recursive_function_may_leave_out_its_exit() {
    let program = "decl g; void main() begin decl x;
      x := even(T);
      if !x then ERROR: skip; fi
    end
    bool even(a) begin decl b;
      if * then return a; fi
      b := even(!a);
      return !b;
    end";
    accepts(program, "function main\n entry = T\n function even\n entry = T");
}

#[test]
fn entry_states_may_be_fewer_than_those_of_the_summaries() {
    let program = "decl g; init g; void main() begin f(); end
    void f() begin
      if !g then ERROR: skip; fi
    end";
    // The summaries of `f` are about all values of `g`, its entries are not.
    accepts(
        program,
        "n1 = entry g ? T : F
         n2 = g ? T : F
         function main
         entry = n1
         function f
         entry = n1
         node 0 = T
         node 1 = !n2",
    );
}

#[test]
fn a_hidden_global_is_written_with_a_mark() {
    let program = "decl g; void main() begin f(T); end
    void f(g) begin
      h();
      if !g then ERROR: skip; fi
    end
    void h() begin g := F; end";
    accepts(
        program,
        "order g
         function main
         entry = T
         function f
         order g g@global
         n1 = entry g ? T : F
         entry = n1
         n2 = g@global ? T : F
         n3 = g ? !n2 : F
         node 1 = n3
         function h
         entry = T
         node 2 = !n2",
    );
}

#[test]
fn bits_that_stand_for_no_value_are_not_looked_at() {
    let program = "decl c: enum { red, green, blue }; void main() begin
      assert c = red | c = green | c = blue;
    end";
    accepts(program, "function main\n entry = T\n node 0 = T");
}

#[test]
fn states_that_are_not_enforced_need_not_be_covered() {
    let program = "decl g; void main() begin
      enforce g;
      f();
      if !g then ERROR: skip; fi
    end
    void f() begin g := *; end";
    accepts(
        program,
        "n1 = entry g ? T : F\n function main\n entry = n1\n node 0 = n1\n n2 = g ? T : F\n node 1 = n2
         function f\n entry = n1\n node 2 = T",
    );
}

#[test]
fn rows_of_one_point_are_united() {
    let program = "decl g; void main() begin skip; assume F; ERROR: skip; end";
    accepts(
        program,
        "n1 = g ? T : F\n function main\n entry = T\n node 1 = n1\n function main\n node 1 = !n1",
    );
}

#[test]
fn a_function_that_is_only_called_from_dead_code_changes_nothing() {
    let program = "decl g; init g; void main() begin
      f();
      if !g then ERROR: skip; fi
    end
    void f() begin if F then h(); fi end
    void h() begin g := F; end";
    accepts(
        program,
        "n1 = entry g ? T : F\n function main\n entry = n1\n function f\n entry = T\n node 3 = T",
    );
}

#[test]
fn results_of_a_function_reach_the_variables_they_are_stored_in() {
    let program = "decl g; void main() begin decl x: int<3>; decl y: int<3>;
      y, x := swap(1, 6);
      assert x = 1 & y = 6;
      g, _ := pair();
      assert g;
    end
    <int<3>, int<3>> swap(a: int<3>, b: int<3>) begin return b, a; end
    bool<2> pair() begin g := F; return !g, g; end";
    accepts(
        program,
        "function main
         entry = T
         function swap
         entry = T
         function pair
         entry = T",
    );
}

#[test]
fn a_product_of_what_is_chosen_leaves_everything_else_alone() {
    let program = "decl g; init g; void main() begin decl x: int<2>, y: int<2>;
      y := 2;
      x := (*) * y;
      assert g & y = 2 & x != 1 & x != 3;
    end";
    accepts(program, "n1 = entry g ? T : F\n function main\n entry = n1");
    let program = "decl g: int<2>; init g = 2; void main() begin decl x: int<2>;
      x := (*) * g;
      assert g = 2 & x != 1 & x != 3;
    end";
    accepts(program, "n1 = entry g[1] ? T : F\n n2 = entry g ? F : n1\n function main\n entry = n2");
}
