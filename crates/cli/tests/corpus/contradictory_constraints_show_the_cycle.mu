// Bits cannot be laid out in a circle.
bool R(bool a[2], bool b[2], bool c[2]) a < b, b < c, c < a true;
#ons R;
//! exit 2
//! stderr: contradictory_constraints_show_the_cycle.mu:2:
//! stderr: a < b
//! stderr: b < c
//! stderr: c < a
