//! solver only
//! writes R.dot
bool R(bool x) x;
#witness exists bool x. R(x);
#counterexample forall bool x. R(x);
#onsetsize R;
#visualize R;
#frontier;
#frontier on;
#frontier off;
#verbose on;
#verbose off;
#timer reset;
#timer go;
#timer stop;
//> #wit x = true
//> #cex x = false
//> #ons R 1
//> #vis R R.dot
