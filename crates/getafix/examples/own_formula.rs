//! A model checker of one's own: the formula is a text like the program, and both come with the question.

use getafix::options::{CheckOptions, FormulaOptions};
use getafix::{Events, Request, Source};

/// Summaries of the entries that runs get to.
const FORMULA: &str = "
mu bool Summary(State u, State v)
    (Init(u) & u = v)
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
  | (exists State w, State x. Summary(w, x) & IntoCall(x, u) & u = v)
  | (exists State x, State y, State z.
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z) & Return(x, z, v));
exists State u, State v. Summary(u, v) & Target(v);
";

pub(crate) fn main() {
    let program = "decl x; void main() begin x := F; if (x) then ERROR: skip; fi end";
    let formula = FormulaOptions { algorithm: Some("own.mu".to_owned()), ..FormulaOptions::default() };
    let options = CheckOptions { formula, ..CheckOptions::default() };
    let mut request = Request::check_with("program.bp", program, options);
    request.sources.push(Source::new("own.mu", FORMULA));
    let reply = getafix::answer(&request, &mut Events::sealed());
    println!("{}", reply.text);
    assert_eq!(reply.verdict(), "unreachable");
}
