//! Broken texts: no panic, no endless loop, and never a rejection without a reason.

use base::Random;
use base::{Severity, Sources, render};
use calculus::random::Shape;

const PROGRAM: &str = "
    #param k = 2;  // rounds
    enum Colour { red, green, blue }; enum Light { red, dark }; enum Round { 0..k };
    class State { Colour c[k+1]; Light l; bool b[2]; } b ~+ c, l < b, ~- b;
    class Pair { State s; State t; } s ~+ t;
    #explicit Round, Light;  #symbolic bool;
    mu bool Reach(State s, Round r);
    bool Next(State s, State t, Round r) s ~+ t, s.l < t.l
      case s.l = red : t.l = dark; s.b[0] : t = s; 1 : s.c != t.c; esac
      & (if (s.b[1]) t.b[0] = 1 else !(t.b = s.b)) & s.c[r] = t.c[r-1];
    mu bool Reach(State s, Round r)
      (exists i in 0..k. s.c[i] = red & r >= i) |
      (exists State t, Round q. q < r & (Next(t, s, r) assume Reach(t, q)) & Flag(!t.b[0] | s.b[1]));
    bool Flag(bool x) x <-> true;
    nu bool Safe(Pair p) p.s != p.t -> ((forall Pair q. Safe(q) <- q = p) <+> false);
    exists State s, Round r: Reach(s, r) & r = 2;
    #wit exists State s. Reach(s, 1); #cex forall Pair p. Safe(p); #explain Flag(1);
    #print \"two
    lines\"; #print; #print statistics; #size Reach; #ons Safe; #timer go; #reset all; #frontier off; #plan Reach;
";

const PIECES: [&str; 60] = [
    "enum",
    "class",
    "mu",
    "nu",
    "bool",
    "exists",
    "forall",
    "if",
    "else",
    "case",
    "esac",
    "assume",
    "true",
    "false",
    "in",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ".",
    "..",
    ",",
    "<",
    ">",
    "~+",
    "~-",
    "<->",
    "->",
    "<-",
    "=",
    "!=",
    "!",
    "&",
    "|",
    "+",
    "-",
    "0",
    "1",
    "2",
    "99999999999999999999",
    "k",
    "s",
    "t",
    "State",
    "Round",
    "red",
    "Reach",
    "Flag",
    "#print",
    "#param",
    "#size",
    "#quit",
    "\"",
    "/*",
    "\0",
    "é",
];

/// Runs everything on a text; all that is asked is to come back with a coherent answer.
fn survive(text: &str) {
    let mut sources = Sources::default();
    let (file, diagnostics) =
        calculus::load(&mut sources, "fuzz.mu", text, &mut |_| Err("no files".to_owned()));
    for diagnostic in &diagnostics {
        assert!(!render(&sources, diagnostic).is_empty());
    }
    let printed = calculus::print(&file);
    match calculus::check(&file, &[("k".to_owned(), 3)]) {
        Ok((system, warnings)) => {
            assert!(warnings.iter().all(|d| d.severity == Severity::Warning), "{text}");
            for relation in &system.relations {
                assert!(!calculus::print_formula(&system, relation.body).is_empty());
            }
        }
        Err(errors) => {
            assert!(file.is_partial || errors.iter().any(|d| d.severity == Severity::Error), "{text}");
            for diagnostic in &errors {
                assert!(!render(&sources, diagnostic).is_empty());
            }
        }
    }
    // What was understood can be printed and understood again.
    let again = sources.add("again.mu", printed.clone());
    let (file, diagnostics) = calculus::parse(&sources, again);
    assert_eq!(diagnostics, [], "{text}\nprinted as\n{printed}");
    assert_eq!(calculus::print(&file), printed, "{text}");
}

/// The text cut where its tokens begin, more or less.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut was_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric();
        match tokens.last_mut() {
            Some(token) if is_word && was_word => token.push(c),
            _ => tokens.push(c.to_string()),
        }
        was_word = is_word;
    }
    tokens
}

fn mutate(tokens: &mut Vec<String>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(tokens.len() as u64) as usize;
        let other = random.below(tokens.len() as u64) as usize;
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, (*random.pick(&PIECES)).to_owned()),
            2 => tokens[at] = (*random.pick(&PIECES)).to_owned(),
            3 => tokens.swap(at, other),
            4 => tokens[at] = tokens[other].clone(),
            _ => {
                let end = (at + random.below(12) as usize).min(tokens.len());
                let copied = tokens[at..end].to_vec();
                tokens.splice(other..other, copied);
            }
        }
    }
}

#[test]
fn the_program_is_right() {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.mu", PROGRAM);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    assert_eq!(diagnostics, []);
    if let Err(errors) = calculus::check(&tree, &[]) {
        panic!("{}", errors.iter().map(|d| render(&sources, d)).collect::<String>());
    }
}

#[test]
fn mutated_programs() {
    let program = tokens(PROGRAM);
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut tokens = program.clone();
        mutate(&mut tokens, &mut random);
        survive(&tokens.concat());
    }
}

#[test]
fn mutated_random_systems() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut tokens = tokens(&calculus::random::system(seed, &Shape::default()));
        mutate(&mut tokens, &mut random);
        survive(&tokens.concat());
    }
}

#[test]
fn random_tokens() {
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let length = random.below(60);
        let text: Vec<&str> = (0..length).map(|_| *random.pick(&PIECES)).collect();
        survive(&text.join(if random.chance(80) { " " } else { "" }));
    }
}

#[test]
fn cut_programs() {
    for end in (0..PROGRAM.len()).step_by(3) {
        survive(&PROGRAM[..end]);
    }
}
