//! Statements.

use super::body::{Builder, Exit, Loose, Point, skip};
use super::expression::Value;
use super::scope::Around;
use crate::constant;
use crate::points::is_in_memory;
use crate::sites::{Outcome, SiteKind, Spot};
use crate::syntax::{Arm, ExprId, Label, Stmt, StmtKind, Storage, VarId};
use crate::types::Integer;
use base::Span;
use integers::{Action, Expr, NodeId, Op, Place, Relation, Role, Step, TargetKind};

/// The cases of a `switch` that is being translated.
struct Cases {
    value: Expr,
    ty: Integer,
    cases: Vec<Case>,
    default: Option<(NodeId, Around)>,
}

/// From where, to where, and what leads there.
struct Case {
    from: i128,
    to: i128,
    node: NodeId,
    around: Around,
}

impl Builder<'_, '_> {
    pub(crate) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub(crate) fn statement(&mut self, statement: &Stmt) {
        let mark = self.mark();
        let span = statement.span;
        self.statement_site(statement);
        match &statement.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::Declare(vars) => vars.iter().for_each(|var| self.declare(*var)),
            StmtKind::Block(block) => self.block(block, span),
            StmtKind::If(arms, otherwise) => self.conditional_statement(arms, otherwise.as_deref(), span),
            StmtKind::While(condition, body) => self.while_loop(*condition, body, span),
            StmtKind::Do(body, condition) => self.do_loop(body, *condition, span),
            StmtKind::For(start, condition, step, body) => {
                self.open(start.as_deref());
                if let Some(start) = start {
                    self.statement(start);
                }
                self.for_loop(*condition, *step, body, span);
                self.close(span);
            }
            StmtKind::Switch(value, body) => self.switch(*value, body, span),
            StmtKind::Labelled(labels, body) => {
                labels.iter().for_each(|label| self.label(label, span));
                self.site(span, SiteKind::Statement(self.spot()));
                self.statement(body);
            }
            StmtKind::Goto(name, at) => self.jump(*name, *at),
            StmtKind::Computed(address) => self.computed_jump(*address, span),
            StmtKind::Assembly => self.anything("assembly", span),
            StmtKind::Break => {
                let depth = self.exits.last().map(|exit| exit.depth);
                depth.iter().for_each(|depth| self.end_objects(*depth, span));
                let loose = self.leave(span);
                match self.exits.last_mut() {
                    Some(exit) => exit.breaks.extend(loose),
                    None => self.low.error(span, "there is no loop or `switch` to leave here"),
                }
            }
            StmtKind::Continue => {
                let depth = self.exits.iter().rev().find(|exit| exit.continues.is_some());
                depth.map(|exit| exit.depth).iter().for_each(|depth| self.end_objects(*depth, span));
                let loose = self.leave(span);
                match self.exits.iter_mut().rev().find_map(|exit| exit.continues.as_mut()) {
                    Some(continues) => continues.extend(loose),
                    None => self.low.error(span, "there is no loop to continue here"),
                }
            }
            StmtKind::Return(value) => self.return_statement(*value, span),
        }
        self.release(&mark);
    }

    /// A block in braces; its objects end with it.
    pub(crate) fn block(&mut self, block: &[Stmt], span: Span) {
        self.open(block);
        self.statements(block);
        self.close(span);
    }

    /// A structure is returned.
    fn return_record(&mut self, value: ExprId, span: Span) {
        let value = self.value(value);
        if let (Some((object, node)), Value::Record(from, _)) =
            (self.low.returned_object(self.function), value)
        {
            self.copy(node, Expr::leaf(Op::Object(object)), from, span);
        }
    }

    /// Notes where a statement begins.
    fn statement_site(&mut self, statement: &Stmt) {
        let is_loop =
            matches!(statement.kind, StmtKind::While(..) | StmtKind::Do(..) | StmtKind::For(None, ..));
        let spot = match (&statement.kind, self.spot()) {
            // It is where its labels lead.
            (StmtKind::Labelled(..), _) => return,
            // The node becomes one that the loop comes back to.
            (_, Spot::Node(_)) if is_loop => Spot::Unrepresented,
            (_, spot) => spot,
        };
        self.site(statement.span, SiteKind::Statement(spot));
    }

    /// Notes where a condition leads.
    fn branch_site(&mut self, span: Span, yes: &Loose, no: &Loose) {
        let ways = [(true, yes), (false, no)].into_iter().flat_map(|(truth, loose)| {
            loose.iter().map(move |&edge| (Outcome::Truth(truth), integers::EdgeId::new(edge)))
        });
        self.site(span, SiteKind::Branch(ways.collect()));
    }

    fn return_statement(&mut self, value: Option<ExprId>, span: Span) {
        match (value, self.result.clone()) {
            (Some(value), Some((local, scalar))) => self.assign(Place::Local(local), &scalar, value, span),
            (Some(value), None) => self.return_record(value, span),
            (None, Some((local, scalar))) => {
                self.uninitialised(Place::Local(local), &scalar, "the result".to_owned(), span);
            }
            (None, None) => {}
        }
        let loose = self.leave(span);
        self.returns.extend(loose);
    }

    /// A declaration with its initial value.
    fn declare(&mut self, id: VarId) {
        let var = self.low.unit.var(id);
        if var.storage != Storage::Local {
            return;
        }
        let span = var.span;
        if is_in_memory(self.low.unit, id) {
            return self.declare_object(id);
        }
        let local = self.variable(id);
        match (&var.init, local.zip(self.low.represented(id))) {
            (Some(init), Some((local, scalar))) => match init.values().first() {
                Some(value) => self.assign(Place::Local(local), &scalar, *value, var.whole),
                None => self.store(Place::Local(local), Expr::constant(0), var.whole),
            },
            (Some(init), None) => init.values().into_iter().for_each(|value| self.effect(value)),
            (None, Some((local, scalar))) => {
                let name = self.low.names.text(var.name).to_owned();
                self.uninitialised(Place::Local(local), &scalar, name, span);
            }
            (None, None) => {}
        }
    }

    fn conditional_statement(&mut self, arms: &[Arm], otherwise: Option<&Stmt>, span: Span) {
        let mut ends: Loose = Vec::new();
        for Arm { span: whole, condition, body } in arms {
            let (yes, no) = self.branch(*condition);
            self.branch_site(*whole, &yes, &no);
            self.go_on(yes);
            self.statement(body);
            ends.extend(self.leave(span));
            self.go_on(no);
        }
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        ends.extend(self.leave(span));
        self.go_on(ends);
    }

    /// A node that a loop comes back to.
    fn loop_head(&mut self, span: Span) -> NodeId {
        match self.here(span) {
            Some(node) => node,
            // Nothing leads here, but a jump may enter the body, and then the loop is one.
            None => {
                let node = self.node_at(span);
                self.point = Point::At(node);
                node
            }
        }
    }

    /// The body of a loop; gives what leaves it by `break`, and goes on where `continue` leads.
    fn loop_body(&mut self, body: &Stmt, span: Span) -> Loose {
        self.exits.push(Exit { breaks: Vec::new(), continues: Some(Vec::new()), depth: self.scopes.depth() });
        self.statement(body);
        let mut ends = self.leave(span);
        let exit = self.exits.pop().expect("the loop is still there");
        ends.extend(exit.continues.unwrap_or_default());
        self.go_on(ends);
        exit.breaks
    }

    fn while_loop(&mut self, condition: ExprId, body: &Stmt, span: Span) {
        let at = self.low.unit.expr(condition).span;
        let head = self.loop_head(at);
        self.site(span, SiteKind::Loop(Spot::Node(head), at));
        let (yes, mut no) = self.branch(condition);
        self.branch_site(span, &yes, &no);
        self.go_on(yes);
        no.extend(self.loop_body(body, span));
        let back = self.leave(span);
        self.lead(back, head);
        self.go_on(no);
    }

    fn do_loop(&mut self, body: &Stmt, condition: ExprId, span: Span) {
        let head = self.loop_head(body.span);
        let mut breaks = self.loop_body(body, span);
        self.site(span, SiteKind::Loop(self.spot(), span));
        let (yes, no) = self.branch(condition);
        self.branch_site(span, &yes, &no);
        self.lead(yes, head);
        breaks.extend(no);
        self.go_on(breaks);
    }

    fn for_loop(&mut self, condition: Option<ExprId>, step: Option<ExprId>, body: &Stmt, span: Span) {
        let at = condition.map_or(span, |condition| self.low.unit.expr(condition).span);
        let head = self.loop_head(at);
        let (yes, mut no) = match condition {
            Some(condition) => self.branch(condition),
            None => (self.leave(span), Vec::new()),
        };
        self.site(span, SiteKind::Loop(Spot::Node(head), at));
        self.branch_site(span, &yes, &no);
        self.go_on(yes);
        no.extend(self.loop_body(body, span));
        if let Some(step) = step {
            let mark = self.mark();
            self.effect(step);
            self.release(&mark);
        }
        let back = self.leave(span);
        self.lead(back, head);
        self.go_on(no);
    }

    fn label(&mut self, label: &Label, span: Span) {
        match label {
            Label::Name(name, at) => {
                let node = self.define_label(*name, *at);
                self.nodes[node.index()].span = *at;
                let text = self.low.names.text(*name);
                if self.low.options.targets.has_label(self.name, text) {
                    let target = self.low.target(TargetKind::Label, text.to_owned(), self.name, *at);
                    self.nodes[node.index()].role = Role::Target(target);
                }
                self.arrive(node, span);
            }
            Label::Case(from, to) => self.case(*from, *to),
            Label::Default(at) => self.default_case(*at),
        }
    }
}

