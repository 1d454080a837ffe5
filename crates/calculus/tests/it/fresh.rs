//! Every quantifier of a checked system binds variables of its own, also where one that is written once
//! becomes several: two copies in one conjunction must not share a variable.

use base::{Sources, render};
use calculus::random::Shape;
use calculus::system::{Action, BinderId, Formula, System, VarId};

fn system(text: &str) -> System {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    assert_eq!(diagnostics, [], "{text}");
    match calculus::check(&tree, &[]) {
        Ok((system, _)) => system,
        Err(errors) => panic!("{text}\n{}", errors.iter().map(|d| render(&sources, d)).collect::<String>()),
    }
}

/// The variables of every quantifier, each formula of the arena counted once.
fn quantified(system: &System) -> Vec<&[VarId]> {
    fn of(formula: &Formula) -> Option<&[VarId]> {
        match formula {
            Formula::Exists(vars, _) | Formula::Forall(vars, _) => Some(vars),
            _ => None,
        }
    }
    system.formulas.iter().filter_map(of).collect()
}

/// Counts the quantifiers, and demands that no variable is bound twice: by two quantifiers, by a quantifier
/// and a relation or directive, or by two of the latter.
#[track_caller]
fn check_fresh(text: &str) -> usize {
    let system = system(text);
    let mut bound: Vec<VarId> = quantified(&system).concat();
    bound.extend(system.relations.iter().flat_map(|relation| relation.columns.iter().copied()));
    let leaves = |binder: &BinderId| system.binders[binder.index()].leaves.clone();
    for item in &system.items {
        if let Action::Witness(binders, _)
        | Action::Counterexample(binders, _)
        | Action::Explain(binders, _) = &item.action
        {
            bound.extend(binders.iter().flat_map(leaves));
        }
    }
    let n_bound = bound.len();
    bound.sort_unstable();
    bound.dedup();
    assert_eq!(bound.len(), n_bound, "a variable is bound twice in\n{text}");
    for (n, binder) in system.binders.iter().enumerate() {
        let owner = |var: &VarId| system.vars[var.index()].binder;
        assert!(binder.leaves.iter().all(|var| owner(var) == BinderId::new(n)), "{text}");
    }
    quantified(&system).len()
}

/// Checks the body of a relation and counts its quantifiers.
#[track_caller]
fn check_body(body: &str) -> usize {
    check_fresh(&format!(
        "#param k = 2; enum I {{ 0..k }}; class S {{ bool b[k+1]; I i; }};
         bool F(S s, bool x) x & s.b[0];
         mu bool R(S s, S t, I i, bool a[3]) {body};
         #wit exists S s. exists I j. s.b[j]; #cex forall S s. s.b[0];"
    ))
}

#[test]
fn each_position_has_its_own_variables() {
    assert_eq!(check_body("forall n in 0..k. exists S u. u.b[n] & u = s"), 3);
    assert_eq!(check_body("exists n in 0..k. forall S u. u.b[n] | u = s"), 3);
    assert_eq!(check_body("forall n in 0..k. exists m in 0..n. exists S u, I j. u.b[m] & j = n"), 6);
    assert_eq!(check_body("forall n in 0..1. exists S u. forall m in 0..1. exists I j. u.b[m] & j = n"), 6);
}

#[test]
fn boolean_arguments_in_copies_have_their_own_variables() {
    assert_eq!(check_body("forall n in 0..k. F(s, !a[n])"), 3);
    assert_eq!(check_body("forall n in 0..k. F(s, exists I j. a[j] & j = n)"), 6);
    assert_eq!(check_body("F(s, F(t, !a[0])) & F(s, F(t, !a[0]))"), 4);
}

#[test]
fn computed_indices_do_not_copy_quantifiers() {
    assert_eq!(check_body("a[i] & (exists I j. a[j] & s.b[i] = t.b[j])"), 1);
    assert_eq!(check_body("F(s, !a[i]) & F(s, a[i])"), 1);
    assert_eq!(check_body("exists S u. u.b[i] = s.b[u.i]"), 1);
}

#[test]
fn sugar_shares_formulas_and_copies_none() {
    assert_eq!(check_body("if (exists I j. a[j]) (exists I j. s.b[j]) else (forall I j. t.b[j])"), 3);
    assert_eq!(check_body("case exists I j. a[j] : a[0]; forall I j. s.b[j] : a[1]; 1 : a[2]; esac"), 2);
    assert_eq!(check_body("(exists I j. a[j]) <+> (forall I j. s.b[j])"), 2);
    assert_eq!(check_body("(exists I j. a[j]) != (forall I j. s.b[j])"), 2);
    assert_eq!(check_body("(exists I j. a[j]) <-> (forall I j. s.b[j]) & (a[0] <- (exists I j. a[j]))"), 3);
}

#[test]
fn random_systems_bind_every_variable_once() {
    for seed in 0..300 {
        check_fresh(&calculus::random::system(seed, &Shape::default()));
    }
}
