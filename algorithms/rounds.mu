// rounds: what threads reach within k rounds, in each of which they run in the order of the text.
//
// A thread runs on its own (turns); here it is said which values it may find. Threads are tried on values only that a run
// can produce: Before comes from the left in round i, After from the right in the rounds before.
// Source: PLDI 2009, end of section 5.1, which says that round robin needs fewer copies, and the lazy equations of the
// slides with positions in place of blocks. The printed relation for the threads on the right constrains the first of
// them in round 1 only; here it is constrained in all rounds.
#param k = 2;
#bound k rounds;
#load "turns.mu";

mu bool Before(Thread t, Round i, Global G[k + 1], Global H[k + 1]);

// The threads from t on turn G[1] .. G[i] into H[1] .. H[i].
mu bool From(Thread t, Round i, Global G[k + 1], Global H[k + 1])
    exists Global X[k + 1]. Before(t, i, G, H) & Out(t, i, G, X) & After(t, i, X, H) & i < k;

// So do the threads after t; if there are none, nothing changes.
mu bool After(Thread t, Round i, Global G[k + 1], Global H[k + 1])
    i = 0
  | (Same(i, G, H) & (forall Thread s. !Follows(t, s)))
  | (exists Thread s. Follows(t, s) & From(s, i, G, H));

// In round i thread t finds G[i], if the last thread of all left H in the rounds before.
mu bool Before(Thread t, Round i, Global G[k + 1], Global H[k + 1])
    (0 < i & Wrap(i, G, H) & (forall Thread s. !Follows(s, t)))
  | (exists Thread s, Round d, Global X[k + 1].
       Before(s, i, X, H) & Follows(s, t) & Out(s, i, X, G) & Next(d, i) & After(s, d, G, H));

mu bool In(Thread t, Round i, Global G[k + 1], Global H[k + 1])
    exists Round d, Global X[k + 1]. Before(t, i, G, X) & Next(d, i) & After(t, d, H, X);

#exact;
#rounds i, t, G, H by Out;
exists Round i, Thread t, Round e, State u, State v, Global G[k + 1], Global H[k + 1].
  (i = 0 & Begins(t, v)) | (Run(t, e, i, u, v, G, H) & Target(t, v));
