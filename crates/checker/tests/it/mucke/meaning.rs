//! What MUCKE's analysis refuses: unknown names, types that do not fit, and dependencies that it cannot evaluate.

use super::parser::{Command, Declared, Expr, Function, Step, Values};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug)]
enum Type {
    Bool,
    Named(String),
    Array(Box<Type>, u64),
}

enum Declaration {
    Enum(Vec<String>),
    Range(u64),
    Class(BTreeMap<String, Type>),
}

struct Relation<'c> {
    kind: &'static str,
    params: Vec<Type>,
    /// The relations applied in the body, in order, once it is there.
    uses: Option<Vec<&'c str>>,
}

#[derive(Default)]
struct Analysis<'c> {
    types: BTreeMap<&'c str, Declaration>,
    relations: BTreeMap<&'c str, Relation<'c>>,
}

type Scope = Vec<(String, Type)>;

/// Analyses the commands in order, as MUCKE does, and counts the queries.
pub fn analyse(commands: &[Command]) -> Result<usize, String> {
    let mut analysis = Analysis::default();
    let mut n_queries = 0;
    for command in commands {
        match command {
            Command::Enum(name, values) => {
                let declaration = match values {
                    Values::Named(values) => Declaration::Enum(values.clone()),
                    Values::Range(0, high) => Declaration::Range(high + 1),
                    Values::Range(..) => return Err(format!("the range `{name}` does not begin at 0")),
                };
                analysis.declare(name, declaration)?;
            }
            Command::Class(name, members, constrained) => analysis.class(name, members, constrained)?,
            Command::Function(function) => analysis.function(function)?,
            Command::Query(query) => {
                n_queries += 1;
                let mut uses = Vec::new();
                analysis.formula(query, &mut Vec::new(), &mut uses)?;
                analysis.evaluable(&uses)?;
            }
            Command::Other => {}
        }
    }
    Ok(n_queries)
}

impl<'c> Analysis<'c> {
    fn is_known(&self, name: &str) -> bool {
        name == "bool" || self.types.contains_key(name) || self.relations.contains_key(name)
    }

    fn declare(&mut self, name: &'c str, declaration: Declaration) -> Result<(), String> {
        if self.is_known(name) {
            return Err(format!("`{name}` is declared twice"));
        }
        self.types.insert(name, declaration);
        Ok(())
    }

    fn type_of(&self, declared: &Declared) -> Result<Type, String> {
        let one = match declared.type_name.as_str() {
            "bool" => Type::Bool,
            name if self.types.contains_key(name) => Type::Named(name.to_owned()),
            name => return Err(format!("there is no type `{name}`")),
        };
        Ok(declared.length.map_or(one.clone(), |length| Type::Array(Box::new(one), length)))
    }

    fn class(&mut self, name: &'c str, members: &[Declared], constrained: &[String]) -> Result<(), String> {
        let mut types = BTreeMap::new();
        for member in members {
            if types.insert(member.name.clone(), self.type_of(member)?).is_some() {
                return Err(format!("the member `{}` is declared twice", member.name));
            }
        }
        if let Some(unknown) = constrained.iter().find(|name| !types.contains_key(*name)) {
            return Err(format!("`{unknown}` in a constraint is no member"));
        }
        self.declare(name, Declaration::Class(types))
    }

    fn function(&mut self, function: &'c Function) -> Result<(), String> {
        let Function { kind, name, params, constrained, body } = function;
        if params.is_empty() {
            return Err(format!("`{name}` has no parameters"));
        }
        let mut scope = Scope::new();
        self.bind(params, &mut scope)?;
        let types: Vec<Type> = scope.iter().map(|known| known.1.clone()).collect();
        if self.types.contains_key(name.as_str()) || name == "bool" {
            return Err(format!("`{name}` is a type"));
        }
        if let Some(known) = self.relations.get(name.as_str())
            && (known.kind != *kind || known.params != types || known.uses.is_some())
        {
            return Err(format!("`{name}` is declared before, and not like this"));
        }
        self.relations.insert(name, Relation { kind, params: types, uses: None });
        if let Some(unknown) = constrained.iter().find(|name| !scope.iter().any(|known| known.0 == **name)) {
            return Err(format!("`{unknown}` in a constraint is no parameter"));
        }
        let Some(body) = body else { return Ok(()) };
        let mut uses = Vec::new();
        self.formula(body, &mut scope, &mut uses)?;
        if let Some(relation) = self.relations.get_mut(name.as_str()) {
            relation.uses = Some(uses);
        }
        Ok(())
    }

