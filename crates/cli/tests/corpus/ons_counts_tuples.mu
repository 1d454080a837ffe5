enum E { a, b, c };
class S { E e[2]; bool b; };
bool R(S s, E e) s.e[0] = e;
bool Empty(S s) 0;
bool Full(E x[20], bool y[30]) 1;
#ons R;
#onsetsize R;
#ons Empty;
//> #ons R 18
//> #ons R 18
//> #ons Empty 0
