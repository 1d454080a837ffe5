// bounded_contexts: what threads reach within k context switches, under any schedule.
//
// Reach(t, e, c, u, v, G, T): in context c thread t is at v, in a function that it entered at u in context e. G[j] are the
// shared values with which context j began, T[j] the thread that ran in it; what lies ahead of c is not constrained.
// Switch(c, G, T): the contexts before c may end in G[c].
// Source: PLDI 2009, section 5.1, with these differences from the printed text.
// - RESUME asks that the thread left its last context d with the shared values G[d + 1]. The printed text forgets this, glues
//   the locals of one moment to the shared values of another, and finds errors that no run has.
// - T[c] is not kept beside t, and a thread that runs is never switched to itself.
// - Switches and resumptions happen outside atomic regions only (Free), and a thread whose restriction another one has
//   broken waits (Enforce).
// - A thread is resumed only where its next step matters to others (Visible): otherwise it could have taken that step before.
// - Copies of a block take their first turns in order (Previous).
// The order of variables: the inner loop touches u and v only, so the history stands below them, latest values first.
#param k = 4;
#bound k switches;

enum Context { 0..k };
#explicit Context;
#strata Context;

mu bool Switch(Context c, Global G[k + 1], Turn T[k + 1]);

// t runs in context c for the first time; the copy before it has run already.
bool First(Thread t, Context c, Turn T[k + 1])
    (forall j in 0..k. c <= j | !Runs(t, T[j]))
  & (forall Thread s. !Previous(s, t) | (exists j in 0..k. j < c & Runs(s, T[j])));

// Before context c the last context of t is d, and another thread runs in between.
bool Last(Thread t, Context d, Context c, Turn T[k + 1])
    (exists Context b. d < b & b < c)
  & (exists j in 0..k. d = j & Runs(t, T[j]))
  & (forall j in 0..k. j <= d | c <= j | !Runs(t, T[j]));

mu bool Reach(Thread t, Context e, Context c, State u, State v, Global G[k + 1], Turn T[k + 1])
  v < G, G[i + 1] < G[i], G < T, T[i + 1] < T[i]
    // START
    (e = 0 & c = 0 & Start(t, u) & Init(u.G) & u = v & (forall Thread s. !Previous(s, t)))
    // STEP
  | (exists State x. Reach(t, e, c, u, x, G, T) & ProgramInt(x, v))
    // CALL
  | (exists State w, State x, Context d. Reach(t, d, c, w, x, G, T) & IntoCall(x, u) & e = c & u = v)
    // RETURN
  | (exists State x, Context d. Reach(t, e, d, u, x, G, T) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Reach(t, d, c, y, z, G, T) & Exit(z) & ReturnB(z, v)))
    // FIRST
  | (Switch(c, G, T) & First(t, c, T) & e = c & Start(t, u) & u.G = G[c] & u = v)
    // RESUME
  | (exists State x, Context d.
       Reach(t, e, d, u, x, G, T) & Free(x) & Visible(x) & x.G = G[d + 1]
     & Last(t, d, c, T) & Switch(c, G, T)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & v.G = G[c] & Enforce(v));

mu bool Switch(Context c, Global G[k + 1], Turn T[k + 1])
    exists Thread t, Context e, Context d, State u, State v.
      Reach(t, e, d, u, v, G, T) & Free(v) & v.G = G[d + 1] & Runs(t, T[d])
    & d < c & (forall Context b. b <= d | c <= b);

#exact;
#contexts c, t, T, G;
exists Context c, Thread t, Context e, State u, State v, Global G[k + 1], Turn T[k + 1].
  Reach(t, e, c, u, v, G, T) & Target(t, v);
