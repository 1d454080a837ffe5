//! Formulas as diagrams: evaluation under an environment that binds the free keys.
//!
//! A node is correct on all values that exist, and where a bit pattern stands for no value it is false or does not
//! depend on it; hence existential quantification needs no care, and negation restricts itself to existing values.

use super::connectives::Connectives;
use super::plan::{Head, Plan};
use super::{Draft, StaticGroup};
use crate::fault::Fault;
use crate::store::table::TableId;
use crate::store::{Access, Store};
use calculus::system::{Comparison, Formula, FormulaId, RelationId, System, Term, VarId};
use dd::{Bdd, Map, ProductId};
use rustc_hash::FxHashMap;
use std::ops::{Index, IndexMut};
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

/// All formulas that were prepared.
#[derive(Default)]
pub(crate) struct Nodes {
    all: Vec<Node>,
    /// Of each formula, for each component whose rows are evaluated on demand, which 0 stands for none of.
    of_formula: FxHashMap<(FormulaId, u32), NodeId>,
    /// Nodes of comparisons and variables, by what they compare.
    leaves: FxHashMap<(Comparison, Term, Term), NodeId>,
    negations: FxHashMap<(FormulaId, u32), NodeId>,
    equalities: FxHashMap<NodeId, (VarId, VarId)>,
    /// What nodes equate that stand for several equalities.
    merged: FxHashMap<NodeId, Vec<(VarId, VarId)>>,
}

impl Nodes {
    fn add(&mut self, node: Node) -> NodeId {
        self.all.push(node);
        NodeId::new(self.all.len() - 1)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Node> {
        self.all.iter()
    }

    /// The diagram of a node that depends on nothing.
    pub fn fixed(&self, node: NodeId) -> Option<Bdd> {
        match self[node].kind {
            NodeKind::Fixed(diagram) => Some(diagram),
            _ => None,
        }
    }

    /// All pairs of bit variables that a node equates, if that is all it does.
    pub fn equated(&self, node: NodeId) -> Vec<(VarId, VarId)> {
        let merged = self.merged.get(&node).cloned();
        merged.unwrap_or_else(|| self.equality(node).into_iter().collect())
    }

    /// The bit variables that a node equates, if that is all it does.
    pub fn equality(&self, node: NodeId) -> Option<(VarId, VarId)> {
        self.equalities.get(&node).copied()
    }
}

impl Index<NodeId> for Nodes {
    type Output = Node;

    fn index(&self, node: NodeId) -> &Node {
        &self.all[node.index()]
    }
}

impl IndexMut<NodeId> for Nodes {
    fn index_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.all[node.index()]
    }
}

/// Parts that depend on nothing have their values already.
impl<'s> Connectives<'s> for Draft<'_, 's> {
    fn store(&mut self) -> &mut Store<'s> {
        self.store
    }

    fn value(&mut self, part: NodeId) -> Result<Bdd, Fault> {
        Ok(self.planner.nodes.fixed(part).expect("a part that depends on nothing"))
    }
}

impl Draft<'_, '_> {
    /// Prepares a formula.
    pub fn node(&mut self, formula: FormulaId) -> Result<NodeId, Fault> {
        let name = (formula, self.demand_of(formula));
        if let Some(node) = self.planner.nodes.of_formula.get(&name) {
            return Ok(*node);
        }
        if let Some(node) = self.same_leaf(formula) {
            return Ok(node);
        }
        let system = self.store.system;
        let kind = match system.formula(formula) {
            Formula::Constant(value) => NodeKind::Fixed(Bdd::constant(*value)),
            Formula::Variable(v) => self.boolean(*v)?,
            Formula::Compare(comparison, a, b) => self.comparison(*comparison, *a, *b)?,
            Formula::Apply(relation, terms) => self.look(*relation, terms)?,
            Formula::Not(f) => NodeKind::Not(self.node(*f)?),
            Formula::And(parts) => NodeKind::And(self.node_list(parts)?),
            Formula::Or(parts) => NodeKind::Or(self.node_list(parts)?),
            Formula::Iff(a, b) => match self.equality_pair(formula) {
                Some((x, y)) => NodeKind::Fixed(self.store.equal_bits(x, y)?),
                None => NodeKind::Iff(self.node(*a)?, self.node(*b)?),
            },
            Formula::Exists(vars, f) => self.exists(vars, *f, true)?,
            Formula::Forall(vars, f) => {
                let kind = self.exists(vars, *f, false)?;
                NodeKind::Not(self.add_node(formula, kind))
            }
        };
        let node = self.add_node(formula, kind);
        self.settle(node)?;
        if let Some(pair) = self.equality_pair(formula) {
            self.planner.nodes.equalities.insert(node, pair);
        }
        if let Some(leaf) = leaf(system.formula(formula)) {
            self.planner.nodes.leaves.insert(leaf, node);
        } else {
            self.planner.nodes.of_formula.insert(name, node);
        }
        Ok(node)
    }

