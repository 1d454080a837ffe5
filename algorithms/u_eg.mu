// u_eg: is there an infinite run, whatever an abstraction does not know.
//
// About programs behind abstractions: a state stands for many of the program. L(s, any): some way in which the program may go on
// from s stops, or, unless any exit will do, leaves the function. Inputs are chosen against that: at a choice, a move helps if all
// that it may lead to is outside L. A call goes on well if the callee never stops and never returns, or never stops and whatever
// may be returned goes on well; so two bits of its entry tell all, and no summary has to say which exits are good.
// Region(u, s, any): s, in a function entered at u, is where such a run may be. Only where it never returns is `any` false.
// Source: YASM 2008; this is may-reachability of stopping, complemented, hence a least fixed point.

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

mu bool L(State s, bool any)
    // LEAVE
    (Exit(s) & !any)
    // STOP
  | (Stuck(s) & !Choice(s))
    // STEP
  | (exists State v. Forced(s, v) & L(v, any))
    // CHOICE: no move helps.
  | (Choice(s) & !(exists Move j. Must(s, j) & !(exists State v. Chosen(s, j, v) & L(v, any))))
    // CALL: the callee stops.
  | (exists State c. IntoCall(s, c) & L(c, true))
    // RETURN: it returns, and what comes then is bad.
  | ((exists State c. IntoCall(s, c) & L(c, false)) & (exists State v. Over(s, v) & L(v, any)));

mu bool Region(State u, State s, bool any)
    // START
    (Init(s) & u = s & !any & !L(s, false))
    // CALL: it never returns if it need not.
  | (u = s & (any <-> L(s, false)) & (exists State w, State x, bool a. Region(w, x, a) & IntoCall(x, s)))
    // STEP
  | (exists State x. Region(u, x, any) & Forced(x, s))
    // MOVE
  | (exists State x, Move j. Region(u, x, any) & Chosen(x, j, s) & Must(x, j)
       & !(exists State v. Chosen(x, j, v) & L(v, any)))
    // RETURN
  | (exists State x. Region(u, x, any) & ReturnA(x, s)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, s) & Region(y, z, true) & Exit(z) & ReturnB(z, s)));

mu bool Pairs(State u, State s)
    exists bool any. Region(u, s, any);

#exact;
#certificate Pairs;
#verdict infinite run;
exists State u. Init(u) & !L(u, false);
