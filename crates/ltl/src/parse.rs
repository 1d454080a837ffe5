//! From the text of a formula to its nodes.
//!
//! ```text
//! formula = formula "<->" formula | formula "->" formula | formula "|" formula | formula "&" formula
//!         | formula "U" formula | formula "R" formula | formula "W" formula
//!         | "!" formula | "X" formula | "F" formula | "G" formula | "(" formula ")" | proposition
//! ```
//!
//! The operators further down bind more tightly; `->`, `U`, `R` and `W` group to the right. `=>`, `<=>`, `[]` and `<>` are
//! other spellings. A proposition reaches as far as there are no such operators outside its brackets; a bracket
//! belongs to it if an operator of propositions follows, as in `(x + 1) < y`. `X`, `F` and `G` are operators if
//! an operand follows, also written together, `GF x`; otherwise names, or the constant `F`.

use crate::formula::{Formula, FormulaId, Node};
use crate::token::{Token, tokens};
use base::{Diagnostic, FileId, Sources, Span};

/// An operator that waits for its operands; the later ones bind more tightly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Operator {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    Not,
    Next,
    Eventually,
    Always,
}

impl Operator {
    /// How tightly it binds.
    fn strength(self) -> u32 {
        match self {
            Operator::Iff => 0,
            Operator::Implies => 1,
            Operator::Or => 2,
            Operator::And => 3,
            Operator::Until | Operator::Release | Operator::WeakUntil => 4,
            Operator::Not | Operator::Next | Operator::Eventually | Operator::Always => 5,
        }
    }

    /// An operator like it, behind it, takes its right operand away from it.
    fn groups_right(self) -> bool {
        !matches!(self, Operator::Or | Operator::And)
    }
}

/// What waits on the stack.
enum Waiting {
    Operator(Operator),
    Bracket(Span),
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    /// For each bracket that opens the position of the one that closes it.
    closing: Vec<Option<usize>>,
    waiting: Vec<Waiting>,
    /// How many of what waits are brackets.
    n_open: usize,
    operands: Vec<FormulaId>,
    nodes: Vec<Node>,
    propositions: Vec<Span>,
}

/// Reads a formula: the formula, or what is wrong with it.
pub fn parse(sources: &Sources, file: FileId) -> Result<Formula, Vec<Diagnostic>> {
    let text = sources.file(file).text.as_str();
    let tokens = tokens(text, file)?;
    let mut parser = Parser {
        text,
        closing: closing(&tokens),
        tokens,
        at: 0,
        waiting: Vec::new(),
        n_open: 0,
        operands: Vec::new(),
        nodes: Vec::new(),
        propositions: Vec::new(),
    };
    parser.formula().map_err(|diagnostic| vec![diagnostic])?;
    Ok(Formula { nodes: parser.nodes, propositions: parser.propositions })
}

/// For each bracket that opens the position of the one that closes it.
fn closing(tokens: &[(Token, Span)]) -> Vec<Option<usize>> {
    let mut closing = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (n, (token, _)) in tokens.iter().enumerate() {
        match token {
            Token::Open => open.push(n),
            Token::Close => {
                if let Some(opened) = open.pop() {
                    closing[opened] = Some(n);
                }
            }
            _ => {}
        }
    }
    closing
}

impl Parser<'_> {
    fn token(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn word(&self, ahead: usize) -> &str {
        let (token, span) = self.tokens[(self.at + ahead).min(self.tokens.len() - 1)];
        if token == Token::Word { &self.text[span.start as usize..span.end as usize] } else { "" }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.token(0) {
            Token::End => "the end of the formula".to_owned(),
            _ => format!("`{}`", &self.text[self.span().start as usize..self.span().end as usize]),
        };
        Diagnostic::error(self.span(), format!("expected {expected}, found {found}"))
    }

    fn formula(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.operand()?;
            while self.token(0) == Token::Close && self.close() {
                self.at += 1;
            }
            if self.token(0) == Token::End {
                return self.end();
            }
            let Some(operator) = self.binary() else {
                return Err(self.unexpected("an operator such as `&`, `->` or `U`"));
            };
            self.reduce_for(operator);
            self.waiting.push(Waiting::Operator(operator));
            self.at += 1;
        }
    }

    /// Reads up to and including the next operand: brackets and operators in front of it wait.
    fn operand(&mut self) -> Result<(), Diagnostic> {
        loop {
            let waits = match self.token(0) {
                Token::Open if !self.is_bracket_of_proposition() => Waiting::Bracket(self.span()),
                Token::Not => Waiting::Operator(Operator::Not),
                Token::Always => Waiting::Operator(Operator::Always),
                Token::Eventually => Waiting::Operator(Operator::Eventually),
                Token::Word if self.begins_operand(1) && self.prefixes() => continue,
                _ => return self.proposition(),
            };
            self.n_open += usize::from(matches!(waits, Waiting::Bracket(_)));
            self.waiting.push(waits);
            self.at += 1;
        }
    }

    /// Reads `X`, `F`, `G`, or several of them without a blank; `false` if the word is none.
    fn prefixes(&mut self) -> bool {
        let operator = |letter: u8| match letter {
            b'X' => Some(Operator::Next),
            b'F' => Some(Operator::Eventually),
            b'G' => Some(Operator::Always),
            _ => None,
        };
        let Some(all) = self.word(0).bytes().map(operator).collect::<Option<Vec<Operator>>>() else {
            return false;
        };
        self.waiting.extend(all.into_iter().map(Waiting::Operator));
        self.at += 1;
        true
    }

    /// A token begins an operand.
    fn begins_operand(&self, ahead: usize) -> bool {
        match self.token(ahead) {
            Token::Open | Token::Not | Token::Always | Token::Eventually => true,
            Token::Word => !self.is_binary_word(ahead),
            _ => false,
        }
    }

    /// `U`, `R` or `W` between two operands. What follows decides: `U = 3` is about a variable.
    fn is_binary_word(&self, ahead: usize) -> bool {
        let next = self.token(ahead + 1);
        matches!(self.word(ahead), "U" | "R" | "W")
            && matches!(next, Token::Open | Token::Not | Token::Always | Token::Eventually | Token::Word)
    }

    fn binary(&self) -> Option<Operator> {
        Some(match self.token(0) {
            Token::And => Operator::And,
            Token::Or => Operator::Or,
            Token::Implies => Operator::Implies,
            Token::Iff => Operator::Iff,
            Token::Word => match self.word(0) {
                "U" => Operator::Until,
                "R" => Operator::Release,
                "W" => Operator::WeakUntil,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether behind the bracket that closes this one a proposition goes on.
    fn is_bracket_of_proposition(&self) -> bool {
        self.closing[self.at].is_some_and(|close| self.tokens[close + 1].0 == Token::Other)
    }

    /// A proposition: everything up to an operator of formulas outside its brackets.
    fn proposition(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match self.token(0) {
                Token::End => break,
                Token::Open => depth += 1,
                Token::Close if depth == 0 => break,
                Token::Close => depth -= 1,
                _ if depth > 0 => {}
                Token::Word if self.at > start && self.is_after_operand() => break,
                Token::Word | Token::Other => {}
                // `!` stands inside a proposition behind one of its operators, as in `x = !y`.
                Token::Not if self.at > start && !self.is_after_operand() => {}
                _ => break,
            }
            self.at += 1;
        }
        if self.at == start {
            return Err(self.unexpected("a formula"));
        }
        let (first, last) = (self.tokens[start].1, self.tokens[self.at - 1].1);
        let node = match &self.text[first.start as usize..last.end as usize] {
            "T" => Node::Constant(true),
            "F" => Node::Constant(false),
            _ => {
                self.propositions.push(first.to(last));
                Node::Proposition(self.propositions.len() as u32 - 1)
            }
        };
        self.push(node);
        Ok(())
    }

    /// The token before this one ends an operand of a proposition, so that a word behind it is an operator or a mistake.
    fn is_after_operand(&self) -> bool {
        matches!(self.tokens[self.at - 1].0, Token::Word | Token::Close)
    }

    fn push(&mut self, node: Node) {
        self.nodes.push(node);
        self.operands.push(FormulaId::new(self.nodes.len() - 1));
    }

    /// Applies the operators that bind more tightly than the one that comes.
    fn reduce_for(&mut self, next: Operator) {
        while let Some(Waiting::Operator(operator)) = self.waiting.last() {
            let is_tighter = operator.strength() > next.strength()
                || (operator.strength() == next.strength() && !next.groups_right());
            if !is_tighter {
                return;
            }
            let operator = *operator;
            self.waiting.pop();
            self.apply(operator);
        }
    }

    /// Applies what waits since the last bracket, and closes it; `false` if none is open.
    fn close(&mut self) -> bool {
        if self.n_open == 0 {
            return false;
        }
        self.n_open -= 1;
        while let Some(Waiting::Operator(operator)) = self.waiting.pop() {
            self.apply(operator);
        }
        true
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        while let Some(waiting) = self.waiting.pop() {
            match waiting {
                Waiting::Operator(operator) => self.apply(operator),
                Waiting::Bracket(open) => {
                    let missing = self.unexpected("`)`");
                    return Err(missing.note("the bracket that is open is here", Some(open)));
                }
            }
        }
        Ok(())
    }

    fn apply(&mut self, operator: Operator) {
        let mut pop = || self.operands.pop().expect("operators come with operands");
        let right = pop();
        let node = match operator {
            Operator::Not => Node::Not(right),
            Operator::Next => Node::Next(right),
            Operator::Eventually => Node::Until(self.add(Node::Constant(true)), right),
            Operator::Always => Node::Release(self.add(Node::Constant(false)), right),
            Operator::And => Node::And(pop(), right),
            Operator::Or => Node::Or(pop(), right),
            Operator::Until => Node::Until(pop(), right),
            Operator::Release => Node::Release(pop(), right),
            // a W b is b R (a | b).
            Operator::WeakUntil => {
                let left = pop();
                Node::Release(right, self.add(Node::Or(left, right)))
            }
            Operator::Implies => {
                let left = pop();
                Node::Or(self.add(Node::Not(left)), right)
            }
            Operator::Iff => {
                let left = pop();
                let both = self.add(Node::And(left, right));
                let one = self.add(Node::Or(left, right));
                Node::Or(both, self.add(Node::Not(one)))
            }
        };
        self.push(node);
    }

    fn add(&mut self, node: Node) -> FormulaId {
        self.nodes.push(node);
        FormulaId::new(self.nodes.len() - 1)
    }
}
