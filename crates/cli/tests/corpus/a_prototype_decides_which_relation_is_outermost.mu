nu bool Y();
mu bool X() Y();
nu bool Y() X();
X();
Y();
//> true
//> true
