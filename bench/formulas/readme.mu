// like entry_forward
// The one of the README.

mu bool Summary(State u, State v)
    (Init(u) & u = v)                                                       // start in main
  | (exists State x. Summary(u, x) & ProgramInt(x, v))                      // take a step
  | (exists State w, State x. Summary(w, x) & IntoCall(x, u) & u = v)       // enter a function
  | (exists State x, State y, State z.                                      // and come back
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z) & Return(x, z, v));

#certificate Summary;
exists State u, State v. Summary(u, v) & Target(v);
