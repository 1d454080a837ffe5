enum E { a, b };
exists E e. e = 2;
//! exit 2
//! stderr: `E` has no value number 2: they are 0..1
