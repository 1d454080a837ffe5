bool A(bool x, bool y) x { assume y | x & y };
bool B(bool x, bool y) (x | y) { cofactor x & y } & !(x{assume 0});
bool C(bool x, bool y) x = y { assume x };
#ons A;
#ons B;
forall bool x, bool y. C(x, y) <-> x & y | !x & !(y & x);
//> #ons A 1
//> #ons B 1
//> true
