// mu X. nu Y. X is false: X starts empty, and Y copies it.
mu bool X() Y();
nu bool Y() X();
Y();
X();
//> false
//> false
