enum E { a, b, c };
bool R(E x, E y) x = a & y = b | x = b & y = a | x = c & y = c | x = a & y = c;
bool Loop(E x) R(x, x);
bool Swap(E x, E y) R(y, x);
bool Both(E x, E y) R(x, y) & R(y, x);
bool FromA(E y) R(a, y);
bool Const() R(b, a);
#ons Loop;
#ons Swap;
#ons Both;
#ons FromA;
Swap(c, a);
Swap(a, c);
Const();
//> #ons Loop 1
//> #ons Swap 4
//> #ons Both 3
//> #ons FromA 2
//> true
//> false
//> true
