//! Tests of `lsp`: one program, a module for each subject.

mod editor;

mod diagnostics;
mod features;
mod protocol;
mod renaming;
