// exit_backward: backward from the target; summaries only of exits from which the target can still be reached.
//
// Back(x): from x a run gets to the target before the function of x returns. ToExit(y, z): from y a run of the same
// function leads to its exit z. Wanted(z): after leaving at the exit z some caller would get to the target, or to an exit
// that is wanted in turn.
// Source: YASM 2008, section 4.2 (reach-otf).

mu bool Wanted(State z);
mu bool ToExit(State y, State z);

mu bool Back(State x)
    Target(x)
    // STEP
  | (exists State v. ProgramInt(x, v) & Back(v))
    // CALL: the target is reached before the call returns.
  | (exists State y. IntoCall(x, y) & Back(y))
    // RETURN: it is reached afterwards.
  | (exists State v. Across(x, v) & ReturnA(x, v) & Back(v)
      & (exists State y, State z. IntoCall(x, y) & Across(x, v) & ToExit(y, z) & ReturnB(z, v)));

mu bool ToExit(State y, State z)
    (Wanted(z) & y = z)
  | (exists State v. ProgramInt(y, v) & ToExit(v, z))
  | (exists State v. ReturnA(y, v) & ToExit(v, z)
      & (exists State e, State w. IntoCall(y, e) & Across(y, v) & ToExit(e, w) & ReturnB(w, v)));

mu bool Wanted(State z)
    (exists State v. Exit(z) & ReturnB(z, v) & Back(v))
  | (exists State v, State w. Exit(z) & ReturnB(z, v) & ToExit(v, w));

#exact;
exists State u. Init(u) & Back(u);
