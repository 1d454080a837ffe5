//! Conditions about a machine: whose names they use, and what is wrong with them where.

use base::Sources;
use bp::condition;
use rsm::{ModuleId, Rsm};

fn machine() -> Rsm {
    let text = "decl open, n : int<3>; void main() begin f(T); end
        void f(p) begin decl n : enum { idle, busy }; n := busy; open := p; end";
    let (checked, _) = bp::load(&mut Sources::default(), "p.bp", text).expect("a program");
    bp::lower(&checked).expect("a machine")
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
    let place = |text: &str| {
        let error = condition(&rsm, None, text).unwrap_err();
        (error.message, error.place)
    };
    assert_eq!(place("open &"), ("the condition is not complete".to_owned(), 6..6));
    assert_eq!(place("open & shut"), ("`shut` is not declared".to_owned(), 7..11));
    assert_eq!(place("open & * | n = 1").1, 7..8);
}
