//! MUCKE's grammar, by recursive descent.

use super::lexer::Token;

/// `T x[3]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    pub type_name: String,
    pub name: String,
    pub length: Option<u64>,
}

pub enum Values {
    Named(Vec<String>),
    Range(u64, u64),
}

pub enum Command {
    Enum(String, Values),
    /// The name, the members, and the names in constraints.
    Class(String, Vec<Declared>, Vec<String>),
    Function(Function),
    Query(Expr),
    Other,
}

pub struct Function {
    /// `mu`, `nu` or nothing.
    pub kind: &'static str,
    pub name: String,
    pub params: Vec<Declared>,
    pub constrained: Vec<String>,
    /// Absent in a prototype.
    pub body: Option<Expr>,
}

/// One step of a path: a name and perhaps an index.
pub type Step = (String, Option<u64>);

pub enum Expr {
    /// `true`, `false`.
    Truth,
    Number(u64),
    Path(Vec<Step>),
    Apply(String, Vec<Expr>),
    Quantified(Vec<Declared>, Box<Expr>),
    Compare(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// Any other connective, in the order of evaluation.
    Connect(Vec<Expr>),
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

type Parsed<T> = Result<T, String>;

/// The commands of a file.
pub fn commands(tokens: &[Token]) -> Parsed<Vec<Command>> {
    let mut parser = Parser { tokens, at: 0 };
    let mut commands = Vec::new();
    while parser.at < tokens.len() {
        commands.push(parser.command()?);
    }
    Ok(commands)
}

impl Parser<'_> {
    fn ahead(&self, by: usize) -> Option<&Token> {
        self.tokens.get(self.at + by)
    }

    fn is(&self, word: &str) -> bool {
        matches!(self.ahead(0), Some(Token::Word(found)) if *found == word)
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.at += usize::from(found);
        found
    }

    fn wrong<T>(&self, expected: &str) -> Parsed<T> {
        let behind: Vec<_> = self.tokens[self.at.saturating_sub(5)..self.at].iter().collect();
        Err(format!("expected {expected}, found {:?} behind {behind:?}", self.ahead(0)))
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.eat(word) { Ok(()) } else { self.wrong(word) }
    }

    fn name(&mut self) -> Parsed<String> {
        let Some(Token::Name(name)) = self.ahead(0) else { return self.wrong("a name") };
        let name = name.clone();
        self.at += 1;
        Ok(name)
    }

    fn number(&mut self) -> Parsed<u64> {
        let Some(Token::Number(number)) = self.ahead(0) else { return self.wrong("a number") };
        let number = *number;
        self.at += 1;
        Ok(number)
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![one(self)?];
        while self.eat(",") {
            items.push(one(self)?);
        }
        Ok(items)
    }

    fn command(&mut self) -> Parsed<Command> {
        let names = |token: Option<&Token>| matches!(token, Some(Token::Name(_)));
        let command = if self.is("enum") {
            self.enumeration()?
        } else if self.eat("class") {
            self.class()?
        } else if self.is("mu") || self.is("nu") || names(self.ahead(0)) && names(self.ahead(1)) {
            return self.function();
        } else if self.is("#print") || self.is("#load") || self.is("#about") || self.is("#switch") {
            self.directive()?
        } else {
            Command::Query(self.expr()?)
        };
        self.expect(";")?;
        Ok(command)
    }

    fn directive(&mut self) -> Parsed<Command> {
        let takes_texts = self.is("#print") || self.is("#load");
        let needs_one = self.is("#about");
        self.at += 1;
        if self.is(";") && !needs_one {
            return Ok(Command::Other);
        }
        self.list(|parser| match parser.ahead(0) {
            Some(Token::Text) if takes_texts => {
                parser.at += 1;
                Ok(())
            }
            _ => parser.expr().map(|_| ()),
        })?;
        Ok(Command::Other)
    }

    fn enumeration(&mut self) -> Parsed<Command> {
        self.at += 1;
        let name = self.name()?;
        self.expect("{")?;
        let values = if let Some(Token::Number(low)) = self.ahead(0) {
            let low = *low;
            self.at += 1;
            self.expect(".")?;
            self.expect(".")?;
            self.eat(".");
            Values::Range(low, self.number()?)
        } else {
            Values::Named(self.list(Self::name)?)
        };
        self.expect("}")?;
        Ok(Command::Enum(name, values))
    }

    fn class(&mut self) -> Parsed<Command> {
        let name = self.name()?;
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            let type_name = self.name()?;
            members.extend(self.list(|parser| parser.declared(type_name.clone()))?);
            self.expect(";")?;
        }
        let constrained = if self.is(";") { Vec::new() } else { self.constraints()? };
        Ok(Command::Class(name, members, constrained))
    }

    fn declared(&mut self, type_name: String) -> Parsed<Declared> {
        let name = self.name()?;
        let mut length = None;
        if self.eat("[") {
            length = Some(self.number()?);
            self.expect("]")?;
        }
        Ok(Declared { type_name, name, length })
    }

    fn declaration(&mut self) -> Parsed<Declared> {
        let type_name = self.name()?;
        self.declared(type_name)
    }

