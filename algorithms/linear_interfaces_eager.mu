// linear_interfaces_eager: what any number of threads reach within k rounds, threads tried on all values.
//
// The same interfaces as in linear_interfaces_lazy, without asking whether a run produces the values. It serves to
// check the lazy one: it is simpler, and slower by far from three rounds on.
// Source: the slides on linear interfaces (CAV 2010). In print threads and blocks are one relation that is composed with
// itself; here a block grows by one thread at a time, which gives the same chains. Blocks may be empty, and threads
// that there is one of are used once.
#param k = 2;
#bound k rounds, any order;
#load "turns.mu";
#load "masks.mu";

mu bool In(Thread t, Round i, Global G[k + 1], Global H[k + 1]) 0 < i;

// A block of threads, used M, turns G[1] .. G[i] into H[1] .. H[i].
mu bool Block(Round i, Mask M, Global G[k + 1], Global H[k + 1])
    (None(M) & Same(i, G, H))
  | (exists Thread t, Mask R, Global X[k + 1]. Out(t, i, G, X) & Block(i, R, X, H) & Plus(R, t, M));

#exact;
#rounds i, t, G, H by Out;
exists Round i, Thread t, Round e, State u, State v, Global G[k + 1], Global H[k + 1].
    (i = 0 & Begins(t, v))
  | (Run(t, e, i, u, v, G, H) & Target(t, v)
     & (exists Mask L, Mask M, Mask R, Round d, Global X[k + 1], Global Y[k + 1].
          Block(i, L, X, G) & Next(d, i) & Block(d, R, H, Y) & Wrap(i, X, Y) & Plus(L, t, M) & Apart(M, R)));