    /// Adds variables to a scope; MUCKE only warns of one that hides another, but here that would be a mistake of ours.
    fn bind(&self, declared: &[Declared], scope: &mut Scope) -> Result<(), String> {
        for one in declared {
            let found = self.type_of(one)?;
            if scope.iter().any(|known| known.0 == one.name) {
                return Err(format!("the variable `{}` hides another", one.name));
            }
            if let Type::Named(name) = &found
                && let Some(Declaration::Enum(values)) = self.types.get(name.as_str())
                && values.contains(&one.name)
            {
                return Err(format!("the variable `{}` is named like a value of its type", one.name));
            }
            scope.push((one.name.clone(), found));
        }
        Ok(())
    }

    /// A formula; the relations it applies are added to `uses`.
    fn formula(&self, expr: &'c Expr, scope: &mut Scope, uses: &mut Vec<&'c str>) -> Result<(), String> {
        match expr {
            Expr::Truth | Expr::Number(0 | 1) => Ok(()),
            Expr::Number(number) => Err(format!("{number} is no truth value")),
            Expr::Path(steps) => match self.path(steps, scope)? {
                Type::Bool => Ok(()),
                found => Err(format!("{steps:?} is a {found:?} and no truth value")),
            },
            Expr::Apply(name, arguments) => {
                let relation =
                    self.relations.get(name.as_str()).ok_or(format!("`{name}` is not declared yet"))?;
                if relation.params.len() != arguments.len() {
                    return Err(format!("`{name}` has {} arguments", arguments.len()));
                }
                for (argument, param) in arguments.iter().zip(&relation.params) {
                    self.operand(argument, param, scope)?;
                }
                uses.push(name);
                Ok(())
            }
            Expr::Quantified(declared, body) => {
                let n_known = scope.len();
                self.bind(declared, scope)?;
                self.formula(body, scope, uses)?;
                scope.truncate(n_known);
                Ok(())
            }
            Expr::Not(operand) => self.formula(operand, scope, uses),
            Expr::Compare(left, right) => self.comparison(left, right, scope),
            Expr::Connect(parts) => parts.iter().try_for_each(|part| self.formula(part, scope, uses)),
        }
    }

    /// The left operand is a variable, or a number or truth value beside one; the right one fits it.
    fn comparison(&self, left: &Expr, right: &Expr, scope: &Scope) -> Result<(), String> {
        match (peeled(left), peeled(right)) {
            (Expr::Path(steps), right) => {
                let found = self.path(steps, scope)?;
                self.operand(right, &found, scope)
            }
            (left @ (Expr::Truth | Expr::Number(_)), Expr::Path(steps)) => {
                let found = self.path(steps, scope)?;
                self.operand(left, &found, scope)
            }
            _ => Err("an operand of `=` is neither a variable nor a constant".to_owned()),
        }
    }

    /// An argument, or an operand of `=`: a constant of the type, or else a variable of it.
    fn operand(&self, expr: &Expr, expected: &Type, scope: &Scope) -> Result<(), String> {
        let size = match expected {
            Type::Bool => 2,
            Type::Named(name) => match &self.types[name.as_str()] {
                Declaration::Enum(values) => values.len() as u64,
                Declaration::Range(size) => *size,
                Declaration::Class(_) => 0,
            },
            Type::Array(..) => 0,
        };
        match peeled(expr) {
            Expr::Truth if *expected == Type::Bool => Ok(()),
            Expr::Number(number) if *number < size => Ok(()),
            Expr::Path(steps) => {
                if let ([(name, None)], Type::Named(of)) = (&steps[..], expected)
                    && let Declaration::Enum(values) = &self.types[of.as_str()]
                    && values.contains(name)
                {
                    return Ok(());
                }
                let found = self.path(steps, scope)?;
                if found == *expected { Ok(()) } else { Err(format!("{steps:?} is no {expected:?}")) }
            }
            Expr::Truth | Expr::Number(_) => Err(format!("a constant is no {expected:?}")),
            _ => Err("an argument or operand of `=` is a formula".to_owned()),
        }
    }

