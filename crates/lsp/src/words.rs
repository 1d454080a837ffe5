//! Words that editors explain and complete: those of programs, monitors and formula files, with a sentence each.

/// A word and what it means.
pub type Explained = (&'static str, &'static str);

/// The words of Boolean programs; what is not here needs no sentence.
pub const PROGRAM: [Explained; 31] = [
    ("decl", "declares variables: `decl x, n: int<3>;`; a variable without a type is `bool`"),
    ("bool", "the type of T and F; as a result, `bool<2>` is two of them"),
    ("int", "`int<N>`: numbers of N bits, which wrap around"),
    ("enum", "`enum {a, b}`: a type that lists its values; types that list the same are the same"),
    ("init", "`init e;`: runs begin where e holds"),
    ("thread", "`thread p[2] begin … end`: two threads that run this; `[*]` is any number"),
    ("void", "a function without results"),
    ("enforce", "`enforce e;`: only states in which e holds exist in this function"),
    ("skip", "does nothing"),
    ("return", "leaves the function with these results; without values, with any"),
    ("goto", "goes on at a label; with several, at any of them"),
    ("constrain", "behind an assignment: only new values `x'` for which it holds; alone, like `assume`"),
    ("call", "in a monitor, `call(f)`: the step calls f"),
    ("assert", "an error if it does not hold: what `check` looks for"),
    ("assume", "runs go on only where it holds"),
    ("dead", "the variables get any values"),
    ("print", "shows values in traces"),
    ("start_thread", "`start_thread f(…);` or `start_thread goto L;`: a new thread begins there"),
    ("end_thread", "the thread ends"),
    ("atomic", "`atomic begin … end`: no other thread runs in between"),
    ("atomic_begin", "from here on no other thread runs, up to `atomic_end`"),
    ("atomic_end", "other threads may run again"),
    ("if", "`if (e) then … elsif (e) then … else … fi`"),
    ("while", "`while (e) do … od`"),
    ("elsif", "`if (e) then … elsif (e) then … else … fi`"),
    ("else", "`if (e) then … else … fi`"),
    ("begin", "opens a block, up to `end`"),
    ("T", "true"),
    ("F", "false"),
    ("schoose", "`schoose[p, n]`: T if p holds, else F if n holds, else any of them"),
    ("choose", "`choose[p, n]`: like `schoose`"),
];

/// The words of monitors.
pub const MONITOR: [Explained; 10] = [
    ("monitor", "a finite automaton that watches the steps of a program: `monitor NAME begin … end`"),
    ("state", "a state: `state NAME:` and its edges"),
    ("initial", "the monitor may start in this state"),
    ("target", "whether this state is reached, or reached again and again, is the question"),
    ("on", "`on GUARD goto STATE;`: an edge, taken in a step in which the guard holds"),
    ("goto", "where the edge leads"),
    ("at", "`at(L)` or `at(f:L)`: the step is that of the statement with this label"),
    ("in", "`in(f)`: the function is on top of the stack"),
    ("call", "`call(f)`: the step calls the function"),
    ("ret", "`ret(f)`: the step returns from the function"),
];

/// The words of formulas.
pub const FORMULA: [Explained; 15] = [
    ("bool", "the type of `true` and `false`; before a relation, that it is one"),
    ("enum", "`enum E { a, b };` or `enum N { 0..7 };`: a type by its values"),
    ("class", "`class C { bool x; E e[2]; };`: a type with members"),
    ("struct", "another word for `class`"),
    ("mu", "a least fixed point"),
    ("nu", "a greatest fixed point"),
    ("exists", "`exists T x. f`: for some value; `exists i in 0..k. f`: for some position"),
    ("forall", "`forall T x. f`: for all values; `forall i in 0..k. f`: for all positions"),
    ("if", "`if (a) b else c`; without `else`, true where a does not hold"),
    ("else", "`if (a) b else c`"),
    ("case", "`case a: b; c: d; esac`: the first whose condition holds"),
    ("assume", "`a assume b`: both, where b may be used to simplify a"),
    ("cofactor", "`a cofactor b`: like `assume`"),
    ("true", "holds always"),
    ("false", "never holds"),
];

