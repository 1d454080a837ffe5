//! A program in C, on the system that this runs on: its preprocessor, and its SMT solver if it has one.

use getafix::{Events, Request};

const PROGRAM: &str = "
int nondet(void);
void reach_error(void);
int main(void) {
    int n = nondet();
    if (n > 10 && n < 12) reach_error();
    return 0;
}
";

pub(crate) fn main() {
    let reply = getafix::answer(&Request::check("program.c", PROGRAM), &mut Events::system());
    println!("{}", reply.text);
    for note in &reply.notes {
        println!("note: {note}");
    }
    assert_eq!(reply.verdict(), "reachable");
}
