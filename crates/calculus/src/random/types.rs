//! The types of a random system, and the terms its variables make.
//!
//! Output: the declarations, with `#explicit` on some sorts; then, for a scope, every path that can be
//! written with its variables, and constants.

use super::{BOOL, Domain, Generator, Scope, Type, TypeId, Values, Variable};
use std::fmt::Write;

impl Generator<'_> {
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    pub(super) fn types(&mut self) {
        for _ in 0..1 + self.random.below(2) {
            self.enumeration();
        }
        for _ in 0..1 + self.random.below(2) {
            self.range();
        }
        for _ in 0..1 + self.random.below(3) {
            self.class();
        }
        for index in 1..self.types.len() {
            let is_class = matches!(self.types[index].values, Values::Class(_));
            let name = self.types[index].name.clone();
            // Naming a class names its parts, unless they are named themselves.
            let percent = self.shape.explicit_percent / if is_class { 5 } else { 1 };
            if self.random.chance(percent) {
                self.line(&format!("#explicit {name};"));
            } else if !is_class && self.random.chance(10) {
                self.line(&format!("#symbolic {name};"));
            }
        }
        // The order in which rows are worked off never matters.
        let sorts = self.types.iter().skip(1).filter(|known| !matches!(known.values, Values::Class(_)));
        let sorts: Vec<String> = sorts.map(|known| known.name.clone()).collect();
        if self.random.chance(40) {
            let sort = &sorts[self.random.below(sorts.len() as u64) as usize];
            self.line(&format!("#strata {sort};"));
        }
    }

    pub(super) fn enumeration(&mut self) {
        let name = self.fresh("E");
        let size = 2 + self.random.below(4);
        let mut values: Vec<String> = (0..size).map(|i| format!("{}_{i}", name.to_lowercase())).collect();
        // An enumerator may belong to several enumerations.
        if let Some(Type { values: Values::Enum(others), .. }) = self.types.last()
            && self.random.chance(30)
        {
            values[0] = others[0].clone();
        }
        self.line(&format!("enum {name} {{ {} }};", values.join(", ")));
        self.types.push(Type { name, values: Values::Enum(values), size });
    }

    pub(super) fn range(&mut self) {
        let name = self.fresh("N");
        let low = if self.random.chance(70) { 0 } else { self.random.below(4) };
        let high = low + 1 + self.random.below(3);
        self.line(&format!("enum {name} {{ {low}..{high} }};"));
        self.types.push(Type { name, values: Values::Range(low, high), size: high - low + 1 });
    }

    pub(super) fn class(&mut self) {
        let name = self.fresh("C");
        let mut fields: Vec<Variable> = Vec::new();
        let mut size = 1;
        for index in 0..2 + self.random.below(2) {
            let domain = self.domain(24 / size);
            if self.domain_size(domain) * size <= 24 {
                size *= self.domain_size(domain);
                fields.push(Variable { name: format!("f{index}"), domain });
            }
        }
        if fields.is_empty() {
            fields.push(Variable { name: "f0".to_owned(), domain: Domain { of: BOOL, length: None } });
            size = 2;
        }
        let mut declarations = String::new();
        for field in &fields {
            let declaration = self.declare(field);
            let _ = write!(declarations, "{declaration}; ");
        }
        let keyword = *self.random.pick(&["class", "struct"]);
        let constraints = if self.random.chance(30) { self.constraints(&fields) } else { String::new() };
        self.line(&format!("{keyword} {name} {{ {declarations}}}{constraints};"));
        self.types.push(Type { name, values: Values::Class(fields), size });
    }

    /// Allocation constraints on variables, with a space before.
    pub(super) fn constraints(&mut self, variables: &[Variable]) -> String {
        let operator = *self.random.pick(&["<", "~+", "~-"]);
        let pairs: Vec<String> = variables
            .windows(2)
            .map(|pair| format!("{} {operator} {}", pair[0].name, pair[1].name))
            .collect();
        match variables {
            [] => String::new(),
            [one] if operator != "<" => format!(" {operator} {}", one.name),
            _ if pairs.is_empty() => String::new(),
            _ => format!(" {}", pairs.join(", ")),
        }
    }

    pub(super) fn domain_size(&self, domain: Domain) -> u64 {
        let length = u32::try_from(domain.length.unwrap_or(1)).expect("arrays are short");
        self.types[domain.of.index()].size.pow(length)
    }

    /// Some domain, of at most this size if there is one.
    pub(super) fn domain(&mut self, limit: u64) -> Domain {
        for _ in 0..8 {
            let of = TypeId::new(*self.random.pick(&(0..self.types.len()).collect::<Vec<_>>()));
            let length = if self.random.chance(25) { Some(2 + self.random.below(2)) } else { None };
            let domain = Domain { of, length };
            if self.domain_size(domain) <= limit {
                return domain;
            }
        }
        Domain { of: BOOL, length: None }
    }

    /// A scalar or class domain with more than two and at most `limit` values, if it finds one.
    pub(super) fn state_domain(&mut self, limit: u64) -> Domain {
        for _ in 0..8 {
            let domain = Domain { length: None, ..self.domain(limit) };
            if self.domain_size(domain) > 2 {
                return domain;
            }
        }
        self.domain(limit)
    }

    pub(super) fn declare(&mut self, variable: &Variable) -> String {
        let name = &self.types[variable.domain.of.index()].name;
        match variable.domain.length {
            None => format!("{name} {}", variable.name),
            Some(length) if length == self.k && self.random.chance(50) => {
                format!("{name} {}[k]", variable.name)
            }
            Some(length) => format!("{name} {}[{length}]", variable.name),
        }
    }

    /// A constant of a scalar type.
    pub(super) fn constant(&mut self, of: TypeId) -> Option<String> {
        match &self.types[of.index()].values {
            Values::Bool => Some((*self.random.pick(&["0", "1", "false", "true"])).to_owned()),
            Values::Enum(values) => Some(self.random.pick(values).clone()),
            Values::Range(low, high) => Some((low + self.random.below(high - low + 1)).to_string()),
            Values::Class(_) => None,
        }
    }

    /// What can be written with the variables in scope: whole variables, their parts, and elements of
    /// arrays at constant and at computed positions.
    pub(super) fn paths(&self, scope: &Scope) -> Vec<(String, Domain)> {
        let mut positions: Vec<(String, u64)> =
            scope.positions.iter().map(|name| (name.clone(), 0)).collect();
        for (path, domain) in self.scalars(&scope.variables) {
            // An atom with an index outside its array is false.
            if let Values::Range(low, _) = self.types[domain.of.index()].values {
                let shifted =
                    if low == 0 { (format!("{path}+1"), 1) } else { (format!("{path}-1"), low - 1) };
                positions.extend([(path, low), shifted]);
            }
        }
        let mut paths = Vec::new();
        for variable in &scope.variables {
            self.parts(&variable.name, variable.domain, &positions, &mut paths);
        }
        paths
    }

    /// The scalar parts of variables, at constant positions.
    pub(super) fn scalars(&self, variables: &[Variable]) -> Vec<(String, Domain)> {
        let mut paths = Vec::new();
        for variable in variables {
            self.parts(&variable.name, variable.domain, &[], &mut paths);
        }
        let is_class = |domain: &Domain| matches!(self.types[domain.of.index()].values, Values::Class(_));
        paths.retain(|(_, domain)| domain.length.is_none() && !is_class(domain));
        paths
    }

    pub(super) fn parts(
        &self,
        path: &str,
        domain: Domain,
        // With the smallest value of each.
        positions: &[(String, u64)],
        paths: &mut Vec<(String, Domain)>,
    ) {
        paths.push((path.to_owned(), domain));
        if let Some(length) = domain.length {
            let element = Domain { length: None, ..domain };
            for index in 0..length {
                self.parts(&format!("{path}[{index}]"), element, positions, paths);
            }
            for (index, _) in positions.iter().filter(|(_, smallest)| *smallest < length) {
                self.parts(&format!("{path}[{index}]"), element, positions, paths);
            }
        } else if let Values::Class(fields) = &self.types[domain.of.index()].values {
            for field in fields {
                self.parts(&format!("{path}.{}", field.name), field.domain, positions, paths);
            }
        }
    }

    /// A path or, for a scalar domain, a constant. The innermost variable is preferred.
    pub(super) fn term(&mut self, scope: &Scope, domain: Domain) -> Option<String> {
        let mut paths: Vec<String> =
            self.paths(scope).into_iter().filter(|(_, d)| *d == domain).map(|(path, _)| path).collect();
        if domain.length.is_none() && (paths.is_empty() || self.random.chance(15)) {
            return self.constant(domain.of);
        }
        if matches!(self.types[domain.of.index()].values, Values::Range(..)) && domain.length.is_none() {
            paths.extend_from_slice(&scope.positions);
        }
        if let Some(innermost) = scope.variables.last()
            && paths.iter().any(|path| path.starts_with(&innermost.name))
            && self.random.chance(40)
        {
            paths.retain(|path| path.starts_with(&innermost.name));
        }
        if paths.is_empty() { None } else { Some(self.random.pick(&paths).clone()) }
    }
}
