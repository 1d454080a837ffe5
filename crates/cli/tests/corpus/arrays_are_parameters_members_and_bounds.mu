enum T { 0 .. 2 };
class S { T cell[2]; };
bool P(T a[2], bool b[1]) b[0] & a[0] = a[1];
#ons P;
exists T a[2], bool b[1]. P(a, b) & a[1] = 2;
forall T a[2]. exists S s. s.cell = a;
exists S s, bool b[1]. P(s.cell, b) & s.cell[0] = 1;
forall S s[2], S t[2]. s[0] = t[0] & s[1] = t[1] -> s = t;
//> #ons P 3
//> true
//> true
//> true
//> true
