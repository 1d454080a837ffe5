bool Ite(bool c, bool t, bool e) if (c) t else e;
forall bool c, bool t, bool e. Ite(c, t, e) <-> c & t | !c & e;
#ons Ite;
//> true
//> #ons Ite 4
