enum E { a, };
bool R(E e e = a;
exists bool x x;
true;
#nonsense;
1 &;
//! exit 2
//! stderr: all_syntax_errors_are_reported_at_once.mu:1:13
//! stderr: all_syntax_errors_are_reported_at_once.mu:2:12
//! stderr: all_syntax_errors_are_reported_at_once.mu:3:15
//! stderr: all_syntax_errors_are_reported_at_once.mu:5:1
//! stderr: all_syntax_errors_are_reported_at_once.mu:6:4
//! stderr: expected
