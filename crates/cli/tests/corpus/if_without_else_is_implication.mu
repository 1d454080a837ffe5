bool If(bool c, bool t) if (c) t;
If(0, 0); If(0, 1); If(1, 0); If(1, 1);
//> true
//> true
//> false
//> true
