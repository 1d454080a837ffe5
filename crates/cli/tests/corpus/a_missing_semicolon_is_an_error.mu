true
false;
//! exit 2
//! stderr: a_missing_semicolon_is_an_error.mu:2:1
//! stderr: `;`
