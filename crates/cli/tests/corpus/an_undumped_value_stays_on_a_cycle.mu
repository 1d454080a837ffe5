//! solver only
// The file says that it has all tuples with x. Questions about others on the cycle do not take that back.
mu bool Undumped(bool x, bool y) x & y | Other(x, y);
mu bool Other(bool x, bool y) Undumped(x, y);
bool Uses(bool x) exists bool y. Undumped(x, y) & !y;
#undump Undumped;
#ons Undumped;
#ons Uses;
#ons Other;
#ons Undumped;
#reset all;
#ons Undumped;
//> #undump Undumped Undumped.dddmp
//> #ons Undumped 2
//> #ons Uses 1
//> #ons Other 2
//> #ons Undumped 2
//> #ons Undumped 1
