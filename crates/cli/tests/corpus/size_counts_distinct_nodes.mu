//! solver only
// Over two bits: `x & y` has a node for each, the constants aside; `true` has none of its own.
bool And(bool x, bool y) x & y;
#size And;
//> #size And...
