class S { bool b[2]; };
exists S s. s.b[2];
exists bool v[3]. v[3];
exists bool v[3]. forall i in 0..2. v[i+1];
//! exit 2
//! stderr: a_constant_index_out_of_range_is_an_error.mu:2:
//! stderr: a_constant_index_out_of_range_is_an_error.mu:3:
