bool R(bool a, bool b) a ~+ z a = b;
//! exit 2
//! stderr: a_constraint_names_parameters_only.mu:1:29
//! stderr: `z`
