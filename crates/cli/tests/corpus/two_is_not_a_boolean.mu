exists bool b. b = 2;
2;
//! exit 2
//! stderr: two_is_not_a_boolean.mu:1:20
//! stderr: two_is_not_a_boolean.mu:2:1
