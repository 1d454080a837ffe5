//! Random machines: records, transition relations that leave parts of a record alone, and fixed points that apply them to
//! constants.
//!
//! This is what the solver is tuned for, so every shortcut has its chance here: equalities of columns, of `bool` by `=` and by
//! `<->`, of parts and of whole records; unions of steps, also by way of other definitions; constants in every position that
//! takes a scalar; several copies of one relation in a clause.

use super::{BOOL, Domain, Generator, Relation, Values, Variable};

/// A transition relation: its name, and where the two states stand among its parameters.
struct Moves {
    name: String,
    params: Vec<Variable>,
}

impl Generator<'_> {
    /// A machine over a record, and fixed points about it.
    pub(super) fn machine(&mut self) {
        let domain = self.record(16);
        let moves = self.moves(domain);
        self.runs(domain, &moves);
        if self.random.chance(30) {
            self.invariant(domain, &moves);
        }
    }

    /// A class of at most this many values, or another state if none was declared.
    fn record(&mut self, limit: u64) -> Domain {
        let classes: Vec<Domain> = (0..self.types.len())
            .filter(|&at| matches!(self.types[at].values, Values::Class(_)))
            .map(|at| Domain { of: super::TypeId::new(at), length: None })
            .filter(|domain| self.domain_size(*domain) <= limit)
            .collect();
        if classes.is_empty() { self.state_domain(limit) } else { *self.random.pick(&classes) }
    }

    /// A scalar domain.
    fn scalar(&mut self, limit: u64) -> Domain {
        for _ in 0..4 {
            let domain = Domain { length: None, ..self.domain(limit) };
            let is_class = matches!(self.types[domain.of.index()].values, Values::Class(_));
            if !is_class && self.domain_size(domain) <= limit {
                return domain;
            }
        }
        Domain { of: BOOL, length: None }
    }

    /// A definition over two states and perhaps some scalars, in any order, as a union of steps.
    fn moves(&mut self, domain: Domain) -> Moves {
        let mut params = vec![("s".to_owned(), domain), ("t".to_owned(), domain)];
        for n in 0..self.random.below(3) {
            let at = self.random.below(params.len() as u64 + 1);
            let scalar = self.scalar(3);
            params.insert(usize::try_from(at).expect("a small number"), (format!("c{n}"), scalar));
        }
        let params: Vec<Variable> =
            params.into_iter().map(|(name, domain)| Variable { name, domain }).collect();
        let mut steps = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let step = self.step(&params);
            steps.push(if self.random.chance(25) { self.part(&params, &step) } else { step });
        }
        let name = self.fresh("Move");
        self.settle_params("", &name, &params, &steps.join(" |\n   "));
        Moves { name, params }
    }

    /// A step as a definition of its own, applied to the same or to other values.
    fn part(&mut self, params: &[Variable], step: &str) -> String {
        let name = self.fresh("Part");
        let other = self.step(params);
        let body = if self.random.chance(50) { format!("{step} |\n   {other}") } else { step.to_owned() };
        self.settle_params("", &name, params, &body);
        let arguments: Vec<String> = params
            .iter()
            .map(|param| match self.constant(param.domain.of) {
                Some(value) if param.domain.length.is_none() && self.random.chance(30) => value,
                _ => param.name.clone(),
            })
            .collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn settle_params(&mut self, kind: &'static str, name: &str, params: &[Variable], body: &str) {
        let params: Vec<(&str, Domain)> = params.iter().map(|p| (p.name.as_str(), p.domain)).collect();
        self.settle(kind, name, &params, body);
    }

    /// One step from `s` to `t`: most parts stay, some are set, the scalars choose.
    fn step(&mut self, params: &[Variable]) -> String {
        let named = |name: &str| params.iter().find(|p| p.name == name).expect("a state").clone();
        let (s, t) = (named("s"), named("t"));
        let mut parts = Vec::new();
        if self.random.chance(10) {
            parts.push("t = s".to_owned());
        }
        for (path, domain) in self.scalars(&[t]) {
            let before = format!("s{}", &path[1..]);
            match self.random.below(12) {
                0..=5 => parts.push(self.equation(&path, &before, domain)),
                6 => parts.push(format!("{path} != {before}")),
                7..=8 => parts.extend(self.constant(domain.of).map(|value| format!("{path} = {value}"))),
                9 => parts.extend(
                    self.same_sort(std::slice::from_ref(&s), domain).map(|other| format!("{path} = {other}")),
                ),
                _ => {}
            }
        }
        for scalar in params.iter().filter(|p| p.name.starts_with('c')) {
            parts.extend(self.choice(scalar, &s));
        }
        if self.random.chance(40) {
            parts.push(self.comparison(&self.scope(params)));
        }
        if parts.is_empty() {
            parts.push(self.comparison(&self.scope(params)));
        }
        parts.join(" & ")
    }

    /// What a scalar parameter decides in a step.
    fn choice(&mut self, scalar: &Variable, s: &Variable) -> Option<String> {
        let name = &scalar.name;
        let value = self.constant(scalar.domain.of)?;
        let path = self.same_sort(std::slice::from_ref(s), scalar.domain);
        match (self.random.below(5), path) {
            (0, Some(path)) => Some(format!("t{} = {name}", &path[1..])),
            (1, Some(path)) => Some(format!("({name} = {value} <-> t{} != {path})", &path[1..])),
            (2, Some(path)) => Some(format!("{path} = {name}")),
            (3, _) => Some(format!("{name} = {value}")),
            (4, _) => Some(format!("{name} != {value}")),
            _ => None,
        }
    }

    /// A scalar part of the variables that has this domain.
    fn same_sort(&mut self, variables: &[Variable], domain: Domain) -> Option<String> {
        let paths = self.scalars(variables).into_iter().filter(|(_, d)| *d == domain);
        let paths: Vec<String> = paths.map(|(path, _)| path).collect();
        if paths.is_empty() { None } else { Some(self.random.pick(&paths).clone()) }
    }

    fn equation(&mut self, a: &str, b: &str, domain: Domain) -> String {
        let is_bool = domain.of == BOOL && domain.length.is_none();
        if is_bool && self.random.chance(40) { format!("({a} <-> {b})") } else { format!("{a} = {b}") }
    }

    /// An application of the moves from one state to another; its scalars are constants, or one of those in scope.
    fn moved(&mut self, moves: &Moves, from: &str, to: &str, scope: &[Variable]) -> String {
        let mut arguments = Vec::new();
        for param in &moves.params {
            arguments.push(match param.name.as_str() {
                "s" => from.to_owned(),
                "t" => to.to_owned(),
                _ => match self.same_sort(scope, param.domain) {
                    Some(path) if self.random.chance(30) => path,
                    _ => self.constant(param.domain.of).expect("a scalar has constants"),
                },
            });
        }
        format!("{}({})", moves.name, arguments.join(", "))
    }

    /// What is reachable by the moves: one clause for each of a few ways to go on.
    fn runs(&mut self, domain: Domain, moves: &Moves) {
        let name = self.fresh("Run");
        let mut params = vec![Variable { name: "s".to_owned(), domain }];
        if self.random.chance(40) {
            let scalar = Variable { name: "c".to_owned(), domain: self.scalar(3) };
            let at = usize::from(self.random.chance(50));
            params.insert(at, scalar);
        }
        let mut clauses = vec![self.cubes(&params, 2)];
        let is_backward = self.random.chance(25);
        for _ in 0..1 + self.random.below(3) {
            clauses.push(self.run_clause(&name, &params, moves, is_backward));
        }
        self.settle_params("mu", &name, &params, &clauses.join(" |\n  "));
    }

    /// The relation under definition, applied to a state.
    fn run_of(&mut self, name: &str, params: &[Variable], state: &str) -> String {
        let mut arguments = Vec::new();
        for param in params {
            arguments.push(match param.name.as_str() {
                "s" => state.to_owned(),
                _ if self.random.chance(40) => {
                    self.constant(param.domain.of).expect("a scalar has constants")
                }
                _ => param.name.clone(),
            });
        }
        format!("{name}({})", arguments.join(", "))
    }

    fn run_clause(&mut self, name: &str, params: &[Variable], moves: &Moves, is_backward: bool) -> String {
        let domain = params.iter().find(|p| p.name == "s").expect("a state").domain;
        let state = |name: &str| Variable { name: name.to_owned(), domain };
        let mut scope = params.to_vec();
        scope.push(state("p"));
        let is_long = self.random.chance(30);
        let mut bound = vec![state("p")];
        if is_long {
            scope.push(state("q"));
            bound.push(state("q"));
        }
        let mut atoms = vec![self.run_of(name, params, "p")];
        let hops: &[(&str, &str)] = if is_long { &[("p", "q"), ("q", "s")] } else { &[("p", "s")] };
        for &(from, to) in hops {
            let (from, to) = if is_backward { (to, from) } else { (from, to) };
            let inner: Vec<Variable> = scope.iter().filter(|v| v.name != "s").cloned().collect();
            atoms.push(self.moved(moves, from, to, &inner));
        }
        if is_long && self.random.chance(40) {
            atoms.push(self.run_of(name, params, "q"));
        }
        if self.random.chance(35) {
            atoms.push(self.comparison(&self.scope(&scope)));
        }
        if self.random.chance(15) {
            atoms.push("p = s".to_owned());
        }
        // The text's order is the planner's last resort.
        let at = self.random.below(atoms.len() as u64);
        atoms.rotate_left(usize::try_from(at).expect("a small number"));
        let bounds: Vec<String> = bound.iter().map(|variable| self.declare(variable)).collect();
        format!("(exists {}. {})", bounds.join(", "), atoms.join(" & "))
    }

    /// A greatest fixed point over the moves.
    fn invariant(&mut self, domain: Domain, moves: &Moves) {
        let name = self.fresh("Stays");
        let params = vec![Variable { name: "s".to_owned(), domain }];
        let bound = self.declare(&Variable { name: "p".to_owned(), domain });
        let step = self.moved(moves, "s", "p", &[]);
        let good = self.condition(&[("s", domain)], 1);
        let next = match self.random.chance(50) {
            true => format!("(exists {bound}. {step} & {name}(p))"),
            false => format!("(forall {bound}. {step} -> {name}(p))"),
        };
        let relation = Relation { name: name.clone(), kind: "nu", params: params.clone() };
        self.settle_params(relation.kind, &name, &params, &format!("{good} & {next}"));
    }
}