    /// The node of an equal comparison or variable: in a long list of facts there are few different ones.
    fn same_leaf(&self, formula: FormulaId) -> Option<NodeId> {
        self.planner.nodes.leaves.get(&leaf(self.store.system.formula(formula))?).copied()
    }

    /// The prepared negation of a formula.
    pub fn negation(&mut self, formula: FormulaId) -> Result<NodeId, Fault> {
        let name = (formula, self.demand_of(formula));
        if let Some(node) = self.planner.nodes.negations.get(&name) {
            return Ok(*node);
        }
        let node = match self.store.system.formula(formula) {
            Formula::Not(inner) => self.node(*inner)?,
            _ => {
                let operand = self.node(formula)?;
                let node = self.add_node(formula, NodeKind::Not(operand));
                self.settle(node)?;
                node
            }
        };
        self.planner.nodes.negations.insert(name, node);
        Ok(node)
    }

    /// A node whose parts depend on nothing becomes a diagram at once.
    fn settle(&mut self, id: NodeId) -> Result<(), Fault> {
        let fixed = |node: &NodeId| matches!(self.planner.nodes[*node].kind, NodeKind::Fixed(_));
        let settled = match &self.planner.nodes[id].kind {
            NodeKind::Not(part) => fixed(part),
            NodeKind::And(parts) | NodeKind::Or(parts) => parts.iter().all(fixed),
            NodeKind::Iff(a, b) => fixed(a) && fixed(b),
            NodeKind::Product(parts) => parts.iter().all(|(part, _)| fixed(part)),
            _ => false,
        };
        if !settled {
            return Ok(());
        }
        // The kind is put back below; a node is no part of itself.
        let kind = std::mem::replace(&mut self.planner.nodes[id].kind, NodeKind::Fixed(Bdd::FALSE));
        let bits = self.planner.nodes[id].bits.clone();
        let value = self.combined(&kind, &bits);
        self.planner.nodes[id].kind = match value {
            Ok(Some(value)) => NodeKind::Fixed(value),
            _ => kind,
        };
        value.map(|_| ())
    }

    /// The two bit variables that a formula equates.
    fn equality_pair(&self, formula: FormulaId) -> Option<(VarId, VarId)> {
        let is_bits = |v: VarId| !self.store.layout.is_explicit(v);
        equality(self.store.system, formula).filter(|pair| is_bits(pair.0) && is_bits(pair.1))
    }

    fn node_list(&mut self, parts: &[FormulaId]) -> Result<Vec<NodeId>, Fault> {
        parts.iter().map(|&part| self.node(part)).collect()
    }

    fn add_node(&mut self, formula: FormulaId, kind: NodeKind) -> NodeId {
        let keys = self.planner.free.keys(formula, &self.store.layout).into();
        let bits = self.planner.free.bits(formula, &self.store.layout).into();
        let relations = self.planner.free.relations(formula).into();
        self.planner.nodes.add(Node { kind, keys, bits, relations })
    }

    /// A node in the place of two that equate variables, `diagram` for both; nobody uses the first any more.
    pub fn merged_equality(&mut self, diagram: Bdd, first: NodeId, second: NodeId) -> NodeId {
        let nodes = &mut self.planner.nodes;
        let mut pairs = nodes.merged.remove(&first).unwrap_or_else(|| nodes.equated(first));
        pairs.extend(nodes.equality(second));
        let mut bits: Vec<VarId> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        bits.sort_unstable();
        bits.dedup();
        let kind = NodeKind::Fixed(diagram);
        let node = Node { kind, keys: [].into(), bits: bits.into(), relations: [].into() };
        let node = self.planner.nodes.add(node);
        self.planner.nodes.merged.insert(node, pairs);
        node
    }

