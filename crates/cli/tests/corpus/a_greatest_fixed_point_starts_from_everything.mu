enum E { a, b, c, d };
bool Edge(E x, E y) x = a & y = b | x = b & y = c | x = d & y = d;
nu bool Self(E x) Self(x);
// From where an infinite path starts.
nu bool Forever(E x) exists E y. Edge(x, y) & Forever(y);
#ons Self;
#ons Forever;
Forever(d);
Forever(a);
//> #ons Self 4
//> #ons Forever 1
//> true
//> false
