enum Bit { 0..3 };
enum R { 0..5 };
bool Has(R r, Bit b) r[b];
#ons Has;
exists R r. forall Bit b. Has(r, b);
bool More(R r, Bit b) r[b + 1];
#ons More;
//> #ons Has 7
//> false
//> #ons More 4
