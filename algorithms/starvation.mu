// starvation: is there an infinite run in which from some moment on nobody is at the target, within k context switches.
//
// A run that is found goes round: after the switches that lead to it, contexts b to c - 1 are repeated for ever, so a round has no
// more than k of them. Or one thread goes on alone for ever. Who is to be served says the target: with `-t p0:CRITICAL` the thread
// p0, with `-t CRITICAL` whoever it is. Schedules that forget a thread count.
// Reach, Switch, First and Last are those of bounded_contexts: how the round is got to, and all its contexts.
// Own(t, b, c, u, v, G, T): thread t stood at u when context b began, and in context c it is at v, in the same call of the same function, and
// has not been at the target since. Inner: the same of the functions that it calls meanwhile.
// Alone(t, v): from v on thread t runs for ever, and never comes to the target.
// What is not looked for: rounds at the beginning of which some thread is in a function that it leaves in them, or has not run; and
// rounds that leave calls open. A larger k finds most of them shifted; the explicit engine knows all of them.
// Source: ours.
#param k = 3;
#bound k switches;

enum Context { 0..k };
#explicit Context;
#strata Context;

mu bool Switch(Context c, Global G[k + 1], Turn T[k + 1]);

bool First(Thread t, Context c, Turn T[k + 1])
    (forall j in 0..k. c <= j | !Runs(t, T[j]))
  & (forall Thread s. !Previous(s, t) | (exists j in 0..k. j < c & Runs(s, T[j])));

bool Last(Thread t, Context d, Context c, Turn T[k + 1])
    (exists Context b. d < b & b < c)
  & (exists j in 0..k. d = j & Runs(t, T[j]))
  & (forall j in 0..k. j <= d | c <= j | !Runs(t, T[j]));

mu bool Reach(Thread t, Context e, Context c, State u, State v, Global G[k + 1], Turn T[k + 1])
  v < G, G[i + 1] < G[i], G < T, T[i + 1] < T[i]
    (e = 0 & c = 0 & Start(t, u) & Init(u.G) & u = v & (forall Thread s. !Previous(s, t)))
  | (exists State x. Reach(t, e, c, u, x, G, T) & ProgramInt(x, v))
  | (exists State w, State x, Context d. Reach(t, d, c, w, x, G, T) & IntoCall(x, u) & e = c & u = v)
  | (exists State x, Context d. Reach(t, e, d, u, x, G, T) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Reach(t, d, c, y, z, G, T) & Exit(z) & ReturnB(z, v)))
  | (Switch(c, G, T) & First(t, c, T) & e = c & Start(t, u) & u.G = G[c] & u = v)
  | (exists State x, Context d.
       Reach(t, e, d, u, x, G, T) & Free(x) & Visible(x) & x.G = G[d + 1]
     & Last(t, d, c, T) & Switch(c, G, T)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & v.G = G[c] & Enforce(v));

mu bool Switch(Context c, Global G[k + 1], Turn T[k + 1])
    exists Thread t, Context e, Context d, State u, State v.
      Reach(t, e, d, u, v, G, T) & Free(v) & v.G = G[d + 1] & Runs(t, T[d])
    & d < c & (forall Context b. b <= d | c <= b);

mu bool Inner(Thread t, Context e, Context c, State u, State v, Global G[k + 1], Turn T[k + 1]);

mu bool Own(Thread t, Context b, Context c, State u, State v, Global G[k + 1], Turn T[k + 1])
    // BASE
    (exists State x, State w, Context d, Context e.
       Reach(t, e, d, w, x, G, T) & Free(x) & Visible(x) & x.G = G[d + 1]
     & Last(t, d, c, T) & d < b & b <= c & Switch(c, G, T)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & v.G = G[c] & Enforce(v)
     & u = v & !Target(t, v))
    // STEP
  | (exists State x. Own(t, b, c, u, x, G, T) & ProgramInt(x, v) & !Target(t, v))
    // RETURN
  | (exists State x, Context d. Own(t, b, d, u, x, G, T) & ReturnA(x, v) & !Target(t, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Inner(t, d, c, y, z, G, T) & Exit(z) & ReturnB(z, v)))
    // RESUME
  | (exists State x, Context d.
       Own(t, b, d, u, x, G, T) & Free(x) & Visible(x) & x.G = G[d + 1]
     & Last(t, d, c, T) & Switch(c, G, T)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & v.G = G[c] & Enforce(v));

