true;
1 -> 0 -> 1;
1 <-> 0 <+> 1;
(1 -> 0) -> 1;
//! exit 2
//! stderr: arrows_do_not_chain.mu:2:8
//! stderr: arrows_do_not_chain.mu:3:9