/// `switch`: the tests come first, the body after them.
impl Builder<'_, '_> {
    fn switch(&mut self, value: ExprId, body: &Stmt, span: Span) {
        let (value, ty) = self.integer(value);
        let ty = ty.promoted();
        // The tests read the value after the first case may have been entered from above, so it is kept.
        let value = if value.as_constant().is_some() { value } else { self.kept(value, ty.ty, span) };
        let before = self.leave(span);
        self.switches.push(SwitchState { cases: Vec::new(), default: None });
        self.exits.push(Exit { breaks: Vec::new(), continues: None, depth: self.scopes.depth() });
        self.statement(body);
        let mut ends = self.leave(span);
        let exit = self.exits.pop().expect("the switch is still there");
        ends.extend(exit.breaks);
        let state = self.switches.pop().expect("the switch is still there");
        let cases = Cases { value, ty, cases: state.cases, default: state.default };
        self.go_on(before);
        let none = self.tests(&cases, span);
        ends.extend(none);
        self.go_on(ends);
    }

    /// One edge for each case, and one for all other values; gives the latter if it leads nowhere.
    fn tests(&mut self, cases: &Cases, span: Span) -> Loose {
        let Some(node) = self.here(span) else { return Vec::new() };
        let mut others = Expr::truth(true);
        let mut ways = Vec::new();
        let around = self.scopes.around();
        for case in &cases.cases {
            let value = || cases.value.clone();
            let [from, to] = [case.from, case.to].map(|number| constant::converted(number, cases.ty));
            let is_case = if from == to {
                value().compare(Relation::Equal, Expr::constant(from))
            } else {
                let above = value().compare(Relation::GreaterEqual, Expr::constant(from));
                above.and(value().compare(Relation::LessEqual, Expr::constant(to)))
            };
            others = others.and(is_case.clone().not());
            let edge = self.edge(node, Action::Step(Step::new(is_case, Vec::new())), span);
            ways.push((Outcome::Case(from, to), integers::EdgeId::new(edge)));
            self.lead_into(vec![edge], case.node, &around, &case.around, span);
        }
        self.point = Point::Nowhere;
        let step = if cases.cases.is_empty() { skip() } else { Action::Step(Step::new(others, Vec::new())) };
        let edge = self.edge(node, step, span);
        ways.push((Outcome::Default, integers::EdgeId::new(edge)));
        self.site(span, SiteKind::Branch(ways));
        match &cases.default {
            Some((default, inside)) => {
                self.lead_into(vec![edge], *default, &around, inside, span);
                Vec::new()
            }
            None => vec![edge],
        }
    }

