//! Formulas as diagrams: evaluation under an environment that binds the free keys.
//!
//! A node is correct on all values that exist, and where a bit pattern stands for no value it is false or does not
//! depend on it; hence existential quantification needs no care, and negation restricts itself to existing values.

use crate::component::StaticGroup;
use crate::machine::{Fault, Machine};
use crate::plan::{Access, Head, Plan};
use crate::table::TableId;
use calculus::system::{Comparison, Formula, FormulaId, RelationId, Term, VarId};
use dd::{Bdd, Map, ProductId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

base::index_type! {
    /// A formula prepared for evaluation.
    NodeId;
}

/// A formula prepared for evaluation.
pub(crate) struct Node {
    pub kind: NodeKind,
    /// Free keys.
    pub keys: Rc<[VarId]>,
    /// Free bits.
    pub bits: Rc<[VarId]>,
    /// Relations it mentions.
    pub relations: Rc<[RelationId]>,
    memo: Memo,
}

/// Values by key, good until a relation of the node changes.
#[derive(Default)]
struct Memo {
    stamp: u64,
    values: FxHashMap<SmallVec<[u32; 6]>, Bdd>,
}

pub(crate) enum NodeKind {
    /// A diagram that depends on nothing.
    Fixed(Bdd),
    /// A comparison of keys.
    Test(Comparison, Term, Term),
    /// A relation's row.
    Look {
        table: TableId,
        keys: Vec<Term>,
        access: Access,
        product: Option<ProductId>,
    },
    Not(NodeId),
    And(Vec<NodeId>),
    Or(Vec<NodeId>),
    Iff(NodeId, NodeId),
    /// Conjuncts multiplied from left to right, each followed by what can be quantified after it.
    Product(Vec<(NodeId, ProductId)>),
    /// Sum of rules, for quantified keys.
    Sum(Vec<Rc<Plan>>, Vec<StaticGroup>),
}

impl Machine<'_> {
    /// Prepares a formula.
    pub fn node(&mut self, formula: FormulaId) -> Result<NodeId, Fault> {
        if let Some(node) = self.node_of.get(&formula) {
            return Ok(*node);
        }
        if let Some(node) = self.same_leaf(formula) {
            return Ok(node);
        }
        let system = self.system;
        let kind = match system.formula(formula) {
            Formula::Constant(value) => NodeKind::Fixed(Bdd::constant(*value)),
            Formula::Variable(v) => self.boolean(*v)?,
            Formula::Compare(comparison, a, b) => self.comparison(*comparison, *a, *b)?,
            Formula::Apply(relation, terms) => self.look(*relation, terms)?,
            Formula::Not(f) => NodeKind::Not(self.node(*f)?),
            Formula::Iff(a, b) if self.bit_pair(*a, *b).is_some() => {
                let (x, y) = self.bit_pair(*a, *b).expect("just seen");
                NodeKind::Fixed(self.compare_bits(Comparison::Equal, Term::Var(x), Term::Var(y))?)
            }
            Formula::And(parts) => NodeKind::And(self.node_list(parts)?),
            Formula::Or(parts) => NodeKind::Or(self.node_list(parts)?),
            Formula::Iff(a, b) => NodeKind::Iff(self.node(*a)?, self.node(*b)?),
            Formula::Exists(vars, f) => self.exists(vars, *f, true)?,
            Formula::Forall(vars, f) => {
                let kind = self.exists(vars, *f, false)?;
                NodeKind::Not(self.add_node(formula, kind))
            }
        };
        let node = self.add_node(formula, kind);
        self.settle(node)?;
        if let Some(pair) = self.equality_pair(formula) {
            self.equalities.insert(node, pair);
        }
        if let Some(leaf) = leaf(system.formula(formula)) {
            self.leaves.insert(leaf, node);
        } else {
            self.node_of.insert(formula, node);
        }
        Ok(node)
    }

    /// The node of an equal comparison or variable: in a long list of facts there are few different ones.
    fn same_leaf(&self, formula: FormulaId) -> Option<NodeId> {
        self.leaves.get(&leaf(self.system.formula(formula))?).copied()
    }

    /// The prepared negation of a formula.
    pub fn negation(&mut self, formula: FormulaId) -> Result<NodeId, Fault> {
        if let Some(node) = self.negation_of.get(&formula) {
            return Ok(*node);
        }
        let node = match self.system.formula(formula) {
            Formula::Not(inner) => self.node(*inner)?,
            _ => {
                let operand = self.node(formula)?;
                let node = self.add_node(formula, NodeKind::Not(operand));
                self.settle(node)?;
                node
            }
        };
        self.negation_of.insert(formula, node);
        Ok(node)
    }

    /// A node whose parts depend on nothing becomes a diagram at once.
    fn settle(&mut self, id: NodeId) -> Result<(), Fault> {
        let fixed = |node: &NodeId| matches!(self.nodes[node.index()].kind, NodeKind::Fixed(_));
        let settled = match &self.nodes[id.index()].kind {
            NodeKind::Not(part) => fixed(part),
            NodeKind::And(parts) | NodeKind::Or(parts) => parts.iter().all(fixed),
            NodeKind::Iff(a, b) => fixed(a) && fixed(b),
            NodeKind::Product(parts) => parts.iter().all(|(part, _)| fixed(part)),
            _ => false,
        };
        if settled {
            let value = self.compute(id)?;
            self.nodes[id.index()].kind = NodeKind::Fixed(value);
        }
        Ok(())
    }

    /// Two bit variables of sort `bool` as operands of `<->`.
    fn bit_pair(&self, a: FormulaId, b: FormulaId) -> Option<(VarId, VarId)> {
        match (self.system.formula(a), self.system.formula(b)) {
            (Formula::Variable(x), Formula::Variable(y))
                if !self.layout.is_explicit(*x) && !self.layout.is_explicit(*y) =>
            {
                Some((*x, *y))
            }
            _ => None,
        }
    }

    /// The formula is an equality of two bit variables.
    fn equality_pair(&self, formula: FormulaId) -> Option<(VarId, VarId)> {
        match self.system.formula(formula) {
            Formula::Iff(a, b) => self.bit_pair(*a, *b),
            Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b))
                if !self.layout.is_explicit(*a) =>
            {
                Some((*a, *b))
            }
            _ => None,
        }
    }

    /// The bit variables that a node equates, if that is all it does.
    pub fn equality_of(&self, node: NodeId) -> Option<(VarId, VarId)> {
        self.equalities.get(&node).copied()
    }

    fn node_list(&mut self, parts: &[FormulaId]) -> Result<Vec<NodeId>, Fault> {
        parts.iter().map(|&part| self.node(part)).collect()
    }

    fn add_node(&mut self, formula: FormulaId, kind: NodeKind) -> NodeId {
        let keys = self.free.keys(formula, &self.layout).into();
        let bits = self.free.bits(formula, &self.layout).into();
        let relations = self.free.relations(formula).into();
        self.nodes.push(Node { kind, keys, bits, relations, memo: Memo::default() });
        NodeId::new(self.nodes.len() - 1)
    }

    /// A node that is a diagram over these bits.
    pub fn fixed_node(&mut self, diagram: Bdd, mut bits: Vec<VarId>) -> NodeId {
        bits.sort_unstable();
        bits.dedup();
        let (kind, memo) = (NodeKind::Fixed(diagram), Memo::default());
        self.nodes.push(Node { kind, keys: [].into(), bits: bits.into(), relations: [].into(), memo });
        NodeId::new(self.nodes.len() - 1)
    }

    /// A Boolean variable as a formula.
    fn boolean(&mut self, var: VarId) -> Result<NodeKind, Fault> {
        if self.layout.is_explicit(var) {
            return Ok(NodeKind::Test(Comparison::Equal, Term::Var(var), Term::Value(1)));
        }
        let level = self.layout.levels(var)[0];
        Ok(NodeKind::Fixed(self.dd.variable(level)?))
    }

    fn comparison(&mut self, comparison: Comparison, a: Term, b: Term) -> Result<NodeKind, Fault> {
        let explicit = [a, b].into_iter().any(|t| matches!(t, Term::Var(v) if self.layout.is_explicit(v)));
        match (a, b) {
            (Term::Value(x), Term::Value(y)) => Ok(NodeKind::Fixed(Bdd::constant(compare(comparison, x, y)))),
            _ if explicit => Ok(NodeKind::Test(comparison, a, b)),
            _ => Ok(NodeKind::Fixed(self.compare_bits(comparison, a, b)?)),
        }
    }

    /// A relation's application where all keys are bound.
    fn look(&mut self, relation: RelationId, terms: &[Term]) -> Result<NodeKind, Fault> {
        let table = TableId(relation.0);
        let (keys, bits) = self.split_terms(table, terms);
        let (map, access) = self.access(table, &bits);
        let product =
            (!map.is_identity()).then(|| self.dd.register_product(&map, &map, &[], &Map::default()));
        Ok(NodeKind::Look { table, keys, access, product })
    }

    /// `exists vars. f`, or of the negation of `f` if not `positive`.
    fn exists(&mut self, vars: &[VarId], f: FormulaId, positive: bool) -> Result<NodeKind, Fault> {
        if vars.iter().any(|&v| self.layout.is_explicit(v)) {
            let keys = self.free.keys(f, &self.layout).into_iter().filter(|v| !vars.contains(v)).collect();
            let keep = self.free.bits(f, &self.layout).into_iter().filter(|v| !vars.contains(v)).collect();
            return self.sum_plans(f, positive, keys, keep);
        }
        let mut parts: Vec<NodeId> = Vec::new();
        match self.system.formula(f) {
            Formula::And(fs) if positive => parts = self.node_list(fs)?,
            Formula::Or(fs) if !positive => {
                for &f in fs {
                    parts.push(self.negation(f)?);
                }
            }
            _ if positive => parts.push(self.node(f)?),
            _ => parts.push(self.negation(f)?),
        }
        self.product_of(vars, &parts)
    }

    /// Multiplication from left to right with early quantification.
    fn product_of(&mut self, vars: &[VarId], parts: &[NodeId]) -> Result<NodeKind, Fault> {
        let mut last: FxHashMap<VarId, usize> = FxHashMap::default();
        for (n, part) in parts.iter().enumerate() {
            for &v in self.nodes[part.index()].bits.iter() {
                last.insert(v, n);
            }
        }
        let mut quantified: Vec<Vec<dd::Level>> = vec![Vec::new(); parts.len()];
        for v in vars {
            if let Some(&n) = last.get(v) {
                quantified[n].extend(self.layout.levels(*v));
            }
        }
        let none = Map::default();
        let mut product = Vec::new();
        for (&part, levels) in parts.iter().zip(&quantified) {
            product.push((part, self.register(&none, &none, levels)));
        }
        Ok(NodeKind::Product(product))
    }

    /// The diagram of a node in the present environment.
    pub fn value(&mut self, id: NodeId) -> Result<Bdd, Fault> {
        let node = &self.nodes[id.index()];
        match &node.kind {
            NodeKind::Fixed(bdd) => return Ok(*bdd),
            &NodeKind::Test(comparison, a, b) => {
                return Ok(Bdd::constant(compare(comparison, self.term(a), self.term(b))));
            }
            // A row is found as fast as a memo, and there may be many.
            NodeKind::Look { .. } => return self.compute(id),
            NodeKind::Not(operand) if matches!(self.nodes[operand.index()].kind, NodeKind::Look { .. }) => {
                return self.compute(id);
            }
            _ => {}
        }
        if self.mode.before.is_some() {
            // Rows are read as they were; what comes out holds for that moment only.
            return self.compute(id);
        }
        let key: SmallVec<[u32; 6]> = node.keys.iter().map(|v| self.env[v.index()]).collect();
        let stamp = node.relations.iter().map(|r| self.tables[r.index()].stamp).max().unwrap_or(0);
        let memo = &mut self.nodes[id.index()].memo;
        if memo.stamp < stamp {
            memo.values.clear();
        } else if let Some(&value) = memo.values.get(&key) {
            return Ok(value);
        }
        let value = self.compute(id)?;
        let memo = &mut self.nodes[id.index()].memo;
        memo.stamp = self.tick;
        memo.values.insert(key, value);
        Ok(value)
    }

    fn compute(&mut self, id: NodeId) -> Result<Bdd, Fault> {
        // The kind is put back below; evaluation never meets the same node again inside itself.
        let kind = std::mem::replace(&mut self.nodes[id.index()].kind, NodeKind::Fixed(Bdd::FALSE));
        let result = self.compute_kind(id, &kind);
        self.nodes[id.index()].kind = kind;
        result
    }

    fn compute_kind(&mut self, id: NodeId, kind: &NodeKind) -> Result<Bdd, Fault> {
        match kind {
            NodeKind::Fixed(_) | NodeKind::Test(..) => self.value(id),
            NodeKind::Look { table, keys, access, product } => {
                let key: SmallVec<[u32; 6]> = keys.iter().map(|&t| self.term(t)).collect();
                let Some(row) = self.tables[table.index()].find(&key) else { return Ok(Bdd::FALSE) };
                let bdd = self.with_frame(self.content(*table, row))?;
                let bdd = self.read(bdd, *access)?;
                Ok(match product {
                    Some(product) => self.dd.product(bdd, Bdd::TRUE, *product)?,
                    None => bdd,
                })
            }
            NodeKind::Not(operand) => {
                let value = self.value(*operand)?;
                let existing = self.existing(id)?;
                Ok(self.dd.difference(existing, value)?)
            }
            NodeKind::Iff(a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let existing = self.existing(id)?;
                let same = self.dd.iff(a, b)?;
                Ok(self.dd.and(existing, same)?)
            }
            NodeKind::And(parts) => self.conjunction(parts),
            NodeKind::Or(parts) => self.disjunction(parts),
            NodeKind::Product(parts) => {
                let mut acc = Bdd::TRUE;
                for &(part, product) in parts {
                    let value = self.value(part)?;
                    acc = self.dd.product(acc, value, product)?;
                    if acc == Bdd::FALSE {
                        break;
                    }
                }
                Ok(acc)
            }
            NodeKind::Sum(plans, statics) => self.summed(|machine| {
                machine.refresh(statics)?;
                plans.iter().try_for_each(|plan| machine.run(plan))
            }),
        }
    }

    /// Tests first: they cost nothing and often decide.
    fn conjunction(&mut self, parts: &[NodeId]) -> Result<Bdd, Fault> {
        for &part in parts {
            if let NodeKind::Test(..) = self.nodes[part.index()].kind
                && self.value(part)? == Bdd::FALSE
            {
                return Ok(Bdd::FALSE);
            }
        }
        self.fold(parts, Bdd::TRUE)
    }

    fn disjunction(&mut self, parts: &[NodeId]) -> Result<Bdd, Fault> {
        self.fold(parts, Bdd::FALSE)
    }

    /// Conjunction or disjunction by its unit. Long lists are combined in a balanced tree, which keeps
    /// the intermediate diagrams small when the operands have little in common.
    fn fold(&mut self, parts: &[NodeId], unit: Bdd) -> Result<Bdd, Fault> {
        let join = |machine: &mut Self, a: Bdd, b: Bdd| {
            if unit == Bdd::TRUE { machine.dd.and(a, b) } else { machine.dd.or(a, b) }
        };
        if parts.len() <= 8 {
            let mut acc = unit;
            for &part in parts {
                let value = self.value(part)?;
                acc = join(self, acc, value)?;
                if acc == unit.complement() {
                    break;
                }
            }
            return Ok(acc);
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        let left = self.fold(left, unit)?;
        if left == unit.complement() {
            return Ok(left);
        }
        let right = self.fold(right, unit)?;
        Ok(join(self, left, right)?)
    }

    /// The bit patterns of a node's free bits that stand for values.
    fn existing(&mut self, id: NodeId) -> Result<Bdd, Fault> {
        let bits = self.nodes[id.index()].bits.clone();
        self.existing_values(&bits)
    }

    /// Diagrams that memos keep alive.
    pub fn memo_roots(&self) -> impl Iterator<Item = Bdd> {
        self.nodes.iter().flat_map(|node| {
            let fixed = if let NodeKind::Fixed(bdd) = node.kind { Some(bdd) } else { None };
            fixed.into_iter().chain(node.memo.values.values().copied())
        })
    }

    /// Plans for the sum over keys of a formula's clauses, with the groups they use.
    fn sum_plans(
        &mut self,
        f: FormulaId,
        positive: bool,
        bound: Vec<VarId>,
        keep: Vec<VarId>,
    ) -> Result<NodeKind, Fault> {
        let (rules, made) =
            self.made_apart(|machine| machine.clauses(f, positive, Head::Sum, &keep, &bound, &[]))?;
        let plans = rules
            .into_iter()
            .map(|rule| self.schedule(rule, None).map(Rc::new))
            .collect::<Result<_, Fault>>()?;
        Ok(NodeKind::Sum(plans, made.statics))
    }
}

/// What identifies a formula without operands and relations.
fn leaf(formula: &Formula) -> Option<(Comparison, Term, Term)> {
    match formula {
        Formula::Compare(comparison, a, b) => Some((*comparison, *a, *b)),
        Formula::Variable(v) => Some((Comparison::Equal, Term::Var(*v), Term::Value(1))),
        _ => None,
    }
}

/// A comparison of two values.
pub(crate) fn compare(comparison: Comparison, a: u32, b: u32) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
    }
}
