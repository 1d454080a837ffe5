class S { bool b[k]; };
enum E { 0 .. m };
exists i in 0..q. 1;
//! exit 2
//! stderr: `k`
//! stderr: `m`
//! stderr: `q`
