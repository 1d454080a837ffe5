#print "a text; with // signs";
#print;
#print true & false;
#print forall bool x. x | !x;
#print "";
//> a text; with // signs
//>
//> false
//> true
//>
