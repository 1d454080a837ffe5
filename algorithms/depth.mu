// depth: is the target reached with calls nested at most so deep, and how deep at least.
//
// Need(i, u, v): a summary whose calls are nested at most i deep. Down(i, u): from the entry u the target is reached with at most i
// calls open or nested above it. Each looks at smaller numbers only, so the first answer is the least. `--param d=20` looks deeper.
// Source: ours.

#param d = 8;
enum Depth { 0..d };
#explicit Depth;
#strata Depth;

mu bool Need(Depth i, State u, State v)
    (Entry(u) & u = v)
  | (exists State x. Need(i, u, x) & ProgramInt(x, v))
  | (exists State x. Need(i, u, x) & ReturnA(x, v)
      & (exists Depth j, State y, State z.
           j < i & IntoCall(x, y) & Across(x, v) & Need(j, y, z) & Exit(z) & ReturnB(z, v)));

mu bool Down(Depth i, State u)
    (exists State v. Need(i, u, v) & Target(v))
  | (exists Depth j, State x, State y. j < i & Need(i, u, x) & IntoCall(x, y) & Down(j, y));

#exact;
#verdict reachable within i "nested calls";
exists Depth i, State u. Init(u) & Down(i, u);