    fn function(&mut self) -> Parsed<Command> {
        let kind = match () {
            () if self.eat("mu") => "mu",
            () if self.eat("nu") => "nu",
            () => "",
        };
        if self.name()? != "bool" {
            return self.wrong("a relation");
        }
        let name = self.name()?;
        self.expect("(")?;
        let params = if self.is(")") { Vec::new() } else { self.list(Self::declaration)? };
        self.expect(")")?;
        let mut function = Function { kind, name, params, constrained: Vec::new(), body: None };
        if !self.is(";") {
            if self.begins_constraint() {
                function.constrained = self.constraints()?;
            }
            function.body = Some(self.expr()?);
        }
        self.expect(";")?;
        Ok(Command::Function(function))
    }

    fn begins_constraint(&self) -> bool {
        let is_mark = |token: Option<&Token>| matches!(token, Some(Token::Word("~+" | "~-" | "<" | ">")));
        is_mark(self.ahead(0)) || matches!(self.ahead(0), Some(Token::Name(_))) && is_mark(self.ahead(1))
    }

    /// Constraints are between names, not paths.
    fn constraints(&mut self) -> Parsed<Vec<String>> {
        let constraints = self.list(|parser| {
            let mut names = Vec::new();
            if !parser.is("~+") && !parser.is("~-") {
                names.push(parser.name()?);
            }
            if !["~+", "~-", "<", ">"].iter().any(|mark| parser.eat(mark)) {
                return parser.wrong("`~+`, `~-`, `<` or `>`");
            }
            names.push(parser.name()?);
            Ok(names)
        })?;
        Ok(constraints.concat())
    }

    fn expr(&mut self) -> Parsed<Expr> {
        if !self.eat("if") {
            return self.quantified();
        }
        self.expect("(")?;
        let mut parts = vec![self.quantified()?];
        self.expect(")")?;
        parts.push(self.expr()?);
        if self.eat("else") {
            parts.push(self.expr()?);
        }
        Ok(Expr::Connect(parts))
    }

    fn quantified(&mut self) -> Parsed<Expr> {
        if !self.eat("exists") && !self.eat("forall") {
            return self.equivalence();
        }
        let declared = self.list(Self::declaration)?;
        if !self.eat(".") {
            self.expect(":")?;
        }
        Ok(Expr::Quantified(declared, Box::new(self.quantified()?)))
    }

    fn equivalence(&mut self) -> Parsed<Expr> {
        let mut parts = vec![self.chain("|")?];
        if ["<->", "<+>", "->", "<-"].iter().any(|mark| self.eat(mark)) {
            parts.push(self.chain("|")?);
        }
        Ok(Expr::Connect(parts))
    }

    fn chain(&mut self, mark: &str) -> Parsed<Expr> {
        let mut parts = Vec::new();
        loop {
            parts.push(if mark == "|" { self.chain("&")? } else { self.unary()? });
            if !self.eat(mark) {
                return Ok(Expr::Connect(parts));
            }
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        if self.eat("!") {
            return Ok(Expr::Not(Box::new(self.unary()?)));
        }
        let left = self.assumed()?;
        if !self.eat("=") && !self.eat("!=") {
            return Ok(left);
        }
        Ok(Expr::Compare(Box::new(left), Box::new(self.assumed()?)))
    }

    fn assumed(&mut self) -> Parsed<Expr> {
        let left = self.basic()?;
        if !self.eat("assume") && !self.eat("cofactor") {
            return Ok(left);
        }
        Ok(Expr::Connect(vec![left, self.basic()?]))
    }

    fn basic(&mut self) -> Parsed<Expr> {
        let basic = match self.ahead(0) {
            Some(Token::Word("true" | "false")) => {
                self.at += 1;
                Expr::Truth
            }
            Some(Token::Number(number)) => {
                let number = *number;
                self.at += 1;
                Expr::Number(number)
            }
            Some(Token::Word("(")) => {
                self.at += 1;
                let inner = self.expr()?;
                self.expect(")")?;
                inner
            }
            Some(Token::Word("case")) => self.case()?,
            Some(Token::Name(_)) => {
                let name = self.name()?;
                if self.eat("(") {
                    let arguments = self.list(Self::expr)?;
                    self.expect(")")?;
                    Expr::Apply(name, arguments)
                } else {
                    self.path(name)?
                }
            }
            _ => return self.wrong("an expression"),
        };
        if self.is("{") { self.wrong("no attribute: translations have none") } else { Ok(basic) }
    }

    fn case(&mut self) -> Parsed<Expr> {
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            parts.push(self.expr()?);
            self.expect(":")?;
            parts.push(self.expr()?);
            self.expect(";")?;
            if self.eat("esac") {
                return Ok(Expr::Connect(parts));
            }
        }
    }

    fn path(&mut self, mut name: String) -> Parsed<Expr> {
        let mut steps = Vec::new();
        loop {
            let mut index = None;
            if self.eat("[") {
                index = Some(self.number()?);
                self.expect("]")?;
            }
            steps.push((name, index));
            // The dot behind a quantifier's declarations follows a name, but never a path.
            if !self.eat(".") {
                return Ok(Expr::Path(steps));
            }
            name = self.name()?;
        }
    }
}
