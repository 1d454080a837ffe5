//! solver only
//! exit 2
//! stderr: Missing.dddmp
bool Missing(bool x) x;
#undump Missing;
true;
//> true
