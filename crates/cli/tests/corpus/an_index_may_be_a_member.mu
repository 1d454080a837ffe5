enum I { 0 .. 2 };
class S { I top; I cell[3]; };
bool Self(S s) s.cell[s.top] = s.top;
bool Far(S s) s.cell[s.cell[0]] = 2;
// 3 tops, and the cell at the top is determined.
#ons Self;
// By the value of cell[0]: 0 gives nothing, 1 asks cell[1] = 2, 2 asks cell[2] = 2; 3 tops each.
#ons Far;
//> #ons Self 27
//> #ons Far 18
