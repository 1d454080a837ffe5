//! Conditions about a machine in the words of its program: `n >= 3 & open`, over globals and, in a function, over its locals.
//!
//! A condition is read as the assertion of a program with the same variables, so that it means what it would mean there.

use base::{Diagnostic, Sources};
use rsm::{Action, Expr, ModuleId, Rsm, Variable, show_type};

/// The condition that a text is, about states of a function, or of any if none is named; or what is wrong with it.
pub fn condition(rsm: &Rsm, function: Option<ModuleId>, text: &str) -> Result<Expr, Diagnostic> {
    let declared = |variables: &[Variable]| -> String {
        variables
            .iter()
            .map(|variable| format!("decl {} : {};\n", variable.name, show_type(&variable.ty)))
            .collect()
    };
    let locals = function.map_or_else(String::new, |module| declared(&rsm.module(module).locals));
    let head = format!("{}void main() begin\n{locals}assert(", declared(&rsm.globals));
    let program = format!("{head}{text});\nend\n");
    let mut sources = Sources::default();
    let (checked, _) = crate::load(&mut sources, "condition", program).map_err(first)?;
    let machine = crate::lower(&checked).map_err(first)?;
    let edges = &machine.module(machine.main).edges;
    let mut assertions = edges.iter().filter_map(|edge| match &edge.action {
        Action::Assert(expr) => Some(expr),
        _ => None,
    });
    let (Some(expr), None) = (assertions.next(), assertions.next()) else {
        return Err(problem("this is no condition"));
    };
    match expr.has_choice() {
        true => Err(problem("a condition about a state has no `*`")),
        false => Ok(expr.clone()),
    }
}

fn problem(message: &str) -> Diagnostic {
    let severity = base::Severity::Error;
    Diagnostic { severity, message: message.to_owned(), span: None, notes: Vec::new() }
}

/// The first of some mistakes; its place is one in a text that nobody has written.
fn first(diagnostics: Vec<Diagnostic>) -> Diagnostic {
    match diagnostics.into_iter().next() {
        Some(diagnostic) => Diagnostic { span: None, notes: Vec::new(), ..diagnostic },
        None => problem("this is no condition"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Rsm {
        let text = "decl open, n : int<3>; void main() begin f(T); end
            void f(p) begin decl n : enum { idle, busy }; n := busy; open := p; end";
        let (checked, _) = crate::load(&mut Sources::default(), "p.bp", text).expect("a program");
        crate::lower(&checked).expect("a machine")
    }

    #[test]
    fn names_are_those_of_the_function() {
        let rsm = machine();
        let f = rsm.modules.iter().position(|module| module.name == "f").map(ModuleId::new);
        let global = condition(&rsm, None, "n >= 3 & open").expect("a condition");
        assert_eq!(global.reads().collect::<Vec<_>>().len(), 2);
        assert!(condition(&rsm, f, "n = busy & p").is_ok());
        assert!(condition(&rsm, None, "p").unwrap_err().message.contains("`p`"));
        assert!(condition(&rsm, f, "n >= 3").is_err(), "the local hides the global");
        assert!(condition(&rsm, None, "open & *").unwrap_err().message.contains("`*`"));
        assert!(condition(&rsm, None, "open); skip; assert(open").is_err());
        assert!(condition(&rsm, None, "open &").is_err());
    }
}
