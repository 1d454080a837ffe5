//! What stands before the names of a declaration: storage class, qualifiers, and the words of a type.

use super::attributes::{Attributes, is_attribute};
use super::{Meaning, Parsed, Parser};
use crate::token::Token;
use crate::types::{Integer, Qualified, Rank, Ty};
use crate::typing;

/// What stands before the names of a declaration.
#[derive(Clone)]
pub(crate) struct Specifiers {
    pub(crate) ty: Qualified,
    pub(crate) class: Class,
    pub(crate) attributes: Attributes,
    /// The type is that of the initial value.
    pub(crate) is_deduced: bool,
}

/// The storage class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    None,
    Typedef,
    Extern,
    Static,
    /// `auto` or `register`, which says nothing that matters here.
    Automatic,
}

/// How often the words of arithmetic types occur.
#[derive(Default)]
struct Words {
    void: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    bool: u8,
    float: u8,
    double: u8,
    /// Types that are not looked into.
    other: u8,
    named: Option<Qualified>,
}

const CONST: [&str; 3] = ["const", "__const", "__const__"];
const VOLATILE: [&str; 3] = ["volatile", "__volatile__", "__volatile"];
/// Words that change nothing about the values.
const OTHERS: [&str; 7] =
    ["restrict", "__restrict", "__restrict__", "_Atomic", "__extension__", "_Thread_local", "__thread"];
const INLINE: [&str; 6] = ["inline", "__inline", "__inline__", "_Noreturn", "__forceinline", "__noreturn__"];
const CLASSES: [(&str, Class); 5] = [
    ("typedef", Class::Typedef),
    ("extern", Class::Extern),
    ("static", Class::Static),
    ("auto", Class::Automatic),
    ("register", Class::Automatic),
];

