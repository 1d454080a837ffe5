//! stderr: warning: `x` hides the parameter of this name
//! stderr: an_inner_name_hides_an_outer_one.mu:5:31
//! stderr: an_inner_name_hides_an_outer_one.mu:6:26
enum E { a, b };
bool R(E x) x = a & (exists E x. x = b);
bool S(bool x) (exists E x. x = b) & x;
R(a);
R(b);
#ons S;
forall bool x. x | (exists bool x. !x);
//> true
//> false
//> #ons S 1
//> true
