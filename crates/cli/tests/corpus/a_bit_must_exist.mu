enum R { 0..5 };
enum One { only };
class C { R r; };
bool A(R r) r[3];
bool B(bool b) b[0];
bool D(One o) o[0];
bool F(C c) c.r[0].x;
bool G(R r, R s) r[0] < s[0];
bool H(R r) R(r[0]);
bool I(R r) r[0] = r;
//! exit 2
//! stderr: the index 3 is outside `R`, whose values have 3 bits
//! stderr: `bool` is not an array and has no elements
//! stderr: the index 0 is outside `One`, whose values have 0 bits
//! stderr: a bit has no member `x`
//! stderr: expected a range type around an ordering, found `bool`
//! stderr: expected `bool`, found `R`
