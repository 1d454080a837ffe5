bool A(bool a, bool b) a assume b;
bool C(bool a, bool b) a cofactor b;
#ons A;
#ons C;
forall bool a, bool b. A(a, b) <-> a & b;
(1 | 0) cofactor (1 & 1);
//> #ons A 1
//> #ons C 1
//> true
//> true
