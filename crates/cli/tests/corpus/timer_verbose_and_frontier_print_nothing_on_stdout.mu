#timer;
#timer go;
#timer stop;
#timer reset;
#frontier;
#frontier on;
#frontier off;
#verbose;
mu bool R(bool x) x | R(x);
#ons R;
#timer;
//! stderr: #timer
//> #ons R 1
