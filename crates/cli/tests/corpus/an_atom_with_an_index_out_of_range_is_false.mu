enum I { 0 .. 3 };
enum E { a, b };
bool Eq(E v[2], I i) v[i] = a;
bool Ne(E v[2], I i) v[i] != a;
bool NotEq(E v[2], I i) !(v[i] = a);
bool Bit(bool v[2], I i) v[i];
bool NotBit(bool v[2], I i) !v[i];
// 2 of 4 arrays for each of 2 indices; a negation adds 4 for each of the 2 others.
#ons Eq;
#ons Ne;
#ons NotEq;
#ons Bit;
#ons NotBit;
bool IsA(E e) e = a;
bool Applied(E v[2], I i) IsA(v[i]);
#ons Applied;
//> #ons Eq 4
//> #ons Ne 4
//> #ons NotEq 12
//> #ons Bit 4
//> #ons NotBit 12
//> #ons Applied 4
