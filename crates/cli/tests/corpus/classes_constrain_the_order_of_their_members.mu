class P { bool x, y; } x < y, y < x;
bool R(P p) p.x;
#ons R;
//! solver only
//! exit 2
//! stderr: classes_constrain_the_order_of_their_members.mu:1:
//! stderr: contradict