    /// A Boolean variable as a formula.
    fn boolean(&mut self, var: VarId) -> Result<NodeKind, Fault> {
        if self.store.layout.is_explicit(var) {
            return Ok(NodeKind::Test(Comparison::Equal, Term::Var(var), Term::Value(1)));
        }
        let level = self.store.layout.levels(var)[0];
        Ok(NodeKind::Fixed(self.store.dd.variable(level)?))
    }

    fn comparison(&mut self, comparison: Comparison, a: Term, b: Term) -> Result<NodeKind, Fault> {
        let explicit =
            [a, b].into_iter().any(|t| matches!(t, Term::Var(v) if self.store.layout.is_explicit(v)));
        match (a, b) {
            (Term::Value(x), Term::Value(y)) => Ok(NodeKind::Fixed(Bdd::constant(compare(comparison, x, y)))),
            _ if explicit => Ok(NodeKind::Test(comparison, a, b)),
            _ => Ok(NodeKind::Fixed(self.store.compare_bits(comparison, a, b)?)),
        }
    }

    /// A relation's application where all keys are bound.
    fn look(&mut self, relation: RelationId, terms: &[Term]) -> Result<NodeKind, Fault> {
        let table = TableId(relation.0);
        let (keys, bits) = self.store.split_terms(table, terms);
        let (map, access) = self.store.access(table, &bits);
        let product =
            (!map.is_identity()).then(|| self.store.dd.register_product(&map, &map, &[], &Map::default()));
        Ok(NodeKind::Look { table, keys, access, product })
    }

    /// `exists vars. f`, or of the negation of `f` if not `positive`.
    fn exists(&mut self, vars: &[VarId], f: FormulaId, positive: bool) -> Result<NodeKind, Fault> {
        if vars.iter().any(|&v| self.store.layout.is_explicit(v)) {
            let keys = self
                .planner
                .free
                .keys(f, &self.store.layout)
                .into_iter()
                .filter(|v| !vars.contains(v))
                .collect();
            let keep = self
                .planner
                .free
                .bits(f, &self.store.layout)
                .into_iter()
                .filter(|v| !vars.contains(v))
                .collect();
            return self.sum_plans(f, positive, keys, keep);
        }
        let mut parts: Vec<NodeId> = Vec::new();
        match self.store.system.formula(f) {
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
            for &v in self.planner.nodes[*part].bits.iter() {
                last.insert(v, n);
            }
        }
        let mut quantified: Vec<Vec<dd::Level>> = vec![Vec::new(); parts.len()];
        for v in vars {
            if let Some(&n) = last.get(v) {
                quantified[n].extend(self.store.layout.levels(*v));
            }
        }
        let mut product = Vec::new();
        for (&part, levels) in parts.iter().zip(quantified) {
            product.push((part, self.store.register(Map::default(), Map::default(), levels)));
        }
        Ok(NodeKind::Product(product))
    }

    /// Plans for the sum over keys of a formula's clauses, with the groups they use.
    fn sum_plans(
        &mut self,
        f: FormulaId,
        positive: bool,
        bound: Vec<VarId>,
        keep: Vec<VarId>,
    ) -> Result<NodeKind, Fault> {
        let mut apart = self.apart();
        let rules = apart.clauses(f, positive, Head::Sum, &keep, &bound, &[])?;
        let statics = apart.into_made().statics;
        let plans = rules
            .into_iter()
            .map(|rule| self.schedule(rule, None).map(Rc::new))
            .collect::<Result<_, Fault>>()?;
        Ok(NodeKind::Sum(plans, statics))
    }
}

/// The two variables that a formula equates.
pub(super) fn equality(system: &System, formula: FormulaId) -> Option<(VarId, VarId)> {
    match system.formula(formula) {
        Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) => Some((*a, *b)),
        Formula::Iff(a, b) => match (system.formula(*a), system.formula(*b)) {
            (Formula::Variable(x), Formula::Variable(y)) => Some((*x, *y)),
            _ => None,
        },
        _ => None,
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
