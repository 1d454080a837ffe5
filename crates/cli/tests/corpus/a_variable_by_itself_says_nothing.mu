enum S { a, b };
S s, t[3];
bool flag;
exists S s. s = b;
//> true
//! stderr: a_variable_by_itself_says_nothing.mu:2:1
//! stderr: a_variable_by_itself_says_nothing.mu:3:1
