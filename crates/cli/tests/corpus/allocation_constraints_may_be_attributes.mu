class S { bool a[3]; };
bool R(S s, S t) (exists S u. (s = u & u = t) { alloccs s ~+ u }) { alloccs s ~+ t, s < t };
bool Q(S s, S t) (s = t) {allocationConstraint s > t};
bool P(S s, S t) (s = t) {AllocationConstraint ~+ s, s ~- t};
#ons R;
forall S s, S t. (Q(s, t) <-> R(s, t)) & (P(s, t) <-> R(s, t));
//> #ons R 8
//> true
