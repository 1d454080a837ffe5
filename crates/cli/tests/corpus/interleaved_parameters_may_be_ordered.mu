class S { bool a[4]; } ;
class P { S x, y, z; } x ~+ y, y ~+ z, x < z, z > y;
bool R(S s, S t) s ~+ t, s < t s = t;
bool Q(S s, S t, S u) t < s, s ~+ t, u > s, t ~+ u (s = t & t = u);
bool O(P p) p.x = p.y & p.y = p.z;
#ons R;
#ons Q;
#ons O;
//> #ons R 16
//> #ons Q 16
//> #ons O 16
