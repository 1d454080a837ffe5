0; 1;
!0 & 1;
forall bool b. (b = 1) <-> b;
forall bool b. (b = 0) <-> !b;
forall bool b. b = true | b = false;
bool R(bool a, bool b) a & !b;
R(1, 0);
R(true, 0);
R(0, 1);
if (0) 0 else 1;
//> false
//> true
//> true
//> true
//> true
//> true
//> true
//> true
//> false
//> true
