//! The only code of these tests that knows the interfaces: from the text of a concurrent program to the verdict about the
//! sequential one that is made from it.

use checker::{FormulaFile, Options, Verdict};
use rsm::{Concurrent, Goal, ModuleId, NodeId, ThreadGoal};
pub use sequentialize::{Bound, Scheme};

/// What suits the programs best.
const ALGORITHM: &str = "entry_forward_split";

/// The machine of a concurrent program. Within so many switches more slots would not be used.
pub fn load(source: &str, slots: usize) -> Concurrent {
    let mut sources = base::Sources::default();
    let (program, _) = bp::load(&mut sources, "concurrent.bp", source).unwrap_or_else(|e| panic!("{e:?}"));
    let options = bp::ThreadOptions { slots, async_labels: false };
    bp::lower_threads(&program, options).unwrap_or_else(|e| panic!("{e:?}"))
}

/// All places with this label; or all assertions, if it is `assert`.
pub fn goals(program: &Concurrent, label: &str, copy: Option<u32>) -> Vec<ThreadGoal> {
    let mut goals = Vec::new();
    for (m, module) in program.machine.modules.iter().enumerate() {
        let m = ModuleId::new(m);
        for (n, node) in module.nodes.iter().enumerate() {
            let node_id = NodeId::new(n);
            if node.labels.iter().any(|own| own == label) {
                goals.push(ThreadGoal { goal: Goal::At(m, node_id), copy });
            }
            for (e, edge) in module.edges_from(node_id) {
                if label == "assert" && matches!(edge.action, rsm::Action::Assert(_)) {
                    goals.push(ThreadGoal { goal: Goal::Failure(m, e), copy });
                }
            }
        }
    }
    goals
}

/// The verdict about `ERROR` in a sequential program.
pub fn is_reachable(text: &str) -> bool {
    let mut sources = base::Sources::default();
    let (program, warnings) =
        bp::load(&mut sources, "sequential.bp", text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    assert!(warnings.is_empty(), "{warnings:?}\n{text}");
    let machine = bp::lower(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let target = checker::find_target(&machine, "ERROR").expect("there is a label ERROR");
    let algorithm = checker::algorithm(ALGORITHM).expect("the algorithm exists");
    let mut read = |name: &str| Err(format!("`{name}` is not there"));
    let file =
        FormulaFile { name: ALGORITHM, text: algorithm.text, read: &mut read, params: &[], labels: &[] };
    let options = Options::default();
    let report =
        checker::check(&machine, &[target], file, &options, &mut sources).expect("the formula is fine");
    match report.finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(halt) => panic!("no verdict: {halt:?}"),
    }
}

/// The least of the bounds 0 … `max` within which the label is reached, by one scheme.
fn least_of(source: &str, label: &str, bounds: (fn(u32) -> Bound, u32), scheme: Scheme) -> Option<u32> {
    let (bound, max) = bounds;
    (0..=max).find(|k| {
        let program = load(source, *k as usize);
        let goals = goals(&program, label, None);
        assert!(!goals.is_empty(), "there is a goal");
        let text = sequentialize::sequentialize(&program, &goals, bound(*k), scheme).expect("it is small");
        is_reachable(&text)
    })
}

/// Both schemes give this as the least number of context switches, trying 0 … `max`.
#[track_caller]
pub fn check_switches(source: &str, label: &str, max: u32, expected: Option<u32>) {
    for scheme in [Scheme::Eager, Scheme::Lazy] {
        assert_eq!(least_of(source, label, (Bound::Switches, max), scheme), expected, "{scheme:?}");
    }
}

/// Both schemes give this as the least number of rounds, trying 0 … `max`.
#[track_caller]
pub fn check_rounds(source: &str, label: &str, max: u32, expected: Option<u32>) {
    for scheme in [Scheme::Eager, Scheme::Lazy] {
        assert_eq!(least_of(source, label, (Bound::Rounds, max), scheme), expected, "{scheme:?}");
    }
}
