enum N { 0 .. 6 };
bool Succ(N a, N b)
    a = 0 & b = 1 | a = 1 & b = 2 | a = 2 & b = 3
  | a = 3 & b = 4 | a = 4 & b = 5 | a = 5 & b = 6;
mu bool Even(N n);
mu bool Odd(N n);
mu bool Even(N n) n = 0 | (exists N m. Succ(m, n) & Odd(m));
mu bool Odd(N n) exists N m. Succ(m, n) & Even(m);
#ons Even;
#ons Odd;
Even(6);
forall N n. Even(n) <+> Odd(n);
//> #ons Even 4
//> #ons Odd 3
//> true
//> true
