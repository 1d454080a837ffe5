class A { A next; };
class B { C c; };
class C { B b; };
//! exit 2
//! stderr: a_class_may_not_contain_itself.mu:1:
//! stderr: `A` contains itself
//! stderr: `B` contains itself
