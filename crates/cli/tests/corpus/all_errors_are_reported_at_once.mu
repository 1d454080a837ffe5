enum E { a, b };
exists Nothing x. 1;
Undefined(a);
bool R(E e) e = a;
R();
R(a, b);
exists bool x. R(x);
exists E e. e;
exists E e. e.part;
exists E e. e = zzz;
#ons Missing;
//! exit 2
//! stderr: all_errors_are_reported_at_once.mu:2:8
//! stderr: `Nothing`
//! stderr: all_errors_are_reported_at_once.mu:3:1
//! stderr: `Undefined`
//! stderr: all_errors_are_reported_at_once.mu:5:1
//! stderr: all_errors_are_reported_at_once.mu:6:1
//! stderr: all_errors_are_reported_at_once.mu:7:18
//! stderr: all_errors_are_reported_at_once.mu:8:13
//! stderr: all_errors_are_reported_at_once.mu:9:
//! stderr: `part`
//! stderr: all_errors_are_reported_at_once.mu:10:17
//! stderr: `zzz`
//! stderr: all_errors_are_reported_at_once.mu:11:6
//! stderr: `Missing`
