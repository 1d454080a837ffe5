// any_schedule: an upper bound on what threads reach, whatever the schedule and however many copies there are.
//
// May(t, u, v): thread t may be at v, in a function that it entered at u, if the others may leave any shared values that some
// thread may leave at some time. What is not reached here is not reached within any number of switches or rounds; what is
// reached here need not be reached by a run, since who left which values when is forgotten. It serves to say that an answer
// holds for every bound.
#param k = 0;

mu bool Shared(Global g);

mu bool May(Thread t, State u, State v)
    // START
    (Start(t, u) & u = v & Shared(u.G))
    // STEP
  | (exists State x. May(t, u, x) & ProgramInt(x, v))
    // CALL
  | (exists State w, State x. May(t, w, x) & IntoCall(x, u) & u = v)
    // RETURN
  | (exists State x. May(t, u, x) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & May(t, y, z) & Exit(z) & ReturnB(z, v)))
    // RESUME
  | (exists State x.
       May(t, u, x) & Free(x) & Visible(x)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & Shared(v.G) & Enforce(v));

mu bool Shared(Global g)
    Init(g)
  | (exists Thread t, State u, State v. May(t, u, v) & Free(v) & v.G = g);

exists Thread t, State u, State v. May(t, u, v) & Target(t, v);
