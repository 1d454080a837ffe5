enum E { a, b };
bool Equal(E x, E b) x = b;
#ons Equal;
bool Is(E x) x = b;
exists E a. Is(a);
exists E a. a = b;
//> #ons Equal 2
//> false
//> true
//! stderr: `b` is the value of `E` here, not the variable of that name
//! stderr: `a` is the value of `E` here, not the variable of that name
