mu bool A(bool x);
mu bool A(bool x, bool y) x & y;
mu bool B(bool x);
nu bool B(bool x) x;
//! exit 2
//! stderr: a_prototype_must_agree_with_its_definition.mu:2:
//! stderr: a_prototype_must_agree_with_its_definition.mu:4:
