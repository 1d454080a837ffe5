mu bool A(bool x);
exists bool x. A(x);
//! exit 2
//! stderr: `A`
