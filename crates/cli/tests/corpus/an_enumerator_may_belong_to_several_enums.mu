enum Light { red, yellow, green };
enum Wine { white, red };
enum Digit { 0 .. 9 };
enum Small { 0 .. 1 };
bool L(Light l) l = red;
bool W(Wine w) red = w;
bool Both(Light l, Wine w, Small s, Digit d, bool b) l = red & w = red & s = 1 & d = 1 & b = 1;
#ons L;
#ons W;
#ons Both;
L(red);
W(red);
Both(red, red, 1, 1, 1);
forall Wine w. w = red | w = white;
//> #ons L 1
//> #ons W 1
//> #ons Both 1
//> true
//> true
//> true
//> true