/// Words that are types or parts of one.
const TYPES: [&str; 30] = [
    "void",
    "char",
    "short",
    "int",
    "long",
    "signed",
    "__signed__",
    "__signed",
    "unsigned",
    "_Bool",
    "float",
    "double",
    "_Complex",
    "__complex__",
    "struct",
    "union",
    "enum",
    "typeof",
    "__typeof__",
    "__typeof",
    "__int128",
    "__int128_t",
    "__uint128_t",
    "_Float16",
    "_Float32",
    "_Float64",
    "_Float128",
    "__float128",
    "_Float32x",
    "_Float64x",
];

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(crate) fn is_declaration(&self) -> bool {
        // `__extension__` may stand before an expression, too.
        let is_extension =
            |token: Token| matches!(token, Token::Name(name) if self.names.text(name) == "__extension__");
        let mut rest =
            self.tokens[self.at..].iter().map(|token| token.token).skip_while(|token| is_extension(*token));
        let Some(Token::Name(name)) = rest.next() else { return false };
        let word = self.names.text(name);
        if TYPES.contains(&word) || matches!(self.meaning(name), Some(Meaning::Type(_))) {
            // A label may have the name of a type.
            return !matches!(rest.next(), Some(Token::Sign(":")));
        }
        ["_Static_assert", "_Alignas", "__auto_type"].contains(&word)
            || CLASSES.iter().any(|(class, _)| *class == word)
            || [&CONST[..], &VOLATILE, &OTHERS, &INLINE].iter().any(|words| words.contains(&word))
            || is_attribute(word)
    }

    /// Whether a type begins here.
    pub(crate) fn is_type(&self) -> bool {
        let Token::Name(name) = self.peek() else { return false };
        let word = self.names.text(name);
        self.is_type_word()
            || matches!(self.meaning(name), Some(Meaning::Type(_)))
            || CONST.contains(&word)
            || VOLATILE.contains(&word)
            || (OTHERS.contains(&word) && word != "__extension__")
    }

    fn is_type_word(&self) -> bool {
        self.word().is_some_and(|word| TYPES.contains(&word))
    }

    /// Takes a word that says that objects are not changed by the program, or by others; whether there was one.
    pub(crate) fn qualifier(&mut self, ty: &mut Qualified) -> bool {
        if self.take_word(&CONST) {
            ty.is_const = true;
        } else if self.take_word(&VOLATILE) {
            ty.is_volatile = true;
        } else {
            return self.take_word(&OTHERS);
        }
        true
    }

    /// What stands before the names.
    pub(crate) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let first = self.at;
        let mut words = Words::default();
        let mut class = Class::None;
        let mut attributes = Attributes::default();
        let mut qualifiers = Qualified::from(Ty::Void);
        let mut is_deduced = false;
        loop {
            attributes = attributes.and(self.attributes()?);
            if let Some(found) = self.class() {
                if class != Class::None {
                    return Err(self.error(self.since(self.at - 1), "there is another storage class before"));
                }
                class = found;
            } else if self.qualifier(&mut qualifiers) || self.take_word(&INLINE) {
            } else if words.is_empty() && self.take_word(&["__auto_type"]) {
                is_deduced = true;
                words.int = 1;
            } else if self.take_word(&["_Alignas"]) {
                attributes.is_aligned = true;
                self.skip_parentheses()?;
            } else if !self.type_word(&mut words)? {
                break;
            }
        }
        if words.is_empty() && self.is_implicit(first) {
            let message = "a type is missing here, and `int` is taken: since 1999 C has no implicit `int`";
            self.warnings.push(base::Diagnostic::warning(self.here(), message));
            words.int = 1;
        }
        if words.is_empty() {
            return Err(self.missing_type(first));
        }
        let span = self.since(first);
        let Some(mut ty) = self.combined(words) else {
            return Err(self.error(span, "these words are no type of C together"));
        };
        ty.bare = attributes.applied(ty.bare);
        let ty = ty.like(&qualifiers);
        self.limit_type(&ty, first)?;
        Ok(Specifiers { ty, class, attributes, is_deduced })
    }

    /// Takes a storage class, if there is one.
    fn class(&mut self) -> Option<Class> {
        let word = self.word()?;
        let (_, class) = CLASSES.iter().find(|(name, _)| *name == word)?;
        self.at += 1;
        Some(*class)
    }

    /// Whether an `int` is left out, as it could be before 1999: before the name of a function, or behind a storage class or qualifier.
    fn is_implicit(&self, first: usize) -> bool {
        let Token::Name(name) = self.peek() else { return false };
        let is_name = !super::is_keyword(self.names.text(name));
        let is_outside = self.current.is_none() && self.scopes.len() == 1;
        let is_function = is_outside && matches!(self.peek_second(), Token::Sign("("));
        let is_declared =
            self.at > first && matches!(self.peek_second(), Token::Sign(";" | "=" | "," | "[" | "("));
        is_name && (is_function || is_declared)
    }

    /// There is no type where there should be one.
    fn missing_type(&self, first: usize) -> Box<base::Diagnostic> {
        let Token::Name(name) = self.peek() else {
            if self.at > first {
                return self.unexpected("a type");
            }
            return self.unexpected("a declaration");
        };
        let is_declared =
            matches!(self.peek_second(), Token::Sign("(" | ")" | ";" | "=" | "," | "[" | ":" | "{"));
        if !is_declared || super::is_keyword(self.names.text(name)) {
            return self.unexpected(if self.at > first || is_name(self.peek_second()) {
                "a type"
            } else {
                "a declaration"
            });
        }
        let name = self.names.text(name);
        let message = format!("the type of `{name}` is missing: since 1999 C has no implicit `int`");
        Box::new(self.error(self.here(), message).note(format!("write `int {name}` if that is meant"), None))
    }

    /// Takes one word of a type, if there is one.
    fn type_word(&mut self, words: &mut Words) -> Parsed<bool> {
        let Token::Name(name) = self.peek() else { return Ok(false) };
        let first = self.at;
        let named = match self.names.text(name) {
            "struct" | "union" => self.record()?.into(),
            "enum" => self.enumeration()?.into(),
            "typeof" | "__typeof__" | "__typeof" => self.type_of()?,
            word => {
                if let Some(count) = words.count(word) {
                    *count = count.saturating_add(1);
                    self.at += 1;
                    return Ok(true);
                }
                let Some(Meaning::Type(ty)) = self.meaning(name).filter(|_| words.is_empty()) else {
                    return Ok(false);
                };
                words.named = Some(ty.with(typing::resolved(&self.unit, ty.bare.clone())));
                self.at += 1;
                return Ok(true);
            }
        };
        if !words.is_empty() {
            return Err(self.error(self.since(first), "there is another type before"));
        }
        words.named = Some(named);
        Ok(true)
    }

    /// The type that the words name together, if they do.
    fn combined(&self, words: Words) -> Option<Qualified> {
        let Words { void, char, short, int, long, signed, unsigned, bool, float, double, other, named } =
            words;
        let n_signs = u16::from(signed) + u16::from(unsigned);
        let n_integer = [char, short, int, long].iter().map(|count| u16::from(*count)).sum::<u16>();
        let n_others = [void, bool, float, double, other].iter().map(|count| u16::from(*count)).sum::<u16>();
        if let Some(named) = named {
            return (n_signs + n_integer + n_others == 0).then_some(named);
        }
        if n_signs > 1 || int > 1 {
            return None;
        }
        let ty = match (n_others, n_integer) {
            // `unsigned __int128`, `long double _Complex`: nobody looks into them.
            _ if other > 0 => Ty::Other,
            (1, 0) if n_signs == 0 && void > 0 => Ty::Void,
            (1, 0) if n_signs == 0 && bool > 0 => Ty::Int(Integer::BOOL),
            (1, 0) if n_signs == 0 && float > 0 => Ty::Float(4),
            (1, 0) if n_signs == 0 && double > 0 => Ty::Float(8),
            (1, 1) if n_signs == 0 && double > 0 && long > 0 => Ty::Float(16),
            (0, _) => Ty::Int(self.integer(char, short, int, long, (signed, unsigned))?),
            _ => return None,
        };
        Some(ty.into())
    }

    /// The integer type of these words.
    fn integer(&self, char: u8, short: u8, int: u8, long: u8, signs: (u8, u8)) -> Option<Integer> {
        let (signed, unsigned) = signs;
        let (bits, rank) = match (char, short, int, long) {
            (1, 0, 0, 0) if signed == 0 && unsigned == 0 => (8, Rank::PlainChar),
            (1, 0, 0, 0) => (8, Rank::Char),
            (0, 1, _, 0) => (16, Rank::Short),
            (0, 0, _, 0) => (32, Rank::Int),
            (0, 0, _, 1) => (self.model.word(), Rank::Long),
            (0, 0, _, 2) => (64, Rank::LongLong),
            _ => return None,
        };
        let ty = if unsigned > 0 { integers::Type::unsigned(bits) } else { integers::Type::signed(bits) };
        Some(Integer { ty, rank })
    }

    fn type_of(&mut self) -> Parsed<Qualified> {
        self.at += 1;
        self.expect("(")?;
        let ty = if self.is_type() {
            self.type_name()?
        } else {
            let expr = self.nested(|parser| parser.expression())?;
            match typing::place_of(&self.unit, expr, self.model) {
                typing::Place::Object(object) => object,
                typing::Place::Value => typing::type_of(&self.unit, expr, self.model).into(),
            }
        };
        self.expect(")")?;
        Ok(ty)
    }
}

fn is_name(token: Token) -> bool {
    matches!(token, Token::Name(_))
}

impl Words {
    /// The count of a word.
    fn count(&mut self, word: &str) -> Option<&mut u8> {
        Some(match word {
            "void" => &mut self.void,
            "char" => &mut self.char,
            "short" => &mut self.short,
            "int" => &mut self.int,
            "long" => &mut self.long,
            "signed" | "__signed__" | "__signed" => &mut self.signed,
            "unsigned" => &mut self.unsigned,
            "_Bool" => &mut self.bool,
            "float" => &mut self.float,
            "double" => &mut self.double,
            "_Complex" | "__complex__" | "__int128" | "__int128_t" | "__uint128_t" | "_Float16"
            | "_Float32" | "_Float64" | "_Float128" | "__float128" | "_Float32x" | "_Float64x" => {
                &mut self.other
            }
            _ => return None,
        })
    }

    fn is_empty(&self) -> bool {
        let counts = [
            self.void,
            self.char,
            self.short,
            self.int,
            self.long,
            self.signed,
            self.unsigned,
            self.bool,
            self.float,
            self.double,
            self.other,
        ];
        self.named.is_none() && counts.iter().all(|count| *count == 0)
    }
}
