//! `getafix check --deadlock`: who waits where, within which bound, and of which programs it is asked.

mod harness;

use harness::program::{check, refuses};

/// A thread that is started at run time.
const STARTED: &str = "decl x;
void f() begin x := T; end
void main() begin start_thread f(); end
";

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
    let end =
        "-- deadlock: no thread can go on\np: waits in main, line 8\nq: waits in main, line 17\nr: ended\n";
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
    let text = std::fs::read_to_string(harness::root().join("docs/output.schema.json"));
    let schema = serde_json::from_str(&text.expect("the schema is in docs")).expect("the schema is JSON");
    assert_eq!(harness::schema::validate(&schema, &object), Ok(()));
    assert_eq!(object["trace"]["deadlock"], true);
    let ended = |n: usize| &object["trace"]["threads"][n]["ended"];
    assert_eq!([ended(0), ended(1), ended(2)], [&false, &false, &true]);
}

#[test]
fn deadlocks_are_asked_of_threads_that_are_there_from_the_beginning() {
    refuses(&["--deadlock", "-k", "2"], STARTED, &["`--deadlock` needs to know", "at run time"]);
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
    assert_eq!(safe.code, 5, "{safe:?}");
    assert!(safe.stdout.starts_with("UNKNOWN: no deadlock of at most 3 threads of each block was found"));
}
