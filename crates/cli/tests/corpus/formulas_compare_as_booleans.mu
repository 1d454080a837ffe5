forall bool a, bool b. (a & b) = (b & a);
exists bool a, bool b. (a | b) != (a & b);
bool R(bool a) !a;
forall bool a. R(a) = !a;
R(0) = R(0);
R(0) = 1;
//! exit 2
//! stderr: formulas_compare_as_booleans.mu:4:23
