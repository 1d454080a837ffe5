// non_termination: is there an infinite run.
//
// An infinite run either stays in one function from some moment on, every call inside it returning, or its stack grows for
// ever: infinitely many calls never return. Stays(s): a run from s never leaves its function. Grows(u): from the entry u on,
// calls are nested without end. Two small greatest fixed points instead of one over all states: the first never looks
// outside a function, the second sees entries only, and of those only the ones of functions that can be open twice.
// Source: VERA 2005, lemma 1, split in two.

mu bool Summary(State u, State v)
    // ENTRY
    (Entry(u) & u = v)
    // STEP
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
    // RETURN
  | (exists State x. Summary(u, x) & Over(x, v));

// The call at x is over at v.
bool Over(State x, State v)
    ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v));

nu bool Stays(State s)
    (exists State v. ProgramInt(s, v) & Stays(v))
  | (exists State v. Over(s, v) & Stays(v));

// A run that enters at u calls w and is inside that call.
bool Calls(State u, State w)
    exists State x. Summary(u, x) & IntoCall(x, w);

nu bool Grows(State u)
    Recursive(u.mod) & (exists State w. Calls(u, w) & Grows(w));

mu bool Reach(State u)
    Init(u)
  | (exists State w. Reach(w) & Calls(w, u));

#exact;
#verdict infinite run;
exists State u. Reach(u) & (Stays(u) | Grows(u));
