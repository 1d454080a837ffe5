// fair_cycle: is there an infinite run that is at the target again and again.
//
// As non_termination, with a bit more: Fair(u, v) is a summary that passes the target, and each greatest fixed point has a least
// one inside it: the target is passed again, sooner or later, and then all starts anew.
// Source: VERA 2005, lemma 1 (fair summaries), split in two.

mu bool Summary(State u, State v)
    (Entry(u) & u = v)
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
  | (exists State x. Summary(u, x) & Over(x, v));

// The call at x is over at v.
bool Over(State x, State v)
    ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v));

// A summary with the target on the way, both ends included.
mu bool Fair(State u, State v)
    (Summary(u, v) & Target(v))
  | (exists State x. Fair(u, x) & ProgramInt(x, v))
  | (exists State x. Fair(u, x) & Over(x, v))
  | (exists State x. Summary(u, x) & FairOver(x, v));

// The call at x is over at v, and the target was passed inside.
bool FairOver(State x, State v)
    ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Fair(y, z) & Exit(z) & ReturnB(z, v));

// In one function for ever, passing the target again and again.
nu bool Stays(State s);

mu bool StaysSoon(State s)
    (Target(s) & (exists State v. ProgramInt(s, v) & Stays(v)))
  | (Target(s) & (exists State v. Over(s, v) & Stays(v)))
  | (exists State v. FairOver(s, v) & Stays(v))
  | (exists State v. ProgramInt(s, v) & StaysSoon(v))
  | (exists State v. Over(s, v) & StaysSoon(v));

nu bool Stays(State s) StaysSoon(s);

bool Calls(State u, State w)
    exists State x. Summary(u, x) & IntoCall(x, w);

bool FairCalls(State u, State w)
    exists State x. Fair(u, x) & IntoCall(x, w);

// Nested calls without end, passing the target again and again between them.
nu bool Grows(State u);

mu bool GrowsSoon(State u)
    (Recursive(u.mod) & (exists State w. FairCalls(u, w) & Grows(w)))
  | (Recursive(u.mod) & (exists State w. Calls(u, w) & GrowsSoon(w)));

nu bool Grows(State u) GrowsSoon(u);

mu bool Reach(State u)
    Init(u)
  | (exists State w. Reach(w) & Calls(w, u));

#exact;
#verdict infinite run;
exists State u. Reach(u) & (Stays(u) | Grows(u));
