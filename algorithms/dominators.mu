// dominators: does every run to the target pass the label Gate.
//
// Summaries and entries of runs that avoid Gate; the property is violated if one of these reaches the target. Which label Gate is,
// `--label Gate=function:LABEL` says. A run that starts at Gate, or at the target, passes it.
// Source: ours.

#label Gate;

mu bool Around(State u, State v)
    (Entry(u) & u = v & !Gate(v))
  | (exists State x. Around(u, x) & ProgramInt(x, v) & !Gate(v))
  | (exists State x. Around(u, x) & ReturnA(x, v) & !Gate(v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Around(y, z) & Exit(z) & ReturnB(z, v)));

mu bool Reach(State u)
    Init(u)
  | (exists State w, State x. Reach(w) & Around(w, x) & IntoCall(x, u));

#exact;
#verdict holds "the target without Gate on the way";
!(exists State u, State v. Reach(u) & Around(u, v) & Target(v));
