// linear_interfaces_lazy: what any number of threads reach within k rounds, tried on reachable values only.
//
// A block of threads is known by its interface: the shared values it finds and leaves in each round. The rest of a run
// is known by its interface too, so it may be replaced by any block with the same one.
// Source: the slides on linear interfaces (CAV 2010), with these differences from the printed text.
// - In Right the thread is constrained in all rounds 1 .. i, not in round 1 only.
// - Blocks may be empty: then nothing changes. In print there is always an idle thread to the left and to the right,
//   which is wrong where there is one thread only.
// - In Want, H has one round less than G: the loop is closed in the rounds before i.
// - A thread that there is one of is used once (Mask).
// - Turns end outside atomic regions only.
// - Right is computed for the rounds before the last: in the last one nobody asks for it.
#param k = 2;
#bound k rounds, any order;
#load "turns.mu";
#load "masks.mu";

mu bool Right(Round i, Mask M, Global G[k + 1], Global H[k + 1]);

// A block of threads, used M, hands G on to the right, if the rest closed the loop with H in the rounds before.
mu bool Want(Round i, Mask M, Global G[k + 1], Global H[k + 1])
    exists Thread t, Mask L, Mask R, Round d, Global X[k + 1].
      ((0 < i & None(L) & Wrap(i, X, H)) | Want(i, L, X, H))
    & Out(t, i, X, G) & Plus(L, t, M) & Next(d, i) & Right(d, R, G, H) & Apart(M, R);

// A block of threads, used M, turns G[1] .. G[i] into H[1] .. H[i].
mu bool Right(Round i, Mask M, Global G[k + 1], Global H[k + 1])
    (None(M) & Same(i, G, H))
  | (exists Thread t, Mask R, Global X[k + 1].
       Out(t, i, G, X) & Right(i, R, X, H) & Plus(R, t, M) & (exists Mask L. Want(i, L, G, H)) & i < k);

mu bool In(Thread t, Round i, Global G[k + 1], Global H[k + 1])
    exists Mask L, Mask R, Mask M, Round d, Global X[k + 1].
      ((0 < i & None(L) & Wrap(i, G, X)) | Want(i, L, G, X))
    & Next(d, i) & Right(d, R, H, X) & Plus(L, t, M) & Apart(M, R);

#exact;
#rounds i, t, G, H by Out;
exists Round i, Thread t, Round e, State u, State v, Global G[k + 1], Global H[k + 1].
  (i = 0 & Begins(t, v)) | (Run(t, e, i, u, v, G, H) & Target(t, v));
