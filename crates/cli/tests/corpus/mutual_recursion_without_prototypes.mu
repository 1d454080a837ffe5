mu bool Even(bool b[2]) !b[0] & !b[1] | (exists bool c[2]. Odd(c) & (b[0] <-> !c[0]) & (b[1] <-> (c[1] <+> c[0])));
mu bool Odd(bool b[2]) exists bool c[2]. Even(c) & (b[0] <-> !c[0]) & (b[1] <-> (c[1] <+> c[0]));
#ons Even;
#ons Odd;
//> #ons Even 2
//> #ons Odd 2
