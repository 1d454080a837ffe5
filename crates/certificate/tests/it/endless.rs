//! Certificates about infinite runs of threads, written by hand, and everything that differs from them in one place.

use crate::changed::changes;
use base::{Sources, Stop};
use certificate::threads::forever::{Outcome, read, validate, write};
use rsm::observe::{Observer, Who};
use rsm::{Concurrent, ModuleId, NodeId};

/// Two threads set `done`, which ends the loop of the third.
const PROGRAM: &str = "decl turn, done;
init !done;
thread a begin
  void main() begin
    while !done do
      A: turn := T;
    od
  end
end
thread b[2] begin
  void main() begin
    decl x;
    x := step(*);
    done := T;
  end
  bool step(y) begin return !y; end
end
";

const NONTERM: &str = "getafix certificate of infinite runs of threads 1
claim nonterm
scheduler weak
shared turn done
threads a 0
threads b 0 1
s0 = 0 0
s1 = 1 0
s2 = 0 1
s3 = 1 1
l0 = a ; main 0  # line 5
l1 = a ended 0
l2 = b ; main@1 1  # line 14
l3 = b ended 0
starve 4 1 l2
c s0 l0 l2 l2 q0 k9
c s1 l0 l2 l2 q0 k4
c s2 l0 l2 l3 q0 k8
c s3 l0 l2 l3 q0 k3
c s3 l1 l2 l3 q0 k1
c s3 l0 l3 l3 q0 k2
c s3 l1 l3 l3 q0 k0
c s2 l1 l2 l3 q0 k6
c s2 l0 l3 l3 q0 k7
c s2 l1 l3 l3 q0 k5
";

const REPEAT: &str = "getafix certificate of infinite runs of threads 1
claim repeat A
scheduler weak
shared turn done
threads a 0
threads b 0 1
s0 = 0 0
s1 = 1 0
s2 = 0 1
s3 = 1 1
l0 = a ; main 0  # line 5
l1 = a ; main 1  # line 6
l2 = a ended 0
l3 = b ; main@1 1  # line 14
l4 = b ended 0
starve 6 1 l3
c s0 l0 l3 l3 q0 k14
c s1 l0 l3 l3 q0 k6
c s0 l1 l3 l3 q0 k9
c s2 l0 l3 l4 q0 k13
c s2 l1 l3 l4 q0 k8
c s1 l1 l3 l3 q0 k6
c s3 l0 l3 l4 q0 k3
c s3 l1 l3 l4 q0 k5
c s3 l1 l4 l4 q0 k4
c s3 l2 l3 l4 q0 k1
c s3 l0 l4 l4 q0 k2
c s3 l2 l4 l4 q0 k0
c s2 l1 l4 l4 q0 k7
c s2 l2 l3 l4 q0 k11
c s2 l0 l4 l4 q0 k12
c s2 l2 l4 l4 q0 k10
";

fn load() -> (Concurrent, Sources) {
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "test.bp", PROGRAM).expect("the program has no errors");
    let options = bp::ThreadOptions { slots: 1, async_labels: false };
    (bp::lower_threads(&checked, options).expect("the program can be lowered"), sources)
}

/// Who asks for what is claimed: runs without an end, or runs that are at the label again and again.
fn observer(program: &Concurrent, claim: &str) -> Observer {
    if claim.contains("claim nonterm") {
        return Observer::of_everything();
    }
    let modules = program.machine.modules.iter().enumerate();
    let places = modules.flat_map(|(m, module)| {
        let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        labelled.map(move |(n, _)| (ModuleId::new(m), NodeId::new(n)))
    });
    Observer::of_places(Who { block: None, copy: None }, places.collect())
}

/// `accepted`, or why it is not.
fn verdict(program: &Concurrent, observer: &Observer, text: &str) -> String {
    let endless = match read(program, text) {
        Ok(endless) => endless,
        Err(problem) => return format!("{problem:?}"),
    };
    match validate(program, observer, &endless, &Stop::default()) {
        Ok(Outcome::Accepted(_)) => "accepted".to_owned(),
        Ok(Outcome::Refused(message)) => message,
        Err(reason) => panic!("stopped: {reason:?}"),
    }
}

/// The certificate is a proof, and nothing that differs from it in one place is one, but for these: other numbers of classes, in the same order where
/// it matters.
#[track_caller]
fn tight(text: &str, harmless: &[&str]) {
    let (program, sources) = load();
    let observer = observer(&program, text);
    let endless = read(&program, text).expect("it is well formed");
    assert_eq!(write(&program, &sources, &endless), text);
    assert_eq!(verdict(&program, &observer, text), "accepted");
    let changed = changes(text);
    assert!(changed.len() > 100);
    let accepted = changed.iter().filter(|(_, text)| verdict(&program, &observer, text) == "accepted");
    let accepted: Vec<&str> = accepted.map(|(what, _)| what.as_str()).collect();
    assert_eq!(accepted, harmless);
}

#[test]
fn some_run_of_all_threads_ends() {
    tight(
        NONTERM,
        &[
            "c s0 l0 l2 l2 q0 k10",
            "c s3 l1 l2 l3 q0 k2",
            "c s3 l0 l3 l3 q0 k1",
            "c s2 l1 l2 l3 q0 k7",
            "c s2 l0 l3 l3 q0 k6",
        ],
    );
}

#[test]
fn a_label_is_not_passed_again_and_again() {
    tight(
        REPEAT,
        &[
            "c s0 l0 l3 l3 q0 k15",
            "c s0 l0 l3 l3 q0 k13",
            "c s0 l1 l3 l3 q0 k10",
            "c s2 l0 l3 l4 q0 k14",
            "c s2 l0 l3 l4 q0 k12",
            "c s3 l0 l3 l4 q0 k4",
            "c s3 l0 l3 l4 q0 k2",
            "c s3 l1 l4 l4 q0 k3",
            "c s3 l2 l3 l4 q0 k2",
            "c s3 l2 l3 l4 q0 k0",
            "c s3 l0 l4 l4 q0 k3",
            "c s3 l0 l4 l4 q0 k1",
            "c s3 l2 l4 l4 q0 k1",
            "c s2 l2 l3 l4 q0 k12",
            "c s2 l2 l3 l4 q0 k10",
            "c s2 l0 l4 l4 q0 k13",
            "c s2 l0 l4 l4 q0 k11",
            "c s2 l2 l4 l4 q0 k11",
            "c s2 l2 l4 l4 q0 k9",
        ],
    );
}
