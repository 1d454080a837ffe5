//! Which declaration each name of a formula file means.
//!
//! Input: a parsed file, perhaps merged of several, with or without mistakes. Output: a table of what is declared and of all names that mean something. The rules are those of `check`;
//! a value that several enumerations have is one thing here, so that it keeps one name. No pass recurses.

use crate::printer::print_declared;
use crate::syntax::{
    Const, ConstBase, Constraint, Declaration, Directive, ExprId, ExprKind, File, IndexBase, Item, ItemKind,
    Kind, Name, Note, NoteKind, PathId, Printed, Quantifier, Segment, Symbol, TypeName, Values,
};
use base::{Declared, DeclaredId, NameKind, NameTable, Role, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The table of a file.
pub fn references(file: &File) -> NameTable {
    let mut walk = Walk {
        file,
        table: NameTable::default(),
        types: FxHashMap::default(),
        values: FxHashMap::default(),
        members: FxHashMap::default(),
        relations: FxHashMap::default(),
        params: FxHashMap::default(),
        shapes: FxHashMap::default(),
        scope: FxHashMap::default(),
        query: Vec::new(),
    };
    file.items.iter().for_each(|item| walk.declare(item));
    file.items.iter().for_each(|item| walk.item(item));
    for item in &file.items {
        if let ItemKind::Directive(Directive::Note(note)) = &item.kind {
            walk.note(note);
        }
    }
    walk.table.finish()
}

/// A variable: what it is, and its type.
#[derive(Clone, Copy)]
struct Bound {
    id: DeclaredId,
    shape: Option<Shape>,
}

/// The type of a part of a variable.
#[derive(Clone, Copy)]
struct Shape {
    name: Symbol,
    is_array: bool,
}

struct Walk<'f> {
    file: &'f File,
    table: NameTable,
    types: FxHashMap<Symbol, DeclaredId>,
    /// The values of enumerations, and the enumerations that have them.
    values: FxHashMap<Symbol, (DeclaredId, FxHashSet<Symbol>)>,
    /// The members of classes.
    members: FxHashMap<(Symbol, Symbol), Bound>,
    relations: FxHashMap<Symbol, DeclaredId>,
    params: FxHashMap<Symbol, DeclaredId>,
    /// The types of the parameters of relations.
    shapes: FxHashMap<Symbol, Vec<Option<Shape>>>,
    /// The variables and positions in scope, innermost last.
    scope: FxHashMap<Symbol, Vec<Bound>>,
    /// The variables that the last query begins with.
    query: Vec<(Symbol, DeclaredId)>,
}

/// What is left to do in an expression.
enum Task {
    Visit(ExprId),
    /// Names go out of scope.
    Leave(Vec<Symbol>),
}

fn shape(declaration: &Declaration) -> Option<Shape> {
    match declaration.type_name {
        TypeName::Named(name) => Some(Shape { name: name.symbol, is_array: declaration.length.is_some() }),
        TypeName::Bool(_) => None,
    }
}

