// hybrid: summaries of reachable entries for functions that are entered once, of all entries for the others.
//
// The entries of a function that a run enters once come in one piece, and are all that has to be looked at. A function
// that is entered often gets ever new slivers of entries, and following each of them costs more than taking all entries
// at once. Reach stays exact: it decides.
// Source: ours, after measurements; PLDI 2009 has the two extremes (sections 4.1 and 4.2).

mu bool Reach(State u);

mu bool Summary(State u, State v)
    // ENTRY
    (Reach(u) & !EnteredTwice(u.mod) & u = v)
  | (EnteredTwice(u.mod) & Entry(u) & u = v)
    // STEP
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
    // RETURN
  | (exists State x. Summary(u, x) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v)));

mu bool Reach(State u)
    Init(u)
  | (exists State w, State x. Reach(w) & Summary(w, x) & IntoCall(x, u));

#exact;
#certificate Summary, Reach;
exists State u, State v. Reach(u) & Summary(u, v) & Target(v);
