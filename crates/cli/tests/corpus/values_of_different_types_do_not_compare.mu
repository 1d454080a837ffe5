enum E { a, b };
enum F { c, d };
class P { bool x; };
class Q { bool x; };
exists E e, F f. e = f;
exists P p, Q q. p = q;
exists bool x[2], bool y[3]. x = y;
exists E e, bool b. e = b;
//! exit 2
//! stderr: values_of_different_types_do_not_compare.mu:5:
//! stderr: values_of_different_types_do_not_compare.mu:6:
//! stderr: values_of_different_types_do_not_compare.mu:7:
//! stderr: values_of_different_types_do_not_compare.mu:8:
