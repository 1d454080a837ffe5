//! exit 5
//! stderr: warning
mu bool L(bool x) !L(x);
exists bool x. L(x);
#ons L;
bool Uses() exists bool x. L(x);
Uses();
true;
//> unknown: `L` never stabilises...
//> #ons L unknown: `L` never stabilises...
//> unknown: `L` never stabilises...
//> true
