// entry_forward_split: entry_forward with the return clause split in two.
//
// What a call amounts to, from the state x before it to the state v after it, is put together from the callee's summary
// first, and joined with the caller's summary afterwards: two relations that both grow are never multiplied directly.
// Source: PLDI 2009, end of section 4.2 and appendix. Splitting by call instead of by exit does what IntoCall1 does there.

mu bool Summary(State u, State v)
    // START
    (Init(u) & u = v)
    // STEP
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
    // CALL
  | (exists State w, State x. Summary(w, x) & IntoCall(x, u) & u = v)
    // RETURN: the caller's half, and the callee's.
  | (exists State x. Summary(u, x) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v)));

#exact;
#certificate Summary;
exists State u, State v. Summary(u, v) & Target(v);
