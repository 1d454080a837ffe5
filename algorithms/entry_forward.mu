// entry_forward: summaries of reachable entries only.
//
// Summary(u, v): a run of the program enters a function at u, and goes on from there to v, with all calls on the
// way returned from.
// Source: PLDI 2009, section 4.2.

mu bool Summary(State u, State v)
    // START
    (Init(u) & u = v)
    // STEP
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
    // CALL
  | (exists State w, State x. Summary(w, x) & IntoCall(x, u) & u = v)
    // RETURN
  | (exists State x, State y, State z.
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z) & Return(x, z, v));

#exact;
#certificate Summary;
exists State u, State v. Summary(u, v) & Target(v);
