enum R { 3 .. 7 };
exists R r. r = 7;
exists R r. r = 8;
exists R r. r = 2;
bool P(R r) true;
P(0);
//! exit 2
//! stderr: a_number_outside_its_range_is_an_error.mu:3:17
//! stderr: a_number_outside_its_range_is_an_error.mu:4:17
//! stderr: a_number_outside_its_range_is_an_error.mu:6:3
