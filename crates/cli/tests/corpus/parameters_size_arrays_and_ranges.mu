#param n = 3;
#param m = 1;
enum R { m .. n };
enum Q { 0 .. n-1 };
class S { bool b[n], c[n+1], d[n-2]; };
bool P(R r, bool v[n-1]) true;
bool AllQ(Q q) true;
bool AllS(S s) true;
#ons P;
#ons AllQ;
#ons AllS;
exists R a[m], bool b[m+1]. a[0] = 3 & b[1];
forall i in m..n. 1;
//> #ons P 12
//> #ons AllQ 3
//> #ons AllS 256
//> true
//> true
