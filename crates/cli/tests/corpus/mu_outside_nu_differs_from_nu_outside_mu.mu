// The same two equations, mu outside: from some point on p holds forever is asked of no finite path.
enum S { s, t, u };
bool Step(S x, S y) x = s & y = s | x = s & y = t | x = t & y = u | x = u & y = u;
bool P(S x) x = s;
mu bool Until(S x) P(x) & (exists S y. Step(x, y) & Inf(y)) | (exists S y. Step(x, y) & Until(y));
nu bool Inf(S x) Until(x);
#ons Inf;
#ons Until;
//> #ons Inf 0
//> #ons Until 0
