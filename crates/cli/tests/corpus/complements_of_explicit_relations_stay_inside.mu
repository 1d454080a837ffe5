enum E { a, b, c };
enum N { 3 .. 5 };
#explicit E, N;
bool R(E e, N n, bool x) e = a & n = 3 & x;
bool Not(E e, N n, bool x) !R(e, n, x);
bool AllX(E e, N n) forall bool x. !R(e, n, x);
bool AllE(N n) forall E e. AllX(e, n);
#ons Not;
#ons AllX;
#ons AllE;
#wit exists N n. !AllE(n);
//> #ons Not 17
//> #ons AllX 8
//> #ons AllE 2
//> #wit n = 3
