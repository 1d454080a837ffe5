enum N { 0 .. 3 };
mu bool Pair(N a, N b) a = 0 & b = 0 | (exists N c. Pair(a, c) & One(c) & c = 0 & b = 1) | Any() & a = 3 & b = 3;
mu bool One(N a) exists N b. Pair(a, b) | Pair(b, a);
mu bool Any() One(1);
#ons Pair;
#ons One;
Any();
//> #ons Pair 3
//> #ons One 3
//> true
