// bounded_contexts: what threads reach within k context switches, under any schedule.
#param k = 4;

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

exists Context c, Thread t, Context e, State u, State v, Global G[k + 1], Turn T[k + 1].
  Reach(t, e, c, u, v, G, T) & Target(t, v);