    fn case(&mut self, from: ExprId, to: Option<ExprId>) {
        let span = self.low.unit.expr(from).span;
        let model = self.low.options.data_model;
        let value = |id| constant::evaluate(self.low.unit, id, model).map(|(value, _)| value);
        let values = value(from).zip(to.map_or(value(from), value));
        let node = self.node_at(span);
        self.arrive(node, span);
        let Some((from, to)) = values else {
            self.low.error(span, "the value of a case is constant");
            return;
        };
        match self.switches.last_mut() {
            Some(state) => {
                if state.cases.iter().any(|other| other.from <= to && from <= other.to) {
                    self.low.error(span, "there is another case for this value");
                } else {
                    let around = self.scopes.around();
                    state.cases.push(Case { from, to, node, around });
                }
            }
            None => self.low.error(span, "there is no `switch` around this case"),
        }
    }

    fn default_case(&mut self, span: Span) {
        let node = self.node_at(span);
        self.arrive(node, span);
        match self.switches.last_mut() {
            Some(state) if state.default.is_none() => {
                state.default = Some((node, self.scopes.around()));
            }
            Some(_) => self.low.error(span, "there is another `default` in this `switch`"),
            None => self.low.error(span, "there is no `switch` around this `default`"),
        }
    }

    /// A value in a variable of its own.
    pub(crate) fn kept(&mut self, value: Expr, ty: integers::Type, span: Span) -> Expr {
        let place = self.temporary(ty, span);
        self.store(place, value, span);
        Expr::leaf(Op::Read(place))
    }
}

/// The cases that have been met.
pub(crate) struct SwitchState {
    cases: Vec<Case>,
    default: Option<(NodeId, Around)>,
}