    fn path(&self, steps: &[Step], scope: &Scope) -> Result<Type, String> {
        let variable = scope.iter().rev().find(|known| known.0 == steps[0].0);
        let mut found = variable.ok_or(format!("there is no variable `{}`", steps[0].0))?.1.clone();
        for (at, (name, index)) in steps.iter().enumerate() {
            if at > 0 {
                let Type::Named(class) = &found else { return Err(format!("{found:?} has no members")) };
                let Declaration::Class(members) = &self.types[class.as_str()] else {
                    return Err(format!("`{class}` has no members"));
                };
                found = members.get(name).ok_or(format!("`{class}` has no member `{name}`"))?.clone();
            }
            let Some(index) = index else { continue };
            let length = match &found {
                Type::Array(_, length) => *length,
                Type::Named(of) => match &self.types[of.as_str()] {
                    Declaration::Enum(values) => bits(values.len() as u64),
                    Declaration::Range(size) => bits(*size),
                    Declaration::Class(_) => 0,
                },
                Type::Bool => 0,
            };
            if *index >= length {
                return Err(format!("the index {index} of `{name}` is out of range"));
            }
            found = match found {
                Type::Array(one, _) => *one,
                _ => Type::Bool,
            };
        }
        Ok(found)
    }

    /// Whether MUCKE evaluates a query: prototypes are defined, cycles have no plain definitions, and no relation depends on
    /// different unfinished ones in different places.
    fn evaluable(&self, uses: &[&'c str]) -> Result<(), String> {
        let mut reached = BTreeSet::new();
        let mut todo: Vec<&str> = uses.to_vec();
        while let Some(name) = todo.pop() {
            if !reached.insert(name) {
                continue;
            }
            let relation = &self.relations[name];
            todo.extend(relation.uses.as_ref().ok_or(format!("`{name}` has no definition"))?);
        }
        for name in reached {
            if self.relations[name].kind.is_empty() && self.leads_to(name, name) {
                return Err(format!("the definition `{name}` is on a cycle"));
            }
        }
        let mut visit = Visit { analysis: self, marks: BTreeMap::new(), depends: BTreeMap::new() };
        for name in uses {
            visit.relation(name)?;
        }
        Ok(())
    }

    fn leads_to(&self, from: &str, to: &str) -> bool {
        let mut seen = BTreeSet::new();
        let uses = |name: &str| self.relations[name].uses.iter().flatten().copied();
        let mut todo: Vec<&str> = uses(from).collect();
        while let Some(name) = todo.pop() {
            if name == to {
                return true;
            }
            if seen.insert(name) {
                todo.extend(uses(name));
            }
        }
        false
    }
}

/// MUCKE's walk through the definitions: what each depends on among those that are being defined must be the same wherever
/// it is met.
struct Visit<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// Whether a relation is being visited; absent if it has not been met.
    marks: BTreeMap<&'c str, bool>,
    depends: BTreeMap<&'c str, BTreeSet<&'c str>>,
}

impl<'c> Visit<'_, 'c> {
    /// The unfinished relations that a relation depends on.
    fn relation(&mut self, name: &'c str) -> Result<BTreeSet<&'c str>, String> {
        match self.marks.get(name) {
            Some(true) => return Ok(BTreeSet::from([name])),
            Some(false) if self.depends[name].is_empty() => return Ok(BTreeSet::new()),
            _ => {}
        }
        self.marks.insert(name, true);
        let mut found = BTreeSet::new();
        for used in self.analysis.relations[name].uses.iter().flatten() {
            found.extend(self.relation(used)?);
        }
        let before = self.depends.entry(name).or_insert_with(|| found.clone());
        if *before != found {
            return Err(format!("multiple dependencies of `{name}`: {before:?} and {found:?}"));
        }
        found.remove(name);
        self.marks.insert(name, false);
        Ok(found)
    }
}

/// An expression without the shells that the grammar puts around it.
fn peeled(mut expr: &Expr) -> &Expr {
    while let Expr::Connect(parts) = expr
        && let [one] = &parts[..]
    {
        expr = one;
    }
    expr
}

fn bits(size: u64) -> u64 {
    u64::from(u64::BITS - (size - 1).leading_zeros())
}
