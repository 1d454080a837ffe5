// agree: two runs of a function from the same entry to different answers.
#label Done = "guess:DONE";
#where Yes = "guess: answer";

mu bool Summary(State u, State v)
    (Init(u) & u = v)
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
  | (exists State w, State x. Summary(w, x) & IntoCall(x, u) & u = v)
  | (exists State x, State y, State z.
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z) & Return(x, z, v));

#verdict violated "two answers to the same hint";
exists State u, State y, State z.
    Summary(u, y) & Done(y) & Yes(y)
  & Summary(u, z) & Done(z) & !Yes(z);
