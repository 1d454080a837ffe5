enum E { a, b };
#wit exists E x. exists E y. x = b & y = a;
#cex forall E x: forall E y. x = a | y = b;
//> #wit x = b, y = a
//> #cex x = b, y = a
