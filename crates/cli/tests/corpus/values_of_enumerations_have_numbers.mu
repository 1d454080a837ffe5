enum E { one, two, three, four, five };
forall E e. e = 3 <-> e = four;
bool R(E e) e != 0;
R(0);
R(four) & R(3);
#ons R;
//> true
//> false
//> true
//> #ons R 4
