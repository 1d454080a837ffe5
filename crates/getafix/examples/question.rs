//! Another question than reachability, of a program with threads: does everybody who waits get in, if the schedule forgets nobody?

use getafix::options::{CheckOptions, QuestionOptions, SchedulerName};
use getafix::{Events, Request};

/// Two threads that have nothing to do with each other.
const PROGRAM: &str = "
decl served;
thread p begin
    void main() begin
        while (T) do
            WAIT: served := F;
            IN: served := T;
        od
    end
end
thread q begin
    void main() begin
        while (T) do
            skip;
        od
    end
end
";

pub fn main() {
    let ask = |scheduler| {
        let question = QuestionOptions {
            ltl: Some("G (at(p:WAIT) -> F at(p:IN))".to_owned()),
            scheduler: Some(scheduler),
            ..QuestionOptions::default()
        };
        let options = CheckOptions { question, ..CheckOptions::default() };
        getafix::answer(&Request::check_with("served.bp", PROGRAM, options), &mut Events::sealed())
    };
    let (any, weak) = (ask(SchedulerName::Any), ask(SchedulerName::Weak));
    println!("any schedule: {}\nno thread is forgotten: {}", any.verdict(), weak.verdict());
    assert_eq!((any.verdict(), weak.verdict()), ("violated", "holds"));
}
