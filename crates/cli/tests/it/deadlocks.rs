//! `getafix check --deadlock`: who waits where, within which bound, and of which programs it is asked.

use crate::harness::program::{check, refuses};

/// Two locks that are taken in different orders.
const LOCKS: &str = "decl a, b;
init !a & !b;
thread p
begin
  void main()
  begin
    atomic begin assume(!a); a := T; end
    atomic begin assume(!b); b := T; end
    a, b := F, F;
  end
end
thread q
begin
  void main()
  begin
    atomic begin assume(!b); b := T; end
    atomic begin assume(!a); a := T; end
    a, b := F, F;
  end
end
thread r begin void main() begin skip; end end
";

#[test]
fn a_deadlock_says_who_waits_where() {
    let found = check(&["--deadlock"], LOCKS);
    assert_eq!(found.code, 10, "{found:?}");
    assert!(found.stdout.starts_with("DEADLOCK within 2 context switches\nsome run ends in a deadlock\n"));
    let end = "-- deadlock: no thread can go on\np: waits in main, line 8, for assume(!b) (b = T)\nq: waits in main, line 17, for assume(!a) (a = T)\nr: ended\n";
    assert!(found.stdout.ends_with(end), "{found:?}");
    let within = check(&["--deadlock", "-k", "1"], LOCKS);
    let words = "NO DEADLOCK within 1 context switch\nno run within 1 context switch ends in a deadlock\n";
    assert_eq!((within.stdout.as_str(), within.code), (words, 0));
    let (a, b) = ("assume(!a); a := T; end", "assume(!b); b := T; end");
    let between = "\n    atomic begin ";
    let safe = LOCKS.replace(&format!("{b}{between}{a}"), &format!("{a}{between}{b}"));
    let safe = check(&["--deadlock"], &safe);
    assert_eq!(safe.stdout, "NO DEADLOCK for every schedule\nno run ends in a deadlock\n");
    let rounds = check(&["--deadlock", "--rounds", "1"], LOCKS);
    assert!(rounds.stdout.starts_with("DEADLOCK within 1 round\n"), "{rounds:?}");
}

#[test]
fn a_deadlock_as_json_follows_the_schema() {
    let found = check(&["--deadlock", "--json"], LOCKS);
    let object: serde_json::Value = serde_json::from_str(&found.stdout).expect("the answer is JSON");
    let text = std::fs::read_to_string(crate::harness::root().join("docs/output.schema.json"));
    let schema = serde_json::from_str(&text.expect("the schema is in docs")).expect("the schema is JSON");
    assert_eq!(crate::harness::schema::validate(&schema, &object), Ok(()));
    assert_eq!(object["trace"]["deadlock"], true);
    let ended = |n: usize| &object["trace"]["threads"][n]["ended"];
    assert_eq!([ended(0), ended(1), ended(2)], [&false, &false, &true]);
    let waits = |n: usize| &object["trace"]["threads"][n]["waits_for"];
    assert_eq!(waits(0)[0]["statement"], "assume(!b)");
    assert_eq!((&waits(0)[0]["kind"], &waits(0)[0]["line"]), (&"assume".into(), &8.into()));
    assert_eq!(
        (&waits(0)[0]["values"][0]["name"], &waits(0)[0]["values"][0]["value"]),
        (&"b".into(), &"T".into())
    );
    assert_eq!(waits(2), &serde_json::json!([]));
}

#[test]
fn who_ends_in_an_atomic_region_keeps_the_others_waiting() {
    let holder = "thread p begin void main() begin atomic_begin; end end\n";
    let alone = check(&["--deadlock"], holder);
    assert_eq!(alone.stdout, "NO DEADLOCK for every schedule\nno run ends in a deadlock\n");
    let spins = "thread q begin void main() begin\n while (T) do skip; od\nend end\n";
    let found = check(&["--deadlock"], &format!("{holder}{spins}"));
    let end =
        "p: ended in an atomic region, so no other thread runs any more\nq: waits in main, line 3, for p\n";
    assert!(found.stdout.ends_with(end), "{found:?}");
}

