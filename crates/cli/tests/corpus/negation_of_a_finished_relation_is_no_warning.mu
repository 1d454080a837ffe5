enum E { a, b, c };
mu bool R(E x) x = a;
mu bool S(E x) !R(x) & x != c | (exists E y. S(y) & y = b & x = a);
#ons S;
//> #ons S 2
