//! solver only
enum N { 0 .. 3 };
bool Succ(N a, N b) a = 0 & b = 1 | a = 1 & b = 2;
mu bool R(N n) n = 0 | (exists N m. R(m) & Succ(m, n));
#explain R(2);
#explain R(3);
//> #explain 1. R(2) by clause 2 ..., with m = 1, from ...
//> ...
//> #explain none
