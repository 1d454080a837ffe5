enum E { a, b, c };
class P { E x; bool y; };
class Q { P p[2]; };
bool Same(P p, P q) p = q;
bool Differ(P p, P q) p != q;
bool Arrays(E p[3], E q[3]) p = q;
#ons Same;
#ons Differ;
#ons Arrays;
forall P p, P q. p = q <-> p.x = q.x & (p.y <-> q.y);
forall Q q. q.p[0] = q.p[1] -> q.p[0].x = q.p[1].x;
exists Q q. q.p[0] != q.p[1] & q.p[0].x = q.p[1].x & q.p[0].y = q.p[1].y;
//> #ons Same 6
//> #ons Differ 30
//> #ons Arrays 27
//> true
//> true
//> false
