//! Tests of `lsp`: one program, a module for each subject.
