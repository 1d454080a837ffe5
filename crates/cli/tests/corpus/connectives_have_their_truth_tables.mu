bool And(bool a, bool b) a & b;
bool Or(bool a, bool b) a | b;
bool Iff(bool a, bool b) a <-> b;
bool Xor(bool a, bool b) a <+> b;
bool To(bool a, bool b) a -> b;
bool From(bool a, bool b) a <- b;
bool Not(bool a, bool b) !a;
And(0, 0); And(0, 1); And(1, 0); And(1, 1);
#print;
Or(0, 0); Or(0, 1); Or(1, 0); Or(1, 1);
#print;
Iff(0, 0); Iff(0, 1); Iff(1, 0); Iff(1, 1);
#print;
Xor(0, 0); Xor(0, 1); Xor(1, 0); Xor(1, 1);
#print;
To(0, 0); To(0, 1); To(1, 0); To(1, 1);
#print;
From(0, 0); From(0, 1); From(1, 0); From(1, 1);
#print;
Not(0, 0); Not(1, 0);
//> false
//> false
//> false
//> true
//>
//> false
//> true
//> true
//> true
//>
//> true
//> false
//> false
//> true
//>
//> false
//> true
//> true
//> false
//>
//> true
//> true
//> false
//> true
//>
//> true
//> false
//> true
//> true
//>
//> true
//> false
