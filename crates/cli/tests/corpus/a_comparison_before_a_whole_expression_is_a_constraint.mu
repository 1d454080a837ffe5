enum R { 0 .. 2 };
bool All(R a, R b) a < b true;
bool Eq(R a, R b) a > b a = b;
bool Less(R a, R b) a < b a < b;
bool Two(R a, R b, R c) a < b, b < c a < c;
bool Bracket(R a, R b) a < b (a = b);
bool Not(R a, R b) a < b !(a = b);
bool Exists(R a, R b) a < b exists R c. a = c & c = b;
#ons All; #ons Eq; #ons Less; #ons Two; #ons Bracket; #ons Not; #ons Exists;
//> #ons All 9
//> #ons Eq 3
//> #ons Less 3
//> #ons Two 9
//> #ons Bracket 3
//> #ons Not 6
//> #ons Exists 3
