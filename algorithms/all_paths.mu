// all_paths: does every run reach the target, sooner or later.
//
// A run may fail to do so by ending, by getting stuck, by going round for ever, or by nesting calls for ever. Around(u, v): a summary
// that avoids the target. Misses(s): a run from s avoids the target and never leaves the function of s: it is endless, or stuck,
// maybe in a call that the function of s does not allow to return.
// Source: ours; the dual of the usual AF, split at calls.

mu bool Around(State u, State v)
    (Entry(u) & u = v & !Target(v))
  | (exists State x. Around(u, x) & Move(x, v));

// A step, or a call that is over, that leads to no target and passes none.
bool Move(State x, State v)
    (ProgramInt(x, v) & !Target(v))
  | (ReturnA(x, v) & !Target(v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Around(y, z) & Exit(z) & ReturnB(z, v)));

// Nothing leads on from s: no step, no call, no return.
bool Stuck(State s)
    !Exit(s) & (forall State v. !ProgramInt(s, v)) & (forall State y. !IntoCall(s, y));

nu bool Misses(State s)
    !Target(s)
      & (Stuck(s)
          | (exists State v. Move(s, v) & Misses(v))
          | (exists State y. IntoCall(s, y) & Misses(y))
          | (exists State y, State z. IntoCall(s, y) & Around(y, z) & Exit(z) & (forall State v. !Return(s, z, v))));

#verdict holds "a run without the target on the way";
!(exists State u, State v. Init(u) & ((Around(u, v) & Exit(v)) | Misses(u)));
