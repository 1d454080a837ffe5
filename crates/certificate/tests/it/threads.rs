//! Closed sets of programs with threads, also of any number of them, written by hand.

use crate::changed::changes;
use base::{Sources, Stop};
use certificate::threads::{ClosedSet, Problem, read, validate};
use certificate::{Outcome, of_threads};
use rsm::{Action, EdgeId, Goal, ModuleId, ThreadGoal};

/// Workers take a lock; the assertion says that nobody else is inside.
fn workers(number: &str, before: &str) -> String {
    format!(
        "decl lock, inside; init lock = F; init inside = F;
thread worker[{number}] begin
  void main() begin
    while T do
      atomic begin {before} lock := T; end;
      assert (!inside);
      inside := T;
      inside := F;
      lock := F;
    od
  end
end"
    )
}

/// What all sets have in common: nodes 4 to 7 are inside, 1 is before the lock.
const TABLES: &str = "getafix certificate of threads 1
shared lock inside
threads worker
s0 = 0 0
s1 = 1 0
s2 = 1 1
l0 = worker ; main 4
l1 = worker ; main 5
l2 = worker ; main 6
l3 = worker ; main 7
l4 = worker ; main 1
";

const TWO: &str = "c s0 start*2
c s1 start l0
c s1 start l1
c s2 start l2
c s1 start l3
c s0 start l4
c s1 l0 l4
c s1 l1 l4
c s2 l2 l4
c s1 l3 l4
c s0 l4*2
";

/// However many there are, at most one is inside.
const ANY: &str = "c s0 start*any l4*any
c s1 start*any l4*any l0
c s1 start*any l4*any l1
c s2 start*any l4*any l2
c s1 start*any l4*any l3
";

fn verdict(program: &str, certificate: &str) -> String {
    let (checked, _) =
        bp::load(&mut Sources::default(), "test.bp", program).expect("the program has no errors");
    let options = bp::ThreadOptions { slots: 1, async_labels: false };
    let program = bp::lower_threads(&checked, options).expect("the program can be lowered");
    let mut goals = Vec::new();
    for (m, module) in program.machine.modules.iter().enumerate() {
        let edges = module.edges.iter().enumerate();
        let asserts = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        let goal = |(e, _)| ThreadGoal::from(Goal::Failure(ModuleId::new(m), EdgeId::new(e)));
        goals.extend(asserts.map(goal));
    }
    let closed = match read(&program, certificate) {
        Ok(closed) => closed,
        Err(Problem::Foreign(message)) => return message,
        Err(Problem::Malformed(error)) => return error.to_string(),
    };
    match validate(&program, &goals, &closed, &Stop::default()).expect("nobody stops it") {
        Outcome::Accepted(_) => "accepted".to_owned(),
        Outcome::Refused(message) => message,
    }
}

#[track_caller]
fn says(number: &str, configurations: &str, message: &str) {
    assert_eq!(verdict(&workers(number, "assume (!lock);"), &format!("{TABLES}{configurations}")), message);
}

#[test]
fn two_workers() {
    says("2", TWO, "accepted");
    says("3", TWO, "a run starts in `c s0 start*3`, which is not in the set");
    says("*", TWO, "a run starts in `c s0 start*any`, which is not in the set");
    let dropped = TWO.replace("c s0 start l4\n", "");
    says("2", &dropped, "a move leads from `c s1 start l3` to `c s0 start l4`, which is not in the set");
}

#[test]
fn any_number_of_workers() {
    says("*", ANY, "accepted");
    // What holds for any number holds for two.
    says("2", ANY, "accepted");
}

/// One counter goes down, another up: a number that is not any stands for no more than it says.
#[test]
fn a_number_is_no_more_than_it_says() {
    let few = ANY.replace("l4*any", "l4*2");
    let message =
        "a move leads from `c s1 start*any l3 l4*2` to `c s0 start*any l4*3`, which is not in the set";
    says("*", &few, message);
    let started = ANY.replacen("start*any", "start*5", 1);
    says("*", &started, "a run starts in `c s0 start*any`, which is not in the set");
    let gone = ANY.replacen("c s2 start*any l4*any l2\n", "", 1);
    says(
        "*",
        &gone,
        "a move leads from `c s1 start*any l1 l4*any` to `c s2 start*any l2 l4*any`, which is not in the set",
    );
}

/// A set with room for more than there is may be closed, too; one in which two are inside meets the target.
#[test]
fn larger_sets() {
    says("*", &format!("{ANY}c s0 start*any l4*3\n"), "accepted");
    let two = format!("{ANY}c s2 start*any l4*any l2 l0\n");
    says("*", &two, "from `c s2 start*any l0 l2 l4*any`: a thread of `worker` gets to a target");
}

#[test]
fn another_program() {
    let open = workers("*", "skip;");
    let message = verdict(&open, &format!("{TABLES}{ANY}"));
    assert_eq!(
        message,
        "a move leads from `c s1 start*any l0 l4*any` to `c s1 start*any l0*2 l4*any`, which is not in the set"
    );
    let other = "decl lock; thread other[2] begin void main() begin lock := T; end end";
    assert_eq!(verdict(other, TABLES), "there is no shared variable `inside`");
    let sequential = "thread other begin decl x; void main() begin skip; end end";
    assert_eq!(
        verdict(sequential, "getafix certificate of threads 1\nthreads worker"),
        "there are no threads `worker`"
    );
}

