//! Texts that are small but mean too much, and texts that are large and must not take long.

use base::{Sources, render};

/// The messages, loading nothing.
fn messages(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let (file, mut diagnostics) =
        calculus::load(&mut sources, "demo.mu", text, &mut |_| Err("no files".to_owned()));
    match calculus::check(&file, &[]) {
        Ok((_, warnings)) => diagnostics.extend(warnings),
        Err(errors) => diagnostics.extend(errors),
    }
    for diagnostic in &diagnostics {
        assert!(!render(&sources, diagnostic).is_empty());
    }
    assert_eq!(calculus::print(&file).is_empty(), file.items.is_empty());
    diagnostics.into_iter().map(|d| d.message).collect()
}

#[track_caller]
fn check_message(text: &str, expected: &str) {
    assert_eq!(messages(text), [expected], "{text}");
}

#[track_caller]
fn check_too_much(text: &str, than: &str) {
    check_message(text, &format!("the file expands to more than {than}; this is where it happens"));
}

const MANY: usize = 10_000;

#[test]
fn numbers_beyond_all_bounds() {
    check_message("enum E { 0..99999999999999999999 };", &format!("this number is larger than {}", u64::MAX));
    check_message("#param k = 18446744073709551616;", &format!("this number is larger than {}", u64::MAX));
    let text = "enum E { 0..18446744073709551615 };";
    check_message(text, "the values 0..18446744073709551615 of `E` are not at most 2^32 natural numbers");
    let last = "enum E { 18446744073709551615..18446744073709551615 };";
    assert!(messages(&format!("{last} bool R(E e) e = 18446744073709551615;")).is_empty());
    check_message(
        "#param k = 18446744073709551615; enum E { 0..k+9223372036854775807 };",
        "the values 0..27670116110564327422 of `E` are not at most 2^32 natural numbers",
    );
    check_message(
        "exists i in 0..18446744073709551615. true;",
        "the positions 0..18446744073709551615 are more than 1000000",
    );
}

#[test]
fn nothing_is_a_value_too() {
    let empty = "class E { }; class D { E e[3]; bool z[0]; } e ~+ z, ~- e;";
    assert!(
        messages(&format!(
            "{empty} bool R(D d, D f[0], E e) d = d & f = f & e = e & R2(d, f);
         bool R2(D d, D f[0]) exists E e, D g. g = d;"
        ))
        .is_empty()
    );
    check_message("enum E { 3..2 };", "the enum `E` has no values: 3 is larger than 2");
    check_message("bool R(bool b[0]) b[0];", "the index 0 is outside the array `bool[0]`");
    check_message("#param k = 0; bool R(bool b[k-1]) true;", "the length -1 of an array is negative");
    check_message("#param k = 0; bool R(bool b[2]) b[k-1];", "the index -1 is outside the array `bool[2]`");
}

#[test]
fn names_have_a_length() {
    check_message(&format!("{};", "a".repeat(1001)), "this name is longer than 1000 characters");
    let name = "a".repeat(1000);
    assert!(messages(&format!("bool {name}() true; {name}();")).is_empty());
}

#[test]
fn copies_that_leave_no_formula_are_bounded() {
    let nothing = "exists j in 0..0. exists E e. ".repeat(MANY);
    check_too_much(&format!("class E {{ }}; exists i in 0..999999. {nothing} true;"), "100000000 parts");
}

#[test]
fn wide_applications_are_bounded() {
    let wide = "bool R(bool a[100000]) true; bool S(bool a[100000]) exists i in 0..999999. R(a);";
    check_too_much(wide, "100000000 parts");
}

#[test]
fn combinations_of_indices_are_counted_before_they_are_made() {
    let text = "enum I { 0..4294967295 }; class E { }; class P { E e[5000000000]; };
                bool R(P p, I i) p.e[i] = p.e[i];";
    check_message(text, "the indices and sums here have more than 100000 combinations of values");
}

#[test]
fn constraints_are_bounded() {
    let many = vec!["~+ a"; 2000].join(", ");
    let text = format!("class D {{ bool a[1000]; }} {many}; bool R(D d[1000]) true;");
    check_too_much(&text, "100000000 parts");
    let text = format!("class E {{ }}; class D {{ E a; bool b; }} {many}; bool R(D d[100000]) true;");
    assert!(messages(&text).is_empty());
}

