enum E { a, b, c };
class S { E e; bool b[2]; };
#explicit S;
mu bool R(S s) s.e = a & !s.b[0] & !s.b[1] | (exists S t. R(t) & (s.e != t.e & s.b = t.b | s.e = t.e & s.b[0] & s.b[1]));
#ons R;
forall S s. R(s) <-> s.b[0] = s.b[1];
exists S s, S t. !(R(s) | R(t)) & s = t & s.e = c;
//> #ons R 6
//> true
//> true
