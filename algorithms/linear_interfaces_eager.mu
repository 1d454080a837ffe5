// linear_interfaces_eager: what any number of threads reach within k rounds; threads are tried on all shared values.
#param k = 2;
#load "turns.mu";
#load "masks.mu";

mu bool In(Thread t, Round i, Global G[k + 1], Global H[k + 1]) 0 < i;

// A block of threads, used M, turns G[1] .. G[i] into H[1] .. H[i].
mu bool Block(Round i, Mask M, Global G[k + 1], Global H[k + 1])
    (None(M) & Same(i, G, H))
  | (exists Thread t, Mask R, Global X[k + 1]. Out(t, i, G, X) & Block(i, R, X, H) & Plus(R, t, M));

exists Round i, Thread t, Round e, State u, State v, Global G[k + 1], Global H[k + 1].
    (i = 0 & Begins(t, v))
  | (Run(t, e, i, u, v, G, H) & Target(t, v)
     & (exists Mask L, Mask M, Mask R, Round d, Global X[k + 1], Global Y[k + 1].
          Block(i, L, X, G) & Next(d, i) & Block(d, R, H, Y) & Wrap(i, X, Y) & Plus(L, t, M) & Apart(M, R)));
