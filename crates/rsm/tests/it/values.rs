//! The possible values of expressions, and the choices that lead to them.

use crate::harness::random::Expressions;
use crate::harness::{code, machine, on_a_small_stack};
use base::Random;
use rsm::values::{TooLarge, View, can_fail, can_hold, choices, evaluate, possible};
use rsm::{Expr, Operation, Rsm, Term, Type};

/// The possible values of postfix code where no variables are read.
#[track_caller]
fn check(text: &str, expected: &str) {
    let rsm = machine("module main\n0 1 return");
    let set = possible(&code(&rsm, text), &View::new(&[], &[])).unwrap();
    assert_eq!(format!("{:?}", set.values(100).unwrap()), expected);
}

#[test]
fn a_star_is_every_value_of_its_type() {
    check("*", "[0, 1]");
    check("*:2", "[0, 1, 2, 3]");
    check("*:red/green/blue", "[0, 1, 2]");
}

#[test]
fn each_star_chooses_independently() {
    check("* * =", "[0, 1]");
    check("*:2 *:2 -", "[0, 1, 2, 3]");
}

#[test]
fn arithmetic_wraps() {
    check("3:2 2:2 +", "[1]");
    check("1:2 2:2 -", "[3]");
    check("3:2 3:2 mul", "[1]");
    check("1:3 neg", "[7]");
    check("0:3 neg", "[0]");
}

#[test]
fn comparisons_are_unsigned() {
    check("7:3 0:3 <", "[0]");
    check("0:3 *:3 <=", "[1]");
    check("0:3 *:3 <", "[0, 1]");
}

#[test]
fn a_product_with_an_even_number_is_even() {
    check("*:4 6:4 mul", "[0, 2, 4, 6, 8, 10, 12, 14]");
    check("*:4 2:4 mul *:4 4:4 mul mul", "[0, 8]");
}

#[test]
fn a_conditional_has_the_values_of_the_branches_it_can_take() {
    check("* 1:3 6:3 if", "[1, 6]");
    check("T 1:3 *:3 if", "[1]");
    check("* red:red/green/blue blue:red/green/blue if green:red/green/blue =", "[0]");
}

#[test]
fn schoose_is_true_if_the_first_holds_else_false_if_the_second_holds_else_either() {
    check("T T schoose", "[1]");
    check("T F schoose", "[1]");
    check("F T schoose", "[0]");
    check("F F schoose", "[0, 1]");
}

#[test]
fn a_condition_can_hold_and_can_fail() {
    let rsm = machine("global a\nmodule main\n0 1 return");
    let tell = |text: &str| {
        let (expr, view) = (code(&rsm, text), View::new(&[1], &[]));
        (can_hold(&expr, &view).unwrap(), can_fail(&expr, &view).unwrap())
    };
    assert_eq!(tell("a"), (true, false));
    assert_eq!(tell("a !"), (false, true));
    assert_eq!(tell("a * &"), (true, true));
}

#[test]
fn sixty_four_bits_are_no_problem() {
    let rsm = machine("module main\n0 1 return");
    let view = View::new(&[], &[]);
    let set = possible(&code(&rsm, "*:64 12:64 mul 5:64 +"), &view).unwrap();
    assert_eq!((set.smallest(), set.largest(), set.size()), (1, u64::MAX - 2, 1 << 62));
    let expr = code(&rsm, "*:64 3:64 mul 18446744073709551615:64 =");
    let chosen = choices(&expr, &view, 1).unwrap().unwrap();
    assert_eq!(chosen[0].value, u64::MAX / 3);
}

#[test]
fn a_sum_of_very_many_unrelated_values_is_too_large() {
    let rsm = machine("module main\n0 1 return");
    let bits: Vec<String> = (0..40).map(|n| format!("* {}:64 0:64 if", 3u64.pow(n))).collect();
    let text = format!("{}{}", bits.join(" "), " +".repeat(39));
    assert_eq!(possible(&code(&rsm, &text), &View::new(&[], &[])), Err(TooLarge));
}

