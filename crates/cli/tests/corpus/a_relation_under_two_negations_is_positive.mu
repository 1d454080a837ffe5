enum E { a, b, c };
mu bool R(E x) x = a | !(!R(a) | x != b);
nu bool S(E x) !(S(x) -> x = c);
forall E x. R(x) <- x = b;
#ons R;
#ons S;
//> true
//> #ons R 2
//> #ons S 2
