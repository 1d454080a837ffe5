// like entry_forward
// Reachable states have a relation beside the summaries.

mu bool Reached(State v);

mu bool Summary(State u, State v)
    (Entry(u) & Reached(u) & u = v)
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
  | (exists State x, State y, State z. Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z) & Return(x, z, v));

mu bool Reached(State v)
    Init(v)
  | (exists State u. Summary(u, v))
  | (exists State x. Reached(x) & IntoCall(x, v));

#exact;
exists State v. Reached(v) & Target(v);
