//! The relations of a random system: facts, the rules of model checkers, and free cycles.
//!
//! Invariant: outside [`Generator::cycle`] all relations are settled, that is defined in full.

use super::{BOOL, Domain, Generator, Polarity, Relation, Scope, Variable};

/// The most tuples a relation may have.
const MAX_TUPLES: u64 = 1 << 10;
/// The kinds the members of a cycle are taken from; the first member has the first.
const KINDS: &[&[&str]] =
    &[&["mu"], &["mu"], &["nu"], &["mu", "nu"], &["nu", "mu"], &["mu", ""], &["nu", "", "mu"]];

impl Generator<'_> {
    pub(super) fn params(&mut self, prefix: &str, limit: u64) -> Vec<Variable> {
        let mut size = 1;
        let mut params = Vec::new();
        for index in 0..1 + self.random.below(3) {
            let domain = self.domain(limit / size);
            if size * self.domain_size(domain) <= limit {
                size *= self.domain_size(domain);
                params.push(Variable { name: format!("{prefix}{index}"), domain });
            }
        }
        params
    }

    pub(super) fn scope(&self, variables: &[Variable]) -> Scope {
        let cost = variables.iter().map(|v| self.domain_size(v.domain)).product();
        Scope {
            variables: variables.to_vec(),
            positions: Vec::new(),
            cost,
            quantifiers: self.shape.quantifier_depth,
            polarity: Polarity::Positive,
        }
    }

    pub(super) fn head(&mut self, relation: &Relation) -> String {
        let params: Vec<String> = relation.params.iter().map(|param| self.declare(param)).collect();
        let kind = if relation.kind.is_empty() { String::new() } else { format!("{} ", relation.kind) };
        format!("{kind}bool {}({})", relation.name, params.join(", "))
    }

    pub(super) fn prototype(&mut self, relation: &Relation) {
        let head = self.head(relation);
        self.line(&format!("{head};"));
    }

    pub(super) fn define(&mut self, relation: &Relation, body: &str) {
        let head = self.head(relation);
        let constraints =
            if self.random.chance(25) { self.constraints(&relation.params) } else { String::new() };
        self.line(&format!("{head}{constraints}\n  {body};"));
    }

    /// Defines a relation that is not part of a larger cycle; returns its name.
    pub(super) fn settle(
        &mut self,
        kind: &'static str,
        name: &str,
        params: &[(&str, Domain)],
        body: &str,
    ) -> String {
        let params =
            params.iter().map(|&(name, domain)| Variable { name: name.to_owned(), domain }).collect();
        let relation = Relation { name: name.to_owned(), kind, params };
        self.define(&relation, body);
        self.relations.push(relation);
        self.n_settled = self.relations.len();
        name.to_owned()
    }

    /// A few relations without recursion, for the others to use.
    pub(super) fn facts(&mut self) {
        for _ in 0..1 + self.random.below(2) {
            let params = self.params("p", MAX_TUPLES);
            let name = self.fresh("Fact");
            let body = self.cubes(&params, 5);
            let relation = Relation { name, kind: "", params };
            self.define(&relation, &body);
            self.relations.push(relation);
            self.n_settled = self.relations.len();
        }
    }

    /// A disjunction of conjunctions of equations: a relation that has some tuples and lacks others.
    pub(super) fn cubes(&mut self, variables: &[Variable], n_at_most: u64) -> String {
        let scope = self.scope(variables);
        let paths = self.scalars(variables);
        let mut cubes = Vec::new();
        for _ in 0..1 + self.random.below(n_at_most) {
            let mut equations = Vec::new();
            for (path, domain) in &paths {
                if self.random.chance(70) {
                    let right = self.constant(domain.of).unwrap_or_else(|| path.clone());
                    equations.push(format!("{path} = {right}"));
                } else if self.random.chance(30) {
                    let right = self.term(&scope, *domain).unwrap_or_else(|| path.clone());
                    equations.push(format!("{path} = {right}"));
                }
            }
            if equations.is_empty() {
                equations.push(self.comparison(&scope));
            }
            cubes.push(equations.join(" & "));
        }
        format!("({})", cubes.join(" |\n   "))
    }

    /// A relation `X(state, state)` that is settled.
    pub(super) fn edges(&mut self, domain: Domain) -> String {
        let is_edge =
            |r: &&Relation| matches!(&r.params[..], [a, b] if a.domain == domain && b.domain == domain);
        if let Some(edge) = self.relations[..self.n_settled].iter().find(is_edge)
            && self.random.chance(50)
        {
            return edge.name.clone();
        }
        let variables = ["s", "t"].map(|name| Variable { name: name.to_owned(), domain });
        let body = self.cubes(&variables, 8);
        let name = self.fresh("Edge");
        self.settle("", &name, &[("s", domain), ("t", domain)], &body)
    }

    /// A positive condition on variables that uses settled relations only.
    pub(super) fn condition(&mut self, variables: &[(&str, Domain)], depth: u32) -> String {
        let open = std::mem::take(&mut self.open);
        let variables: Vec<Variable> =
            variables.iter().map(|&(name, domain)| Variable { name: name.to_owned(), domain }).collect();
        let condition = self.formula(&self.scope(&variables), depth);
        self.open = open;
        condition
    }

    /// One or more relations that belong together.
    pub(super) fn group(&mut self) {
        if self.random.chance(self.shape.machine_percent) {
            return self.machine();
        }
        match self.random.below(12) {
            0..=1 => self.closure(),
            2..=3 => self.summary(),
            4 => self.reachable(),
            5 => self.safety(),
            6..=7 => self.fairness(),
            8 if !self.shape.positive_only => self.frontier(),
            9 if !self.shape.positive_only => self.game(),
            _ => self.cycle(),
        }
    }

    /// A transitive closure: left-linear, right-linear or by doubling.
    pub(super) fn closure(&mut self) {
        let domain = self.state_domain(24);
        let edge = self.edges(domain);
        let name = self.fresh("Closure");
        let (left, right) = *self.random.pick(&[(&name, &edge), (&edge, &name), (&name, &name)]);
        let ty = self.declare(&Variable { name: "u".to_owned(), domain });
        let body = format!("{edge}(s, t) | (exists {ty}. {left}(s, u) & {right}(u, t))");
        self.settle("mu", &name.clone(), &[("s", domain), ("t", domain)], &body);
    }

    /// Summaries of a recursive machine: two occurrences in the rule for returns.
    pub(super) fn summary(&mut self) {
        let domain = self.state_domain(8);
        let (step, call) = (self.edges(domain), self.edges(domain));
        let variables = ["c", "x", "s"].map(|name| Variable { name: name.to_owned(), domain });
        let body = self.cubes(&variables, 6);
        let name = self.fresh("Return");
        let back = self.settle("", &name, &[("c", domain), ("x", domain), ("s", domain)], &body);
        let name = self.fresh("Summary");
        let state = self.types[domain.of.index()].name.clone();
        let suffix = domain.length.map_or(String::new(), |length| format!("[{length}]"));
        let entry = self.condition(&[("e", domain)], 1);
        let bound = |name: &str| format!("{state} {name}{suffix}");
        let body = format!(
            "(e = s & {entry}) |\n  (exists {u}. {name}(e, u) & {step}(u, s)) |\n  \
             (e = s & (exists {u}, {c}. {name}(u, c) & {call}(c, e))) |\n  \
             (exists {c}, {x}. {name}(e, c) & (exists {f}. {call}(c, f) & {name}(f, x)) & {back}(c, x, s))",
            u = bound("u"),
            c = bound("c"),
            x = bound("x"),
            f = bound("f"),
        );
        self.settle("mu", &name.clone(), &[("e", domain), ("s", domain)], &body);
    }

    /// Forward or backward reachability, perhaps restricted.
    pub(super) fn reachable(&mut self) {
        let domain = self.state_domain(24);
        let edge = self.edges(domain);
        let name = self.fresh("Reach");
        let bound = self.declare(&Variable { name: "t".to_owned(), domain });
        let start = self.cubes(&[Variable { name: "s".to_owned(), domain }], 2);
        let guard = self.condition(&[("s", domain), ("t", domain)], 1);
        let step = *self.random.pick(&["(s, t)", "(t, s)"]);
        let body = format!("{start} | (exists {bound}. {edge}{step} & {name}(t) & ({guard} | s != t))");
        self.settle("mu", &name.clone(), &[("s", domain)], &body);
    }

    /// States from which a run, or every run, stays good.
    pub(super) fn safety(&mut self) {
        let domain = self.state_domain(24);
        let edge = self.edges(domain);
        let name = self.fresh("Safe");
        let bound = self.declare(&Variable { name: "t".to_owned(), domain });
        let good = self.condition(&[("s", domain)], 2);
        let next = if self.random.chance(50) {
            format!("(exists {bound}. {edge}(s, t) & {name}(t))")
        } else {
            format!("(forall {bound}. {edge}(s, t) -> {name}(t))")
        };
        self.settle("nu", &name.clone(), &[("s", domain)], &format!("{good} & {next}"));
    }

    /// `nu Y. q & EX E[q U (Y & p)]` or its dual order, by which of the two stands first.
    pub(super) fn fairness(&mut self) {
        let domain = self.state_domain(16);
        let edge = self.edges(domain);
        let params = vec![Variable { name: "s".to_owned(), domain }];
        let always = Relation { name: self.fresh("Always"), kind: "nu", params: params.clone() };
        let until = Relation { name: self.fresh("Until"), kind: "mu", params };
        let bound = self.declare(&Variable { name: "t".to_owned(), domain });
        let (p, q) = (self.condition(&[("s", domain)], 1), self.condition(&[("s", domain)], 1));
        let q = if self.random.chance(50) { "1".to_owned() } else { q };
        let until_body = format!(
            "({}(s) & {p}) | ({q} & (exists {bound}. {edge}(s, t) & {}(t)))",
            always.name, until.name
        );
        let always_body = format!("{q} & (exists {bound}. {edge}(s, t) & {}(t))", until.name);
        if self.random.chance(70) {
            self.prototype(&always);
            self.define(&until, &until_body);
            self.define(&always, &always_body);
        } else {
            self.prototype(&until);
            self.define(&always, &always_body);
            self.define(&until, &until_body);
        }
        self.relations.extend([always, until]);
        self.n_settled = self.relations.len();
    }

    /// Reachability that steps only from the states of the last round: not positive, but it stabilises.
    pub(super) fn frontier(&mut self) {
        let domain = self.state_domain(16);
        let edge = self.edges(domain);
        let name = self.fresh("Frontier");
        let bound = self.declare(&Variable { name: "u".to_owned(), domain });
        let start = self.cubes(&[Variable { name: "s".to_owned(), domain }], 2);
        let body = format!(
            "(fr = 1 & ({start} | {name}(1, s) |\n    \
             (exists {bound}. {name}(1, u) & !{name}(0, u) & {edge}(u, s)))) |\n  \
             (fr = 0 & {name}(1, s))"
        );
        let flag = Domain { of: BOOL, length: None };
        self.settle("mu", &name.clone(), &[("fr", flag), ("s", domain)], &body);
    }

    /// Who moves wins if some move leads to where the other one loses: not positive, and where moves go round in circles it may
    /// not stabilise.
    pub(super) fn game(&mut self) {
        let domain = self.state_domain(16);
        let edge = self.edges(domain);
        let name = self.fresh("Win");
        let bound = self.declare(&Variable { name: "t".to_owned(), domain });
        let won = self.cubes(&[Variable { name: "s".to_owned(), domain }], 2);
        let body = format!("{won} | (exists {bound}. {edge}(s, t) & !{name}(t))");
        self.settle("mu", &name.clone(), &[("s", domain)], &body);
    }

    /// Relations that use each other in free formulas.
    pub(super) fn cycle(&mut self) {
        self.is_positive = self.shape.positive_only || self.random.chance(50);
        // A nest of Evaluate is exponential in its depth.
        let (n, limit) = if self.is_positive { (3, 96) } else { (2, 32) };
        let kinds = *self.random.pick(KINDS);
        let first = self.relations.len();
        for index in 0..1 + self.random.below(n) {
            // The first is a fixed point, so that there is no cycle of definitions only.
            let kind = if index == 0 { kinds[0] } else { *self.random.pick(kinds) };
            let relation = Relation { name: self.fresh("R"), kind, params: self.params("p", limit) };
            self.relations.push(relation);
        }
        let members = self.relations[first..].to_vec();
        if members.len() > 1 {
            let shift = usize::from(self.random.chance(50));
            for index in 0..members.len() {
                self.prototype(&members[(index + shift) % members.len()]);
            }
        }
        for (index, member) in members.iter().enumerate() {
            let may_use =
                |other: &usize| !member.kind.is_empty() || !members[*other].kind.is_empty() || *other < index;
            self.open = (0..members.len()).filter(may_use).map(|other| first + other).collect();
            let mut body = self.cycle_body(member);
            // Without a link from each to the next, free bodies rarely make a cycle.
            let next = (index + 1) % members.len();
            if self.open.contains(&(first + next)) && self.random.chance(70) {
                let link = self.link(&self.scope(&member.params), &members[next]);
                let operator = *self.random.pick(&["|", "|", "&"]);
                body = format!("({body})\n  {operator} {link}");
            }
            self.define(member, &body);
        }
        self.open.clear();
        self.is_positive = true;
        self.n_settled = self.relations.len();
    }

    pub(super) fn cycle_body(&mut self, member: &Relation) -> String {
        let scope = self.scope(&member.params);
        let depth = 2 + u32::from(self.random.chance(60));
        let free = self.formula(&scope, depth);
        match self.random.below(6) {
            0 => free,
            1 => format!("{} | {free}", self.cubes(&member.params, 3)),
            2..=3 => format!("{} | {} | {free}", self.cubes(&member.params, 3), self.join(&scope)),
            4 => format!("{} | {}", self.join(&scope), self.cubes(&member.params, 3)),
            _ => {
                let other = self.formula(&scope, 1);
                format!("{free} & ({other} | {})", self.cubes(&member.params, 4))
            }
        }
    }
}
