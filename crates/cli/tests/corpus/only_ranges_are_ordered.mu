enum E { a, b };
class C { bool x; };
exists E x, E y. x < y;
exists C x, C y. x <= y;
//! exit 2
//! stderr: only_ranges_are_ordered.mu:3:
//! stderr: only_ranges_are_ordered.mu:4:
