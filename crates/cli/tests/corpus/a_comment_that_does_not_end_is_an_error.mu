//! exit 2
//! stderr: a_comment_that_does_not_end_is_an_error.mu:4:7
//! stderr: comment
true; /* and so on
