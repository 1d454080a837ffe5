//! Names as small numbers, and the reserved words among them.
//!
//! Contract: equal texts have equal symbols. The reserved words are interned first, so that one look into the table
//! tells a word from a name. Most words are names where the grammar has a name; see [`Word::may_be_name`].

use base::cut;
use rustc_hash::FxHashMap;

base::index_type! {
    /// A name of a program; its text is in the program's [`Names`].
    Symbol;
}

/// Declares the reserved words with their texts.
macro_rules! words {
    ($($name:ident $text:literal,)+) => {
        /// The reserved words.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Word {
            $($name,)+
        }

        impl Word {
            pub(crate) const ALL: &[Word] = &[$(Word::$name,)+];

            /// The word as it is written.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Word::$name => $text,)+
                }
            }
        }
    };
}

words! {
    Decl "decl",
    Bool "bool",
    Int "int",
    Enum "enum",
    Init "init",
    Thread "thread",
    Begin "begin",
    End "end",
    Void "void",
    Enforce "enforce",
    Skip "skip",
    Return "return",
    Goto "goto",
    Constrain "constrain",
    Call "call",
    Assert "assert",
    Assume "assume",
    Dead "dead",
    Print "print",
    StartThread "start_thread",
    EndThread "end_thread",
    AtomicBegin "atomic_begin",
    AtomicEnd "atomic_end",
    If "if",
    Then "then",
    Elsif "elsif",
    Else "else",
    Fi "fi",
    While "while",
    Do "do",
    Od "od",
    Atomic "atomic",
    Underscore "_",
    T "T",
    F "F",
    True "true",
    False "false",
    Schoose "schoose",
    Choose "choose",
}

impl Word {
    /// The word is reserved only where it stands as a keyword. The values and the brackets of the language are reserved
    /// everywhere: behind `return` or at the end of a block, where the semicolon may be left out, nothing would tell `end`
    /// from a variable.
    pub(crate) fn may_be_name(self) -> bool {
        !matches!(
            self,
            Word::Underscore
                | Word::T
                | Word::F
                | Word::True
                | Word::False
                | Word::Begin
                | Word::End
                | Word::If
                | Word::Then
                | Word::Elsif
                | Word::Else
                | Word::Fi
                | Word::While
                | Word::Do
                | Word::Od
        )
    }

    /// A statement begins with the word and a parenthesis, so that it cannot be the name of a function.
    pub(crate) fn takes_parenthesis(self) -> bool {
        matches!(
            self,
            Word::Return | Word::Assert | Word::Assume | Word::Constrain | Word::Print | Word::Enforce
        )
    }

    /// The word as a name.
    pub(crate) fn symbol(self) -> Symbol {
        Symbol::new(self as usize)
    }
}

/// The names of a program.
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<Box<str>>,
    symbols: FxHashMap<Box<str>, Symbol>,
    /// The words that some variable or value of an enumeration is called; expressions may mention them.
    values: Vec<Word>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self { texts: Vec::new(), symbols: FxHashMap::default(), values: Vec::new() };
        for word in Word::ALL {
            names.intern(word.text());
        }
        names
    }
}

impl Names {
    /// The symbol of a text.
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let symbol = Symbol::new(self.texts.len());
        self.texts.push(text.into());
        self.symbols.insert(text.into(), symbol);
        symbol
    }

    /// A variable or a value is called like this word.
    pub(crate) fn declare_value(&mut self, word: Word) {
        if word.may_be_name() && !self.is_value(word) {
            self.values.push(word);
        }
    }

    /// Some variable or value is called like this word.
    pub(crate) fn is_value(&self, word: Word) -> bool {
        self.values.contains(&word)
    }

    /// The symbol of a text that occurs in the program.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }

    /// The text of a symbol as messages show it: cut if it is very long.
    pub(crate) fn shown(&self, symbol: Symbol) -> String {
        cut(self.text(symbol))
    }
}

/// The reserved word a symbol is.
pub(crate) fn word(symbol: Symbol) -> Option<Word> {
    Word::ALL.get(symbol.index()).copied()
}

/// The reserved words of the language, in the order of its description.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    Word::ALL.iter().map(|word| word.text())
}
