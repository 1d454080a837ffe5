//! Words of the language as names: each is reserved only where it stands as a keyword.

use base::Sources;

/// The words that may name anything.
const WORDS: [&str; 20] = [
    "decl",
    "bool",
    "int",
    "enum",
    "init",
    "thread",
    "void",
    "skip",
    "goto",
    "call",
    "dead",
    "start_thread",
    "end_thread",
    "atomic_begin",
    "atomic_end",
    "atomic",
    "schoose",
    "choose",
    "sync",
    "x",
];

/// Those with which a statement begins that looks like a call: no functions.
const LIKE_CALLS: [&str; 6] = ["enforce", "return", "constrain", "assert", "assume", "print"];

/// The machine of a program as text, with `w` for the word.
fn machine(text: &str, word: &str) -> String {
    let mut machine = bp::lower(&crate::harness::correct(text)).expect("the program has no mistakes");
    let rename = |name: &mut String| {
        if name == word {
            *name = "w".to_owned();
        }
    };
    let rename_all = |variables: &mut [rsm::Variable]| {
        for variable in variables {
            rename(&mut variable.name);
            if let rsm::Type::Enum(names) = &variable.ty {
                let mut names = names.to_vec();
                names.iter_mut().for_each(rename);
                variable.ty = rsm::Type::Enum(names.into());
            }
        }
    };
    rename_all(&mut machine.globals);
    for module in &mut machine.modules {
        rename(&mut module.name);
        rename_all(&mut module.locals);
        module.nodes.iter_mut().flat_map(|node| &mut node.labels).for_each(rename);
    }
    rsm::show(&machine)
}

fn canonical(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.bp", text);
    bp::print(&bp::parse(&sources, file).0)
}

/// A program in which the word stands wherever a variable, a value, a label or, if it may be one, a function can.
fn program(w: &str, is_function: bool) -> String {
    let (f, call) = if is_function {
        (w, format!("{w}(b); call {w}(b); b := {w}(b); b := call {w}(b);"))
    } else {
        ("g", String::new())
    };
    format!(
        "decl {w}, b, c: enum {{red, blue}}, d: int<2>;
         init {w} & !{w};
         bool {f}({w}) begin decl b; enforce {w} | b; {w} := {w}; return {w}; end
         void h() begin decl a, {w}: enum {{ {w}, o}}; {w}, a := o, {w} = o; end
         void main() begin
           {w}: {w} := {w} & ({w} ? {w} : !{w}); goto {w};
           {w}, b := b, {w} constrain {w}' | '{w}; _, {w} := {w}, T;
           dead {w}, b; print({w}); assert {w}; assume({w}); constrain {w};
           if {w} then {w} := schoose[{w}, {w}] elsif ({w}) then {w} := choose[T, {w}] else {w} := {w} fi
           while {w} do skip; od
           {call} b := {w}; atomic begin {w} := b end atomic_begin; atomic_end
         end"
    )
}

#[test]
fn a_word_is_a_name_where_a_name_stands() {
    for (words, is_function) in [(&WORDS[..], true), (&LIKE_CALLS[..], false)] {
        let text = |word: &str| program(word, is_function);
        let expected = machine(&text("w"), "w");
        for word in words {
            assert_eq!(machine(&text(word), word), expected, "{}", text(word));
            let printed = canonical(&text(word));
            assert_eq!(machine(&printed, word), expected, "{printed}");
            assert_eq!(canonical(&printed), printed);
        }
    }
}

#[test]
fn threads_and_functions_of_threads_may_be_called_like_words() {
    for word in WORDS {
        let text = format!(
            "decl b; thread {word}[2] begin decl {word}; void main() begin {word}(); {word} := b; end void {word}() begin end end"
        );
        crate::harness::correct(&text);
        let started = format!(
            "void {word}() begin end void main() begin {word}: start_thread {word}(); start_thread goto {word}; end_thread; end"
        );
        crate::harness::correct(&started);
    }
}

#[test]
fn guards_of_monitors_mention_variables_called_like_words() {
    let program = crate::harness::correct(
        "decl call, goto; void init() begin decl atomic; skip: skip; end void main() begin init(); end",
    );
    let text = "monitor m begin initial state skip: on call & goto & init.atomic & call(init) & at(init:skip) goto skip; end";
    let mut sources = Sources::default();
    let read = bp::monitor::parse(&mut sources, "test.mon", text, &program);
    assert!(
        read.is_ok(),
        "{:?}",
        read.err().map(|diagnostics| crate::harness::lines(&sources, &diagnostics))
    );
}
