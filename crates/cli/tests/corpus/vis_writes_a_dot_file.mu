//! solver only
//! writes R.dot
bool R(bool x, bool y) x <+> y;
#vis R;
//> #vis R R.dot
