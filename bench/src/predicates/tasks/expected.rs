//! What the name of a task says: `loop_true-unreach-call_false-termination.c` has two questions, and their answers.

/// A question of the competition on software verification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Question {
    /// No assertion fails: what `check` asks for by itself, since tasks have many ways to say it.
    Unreach,
    /// Every run ends.
    Termination,
    /// Memory is neither misused nor lost.
    Memory,
    /// No result overflows.
    Overflow,
}

/// The words in names, and which questions they answer.
const WORDS: [(&str, Question); 7] = [
    ("unreach-call", Question::Unreach),
    ("termination", Question::Termination),
    ("valid-memsafety", Question::Memory),
    ("valid-deref", Question::Memory),
    ("valid-free", Question::Memory),
    ("valid-memtrack", Question::Memory),
    ("no-overflow", Question::Overflow),
];

impl Question {
    /// Its name in tables and options.
    pub fn name(self) -> &'static str {
        WORDS.iter().find(|(_, question)| *question == self).expect("each question has a word").0
    }

    /// The question with a name.
    pub fn named(name: &str) -> Option<Self> {
        WORDS.iter().map(|(_, question)| *question).find(|question| question.name() == name)
    }

    /// The text of its property file, if it needs one.
    pub fn property(self) -> Option<&'static str> {
        Some(match self {
            Question::Unreach => return None,
            Question::Termination => "CHECK( init(main()), LTL(F end) )\n",
            Question::Memory => {
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )\n"
            }
            Question::Overflow => "CHECK( init(main()), LTL(G ! overflow) )\n",
        })
    }
}

/// The questions of a task, each with the answer that its name gives: whether the property holds.
pub fn expected(name: &str) -> Vec<(Question, bool)> {
    let mut found: Vec<(Question, bool)> = Vec::new();
    for (word, question) in WORDS {
        for holds in [true, false] {
            if name.contains(&format!("_{holds}-{word}"))
                && !found.iter().any(|(known, _)| *known == question)
            {
                found.push((question, holds));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_questions_and_answers() {
        let both = expected("a_false-unreach-call_true-termination_true-no-overflow.c");
        assert_eq!(
            both,
            [(Question::Unreach, false), (Question::Termination, true), (Question::Overflow, true)]
        );
        assert_eq!(expected("b_false-valid-deref.i"), [(Question::Memory, false)]);
        assert_eq!(expected("c_true-valid-memsafety.i"), [(Question::Memory, true)]);
        assert_eq!(expected("true-unreach.c"), []);
        assert_eq!(Question::named("valid-memsafety"), Some(Question::Memory));
        assert_eq!(Question::named("valid-deref"), None);
    }
}
