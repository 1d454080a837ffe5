enum R { 2 .. 6 };
bool Lt(R a, R b) a < b;
bool Le(R a, R b) a <= b;
bool Gt(R a, R b) (a > b);
bool Ge(R a, R b) a >= b;
#ons Lt;
#ons Le;
#ons Gt;
#ons Ge;
forall R a, R b. (a < b) <-> !(a >= b);
forall R a, R b. (a <= b) <-> (b >= a);
forall R a, R b. a <= b & b <= a -> a = b;
exists R a. forall R b. a <= b;
#wit exists R a. forall R b. a >= b;
exists R a. a < 2;
forall R a. 6 >= a;
//> #ons Lt 10
//> #ons Le 15
//> #ons Gt 10
//> #ons Ge 15
//> true
//> true
//> true
//> true
//> #wit a = 6
//> false
//> true