mu bool Inner(Thread t, Context e, Context c, State u, State v, Global G[k + 1], Turn T[k + 1])
    // CALL
    (exists Context b, State w, State x. Own(t, b, c, w, x, G, T) & IntoCall(x, u) & e = c & u = v & !Target(t, u))
  | (exists State w, State x, Context d. Inner(t, d, c, w, x, G, T) & IntoCall(x, u) & e = c & u = v & !Target(t, u))
    // STEP
  | (exists State x. Inner(t, e, c, u, x, G, T) & ProgramInt(x, v) & !Target(t, v))
    // RETURN
  | (exists State x, Context d. Inner(t, e, d, u, x, G, T) & ReturnA(x, v) & !Target(t, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Inner(t, d, c, y, z, G, T) & Exit(z) & ReturnB(z, v)))
    // RESUME
  | (exists State x, Context d.
       Inner(t, e, d, u, x, G, T) & Free(x) & Visible(x) & x.G = G[d + 1]
     & Last(t, d, c, T) & Switch(c, G, T)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & v.G = G[c] & Enforce(v));

// Before context c thread t was left where it is not at the target, or has not run and is not there.
bool Stands(Thread t, Context c, Global G[k + 1], Turn T[k + 1])
    ((forall j in 0..k. c <= j | !Runs(t, T[j])) & (exists State u. Start(t, u) & !Target(t, u)))
  | (exists Context e, Context d, State u, State x.
       Reach(t, e, d, u, x, G, T) & Free(x) & x.G = G[d + 1] & !Target(t, x) & d < c
     & (exists j in 0..k. d = j & Runs(t, T[j]))
     & (forall j in 0..k. j <= d | c <= j | !Runs(t, T[j])));

// In contexts b to c - 1 thread t does not run, or it ends where it began.
bool Back(Thread t, Context b, Context c, Global G[k + 1], Turn T[k + 1])
    ((forall j in 0..k. j < b | c <= j | !Runs(t, T[j])) & Stands(t, b, G, T))
  | (exists Context f, State u, State v.
       Own(t, b, f, u, v, G, T) & Free(v) & v.G = G[f + 1] & f < c
     & (exists j in 0..k. f = j & Runs(t, T[j]))
     & (forall j in 0..k. j <= f | c <= j | !Runs(t, T[j]))
     & u.mod = v.mod & u.pc = v.pc & u.L = v.L & u.P = v.P);

// What thread t does alone, without the target.
mu bool Summary(Thread t, State u, State v)
    ((exists Context e, Context c, State w, State x, Global G[k + 1], Turn T[k + 1].
        Reach(t, e, c, w, x, G, T) & IntoCall(x, u)) & u = v & !Target(t, u))
  | (exists State x. Summary(t, u, x) & ProgramInt(x, v) & !Target(t, v))
  | (exists State x. Summary(t, u, x) & Over(t, x, v));

mu bool Over(Thread t, State x, State v)
    ReturnA(x, v) & !Target(t, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Summary(t, y, z) & Exit(z) & ReturnB(z, v));

nu bool Alone(Thread t, State s)
    (exists State v. ProgramInt(s, v) & !Target(t, v) & Alone(t, v))
  | (exists State v. Over(t, s, v) & Alone(t, v));

#verdict violated "from some moment on nobody is at the target";
(exists Thread t, Context e, Context c, State u, State v, Global G[k + 1], Turn T[k + 1].
   Reach(t, e, c, u, v, G, T) & !Target(t, v) & Alone(t, v)
 & (forall Thread s. s = t | Stands(s, c, G, T)))
| (exists Context b, Context c, Global G[k + 1], Turn T[k + 1].
     b < c & Switch(c, G, T) & G[b] = G[c]
   & (exists j in 0..k. b <= j & j < c & G[j] != G[j + 1])
   & (forall Thread t. Back(t, b, c, G, T)));
