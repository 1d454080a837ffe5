//! solver only
mu bool R(bool x) x;
exists bool x. R(x);
#print statistics;
true;
//> true
//> #print statistics...
//> ...
//> true
