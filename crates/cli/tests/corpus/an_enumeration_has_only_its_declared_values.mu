enum E { a, b, c, d, e };
bool All(E x) true;
bool NotC(E x) !(x = c);
bool None(E x) !All(x);
bool Pairs(E x, E y) x != y;
#ons All;
#ons NotC;
#ons None;
#ons Pairs;
forall E x. x = a | x = b | x = c | x = d | x = e;
exists E x. !(x = a | x = b | x = c | x = d | x = e);
//> #ons All 5
//> #ons NotC 4
//> #ons None 0
//> #ons Pairs 20
//> true
//> false
