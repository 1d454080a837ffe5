// summary: summaries from all entries, then the entries that runs get to.
//
// Summary(u, v): a run of one function leads from its entry u to v, with all calls on the way returned from; u is
// any entry, reachable or not. Reach(u): a run of the program enters a function at u. A target counts if it is in the
// summary of a reachable entry.
// Source: PLDI 2009, section 4.1, where the target is assumed to be in main; Reach does without that.

mu bool Summary(State u, State v)
    // ENTRY
    (Entry(u) & u = v)
    // STEP
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
    // RETURN: what all calls at x amount to is put together first; it is much smaller than the summaries.
  | (exists State x. Summary(u, x) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v)));

mu bool Reach(State u)
    Init(u)
  | (exists State w, State x. Reach(w) & Summary(w, x) & IntoCall(x, u));

#exact;
#certificate Summary, Reach;
exists State u, State v. Reach(u) & Summary(u, v) & Target(v);
