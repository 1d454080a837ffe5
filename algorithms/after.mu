// after: is the target reached after the label First.
//
// Late(u, v) is a summary with First on the way. An entry is in Early if a run gets there, and in After if one gets there that has
// passed First. Which label First is, `--label First=function:LABEL` says.
// Source: ours; two relations instead of one with a bit.

#label First;

mu bool Summary(State u, State v)
    (Entry(u) & u = v)
  | (exists State x. Summary(u, x) & Move(x, v));

// A step inside a function, or a call that is over.
bool Move(State x, State v)
    ProgramInt(x, v)
  | (ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(y, z) & Exit(z) & ReturnB(z, v)));

mu bool Late(State u, State v)
    (Summary(u, v) & First(v))
  | (exists State x. Late(u, x) & Move(x, v))
  | (exists State x. Summary(u, x) & LateOver(x, v));

// The call at x is over at v, and First was passed inside.
bool LateOver(State x, State v)
    ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Late(y, z) & Exit(z) & ReturnB(z, v));

mu bool Early(State u)
    Init(u)
  | (exists State w, State x. Early(w) & Summary(w, x) & IntoCall(x, u));

mu bool After(State u)
    (exists State w, State x. Early(w) & Late(w, x) & IntoCall(x, u))
  | (exists State w, State x. After(w) & Summary(w, x) & IntoCall(x, u));

#exact;
#verdict reachable "the target after First";
exists State u, State v. Target(v) & ((Early(u) & Late(u, v)) | (After(u) & Summary(u, v)));
