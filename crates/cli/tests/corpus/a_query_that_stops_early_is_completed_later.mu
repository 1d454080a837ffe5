enum N { 0 .. 7 };
#explicit N;
mu bool R(N n) n = 0 | (exists N m. R(m) & (m = 0 & n = 1 | m = 1 & n = 2 | m = 2 & n = 3));
R(0);
exists N n. R(n);
R(3);
R(4);
#ons R;
forall N n. R(n) -> n < 4;
//> true
//> true
//> true
//> false
//> #ons R 4
//> true
