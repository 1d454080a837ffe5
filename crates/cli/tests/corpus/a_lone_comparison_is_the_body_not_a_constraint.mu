enum R { 0 .. 2 };
bool Less(R a, R b) a < b;
bool More(R a, R b) a > b;
bool And(R a, R b) a < b & b > a;
bool Or(R a, R b) a < b | a > b;
bool Implies(R a, R b) a < b -> a != b;
#ons Less; #ons More; #ons And; #ons Or; #ons Implies;
//> #ons Less 3
//> #ons More 3
//> #ons And 3
//> #ons Or 6
//> #ons Implies 9
