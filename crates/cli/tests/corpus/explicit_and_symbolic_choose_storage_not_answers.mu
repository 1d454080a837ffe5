enum E { 0 .. 5 };
enum F { a, b, c };
class S { E e; F f; bool b; };
#explicit E;
#symbolic F;
mu bool R(S s, E k)
    s.e = 0 & s.f = a & !s.b & k = 0
  | (exists S t, E j. R(t, j) & t.f = s.f & s.e = k & j <= k & (s.b <-> !t.b));
bool Not(S s, E k) !R(s, k);
#ons R;
#ons Not;
forall S s, E k. R(s, k) -> s.e = k & s.f = a;
forall E k. exists S s. R(s, k);
//> #ons R 12
//> #ons Not 204
//> true
//> true
