// like summary
// Returns in one clause, operands in the order in which somebody thought of them.

mu bool Path(State a, State b)
    (a = b & Entry(a))
  | (exists State m. ProgramInt(m, b) & Path(a, m))
  | (exists State c, State e, State x. Return(c, x, b) & Exit(x) & Path(e, x) & IntoCall(c, e) & Path(a, c));

mu bool Entered(State e)
    Init(e)
  | (exists State a, State c. Entered(a) & Path(a, c) & IntoCall(c, e));

#exact;
exists State e, State v. Entered(e) & Path(e, v) & Target(v);
