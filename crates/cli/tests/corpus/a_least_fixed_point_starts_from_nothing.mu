enum E { a, b, c, d };
mu bool Self(E x) Self(x);
mu bool Reach(E x) x = a | (exists E y. Reach(y) & (y = a & x = b | y = c & x = d));
#ons Self;
#ons Reach;
Reach(b);
Reach(d);
//> #ons Self 0
//> #ons Reach 2
//> true
//> false