/// The directives of formula files.
pub const DIRECTIVE: [Explained; 38] = [
    ("#load", "`#load name;` reads another file here"),
    ("#print", "prints a text, a declaration, or the truth value of a formula"),
    ("#size", "counts the nodes of a relation's diagrams"),
    ("#ons", "counts the tuples of a relation"),
    ("#onsetsize", "counts the tuples of a relation"),
    ("#vis", "writes a relation for Graphviz"),
    ("#visualize", "writes a relation for Graphviz"),
    ("#dump", "writes a relation's diagram into a file"),
    ("#undump", "takes a relation's value from a file"),
    ("#certify", "checks that a relation is what its equations mean"),
    ("#plan", "shows how a relation is evaluated"),
    ("#list", "`#list R 20;` lists the tuples of a relation"),
    ("#reset", "forgets the value of a relation, or `all`"),
    ("#wit", "`#wit exists T x. f;` finds values that make f true"),
    ("#witness", "`#witness exists T x. f;` finds values that make f true"),
    ("#cex", "`#cex forall T x. f;` finds values that make f false"),
    ("#counterexample", "`#counterexample forall T x. f;` finds values that make f false"),
    ("#explain", "`#explain R(…);` derives a tuple step by step"),
    ("#timer", "`go`, `stop`, `reset`: a stopwatch"),
    ("#frontier", "accepted, and without effect"),
    ("#verbose", "`on` or `off`: figures at the end"),
    ("#quit", "ends the file"),
    ("#explicit", "`#explicit T;`: values of the type are told apart one by one"),
    ("#symbolic", "`#symbolic T;`: values of the type are bits of diagrams"),
    ("#strata", "the type by whose values work is put in order"),
    ("#depth", "derivations follow so many choices"),
    ("#param", "`#param k = 3;`: a number that can be set from outside"),
    ("#bound", "`#bound k switches;` or `rounds`: what the parameter bounds"),
    ("#contexts", "`#contexts c, t, T, G;`: the variables of the query that describe the contexts of a run"),
    ("#rounds", "`#rounds i, t, G, H by Out;`: the variables of the query that describe the rounds of a run"),
    ("#certificate", "`#certificate Summary, Reach;`: the relations that make a certificate"),
    ("#label", "`#label A = \"f:L\";`: A(State) holds at that label"),
    ("#function", "`#function F = \"f\";`: F(Module) holds of that function"),
    ("#variable", "`#variable X = \"f:x\";`: X(Variable) holds of that variable"),
    ("#where", "`#where C = \"f: n >= 3\";`: C(State) holds where the condition does"),
    ("#verdict", "`#verdict violated \"text\";`: what a true query means"),
    ("#exact", "the author claims that each run that the formula speaks of exists"),
    ("#without", "`#without straight-lines;`: a reduction that the formula can tell"),
];

/// What a list says about a word.
pub fn about(list: &[Explained], word: &str) -> Option<&'static str> {
    list.iter().find(|(known, _)| *known == word).map(|(_, about)| *about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directive_is_explained_and_nothing_else() {
        let mut known: Vec<&str> = calculus::DIRECTIVES.into_iter().chain(calculus::syntax::NOTES).collect();
        let mut told: Vec<&str> = DIRECTIVE.iter().map(|(word, _)| *word).collect();
        known.sort_unstable();
        told.sort_unstable();
        assert_eq!(told, known);
    }

    #[test]
    fn what_is_explained_is_a_word() {
        let words: Vec<&str> = bp::reserved_words().collect();
        assert!(PROGRAM.iter().all(|(word, _)| words.contains(word)));
        let words: Vec<&str> = calculus::reserved_words().collect();
        assert!(FORMULA.iter().all(|(word, _)| words.contains(word)));
    }
}
