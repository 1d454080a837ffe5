#load "loaded/nowhere";
//! exit 2
//! stderr: load_of_a_missing_file_is_an_error.mu:1:
//! stderr: loaded/nowhere
//! stderr: does not exist
