// like exit_backward
// From which states of a function its exit is come to, and from which the target is.

mu bool ToExit(State u, State z)
    (Exit(u) & u = z)
  | (exists State x. ProgramInt(u, x) & ToExit(x, z))
  | (exists State y, State w, State r. IntoCall(u, y) & ToExit(y, w) & Return(u, w, r) & ToExit(r, z));

mu bool Doomed(State u)
    Target(u)
  | (exists State x. ProgramInt(u, x) & Doomed(x))
  | (exists State y. IntoCall(u, y) & Doomed(y))
  | (exists State y, State w, State r. IntoCall(u, y) & ToExit(y, w) & Return(u, w, r) & Doomed(r));

#exact;
exists State u. Init(u) & Doomed(u);
