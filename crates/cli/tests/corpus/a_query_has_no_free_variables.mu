x;
x = y;
//! exit 2
//! stderr: a_query_has_no_free_variables.mu:1:1
//! stderr: a_query_has_no_free_variables.mu:2:1
//! stderr: `x`