#[test]
fn text_that_breaks_the_rules() {
    for (text, message) in [
        ("c s9 start*2", "line 12: `s9` is not defined"),
        ("c s0 l9", "line 12: `l9` is not defined"),
        ("c l0 s0", "line 12: `l0` is not defined"),
        ("c s0 start start", "line 12: a state occurs twice in a group"),
        ("c s0 start*0", "line 12: expected a number of threads, at least 1"),
        ("c s0 start / start", "line 12: expected 1 groups of threads, found 2"),
        ("s3 = 1", "line 12: expected 2 values, found 1"),
        ("s0 = 1 1", "line 12: `s0` is defined twice"),
        ("s3 = 2 0", "`lock` has no value 2"),
        ("l5 = worker ; main 1 y=0", "there is no function `main` with a variable `y`"),
        ("l5 = worker ; main call 99", "`main` has no such call"),
        ("l5 = worker ; main 99", "a state of `worker` is none of the program"),
        ("l5 = worker ; main call 0", "a state of `worker` is none of the program"),
        ("l5 = worker", "a state of `worker` is none of the program"),
        ("threads worker", "line 13: expected 2 groups of threads, found 1"),
        (
            "what",
            "line 12: expected a target, variables, threads, values, a state or a configuration, found `what`",
        ),
    ] {
        says("2", &format!("{text}\n{TWO}"), message);
    }
    assert_eq!(verdict(&workers("2", "skip;"), ""), "line 1: expected `getafix certificate of threads 1`");
    for (text, message) in [
        (
            "\n# a remark\ngetafix certificate of threads 2",
            "line 3: certificates of version `2` are not known",
        ),
        ("getafix certificate 1", "line 1: expected `getafix certificate of threads 1`"),
        ("getafix certificate of threads", "line 1: expected `getafix certificate of threads 1`"),
        ("# a remark\n\n", "line 2: expected `getafix certificate of threads 1`"),
    ] {
        assert_eq!(verdict(&workers("2", "skip;"), text), message);
    }
}

/// Threads that wait for a function keep values of their own. Nothing that differs from the proof in one place is one.
#[test]
fn values_of_threads_that_wait() {
    let (program, proof) = (include_str!("waiting.bp"), include_str!("waiting.cert"));
    assert_eq!(verdict(program, proof), "accepted");
    let changed = changes(proof);
    assert!(changed.len() > 100);
    let accepted = changed.iter().filter(|(_, text)| verdict(program, text) == "accepted");
    // No thread is left in `main` but where it waits; three that have ended are two and one more; which targets are meant is asked otherwise.
    let is_harmless =
        |what: &str| what.contains("keep main ") || ["c s0 done*3", "without target assert"].contains(&what);
    let accepted: Vec<&str> =
        accepted.map(|(what, _)| what.as_str()).filter(|what| !is_harmless(what)).collect();
    assert_eq!(accepted, [""; 0]);
}

#[test]
fn a_set_says_little_between_places_where_threads_are_left() {
    let text = workers("2", "assume (!lock);");
    let (checked, _) = bp::load(&mut Sources::default(), "test.bp", text.as_str()).expect("no errors");
    let options = bp::ThreadOptions { slots: 1, async_labels: false };
    let program = bp::lower_threads(&checked, options).expect("it can be lowered");
    let mut closed = read(&program, &format!("{TABLES}{TWO}")).unwrap_or_else(|_| panic!("it is one"));
    let told = |closed: &ClosedSet| of_threads(&program, closed, &Stop::default()).expect("nobody stops it");
    assert_eq!(told(&closed).len(), 0);
    closed.stops_everywhere = true;
    assert!(told(&closed).iter().any(|holds| holds.clauses.contains(&"inside".to_owned())));
}

/// When the values are chosen with which a thread starts does not matter only if what they depend on stays as it is.
#[test]
fn threads_that_start_with_values_of_others() {
    let program = "decl g; thread p begin decl own; init own = g;
        void main() begin g := !g; assert own | !own; g := own; end end";
    let text = "getafix certificate of threads 1\nshared g $start.g\nkeep main 0 own\nkeep main 1 own\nkeep main 2 own\nthreads p
        s0 = 0 0\ns1 = 1 1\nc s0 start\nc s1 start\n";
    assert_eq!(verdict(program, text), "accepted");
    let open = text.replace(" $start.g", "").replace("s0 = 0 0", "s0 = 0").replace("s1 = 1 1", "s1 = 1");
    assert_eq!(
        verdict(program, &open),
        "threads start with values that depend on `$start.g`, which is not fixed"
    );
}

/// Where copies are not told apart, any of them may be the one that a target names.
#[test]
fn a_target_of_one_copy() {
    let text = "thread p[2] begin void main() begin assert F; end end";
    let (checked, _) = bp::load(&mut Sources::default(), "test.bp", text).expect("no errors");
    let options = bp::ThreadOptions { slots: 1, async_labels: false };
    let program = bp::lower_threads(&checked, options).expect("it can be lowered");
    let set = "getafix certificate of threads 1\nshared\nthreads p\ns0 =\nc s0 start*2\n";
    let closed = read(&program, set).unwrap_or_else(|_| panic!("it is one"));
    let failure = ThreadGoal::from(Goal::Failure(program.blocks[0].main, EdgeId::new(0)));
    for copy in [None, Some(0), Some(1)] {
        let goal = ThreadGoal { copy, ..failure };
        let outcome = validate(&program, &[goal], &closed, &Stop::default()).expect("nobody stops it");
        let message = "from `c s0 start*2`: a thread of `p` gets to a target".to_owned();
        assert_eq!(outcome, Outcome::Refused(message), "{copy:?}");
    }
}
