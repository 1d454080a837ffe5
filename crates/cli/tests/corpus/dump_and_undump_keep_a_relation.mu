//! solver only
//! writes R.dddmp
enum N { 0 .. 4 };
#explicit N;
class S { N n; bool b[2]; };
mu bool R(N k, S s) k = 1 & s.n = 2 & s.b[0] | (exists N m. R(m, s) & m = 1 & k = 3) | k = 0 & s.n = k;
bool Uses(N k) exists S s. R(k, s) & !s.b[1];
#ons R;
#dump R;
#reset all;
#undump R;
#ons R;
Uses(3);
Uses(2);
#certify R;
//> #ons R 8
//> #dump R R.dddmp
//> #undump R R.dddmp
//> #ons R 8
//> true
//> false
//> #certify R holds: R 3 clauses
