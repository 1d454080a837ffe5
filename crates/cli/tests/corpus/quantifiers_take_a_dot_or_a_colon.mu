exists bool x. x;
exists bool x: x;
forall bool x, bool y: x = y -> y = x;
exists bool x: forall bool y. x = y | x != y;
exists i in 0..1: forall j in 0..1. 1;
//> true
//> true
//> true
//> true
//> true
