// entry_forward_opt: entry_forward in rounds, each of which looks only at points where something was found in the last.
//
// Summary(fr, u, v): fr = 1 for all pairs found so far, fr = 0 for those found before the last round. A point is relevant if
// the last round found something there. Within a round, steps are taken to completion, calls and returns once.
// The negation makes the system non-monotone: it means what its evaluation by rounds computes.
// Source: PLDI 2009, section 4.3; its New2 is misprinted (the call clause must start a summary at the entry, and both
// summaries of the return clause have fr = 1).

mu bool Relevant(Module m, PrCount p);
mu bool New1(State u, State v);
mu bool New2(State u, State v);

mu bool Summary(bool fr, State u, State v)
    (fr = true & Init(u) & u = v)
  | Summary(true, u, v)
  | (fr = true & (New1(u, v) | New2(u, v)));

mu bool Relevant(Module m, PrCount p)
    (exists State u, State v. Summary(true, u, v) & !Summary(false, u, v) & v.mod = m & v.pc = p);

mu bool New1(State u, State v)
    (Summary(true, u, v) & Relevant(v.mod, v.pc))
  | (exists State x. New1(u, x) & ProgramInt(x, v));

mu bool New2(State u, State v)
    // CALL
    (u = v & (exists State w, State x. Relevant(x.mod, x.pc) & Summary(true, w, x) & IntoCall(x, u)))
    // RETURN: one of the caller's and the callee's pair is new.
  | (exists State x, State y, State z.
       Summary(true, u, x) & IntoCall(x, y) & Summary(true, y, z) & Exit(z) & Return(x, z, v)
       & (Relevant(x.mod, x.pc) | Relevant(z.mod, z.pc)));

#exact;
exists State u, State v. Summary(true, u, v) & Target(v);
