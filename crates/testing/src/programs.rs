//! Boolean programs that are right, from text to machine; a mistake in one is a mistake in the test, and is shown with its place.

use base::{Diagnostic, Sources, render};
use bp::{Checked, ThreadOptions};
use rsm::{Concurrent, Rsm};

/// A program without mistakes, one of these sources from now on.
#[track_caller]
pub fn load(sources: &mut Sources, text: &str) -> Checked {
    match bp::load(sources, "test.bp", text) {
        Ok((checked, _)) => checked,
        Err(mistakes) => wrong(sources, &mistakes, text),
    }
}

/// The machine of a sequential program.
#[track_caller]
pub fn lower(text: &str) -> Rsm {
    let mut sources = Sources::default();
    let checked = load(&mut sources, text);
    bp::lower(&checked).unwrap_or_else(|mistakes| wrong(&sources, &mistakes, text))
}

/// The threads of a program; so many can be started, and labels behind `async` are places where they begin.
#[track_caller]
pub fn lower_threads(text: &str, slots: usize) -> Concurrent {
    let mut sources = Sources::default();
    let checked = load(&mut sources, text);
    let options = ThreadOptions { slots, async_labels: true };
    bp::lower_threads(&checked, options).unwrap_or_else(|mistakes| wrong(&sources, &mistakes, text))
}

#[track_caller]
fn wrong(sources: &Sources, mistakes: &[Diagnostic], text: &str) -> ! {
    let shown: String = mistakes.iter().map(|mistake| render(sources, mistake)).collect();
    panic!("the program of the test is wrong\n{shown}\n{text}")
}
