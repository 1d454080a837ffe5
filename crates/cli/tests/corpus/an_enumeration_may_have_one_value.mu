enum One { only };
enum Seven { 7 .. 7 };
bool R(One a, Seven b, One c) a = c;
#ons R;
forall One a, One b. a = b;
exists Seven s. s != 7;
forall Seven s. s >= 7 & s <= 7;
mu bool Up(One o) Up(o) | o = only;
nu bool Down(Seven s) Down(s);
#ons Up;
#ons Down;
//> #ons R 1
//> true
//> false
//> true
//> #ons Up 1
//> #ons Down 1
