// hybrid: summaries of reachable entries for functions with one call site, of all entries for the others.
//
// A function that is called from one place is looked at for the entries that get there. One that is called from several
// is entered with ever new slivers of states, and following each of them costs more than taking all entries
// at once. Reach stays exact: it decides.
// Source: ours, after measurements; PLDI 2009 has the two extremes (sections 4.1 and 4.2).

mu bool Reach(State u);

// Two calls lead into the function.
bool Wide(Module m)
    (exists State x, State w, State y, State z.
       IntoCall(x, y) & IntoCall(w, z) & y.mod = m & z.mod = m & (x.mod != w.mod | x.pc != w.pc));

mu bool Summary(State u, State v)
    // ENTRY
    (Reach(u) & u = v)
  | (Wide(u.mod) & Entry(u) & u = v)
    // STEP
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
    // RETURN
  | (exists State x. Summary(u, x) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v)));

mu bool Reach(State u)
    Init(u)
  | (exists State w, State x. Reach(w) & Summary(w, x) & IntoCall(x, u));

exists State u, State v. Reach(u) & Summary(u, v) & Target(v);
