// Outer has tuples 0, 1, 2 in turn; Inner is nu, and must begin full again in each round of Outer.
enum N { 0 .. 3 };
bool Succ(N a, N b) a = 0 & b = 1 | a = 1 & b = 2 | a = 2 & b = 3;
mu bool Outer(N n) n = 0 | (exists N m. Succ(m, n) & Inner(m));
nu bool Inner(N n) Outer(n) & Inner(n);
#ons Outer;
#ons Inner;
//> #ons Outer 4
//> #ons Inner 4
