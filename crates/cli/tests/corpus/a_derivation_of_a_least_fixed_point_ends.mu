//! solver only
// X is outermost, so X may not support itself; Y may.
mu bool X() X() | Y();
nu bool Y() X() | Y();
#explain X();
//> #explain 1. X() by clause 2 ..., from 2
//> #explain 2. Y() by clause 2 ..., and 2 again
