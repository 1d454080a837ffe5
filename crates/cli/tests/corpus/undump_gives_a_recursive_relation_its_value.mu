//! solver only
// The file says that it has all tuples with x, whatever the equation says.
mu bool Undumped(bool x, bool y) x & y | Undumped(x, y);
bool Uses(bool x) exists bool y. Undumped(x, y) & !y;
#ons Undumped;
#ons Uses;
#undump Undumped;
#ons Undumped;
#ons Uses;
Undumped(1, 0);
Undumped(0, 1);
#ons Undumped;
#reset Undumped;
#ons Undumped;
#ons Uses;
//> #ons Undumped 1
//> #ons Uses 0
//> #undump Undumped Undumped.dddmp
//> #ons Undumped 2
//> #ons Uses 1
//> true
//> false
//> #ons Undumped 2
//> #ons Undumped 1
//> #ons Uses 0
