//! The list of words.
//!
//! An entry has all there is to know of a word: its name, its parameters with their sorts, what it says, the maker of its rows, and, where
//! its facts are parts of runs, its role.

use crate::game;
use crate::proper;
use crate::rows;
use crate::target::target;
use crate::threads;
use crate::variables;
use crate::word::{Role, Word};

/// The words about all programs.
pub fn common() -> Vec<Word> {
    vec![
        Word::new(
            "ProgramInt",
            &[("State", "x"), ("State", "v")],
            "a step inside a function leads from x to v",
            rows::program_int,
        )
        .with_role(Role::Step),
        Word::new(
            "IntoCall",
            &[("State", "x"), ("State", "y")],
            "x is a call, y the entry of the function it calls, with the arguments",
            rows::into_call,
        )
        .with_role(Role::Call),
        Word::new(
            "Across",
            &[("State", "x"), ("State", "v")],
            "x is at a call, v at the point after it; nothing is said of their data",
            rows::across,
        ),
        Word::new(
            "ReturnA",
            &[("State", "x"), ("State", "v")],
            "v is after the call at x and has what the call leaves alone",
            rows::return_a,
        )
        .with_role(Role::Around),
        Word::new(
            "ReturnB",
            &[("State", "z"), ("State", "v")],
            "z is an exit, v after a call of that function, with its results and globals",
            rows::return_b,
        )
        .with_role(Role::Return),
        Word::new(
            "Return",
            &[("State", "x"), ("State", "z"), ("State", "v")],
            "the call at x, left at the exit z, goes on at v: ReturnA and ReturnB",
            rows::return_whole,
        )
        .with_role(Role::Return),
        Word::new("Entry", &[("State", "u")], "u is at the entry of a function", rows::entry),
        Word::new("Exit", &[("State", "z")], "z is at the exit of a function", rows::exit),
        Word::new(
            "Enforce",
            &[("State", "v")],
            "the function of v allows v; no step leads to a state that is not allowed",
            rows::enforce,
        ),
    ]
}

/// The words about sequential programs alone.
pub fn sequential() -> Vec<Word> {
    vec![
        Word::new("Init", &[("State", "u")], "a run may start at u, the entry of main", rows::init)
            .with_role(Role::Start),
        Word::new("Target", &[("State", "v")], "v is what the question asks for", target)
            .with_role(Role::Target),
        Word::new(
            proper::PROPER,
            &[("State", "v")],
            "v is a state of the program, whether a run gets there or not",
            proper::proper,
        ),
        Word::new(
            "EnteredTwice",
            &[("Module", "m")],
            "a run may enter the function m more than once",
            rows::entered_twice,
        ),
        Word::new(
            "Recursive",
            &[("Module", "m")],
            "the function m may be called while it is open: it is on a cycle of the graph of calls",
            rows::recursive,
        ),
    ]
}

/// The words about the variables of sequential programs, for formulas that use one of them. They come with the sort `Variable`.
pub fn variables() -> Vec<Word> {
    vec![
        Word::new(
            "Reads",
            &[("State", "x"), ("State", "v"), ("Variable", "a")],
            "the step, or the finished call, from x to v reads a",
            variables::reads,
        ),
        Word::new(
            "Writes",
            &[("State", "x"), ("State", "v"), ("Variable", "a")],
            "the step, or the finished call, from x to v writes a",
            variables::writes,
        ),
        Word::new(
            "Owns",
            &[("Module", "m"), ("Variable", "a")],
            "a is a parameter or a local variable of m",
            variables::owns,
        ),
        Word::new(
            "Parameter",
            &[("Module", "m"), ("Variable", "a")],
            "a is a parameter of m",
            variables::parameters,
        ),
    ]
}

/// The words about the program behind an abstraction, for formulas that use one of them. They come with the sort `Move`.
pub fn game() -> Vec<Word> {
    vec![
        Word::new(
            "Forced",
            &[("State", "x"), ("State", "v")],
            "a step that reads no inputs may lead from x to v; some state of the program in x may take it",
            game::forced,
        )
        .with_role(Role::Step),
        Word::new(
            "Chosen",
            &[("State", "x"), ("Move", "j"), ("State", "v")],
            "the move j may lead from x to v: by the step of j, to what j promises",
            game::chosen,
        )
        .with_role(Role::Step),
        Word::new(
            "Must",
            &[("State", "x"), ("Move", "j")],
            "in every state of the program in x inputs can be chosen so that j is made, unless a step without inputs is taken",
            game::must,
        ),
        Word::new(
            "Stuck",
            &[("State", "x")],
            "some state of the program in x may take no step without inputs; calls and exits are not stuck",
            game::stuck,
        ),
        Word::new("Choice", &[("State", "x")], "at x inputs are read", game::choice),
    ]
}

/// The words about concurrent programs alone.
pub fn concurrent() -> Vec<Word> {
    vec![
        Word::new("Init", &[("Global", "g")], "a run may start with the shared values g", threads::init),
        Word::new(
            "Start",
            &[("Thread", "t"), ("State", "u")],
            "u is at the entry of the main function of t, its private globals as they are at the start",
            threads::start,
        )
        .with_role(Role::Start),
        Word::new(
            "Free",
            &[("State", "v")],
            "at v another thread may go on: no atomic region surrounds v",
            threads::free,
        ),
        Word::new(
            "Visible",
            &[("State", "v")],
            "the next step from v may be noticed by others, or may notice them, or enters an atomic region",
            threads::visible,
        ),
        Word::new(
            "Target",
            &[("Thread", "t"), ("State", "v")],
            "t at v is what the question asks for",
            target,
        )
        .with_role(Role::Target),
        Word::new(
            "Previous",
            &[("Thread", "s"), ("Thread", "t")],
            "s is the copy before t of the same block; empty if copies are told apart",
            threads::previous,
        ),
        Word::new("Runs", &[("Thread", "t"), ("Turn", "r")], "r is t, in a schedule", threads::runs),
        Word::new(
            "Follows",
            &[("Thread", "s"), ("Thread", "t")],
            "t is the next thread after s in the text",
            threads::follows,
        ),
        Word::new("Star", &[("Thread", "t")], "t stands for any number of threads", threads::stars),
    ]
}
