enum R { 0..5 };
enum E { zero, one, two, three, four };
class C { R r; E e[2]; };
bool Odd(R r) r[0];
#ons Odd;
Odd(5) & !Odd(4);
#wit exists R r. r[2] & r[0];
#wit exists E e. e[1] & !e[0];
forall R r. (r[2] <-> r = 4 | r = 5) & (r[1] <-> r = 2 | r = 3);
exists C c. c.r[0] = 1 & c.r[1] != c.r[2] & c.r != 1 & c.r != 3;
bool B(bool x, bool y) x & !y;
forall R r. B(r[1], r[0]) <-> r = 2;
forall E e. e[2] = true <-> e = four;
forall R r, R s. r = s <-> r[0] = s[0] & (r[1] <-> s[1]) & !(r[2] != s[2]);
//> #ons Odd 3
//> true
//> #wit r = 5
//> #wit e = two
//> true
//> true
//> true
//> true
//> true
