#explicit bool;
mu bool R(bool x, bool y) !x & !y | (exists bool z. R(z, y) & x);
bool Not(bool x, bool y) !R(x, y);
#ons R;
#ons Not;
forall bool x. R(x, 0);
forall bool x, bool y. R(x, y) <-> !y;
R(R(1, 1), R(0, 1));
//> #ons R 2
//> #ons Not 2
//> true
//> true
//> true