#[test]
fn names_of_parts_are_bounded() {
    let chain = |members: &str| -> String {
        (1..MANY).map(|n| format!("class C{n} {{ C{} c; {members} }};", n - 1)).collect()
    };
    let last = MANY - 1;
    let text = format!("class C0 {{ bool a; }}; {} bool R(C{last} x) true;", chain("bool a;"));
    let expected = format!("the names of all parts of `C{last}` take more than 67108864 characters");
    check_message(&text, &expected);
    let text = format!("class C0 {{ bool a; }}; {} bool R(C{last} x[10]) true;", chain(""));
    assert!(messages(&text).is_empty());
}

#[test]
fn many_empty_members_in_many_elements() {
    let members: String = (0..MANY).map(|n| format!("E e{n};")).collect();
    let text = format!("class E {{ }}; class D {{ {members} bool b; }}; bool R(D d[100000]) true;");
    assert!(messages(&text).is_empty());
}

#[test]
fn many_cycles_are_not_shown_in_full() {
    let text: String = (0..MANY).map(|n| format!("bool R{n}() R{}() & R{}();", n + 1, n / 2)).collect();
    let found = messages(&format!("{text} bool R{MANY}() true;"));
    assert!(found.len() > MANY / 3);
}

#[test]
fn many_of_everything_take_linear_time() {
    let each = |text: &dyn Fn(usize) -> String| -> String { (0..MANY).map(text).collect() };
    let names: Vec<String> = (0..MANY).map(|n| format!("a_rather_long_common_prefix_{n}")).collect();
    let params = each(&|n| format!("#param {} = {n};", names[n]));
    let all = names.join(", ");
    // Every `#param` is an enumerator as well.
    assert_eq!(messages(&format!("enum E {{ {all} }}; {params}")).len(), MANY);
    // Every name is misspelled.
    let wrong = each(&|n| format!("{}x;\n", names[n]));
    assert_eq!(messages(&format!("enum E {{ {all} }}; {wrong}")).len(), MANY);
    assert_eq!(messages(&format!("enum E {{ {all} }}; {}", wrong.replace('\n', " "))).len(), MANY);
    // One enumerator of many enums.
    let enums = each(&|n| format!("enum E{n} {{ a, b }};"));
    assert_eq!(messages(&format!("{enums} {}", "a = b; a = 3; ".repeat(1000))).len(), 1000);
    // Many parameters, and applications that have none.
    let params = vec!["bool"; MANY].iter().enumerate().map(|(n, t)| format!("{t} p{n}")).collect::<Vec<_>>();
    let text = format!("bool R({}) true; {}", params.join(", "), "R();\n".repeat(MANY));
    assert_eq!(messages(&text).len(), MANY);
    // Storage chosen for classes inside each other.
    let classes = each(&|n| format!("class C{} {{ C{n} c; }}; #explicit C{n};", n + 1));
    assert!(messages(&format!("enum I {{ x }}; class C0 {{ I i; }}; {classes}")).is_empty());
}

#[test]
fn a_byte_order_mark_and_carriage_returns_are_no_trouble() {
    let mut sources = Sources::default();
    let text = "\u{feff}a b;\r\nbool R()\r\n  true;\r\n// end\r\nx y\r\n;";
    let (_, diagnostics) = calculus::load(&mut sources, "demo.mu", text, &mut |_| Err(String::new()));
    let shown: String = diagnostics.iter().map(|d| render(&sources, d)).collect();
    let expected = "\
error: expected `;`, found `b`
  --> demo.mu:1:3
 1 | a b;
   |   ^
error: expected `;`, found `y`
  --> demo.mu:5:3
 5 | x y
   |   ^
";
    assert_eq!(shown, expected);
}

#[test]
fn an_item_that_is_read_again_reports_its_characters_once() {
    assert_eq!(messages("bool R(bool a) a @ < é b ) ; case @ x ; esac ; true;").len(), 5);
}
