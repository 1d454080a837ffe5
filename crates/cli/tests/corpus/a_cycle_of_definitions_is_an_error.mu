bool A(bool x) B(x) & x;
bool B(bool x) !C(x);
bool C(bool x) A(x);
bool D() D();
//! exit 2
//! stderr: a_cycle_of_definitions_is_an_error.mu:1:
//! stderr: `A`
//! stderr: `B`
//! stderr: `C`
//! stderr: `D`