#[test]
fn deep_nesting_is_evaluated_on_a_small_stack() {
    on_a_small_stack(|| {
        let rsm = machine("module main\n0 1 return");
        let text = format!("{}{} 0:8 =", "*:8 ".repeat(10_000), "+ ".repeat(9_999));
        let expr = code(&rsm, &text);
        let chosen = choices(&expr, &View::new(&[], &[]), 0).unwrap().unwrap();
        assert_eq!(chosen.len(), 10_000);
        assert_eq!(rsm::show_expr(&rsm, rsm.main, &expr).matches('(').count(), 9_998);
    });
}

/// All results of an expression, by trying every combination of choices; `None` if there are too many.
fn by_brute_force(expr: &Expr, view: &View<'_>) -> Option<Vec<u64>> {
    let mut results = Vec::new();
    let mut choices: Vec<(u64, u64)> = Vec::new();
    for _ in 0..20_000 {
        let mut n_asked = 0;
        results.push(evaluate(expr, view, &mut |ty| {
            if n_asked == choices.len() {
                choices.push((0, ty.max()));
            }
            n_asked += 1;
            choices[n_asked - 1].0
        }));
        // Counts upwards; a schoose may ask or not, so the list of choices grows and shrinks.
        choices.truncate(n_asked);
        while choices.pop_if(|(value, max)| value == max).is_some() {}
        let Some((value, _)) = choices.last_mut() else {
            results.sort_unstable();
            results.dedup();
            return Some(results);
        };
        *value += 1;
    }
    None
}

fn check_against_brute_force(rsm: &Rsm, text: &str, view: &View<'_>) -> bool {
    let expr = code(rsm, text);
    let Some(expected) = by_brute_force(&expr, view) else { return false };
    let set = possible(&expr, view).unwrap();
    assert_eq!(set.values(1000).unwrap(), expected, "{text}");
    assert_eq!((set.smallest(), set.largest()), (expected[0], expected[expected.len() - 1]), "{text}");
    for wanted in 0..=expr.ty().max() {
        assert_eq!(set.contains(wanted), expected.contains(&wanted), "{text}");
        let chosen = choices(&expr, view, wanted).unwrap();
        assert_eq!(chosen.is_some(), expected.contains(&wanted), "{text}");
        let Some(chosen) = chosen else { continue };
        let mut rest = chosen.iter();
        let value = evaluate(&expr, view, &mut |ty| {
            let chosen = rest.next().expect("there are as many choices as are asked for");
            assert_eq!(&chosen.ty, ty);
            chosen.value
        });
        assert_eq!((value, rest.len()), (wanted, 0), "{text} with {chosen:?}");
    }
    true
}

#[test]
fn possible_values_and_choices_agree_with_brute_force() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let mut n_checked = 0;
    for _ in 0..3000 {
        let width = 1 + random.below(4) as u32;
        let rsm = machine(&format!("global a i:{width}\nmodule main ; b j:{width}\n0 1 return"));
        let shapes = Expressions { bools: &["a", "b"], ints: &["i", "j"], width };
        let size = 1 + random.below(9);
        let text = if random.below(2) == 0 {
            shapes.boolean(&mut random, size)
        } else {
            shapes.integer(&mut random, size)
        };
        let globals = [random.below(2), random.below(1 << width)];
        let locals = [random.below(2), random.below(1 << width)];
        n_checked += u64::from(check_against_brute_force(&rsm, &text, &View::new(&globals, &locals)));
    }
    assert!(n_checked > 2000, "{n_checked}");
}

#[test]
fn new_values_are_read_where_the_code_says_so() {
    let rsm = machine("global a\nmodule main\n0 1 return");
    let expr = code(&rsm, "a' a !=");
    let view = View::new(&[0], &[]);
    assert!(!can_hold(&expr, &view).unwrap());
    assert!(can_hold(&expr, &view.with_next(&[1], &[])).unwrap());
}

#[test]
fn the_length_of_an_expression_does_not_make_it_too_large() {
    let term = |operation| Term { operation, ty: Type::Int(64) };
    let mut terms = vec![term(Operation::Choice(rsm::Freedom::Input))];
    terms.extend((0..2_000_000).map(|_| term(Operation::Negate)));
    let set = possible(&Expr { code: terms.into() }, &View::new(&[], &[])).unwrap();
    assert_eq!(set.size(), 1 << 64);
}
