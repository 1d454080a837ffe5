//! What the page calls.
//!
//! Contract: one question at a time. `buffer(n)` is where n bytes of a question go, `ask()` answers it and says how long the answer is, `answer()` is where it is.

#![allow(unsafe_code)]

use std::sync::Mutex;

static QUESTION: Mutex<Vec<u8>> = Mutex::new(Vec::new());

static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut question = QUESTION.lock().expect("one question at a time");
    question.clear();
    question.resize(length, 0);
    question.as_mut_ptr()
}

/// Answers the question; how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    std::panic::set_hook(Box::new(|info| {
        *ANSWER.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = info.to_string().into_bytes();
    }));
    let question = std::mem::take(&mut *QUESTION.lock().expect("one question at a time"));
    let text = crate::answered(&String::from_utf8_lossy(&question)).into_bytes();
    let mut answer = ANSWER.lock().expect("one question at a time");
    *answer = text;
    answer.len()
}

/// Where the answer is; or, if a bug has ended the module, what it said.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_ptr()
}

/// How many bytes are there.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len()
}
