enum R { 3 .. 7 };
bool All(R r) true;
bool Between(R r) 4 <= r & r < 7;
#ons All;
#ons Between;
exists R r. r = 3;
exists R r. r = 7;
//> #ons All 5
//> #ons Between 3
//> true
//> true
