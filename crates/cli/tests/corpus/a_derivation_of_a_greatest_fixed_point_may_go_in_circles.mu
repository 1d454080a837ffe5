//! solver only
enum N { 0 .. 2 };
bool Next(N a, N b) a = 0 & b = 1 | a = 1 & b = 0;
nu bool Forever(N n) exists N m. Next(n, m) & Forever(m);
#explain Forever(0);
#explain Forever(2);
//> #explain 1. Forever(0) by clause 1 ..., with m = 1, ...
//> ...
//> #explain ... again
//> ...
//> #explain none
