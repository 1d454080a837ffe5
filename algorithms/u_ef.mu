// u_ef: does a run reach the target, whatever an abstraction does not know.
//
// About programs behind abstractions: a state stands for many of the program. A(s, any): inputs can be chosen so that, however the
// program goes on from s, it hits the target (or leaves the function, if any exit will do). At a choice a move is needed
// all of whose ends are good; a step without inputs may be taken all the same. A call is good if the callee hits the target, or
// if it does or returns, and whatever may be returned is good.
// Source: YASM 2008, with one bit instead of the exits that are good.

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

bool Calls(State s)
    exists State c. IntoCall(s, c);

mu bool A(State s, bool any)
    Target(s)
    // LEAVE
  | (Exit(s) & any)
    // STEP
  | (!Exit(s) & !Calls(s) & !Choice(s) & !Stuck(s) & !(exists State v. Forced(s, v) & !A(v, any)))
    // CHOICE
  | (Choice(s) & !(exists State v. Forced(s, v) & !A(v, any))
      & (exists Move j. Must(s, j) & !(exists State v. Chosen(s, j, v) & !A(v, any))))
    // CALL: the callee hits the target.
  | (Calls(s) & !(exists State c. IntoCall(s, c) & !A(c, false)))
    // RETURN: it does, or returns, and what comes then is good.
  | (Calls(s) & !(exists State c. IntoCall(s, c) & !A(c, true)) & !(exists State v. Over(s, v) & !A(v, any)));

#exact;
#verdict reachable;
exists State u. Init(u) & A(u, false);
