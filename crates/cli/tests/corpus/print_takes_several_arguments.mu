enum S { a, b };
class C { S s; bool x[2]; };
mu bool R(C c) c.x[0] | R(c);
#print "one", "line";
#print R;
#print S, C;
#print "and", true, "text", "again";
#print symbols;
//> one line
//> mu bool R(C c);
//> enum S { a, b };
//> class C { S s; bool x[2]; };
//> and
//> true
//> text again
//> enum S { a, b };
//> class C { S s; bool x[2]; };
//> mu bool R(C c);
