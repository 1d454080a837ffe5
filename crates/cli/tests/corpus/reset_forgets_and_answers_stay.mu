enum N { 0 .. 3 };
mu bool R(N n) n = 0 | (exists N m. R(m) & (m = 0 & n = 1 | m = 1 & n = 2));
bool S(N n) !R(n);
R(2); #ons R; #ons S;
#reset R;
#ons S; R(3);
#reset all;
R(0); S(0);
#ons R;
//> true
//> #ons R 3
//> #ons S 1
//> #ons S 1
//> false
//> true
//> false
//> #ons R 3
