//! options: --param n=5
#param n = 3;
enum R { 0 .. n };
bool All(R r) true;
#ons All;
//> #ons All 6
