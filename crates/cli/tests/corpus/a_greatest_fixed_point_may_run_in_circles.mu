//! exit 5
//! stderr: warning
enum N { 0 .. 2 };
nu bool Flip(N n) !Flip(n) & n = 1 | n = 2;
#ons Flip;
1;
//> #ons Flip unknown: `Flip` never stabilises...
//> true
