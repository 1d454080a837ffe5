//! solver only
bool Undumped(bool x, bool y) x & y;
bool Uses(bool x) exists bool y. Undumped(x, y) & !y;
mu bool Grow(bool x) Uses(x) | Grow(x);
#ons Grow;
#undump Undumped;
#ons Undumped;
#ons Uses;
#ons Grow;
Undumped(1, 0);
#certify Undumped;
#reset Undumped;
#ons Uses;
//> #ons Grow 0
//> #undump Undumped Undumped.dddmp
//> #ons Undumped 2
//> #ons Uses 1
//> #ons Grow 1
//> true
//> #certify Undumped fails: ...
//> #ons Uses 0
