// uninitialised: is a local variable read before it was written.
//
// A local variable that is no parameter has any value when its function is entered. Fresh(a, u, v): a run of a function leads from its
// entry u to v and has not written its variable a. Steps are single statements here, since the formula speaks of variables.
// Source: the textbook analysis, with data and with calls that return.

mu bool Summary(State u, State v)
    (Entry(u) & u = v)
  | (exists State x. Summary(u, x) & Move(x, v));

// A step inside a function, or a call that is over.
bool Move(State x, State v)
    ProgramInt(x, v)
  | (ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v)));

mu bool Reach(State u)
    Init(u)
  | (exists State w, State x. Reach(w) & Summary(w, x) & IntoCall(x, u));

mu bool Fresh(Variable a, State u, State v)
    (Reach(u) & Owns(u.mod, a) & !Parameter(u.mod, a) & u = v)
  | (exists State x. Fresh(a, u, x) & Move(x, v) & !Writes(x, v, a));

#exact;
#verdict violated "a local variable is read before it was written";
exists Variable a, State u, State x, State v. Fresh(a, u, x) & Reads(x, v, a) & (ProgramInt(x, v) | Across(x, v));
