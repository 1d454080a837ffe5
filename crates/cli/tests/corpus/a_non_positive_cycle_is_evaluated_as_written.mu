//! stderr: warning
// Asked for A, B is evaluated afresh with A fixed.
//   A = {}: B = {0, 1, 2} without what A has = {0, 1, 2}; A = {0} of the first clause, 1 if B lacks it: {0}.
//   A = {0}: B = {1, 2}; A = {0} and successor of what B lacks: {0, 1}. A = {0, 1}: B = {2}; A = {0, 1, 2}.
enum N { 0 .. 2 };
bool Succ(N a, N b) a = 0 & b = 1 | a = 1 & b = 2;
mu bool A(N n) n = 0 | (exists N m. Succ(m, n) & !B(m));
mu bool B(N n) !A(n);
#ons A;
// Asked for B: A is a least fixed point inside, with B fixed.
//   B = {}: A = {0, 1, 2}; B = {}. Done.
#ons B;
//> #ons A 3
//> #ons B 0
