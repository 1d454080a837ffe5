// nu Y. mu X. Y is true: Y starts full, and X copies it.
nu bool Y() X();
mu bool X() Y();
X();
Y();
//> true
//> true
