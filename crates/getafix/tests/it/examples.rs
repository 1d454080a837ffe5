//! The examples hold what they say.

#[path = "../../examples/c_program.rs"]
mod c_program;
#[path = "../../examples/first_bug.rs"]
mod first_bug;
#[path = "../../examples/own_formula.rs"]
mod own_formula;
#[path = "../../examples/progress.rs"]
mod progress;
#[path = "../../examples/question.rs"]
mod question;

#[test]
fn every_example_runs() {
    let all = [c_program::main, first_bug::main, own_formula::main, progress::main, question::main];
    all.iter().for_each(|main| main());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let n_files = std::fs::read_dir(folder).expect("there are examples").count();
    assert_eq!(n_files, all.len(), "each example is run");
}
