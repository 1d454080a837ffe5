// Infinitely often p on some path, nu outside: Inf = nu Z. Some path reaches a p-state with a successor in Z.
enum S { s, t, u };
bool Step(S x, S y) x = s & y = s | x = s & y = t | x = t & y = u | x = u & y = u;
bool P(S x) x = s;
nu bool Inf(S x);
mu bool Until(S x) P(x) & (exists S y. Step(x, y) & Inf(y)) | (exists S y. Step(x, y) & Until(y));
nu bool Inf(S x) Until(x);
#ons Until;
#ons Inf;
#reset all;
#ons Inf;
#ons Until;
Until(s);
Inf(u);
//> #ons Until 1
//> #ons Inf 1
//> #ons Inf 1
//> #ons Until 1
//> true
//> false
