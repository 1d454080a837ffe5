1 assume 1 assume 1;
//! exit 2
//! stderr: assume_does_not_chain.mu:1:12
