enum E { a, b };
exists E a. a = b;
forall E b. b = a;
bool R(E a) a = b;
R(a);
R(b);
//> true
//> false
//> false
//> true
