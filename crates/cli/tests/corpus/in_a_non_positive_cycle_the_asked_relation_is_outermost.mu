//! stderr: warning
// Asked for A: A starts empty, so B = !A is full, so A = !B is empty: done. Asked for B: the same with roles changed.
mu bool A() !B();
mu bool B() !A();
A();
B();
//> false
//> false