#[test]
fn everything_that_a_thread_waits_for_is_told() {
    let text = "decl a, b; init !a & !b;
thread p begin decl n: int<3>; init n = 5; void main() begin
  a := a;
  goto L, M;
  L: atomic begin
    skip;
    assume(a & n = 5);
  end
  M: assert(b);
end end
thread q begin void main() begin assume(a | b); end end
";
    let found = check(&["--deadlock"], text);
    let end = "q: waits in main, line 11, for assume(a | b) (a = F, b = F)\n";
    assert!(found.stdout.ends_with(end), "{found:?}");
    let waits = found.stdout.lines().find(|line| line.starts_with("p: waits")).expect("p waits");
    let first = "in main, line 5, for assume(a & n = 5) in line 7 (a = F, n = 5)";
    let second = "in main, line 9, for assert(b), which fails (b = F)";
    assert!(waits.ends_with(first) || waits.ends_with(second), "{waits}");
}

#[test]
fn deadlocks_are_asked_of_threads_by_the_explicit_engine() {
    refuses(&["--deadlock"], "void main() begin skip; end", &["for programs with threads"]);
    refuses(&["--deadlock", "--engine", "symbolic"], LOCKS, &["by the explicit engine"]);
    refuses(&["--deadlock", "--shortest"], LOCKS, &["`--shortest` does not go"]);
    refuses(&["--deadlock", "--target", "L"], LOCKS, &["--target"]);
}

#[test]
fn a_deadlock_of_some_number_of_threads_is_found() {
    let meet = "decl a, b;
init !a & !b;
thread p[*]
begin
  void main()
  begin
    if (*) then
      atomic begin assume(!a); a := T; end
      atomic begin assume(!b); b := T; end
    else
      atomic begin assume(!b); b := T; end
      atomic begin assume(!a); a := T; end
    fi
    a, b := F, F;
  end
end
";
    let found = check(&["--deadlock"], meet);
    assert_eq!(found.code, 10, "{found:?}");
    assert!(found.stdout.starts_with("DEADLOCK within 1 context switch\n"), "{found:?}");
    assert!(found.stdout.contains("1 context switch, 2 copies of p\n"), "{found:?}");
    let safe = check(&["--deadlock"], "decl a; thread p[*] begin void main() begin a := !a; end end");
    let words = "NO DEADLOCK for every schedule of any number of threads\nno run ends in a deadlock\n";
    assert_eq!((safe.stdout.as_str(), safe.code), (words, 0), "{safe:?}");
}

/// Twelve threads wait for each other, which is more than anybody looks at, and no counter excludes it.
#[test]
fn a_deadlock_that_depends_on_larger_numbers_is_unknown() {
    let text = "decl n: int<4>;
init n = 0;
thread p[*] begin void main() begin
  n := n + 1;
  assume(n != 12);
end end
";
    let found = check(&["--deadlock"], text);
    assert_eq!(found.code, 5, "{found:?}");
    assert!(found.stdout.starts_with("UNKNOWN: no deadlock of fewer than 6 threads was found"), "{found:?}");
    let twelve = check(&["--deadlock", "--trace", "none"], &text.replace("[*]", "[12]"));
    assert_eq!(twelve.code, 10, "{twelve:?}");
}

const LEFT_AND_RIGHT: &str = "decl a, b;
init !a & !b;
void left() begin
  atomic begin assume(!a); a := T; end
  atomic begin assume(!b); b := T; end
  a, b := F, F;
end
void right() begin
  atomic begin assume(!b); b := T; end
  atomic begin assume(!a); a := T; end
  a, b := F, F;
end
void main() begin start_thread left(); start_thread right(); end
";

#[test]
fn deadlocks_of_threads_that_are_started() {
    let found = check(&["--deadlock"], LEFT_AND_RIGHT);
    assert_eq!(found.code, 10, "{found:?}");
    let end = "main: ended
thread1: waits in left, line 5, for assume(!b) (b = T)
thread2: waits in right, line 10, for assume(!a) (a = T)
";
    assert!(found.stdout.ends_with(end), "{found:?}");
    let safe = check(&["--deadlock"], &LEFT_AND_RIGHT.replace("right();", "left();"));
    assert_eq!(safe.stdout, "NO DEADLOCK for every schedule\nno run ends in a deadlock\n");
    // There are more threads than anybody has slots for.
    let server = "decl lock;
init !lock;
void work() begin atomic begin assume(!lock); lock := T; end lock := F; end
void main() begin while (*) do start_thread work(); od end
";
    let safe = check(&["--deadlock"], server);
    assert_eq!(safe.stdout, "NO DEADLOCK for every schedule\nno run ends in a deadlock\n");
    let found = check(&["--deadlock", "--trace", "none"], &server.replace("lock := F; end", "end"));
    assert_eq!(found.stdout.lines().nth(1), Some("some run ends in a deadlock"), "{found:?}");
}
