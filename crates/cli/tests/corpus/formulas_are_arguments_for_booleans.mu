enum E { a, b };
bool R(bool x, E e) x & e = a;
forall E e, bool x. R(x & e = a, e) <-> x & e = a;
R(exists bool y. y, a);
R(R(R(1, a), a), a);
R(R(R(1, b), a), a);
//> true
//> true
//> true
//> false
