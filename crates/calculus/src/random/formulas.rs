//! Free formulas of a random system: every connective, quantifier and kind of atom.
//!
//! Each function returns text that can stand as an operand of `&` and of `!`.
//! Invariant: relations of a cycle that is to be positive occur only positively in it.

use super::{BOOL, Domain, Generator, Polarity, Relation, Scope, Values, Variable};
use std::fmt::Write;

/// The most valuations a body may make the twin enumerate, about.
const MAX_COST: u64 = 1 << 13;

impl Generator<'_> {
    pub(super) fn formula(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.atom(scope);
        }
        match self.random.below(21) {
            0..=2 => self.atom(scope),
            3..=6 => self.quantified(scope, depth),
            7..=8 => self.chain(scope, depth, " & "),
            9..=10 => self.chain(scope, depth, " | "),
            11 => {
                let operands: Vec<String> = (0..4).map(|_| self.formula(scope, depth - 1)).collect();
                // Without brackets: & binds closer than |, and | closer than ->.
                format!("({} & {} | {} & {})", operands[0], operands[1], operands[2], operands[3])
            }
            12..=13 => format!("!{}", self.formula(&scope.flipped(), depth - 1)),
            14 => self.implication(scope, depth),
            15 => {
                let operator = *self.random.pick(&["<->", "<+>"]);
                let left = self.formula(&scope.both(), depth - 1);
                let right = self.formula(&scope.both(), depth - 1);
                format!("({left} {operator} {right})")
            }
            16 => self.conditional(scope, depth),
            17 => self.cases(scope, depth),
            18 => {
                let left = self.formula(scope, depth - 1);
                let operator = *self.random.pick(&["assume", "cofactor"]);
                format!("(({left}) {operator} ({}))", self.formula(&scope.both(), depth - 1))
            }
            _ => self.positions(scope, depth),
        }
    }

    pub(super) fn chain(&mut self, scope: &Scope, depth: u32, operator: &str) -> String {
        let n = 2 + self.random.below(2);
        let operands: Vec<String> = (0..n).map(|_| self.formula(scope, depth - 1)).collect();
        format!("({})", operands.join(operator))
    }

    pub(super) fn implication(&mut self, scope: &Scope, depth: u32) -> String {
        let premise = self.formula(&scope.flipped(), depth - 1);
        let conclusion = self.formula(scope, depth - 1);
        if self.random.chance(70) {
            format!("({premise} -> {conclusion})")
        } else {
            format!("({conclusion} <- {premise})")
        }
    }

    pub(super) fn conditional(&mut self, scope: &Scope, depth: u32) -> String {
        let condition = self.formula(&scope.both(), depth - 1);
        let yes = self.formula(scope, depth - 1);
        if self.random.chance(20) {
            return format!("(if ({condition}) {yes})");
        }
        let no = self.formula(scope, depth - 1);
        format!("(if ({condition}) {yes} else {no})")
    }

    pub(super) fn cases(&mut self, scope: &Scope, depth: u32) -> String {
        let mut arms = String::new();
        for _ in 0..1 + self.random.below(3) {
            let guard = self.atom(&scope.both());
            let _ = write!(arms, "{guard} : {}; ", self.formula(scope, depth - 1));
        }
        if self.random.chance(50) {
            let _ = write!(arms, "1 : {}; ", self.formula(scope, depth - 1));
        }
        format!("case {arms}esac")
    }

    pub(super) fn quantified(&mut self, scope: &Scope, depth: u32) -> String {
        let mut inner = scope.clone();
        let mut bounds = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            if inner.quantifiers == 0 {
                break;
            }
            let domain = self.domain(24);
            let size = self.domain_size(domain);
            if inner.cost * size > MAX_COST {
                break;
            }
            let is_shadowing = bounds.is_empty() && !scope.variables.is_empty() && self.random.chance(20);
            let name =
                if is_shadowing { self.random.pick(&scope.variables).name.clone() } else { self.fresh("x") };
            let variable = Variable { name, domain };
            bounds.push(self.declare(&variable));
            inner.quantifiers -= 1;
            inner.bind(variable, size);
        }
        if bounds.is_empty() {
            return self.chain(scope, depth, " & ");
        }
        let quantifier = *self.random.pick(&["exists", "exists", "forall"]);
        let separator = *self.random.pick(&[".", ".", " :"]);
        let body = self.formula(&inner, depth - 1);
        format!("({quantifier} {}{separator} {body})", bounds.join(", "))
    }

    /// An application of the given relation, positive, with new variables where nothing in scope fits.
    pub(super) fn link(&mut self, scope: &Scope, relation: &Relation) -> String {
        let mut inner = scope.clone();
        let (mut bounds, mut arguments) = (Vec::new(), Vec::new());
        for param in &relation.params {
            if self.random.chance(60)
                && let Some(term) = self.term(scope, param.domain)
            {
                arguments.push(term);
                continue;
            }
            let variable = Variable { name: self.fresh("y"), domain: param.domain };
            bounds.push(self.declare(&variable));
            arguments.push(variable.name.clone());
            inner.bind(variable, self.domain_size(param.domain));
        }
        let application = format!("{}({})", relation.name, arguments.join(", "));
        if bounds.is_empty() {
            return application;
        }
        format!("(exists {}. {application} & {})", bounds.join(", "), self.comparison(&inner))
    }

    /// Two or three atoms joined over a new variable.
    pub(super) fn join(&mut self, scope: &Scope) -> String {
        let domain = self.state_domain(24);
        let size = self.domain_size(domain);
        if scope.cost * size > MAX_COST {
            return self.atom(scope);
        }
        let variable = Variable { name: self.fresh("j"), domain };
        let bound = self.declare(&variable);
        let mut inner = scope.clone();
        inner.bind(variable, size);
        let n = 2 + self.random.below(2);
        let atoms: Vec<String> =
            (0..n).map(|_| self.application(&inner).unwrap_or_else(|| self.comparison(&inner))).collect();
        format!("(exists {bound}. {})", atoms.join(" & "))
    }

    /// A quantifier over the positions of an array.
    pub(super) fn positions(&mut self, scope: &Scope, depth: u32) -> String {
        let name = self.fresh("i");
        let mut inner = scope.clone();
        let (last, text) =
            if self.random.chance(50) { (self.k - 1, "k-1".to_owned()) } else { (1, "1".to_owned()) };
        inner.positions.push(name.clone());
        inner.cost *= last + 1;
        if inner.cost > MAX_COST || !self.paths(&inner).iter().any(|(path, _)| path.contains(&name)) {
            return self.atom(scope);
        }
        let quantifier = *self.random.pick(&["exists", "forall"]);
        let body = self.formula(&inner, depth - 1);
        format!("({quantifier} {name} in 0..{text} : {body})")
    }

    pub(super) fn atom(&mut self, scope: &Scope) -> String {
        match self.random.below(10) {
            0..=5 => self.application(scope).unwrap_or_else(|| self.comparison(scope)),
            6..=8 => self.comparison(scope),
            _ => self.truth(scope),
        }
    }

    /// A relation that may occur here, applied to what is in scope.
    pub(super) fn application(&mut self, scope: &Scope) -> Option<String> {
        let is_open_allowed = scope.polarity == Polarity::Positive || !self.is_positive;
        let index = if is_open_allowed && !self.open.is_empty() && self.random.chance(60) {
            *self.random.pick(&self.open)
        } else if self.n_settled > 0 {
            *self.random.pick(&(0..self.n_settled).collect::<Vec<_>>())
        } else {
            return None;
        };
        let relation = self.relations[index].clone();
        let mut arguments = Vec::new();
        for param in &relation.params {
            // A Boolean argument may be any formula.
            let is_bool = param.domain == Domain { of: BOOL, length: None };
            arguments.push(if is_bool && self.random.chance(10) {
                let operator = *self.random.pick(&["&", "|", "->", "<+>"]);
                format!("{} {operator} !{}", self.truth(scope), self.truth(scope))
            } else {
                self.term(scope, param.domain)?
            });
        }
        Some(format!("{}({})", relation.name, arguments.join(", ")))
    }

    pub(super) fn comparison(&mut self, scope: &Scope) -> String {
        let mut paths = self.paths(scope);
        if let Some(position) = scope.positions.last()
            && paths.iter().any(|(path, _)| path.contains(position))
            && self.random.chance(60)
        {
            paths.retain(|(path, _)| path.contains(position));
        }
        if paths.is_empty() {
            return self.truth(scope);
        }
        let (left, domain) = self.random.pick(&paths).clone();
        // A variable compared with itself says little.
        let right = (0..4).find_map(|_| self.term(scope, domain).filter(|right| *right != left));
        let Some(right) = right.or_else(|| self.constant(domain.of).filter(|_| domain.length.is_none()))
        else {
            return self.truth(scope);
        };
        let is_range = matches!(self.types[domain.of.index()].values, Values::Range(..));
        let is_number = is_range && domain.length.is_none();
        let operator = if is_number && self.random.chance(60) {
            *self.random.pick(&["<", "<=", ">", ">="])
        } else {
            *self.random.pick(&["=", "=", "!="])
        };
        let left = match is_number && self.random.chance(20) {
            true => format!("{left} {}", self.random.pick(&["+ 1", "- 1", "+ 2"])),
            false => left,
        };
        if self.random.chance(15) {
            return format!("{right} {operator} {left}");
        }
        format!("{left} {operator} {right}")
    }

    /// A Boolean variable, or else a constant.
    pub(super) fn truth(&mut self, scope: &Scope) -> String {
        let is_bool = |(path, d): (String, Domain)| (d.of == BOOL && d.length.is_none()).then_some(path);
        let paths: Vec<String> = self.paths(scope).into_iter().filter_map(is_bool).collect();
        if paths.is_empty() {
            return (*self.random.pick(&["true", "false", "1", "0"])).to_owned();
        }
        self.random.pick(&paths).clone()
    }
}
