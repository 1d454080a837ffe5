//! solver only
bool Full(bool x, bool y) 1;
bool R(bool x, bool y) x & y;
bool Uses(bool x) R(x, x);
mu bool Grow(bool x) Uses(x) | Grow(x);
#dump R;
#ons Uses;
#ons Grow;
#undump R;
#ons Grow;
//> #dump R R.dddmp
//> #ons Uses 1
//> #ons Grow 1
//> #undump R R.dddmp
//> #ons Grow 1
