enum E { a, b };
enum E { c };
bool R(bool x) x;
bool R(bool x) !x;
enum F { a, a };
class C { bool x, x; };
bool S(bool x, bool x) x;
//! exit 2
//! stderr: names_are_defined_once.mu:2:
//! stderr: names_are_defined_once.mu:4:
//! stderr: names_are_defined_once.mu:5:
//! stderr: names_are_defined_once.mu:6:
//! stderr: names_are_defined_once.mu:7:
