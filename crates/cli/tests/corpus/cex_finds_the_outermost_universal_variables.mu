enum E { a, b, c };
#explicit E;
#cex forall E x. x != b;
#cex forall E x, bool y. x = c & y -> 0;
#cex forall E x. exists E y. x = y;
#cex forall E x. x = b -> (exists E y. y != y);
//> #cex x = b
//> #cex x = c, y = true
//> #cex none
//> #cex x = b
