bool R(bool x, bool y) (x | y) { witcs 1 > 2 < 3, x & R(x, y) { show x }, 4, y };
bool Q(bool x) x {witnessconstraint 0, x};
bool P(bool x) x {WitnessConstraint 0, x};
#ons R;
//> #ons R 3
//! stderr: constraints_on_witnesses_are_not_heeded.mu:1:32
//! stderr: constraints_on_witnesses_are_not_heeded.mu:2:18
//! stderr: constraints_on_witnesses_are_not_heeded.mu:3:18
