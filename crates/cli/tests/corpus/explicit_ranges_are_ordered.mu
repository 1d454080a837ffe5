enum R { 2 .. 6 };
#explicit R;
bool Lt(R a, R b) a < b;
bool Ge(R a, R b) !Lt(a, b);
#ons Lt;
#ons Ge;
forall R a, R b. Lt(a, b) -> a != b;
#cex forall R a. exists R b. a < b;
//> #ons Lt 10
//> #ons Ge 15
//> true
//> #cex a = 6
