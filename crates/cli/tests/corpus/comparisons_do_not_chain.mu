enum R { 0 .. 3 };
exists R a, R b, R c. a < b < c;
1 = 1 = 1;
//! exit 2
//! stderr: comparisons_do_not_chain.mu:2:29
//! stderr: comparisons_do_not_chain.mu:3:7
