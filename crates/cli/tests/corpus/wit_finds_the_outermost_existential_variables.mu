enum E { a, b, c };
class S { E at; bool on[2]; };
bool Only(S s) s.at = b & s.on[0] & !s.on[1];
#wit exists S s. Only(s);
#wit exists E x, bool y. x = c & !y;
#wit exists E x. forall E y. x = y | y != c;
#wit exists E x. x = a & x = b;
#wit exists E x. x = b & (exists E y. y = c);
#wit true;
#wit false;
//> #wit s.at = b, s.on[0] = true, s.on[1] = false
//> #wit x = c, y = false
//> #wit x = c
//> #wit none
//> #wit x = b
//> #wit (no variables)
//> #wit none
