// like entry_forward
// What a call amounts to has a relation of its own, and so has who is called.

mu bool Run(State u, State v);
mu bool Calls(State c, State e);

mu bool Over(State c, State r)
    exists State e, State x. Calls(c, e) & Run(e, x) & Exit(x) & Return(c, x, r);

mu bool Run(State u, State v)
    (Init(u) & u = v)
  | (exists State c. Calls(c, u) & u = v)
  | (exists State x. Run(u, x) & ProgramInt(x, v))
  | (exists State c. Run(u, c) & Over(c, v));

mu bool Calls(State c, State e)
    exists State u. Run(u, c) & IntoCall(c, e);

#exact;
exists State u, State v. Run(u, v) & Target(v);
