// like entry_forward_split
// What calls amount to, as a relation between a call and where it returns to, of reachable entries only.

mu bool Run(State u, State v);

mu bool Effect(State c, State r)
    exists State e, State z. IntoCall(c, e) & Across(c, r) & Run(e, z) & Exit(z) & ReturnB(z, r);

mu bool Run(State u, State v)
    (Init(u) & u = v)
  | (exists State w, State x. Run(w, x) & IntoCall(x, u) & u = v)
  | (exists State x. Run(u, x) & ProgramInt(x, v))
  | (exists State x. Run(u, x) & ReturnA(x, v) & Effect(x, v));

#exact;
exists State u, State v. Run(u, v) & Target(v);
