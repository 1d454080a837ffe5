class S { bool b[3]; bool c; } b ~- c, b < c, ~+ b;
class T { bool p, q, r; } p > q, ~- r;
bool Eq1(S s, S t) s ~+ t s = t;
bool Eq2(S s, S t) s ~- t, s < t s = t;
bool Eq3(S s, S t) s > t s = t;
bool Eq4(S s, S t, T u) ~- s, ~+ t, s.c < t.b, u.p > s (s = t & u.p);
bool Eq5(S s, S t) s.b ~+ t.b, s.c < t.c exists S u. s = u & u = t;
#ons Eq1; #ons Eq2; #ons Eq3; #ons Eq4; #ons Eq5;
//> #ons Eq1 16
//> #ons Eq2 16
//> #ons Eq3 16
//> #ons Eq4 64
//> #ons Eq5 16