impl Walk<'_> {
    fn thing(&mut self, kind: NameKind, name: Name, detail: String) -> Declared {
        let name = self.file.text(name).to_owned();
        Declared { kind, name, detail, owner: String::new(), scope: None }
    }

    /// Something that is known everywhere, by its name.
    fn global(&mut self, kind: NameKind, name: Name, detail: String) -> DeclaredId {
        let known = match kind {
            NameKind::Type => &self.types,
            NameKind::Relation => &self.relations,
            _ => &self.params,
        };
        let id = known.get(&name.symbol).copied().unwrap_or_else(|| {
            let declared = self.thing(kind, name, detail);
            self.table.declare(declared)
        });
        let known = match kind {
            NameKind::Type => &mut self.types,
            NameKind::Relation => &mut self.relations,
            _ => &mut self.params,
        };
        known.insert(name.symbol, id);
        self.table.occurs(name.span, id, Role::Declares);
        id
    }

    // What is declared everywhere.

    fn declare(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Enum(name, values) => self.declare_enum(*name, values),
            ItemKind::Class { name, members, .. } => {
                let class = self.file.text(*name).to_owned();
                self.global(NameKind::Type, *name, format!("class {class}"));
                for member in members {
                    let mut declared =
                        self.thing(NameKind::Member, member.name, print_declared(self.file, member));
                    declared.owner = format!("of class {class}");
                    let bound = Bound { id: self.table.declare(declared), shape: shape(member) };
                    let key = (name.symbol, member.name.symbol);
                    let id = self.members.entry(key).or_insert(bound).id;
                    self.table.occurs(member.name.span, id, Role::Declares);
                }
            }
            ItemKind::Function { kind, name, params, .. } => {
                let shown: Vec<String> =
                    params.iter().map(|param| print_declared(self.file, param)).collect();
                let word = match kind {
                    Kind::Definition => "",
                    Kind::Mu => "mu ",
                    Kind::Nu => "nu ",
                };
                let detail = format!("{word}bool {}({})", self.file.text(*name), shown.join(", "));
                self.global(NameKind::Relation, *name, detail);
                self.shapes.insert(name.symbol, params.iter().map(shape).collect());
            }
            ItemKind::Directive(Directive::Param(name, value)) => {
                let detail = format!("#param {} = {value}", self.file.text(*name));
                self.global(NameKind::Number, *name, detail);
            }
            ItemKind::Directive(_) | ItemKind::Query(_) => {}
        }
    }

    fn declare_enum(&mut self, name: Name, values: &Values) {
        let text = self.file.text(name);
        let shown = match values {
            Values::Named(list) => {
                let names: Vec<&str> = list.iter().take(20).map(|name| self.file.text(*name)).collect();
                let more = if list.len() > names.len() { ", …" } else { "" };
                format!("enum {text} {{ {}{more} }}", names.join(", "))
            }
            Values::Range(..) => format!("enum {text} of numbers"),
        };
        self.global(NameKind::Type, name, shown.clone());
        let Values::Named(list) = values else { return };
        for value in list {
            let declared = self.thing(NameKind::Value, *value, shown.clone());
            let table = &mut self.table;
            let fresh = || (table.declare(declared), FxHashSet::default());
            let (id, of) = self.values.entry(value.symbol).or_insert_with(fresh);
            of.insert(name.symbol);
            self.table.occurs(value.span, *id, Role::Declares);
        }
    }

    // What is used, and what is declared inside.

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Enum(_, Values::Range(low, high)) => {
                self.constant(*low);
                self.constant(*high);
            }
            ItemKind::Enum(_, Values::Named(_)) => {}
            ItemKind::Class { name, members, constraints } => {
                members.iter().for_each(|member| self.declared_type(member));
                let bound =
                    |member: &Declaration| self.members.get(&(name.symbol, member.name.symbol)).copied();
                let known = members.iter().filter_map(|member| Some((member.name.symbol, bound(member)?)));
                let known: Vec<(Symbol, Bound)> = known.collect();
                for (symbol, bound) in &known {
                    self.scope.entry(*symbol).or_default().push(*bound);
                }
                constraints.iter().for_each(|constraint| self.constraint(constraint));
                self.leave(&known.iter().map(|known| known.0).collect::<Vec<_>>());
            }
            ItemKind::Function { name, params, constraints, body, .. } => {
                let owner = format!("parameter of {}", self.file.text(*name));
                let names = self.bind(params, NameKind::Parameter, &owner, item.span);
                constraints.iter().for_each(|constraint| self.constraint(constraint));
                body.iter().for_each(|body| self.expression(*body));
                self.leave(&names);
            }
            ItemKind::Query(expr) => {
                self.expression(*expr);
                self.query = self.outermost(*expr);
            }
            ItemKind::Directive(directive) => self.directive(directive),
        }
    }

    fn directive(&mut self, directive: &Directive) {
        match directive {
            Directive::Relation(_, name) | Directive::List(name, _) => {
                self.known(*name, &self.relations.clone());
            }
            Directive::Expr(_, expr) => self.expression(*expr),
            Directive::Print(Printed::Expr(expr)) => self.printed(*expr),
            Directive::Storage(_, types) => types.iter().for_each(|name| self.type_name(*name)),
            Directive::Strata(name) => self.type_name(*name),
            _ => {}
        }
    }

    /// `#print` of a name may mean the declaration of a type or a relation.
    fn printed(&mut self, expr: ExprId) {
        if let ExprKind::Path(path) = self.file.expr(expr).kind
            && let [Segment { symbol, index: None, start, .. }] = *self.file.paths.segments(path)
            && let Some(id) = self.types.get(&symbol).or_else(|| self.relations.get(&symbol)).copied()
        {
            let name = self.file.name_at(symbol, self.file.expr(expr).span, start);
            self.table.occurs(name.span, id, Role::Uses);
            return;
        }
        self.expression(expr);
    }

    /// The variables of the outermost quantifiers of a query; they have been declared already.
    fn outermost(&self, mut expr: ExprId) -> Vec<(Symbol, DeclaredId)> {
        let mut found = Vec::new();
        while let ExprKind::Quantified(Quantifier::Exists, bounds, body) = self.file.expr(expr).kind {
            for bound in self.file.bounds(bounds) {
                // The table is not in order yet, and what was declared last is at its end.
                let of = |occurrence: &&base::Occurrence| occurrence.span == bound.name.span;
                let declared = self.table.occurrences().iter().rev().find(of);
                found.extend(declared.map(|occurrence| (bound.name.symbol, occurrence.declared)));
            }
            expr = body;
        }
        found
    }

    fn known(&mut self, name: Name, among: &FxHashMap<Symbol, DeclaredId>) -> bool {
        let found = among.get(&name.symbol).copied();
        found.iter().for_each(|id| self.table.occurs(name.span, *id, Role::Uses));
        found.is_some()
    }

    fn type_name(&mut self, name: TypeName) {
        if let TypeName::Named(name) = name
            && let Some(id) = self.types.get(&name.symbol).copied()
        {
            self.table.occurs(name.span, id, Role::Uses);
        }
    }

    fn declared_type(&mut self, declaration: &Declaration) {
        self.type_name(declaration.type_name);
        declaration.length.iter().for_each(|length| self.constant(*length));
    }

    /// A position, or else a `#param`.
    fn constant(&mut self, constant: Const) {
        let ConstBase::Param(name) = constant.base else { return };
        let bound = self.scope.get(&name.symbol).and_then(|bound| bound.last()).map(|bound| bound.id);
        let is_position = |id: &DeclaredId| self.table.declared(*id).kind == NameKind::Position;
        let id = bound.filter(is_position).or_else(|| self.params.get(&name.symbol).copied());
        id.iter().for_each(|id| self.table.occurs(name.span, *id, Role::Uses));
    }

    /// Brings names into scope.
    fn bind(
        &mut self,
        declarations: &[Declaration],
        kind: NameKind,
        owner: &str,
        scope: Span,
    ) -> Vec<Symbol> {
        declarations.iter().for_each(|declaration| self.declared_type(declaration));
        let mut names = Vec::new();
        for declaration in declarations {
            let detail = print_declared(self.file, declaration);
            let mut declared = self.thing(kind, declaration.name, detail);
            (declared.owner, declared.scope) = (owner.to_owned(), Some(scope));
            let bound = Bound { id: self.table.declare(declared), shape: shape(declaration) };
            self.table.occurs(declaration.name.span, bound.id, Role::Declares);
            self.scope.entry(declaration.name.symbol).or_default().push(bound);
            names.push(declaration.name.symbol);
        }
        names
    }

    fn leave(&mut self, names: &[Symbol]) {
        for name in names {
            self.scope.get_mut(name).and_then(Vec::pop);
        }
    }

    /// A constraint; a name in an index that stands for nothing else is a position of it.
    fn constraint(&mut self, constraint: &Constraint) {
        let paths: Vec<ExprId> = constraint.left.into_iter().chain([constraint.right]).collect();
        let position = paths.iter().find_map(|path| self.free_index(*path));
        if let Some(name) = position {
            let mut declared = self.thing(NameKind::Position, name, String::new());
            declared.scope = Some(constraint.span);
            let bound = Bound { id: self.table.declare(declared), shape: None };
            self.table.occurs(name.span, bound.id, Role::Declares);
            self.scope.entry(name.symbol).or_default().push(bound);
        }
        paths.iter().for_each(|path| self.expression(*path));
        self.leave(&position.map(|name| name.symbol).into_iter().collect::<Vec<_>>());
    }

    fn free_index(&self, expr: ExprId) -> Option<Name> {
        let ExprKind::Path(path) = self.file.expr(expr).kind else { return None };
        let span = self.file.expr(expr).span;
        self.file.paths.segments(path).iter().find_map(|segment| {
            let index = segment.index?;
            let IndexBase::Path(base) = index.base else { return None };
            let [name] = self.file.paths.segments(base) else { return None };
            let is_known =
                self.is_bound(name.symbol) || self.params.contains_key(&name.symbol) || name.index.is_some();
            (!is_known).then(|| self.file.name_at(name.symbol, span, index.start + name.start))
        })
    }

    fn expression(&mut self, root: ExprId) {
        let mut tasks = vec![Task::Visit(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(expr) => self.visit(expr, &mut tasks),
                Task::Leave(names) => self.leave(&names),
            }
        }
    }

    fn visit(&mut self, expr: ExprId, tasks: &mut Vec<Task>) {
        let file = self.file;
        let found = file.expr(expr);
        match found.kind {
            ExprKind::Constant(_) | ExprKind::Number(_) => {}
            ExprKind::Path(path) => {
                self.path(path, found.span);
            }
            ExprKind::Compare(_, left, right) => {
                let wanted = match file.expr(left).kind {
                    ExprKind::Path(path) => self.path(path, file.expr(left).span),
                    _ => {
                        tasks.push(Task::Visit(left));
                        None
                    }
                };
                if !self.value_of(right, wanted) {
                    tasks.push(Task::Visit(right));
                }
            }
            ExprKind::Apply(symbol, operands) => {
                if let Some(id) = self.relations.get(&symbol).copied() {
                    self.table.occurs(file.name_at(symbol, found.span, 0).span, id, Role::Uses);
                }
                for (n, operand) in file.operands(operands).iter().enumerate() {
                    let wanted = self.shapes.get(&symbol).and_then(|shapes| shapes.get(n).copied().flatten());
                    if !self.value_of(*operand, wanted) {
                        tasks.push(Task::Visit(*operand));
                    }
                }
            }
            ExprKind::Sum(operand, _) | ExprKind::Not(operand) => tasks.push(Task::Visit(operand)),
            ExprKind::Connect(_, left, right)
            | ExprKind::Simplify(_, left, right)
            | ExprKind::If(left, right) => {
                tasks.extend([Task::Visit(left), Task::Visit(right)]);
            }
            ExprKind::IfElse(a, b, c) => tasks.extend([a, b, c].map(Task::Visit)),
            ExprKind::And(operands) | ExprKind::Or(operands) | ExprKind::Case(operands) => {
                tasks.extend(file.operands(operands).iter().map(|operand| Task::Visit(*operand)));
            }
            ExprKind::Quantified(_, bounds, body) => {
                let names = self.bind(file.bounds(bounds), NameKind::Variable, "", found.span);
                tasks.extend([Task::Leave(names), Task::Visit(body)]);
            }
            ExprKind::Positions(_, positions, body) => {
                let positions = file.positions(positions);
                self.constant(positions.low);
                self.constant(positions.high);
                let mut declared = self.thing(NameKind::Position, positions.name, String::new());
                declared.scope = Some(found.span);
                let bound = Bound { id: self.table.declare(declared), shape: None };
                self.table.occurs(positions.name.span, bound.id, Role::Declares);
                let symbol = positions.name.symbol;
                self.scope.entry(symbol).or_default().push(bound);
                tasks.extend([Task::Leave(vec![symbol]), Task::Visit(body)]);
            }
        }
    }

    /// Where a value of an enumeration is expected, a name is that value even if there is a variable of that name.
    fn value_of(&mut self, expr: ExprId, wanted: Option<Shape>) -> bool {
        let Some(Shape { name: wanted, is_array: false }) = wanted else { return false };
        let found = self.file.expr(expr);
        if let ExprKind::Path(path) = found.kind
            && let [Segment { symbol, index: None, start, .. }] = *self.file.paths.segments(path)
            && let Some((id, of)) = self.values.get(&symbol)
            && of.contains(&wanted)
            && (self.is_bound(symbol) || !self.params.contains_key(&symbol))
        {
            let id = *id;
            self.table.occurs(self.file.name_at(symbol, found.span, start).span, id, Role::Uses);
            return true;
        }
        false
    }

    /// The names of a path; the type of the part that it means. Indices are paths again, and wait on a stack.
    fn path(&mut self, path: PathId, span: Span) -> Option<Shape> {
        let mut waiting = Vec::new();
        let whole = self.segments(path, span, &mut waiting);
        while let Some((path, span)) = waiting.pop() {
            self.segments(path, span, &mut waiting);
        }
        whole
    }

    fn segments(&mut self, path: PathId, span: Span, waiting: &mut Vec<(PathId, Span)>) -> Option<Shape> {
        let file = self.file;
        let segments = file.paths.segments(path);
        for index in segments.iter().filter_map(|segment| segment.index) {
            if let IndexBase::Path(inner) = index.base {
                let at = |n: u32| span.start.saturating_add(n);
                waiting.push((inner, Span { start: at(index.start), end: at(index.end), ..span }));
            }
        }
        let mut shape: Option<Shape> = None;
        for (n, segment) in segments.iter().enumerate() {
            let symbol = segment.symbol;
            let found = match n {
                0 => self.first(symbol),
                _ => shape.and_then(|shape| self.members.get(&(shape.name, symbol)).copied()),
            };
            let Bound { id, shape: of } = found?;
            self.table.occurs(file.name_at(symbol, span, segment.start).span, id, Role::Uses);
            shape = of.map(|shape| Shape { is_array: shape.is_array && segment.index.is_none(), ..shape });
        }
        // A bit of a value is no value of its type.
        let is_bit = segments.last().is_some_and(|last| last.index.is_some()) && !self.was_array(path);
        shape.filter(|_| !is_bit)
    }

    /// The last name of a path with an index is that of an array.
    fn was_array(&self, path: PathId) -> bool {
        let segments = self.file.paths.segments(path);
        let mut shape: Option<Shape> = None;
        for (n, segment) in segments.iter().enumerate() {
            let found = match n {
                0 => self.first(segment.symbol),
                _ => shape.and_then(|shape| self.members.get(&(shape.name, segment.symbol)).copied()),
            };
            shape = found.and_then(|bound| bound.shape);
        }
        shape.is_some_and(|shape| shape.is_array)
    }

    fn is_bound(&self, symbol: Symbol) -> bool {
        self.scope.get(&symbol).is_some_and(|bound| !bound.is_empty())
    }

    /// What a path begins with.
    fn first(&self, symbol: Symbol) -> Option<Bound> {
        let constant = |id: &DeclaredId| Bound { id: *id, shape: None };
        let bound = self.scope.get(&symbol).and_then(|bound| bound.last()).copied();
        let number = || self.params.get(&symbol).map(constant);
        bound.or_else(number).or_else(|| self.values.get(&symbol).map(|(id, _)| constant(id)))
    }

    /// The names in a note: relations that it declares, variables of the query, relations, or a `#param`.
    fn note(&mut self, note: &Note) {
        let declares = matches!(note.word, "#label" | "#where" | "#function" | "#variable");
        for part in note.parts.iter().filter(|part| part.kind == NoteKind::Name) {
            let Some(symbol) = self.file.names.find(&part.text) else { continue };
            let variable = || self.query.iter().rev().find(|known| known.0 == symbol).map(|known| known.1);
            let relation = || self.relations.get(&symbol).copied();
            let number = || self.params.get(&symbol).copied();
            let id = match note.word {
                _ if declares => relation(),
                "#certificate" => relation(),
                "#bound" => number(),
                "#contexts" | "#verdict" => variable(),
                "#rounds" => variable().or_else(relation),
                _ => None,
            };
            let role = if declares { Role::Declares } else { Role::Uses };
            id.iter().for_each(|id| self.table.occurs(part.span, *id, role));
        }
    }
}
