// turns: one thread in its turns of k rounds, whatever the others do. Loaded by rounds and by the linear interfaces.
//
// Run(t, e, i, u, v, G, H): thread t found the shared values G[1] .. G[i] at its turns, left H[1] .. H[i - 1], and is at v
// now, in a function that it entered at u in round e. In says which values it may find; the file that loads this one defines it.
// A thread may do nothing in a turn: then it need not be able to run there. Where it goes on, its shared values are those of
// its own v, so that the values at a call and those at the end of a round are never mixed up.

enum Round { 0..k };
#explicit Round;
#strata Round;

bool Next(Round d, Round i) d < i & (forall Round b. b <= d | i <= b);

// In the rounds after d and before i a thread does nothing.
bool Idle(Round d, Round i, Global G[k + 1], Global H[k + 1])
    d < i & (forall r in 1..k. r <= d | i <= r | G[r] = H[r]);

mu bool In(Thread t, Round i, Global G[k + 1], Global H[k + 1]);

mu bool Run(Thread t, Round e, Round i, State u, State v, Global G[k + 1], Global H[k + 1])
    // START
    (In(t, i, G, H) & Idle(0, i, G, H) & Start(t, u) & u.G = G[i] & u = v & e = i)
    // STEP
  | (exists State x. Run(t, e, i, u, x, G, H) & ProgramInt(x, v))
    // CALL
  | (exists State w, State x, Round d. Run(t, d, i, w, x, G, H) & IntoCall(x, u) & e = i & u = v)
    // RETURN
  | (exists State x, Round d. Run(t, e, d, u, x, G, H) & ReturnA(x, v)
      & (exists State y, State z.
           IntoCall(x, y) & Across(x, v) & Run(t, d, i, y, z, G, H) & Exit(z) & ReturnB(z, v)))
    // RESUME
  | (exists State x, Round d.
       Run(t, e, d, u, x, G, H) & Free(x) & Visible(x) & x.G = H[d] & Idle(d, i, G, H) & In(t, i, G, H)
     & x.mod = v.mod & x.pc = v.pc & x.L = v.L & x.P = v.P & v.G = G[i] & Enforce(v));

// Thread t turns G[1] .. G[i] into H[1] .. H[i]. It may do nothing in its last turn.
mu bool Out(Thread t, Round i, Global G[k + 1], Global H[k + 1])
    i = 0
  | (exists Round e, State u, State v. Run(t, e, i, u, v, G, H) & Free(v) & v.G = H[i])
  | (exists Round d. Out(t, d, G, H) & Next(d, i) & G[i] = H[i] & In(t, i, G, H));

// The first i values are the same.
bool Same(Round i, Global G[k + 1], Global H[k + 1])
    forall r in 1..k. i < r | G[r] = H[r];

// What the first thread of all finds: initial values, then what the last of all left in the round before.
bool Wrap(Round i, Global G[k + 1], Global H[k + 1])
    (exists r in 1..k. r = 1 & Init(G[r])) & (forall r in 1..k. i <= r | G[r + 1] = H[r]);

// A statement with which a thread begins is reached before any round.
bool Begins(Thread t, State v) Start(t, v) & Init(v.G) & Target(t, v);
