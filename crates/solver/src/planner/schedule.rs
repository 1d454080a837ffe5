//! Scheduling: from a rule to a plan.
//!
//! Keys first: tests as soon as they can be made, rows whose key is known, then rows that an index finds, static tables
//! before growing ones, smaller groups before larger; what nothing binds is enumerated. Diagrams second: the new tuples,
//! then always the factor after which the fewest bits are alive, ties in the order of the text.

use super::Draft;
use super::plan::{Delta, Fused, Head, Literal, Multiply, Plan, Rule, RuleId, Setting, Step};
use crate::fault::Fault;
use crate::store::table::{Row, TableId};
use crate::store::{Access, Place};
use calculus::system::{Comparison, Term, VarId};
use dd::{Bdd, Level, Map};
use rustc_hash::FxHashSet;

/// Combinations of values that a plan may enumerate.
const MOST_COMBINATIONS: u128 = 1 << 24;

/// Growing tables count as this large.
const GROWING: u64 = 1 << 40;

/// An index of a growing table is expected to find this many rows for one known column, half as many for each further.
const GROWING_GROUP: u64 = 1 << 10;

/// The key phase of a schedule.
struct Keys<'r> {
    rule: &'r Rule,
    bound: FxHashSet<VarId>,
    remaining: Vec<usize>,
    steps: Vec<Step>,
    /// For each literal the step after which its diagram is known.
    available: Vec<usize>,
    enumerated: u128,
}

impl Draft<'_, '_> {
    /// A plan for a rule, driven by the new tuples of literal `delta` or run in full.
    pub fn schedule(&mut self, rule: Rule, delta: Option<usize>) -> Result<Plan, Fault> {
        let id = RuleId::new(self.planner.rules.len());
        let mut keys = Keys {
            rule: &rule,
            bound: rule.bound.iter().copied().collect(),
            remaining: (0..rule.literals.len()).filter(|&l| Some(l) != delta).collect(),
            steps: Vec::new(),
            available: vec![0; rule.literals.len()],
            enumerated: 1,
        };
        let (delta, read) = delta.map(|literal| self.begin(&mut keys, literal)).unzip();
        self.bind_keys(&mut keys)?;
        let Keys { steps, available, .. } = keys;
        let start = delta.as_ref().map(|delta: &Delta| delta.literal).zip(read);
        let (steps, finish) = self.multiply_steps(&rule, start, steps, &available);
        let n_slots = rule.literals.len();
        let head = rule.head.clone();
        self.planner.rules.push(rule);
        Ok(Plan { rule: id, head, delta, steps, finish, n_slots, family: 0..0 })
    }

    /// How the keys of the new tuples' row are bound, and the renaming under which these are read.
    fn begin(&mut self, keys: &mut Keys, literal: usize) -> (Delta, Map) {
        let Literal::Atom { table, keys: terms, bits } = &keys.rule.literals[literal] else {
            unreachable!("only rows of tables are new")
        };
        let (bind, check) = binding(&mut keys.bound, terms.iter().copied().enumerate());
        let (read, access) = self.store.access(*table, bits);
        (Delta { literal, table: *table, bind, check, access }, read)
    }

    fn bind_keys(&mut self, keys: &mut Keys) -> Result<(), Fault> {
        let mut is_open = true;
        loop {
            if is_open && let Some(step) = self.unless_known(keys) {
                keys.steps.push(step);
                is_open = false;
            }
            while let Some(at) = keys.remaining.iter().position(|&l| self.is_ready(keys, l)) {
                let literal = keys.remaining.remove(at);
                self.ready_step(keys, literal);
            }
            if let Some(at) = self.best_scan(keys) {
                let literal = keys.remaining.remove(at);
                self.scan_step(keys, literal);
                continue;
            }
            let Some(var) = self.unbound(keys) else { return Ok(()) };
            let size = self.store.system.sort_of(var).size();
            keys.enumerated = keys.enumerated.saturating_mul(u128::from(size));
            if keys.enumerated > MOST_COMBINATIONS {
                let what =
                    format!("the values of `{}`, which nothing binds", self.store.system.var_name(var));
                return Err(Fault::TooLarge { what, size: keys.enumerated });
            }
            keys.bound.insert(var);
            keys.steps.push(Step::Enumerate(var, size as u32));
        }
    }

    /// A look at the head, once its key is known, if there is more to search than it could say.
    fn unless_known(&self, keys: &Keys) -> Option<Step> {
        let Head::Table(table, key) = &keys.rule.head else { return None };
        let searches = keys.remaining.iter().any(|&literal| !self.is_ready(keys, literal));
        let known = key.iter().all(|&term| self.is_bound(keys, term));
        let no_bits = self.store.shape(*table).bits.is_empty();
        (no_bits && known && searches).then(|| Step::Unless { table: *table, key: key.clone() })
    }

    fn is_bound(&self, keys: &Keys, term: Term) -> bool {
        match term {
            Term::Var(v) => keys.bound.contains(&v),
            Term::Value(_) => true,
        }
    }

    /// The literal needs no search: a test, a binding, a formula, or a row whose whole key is known.
    fn is_ready(&self, keys: &Keys, literal: usize) -> bool {
        match &keys.rule.literals[literal] {
            Literal::Test { comparison, left, right, holds } => {
                let (l, r) = (self.is_bound(keys, *left), self.is_bound(keys, *right));
                l && r || (l || r) && *comparison == Comparison::Equal && *holds
            }
            Literal::Value { node, .. } => {
                self.planner.nodes[*node].keys.iter().all(|k| keys.bound.contains(k))
            }
            Literal::Atom { keys: terms, .. } => terms.iter().all(|&t| self.is_bound(keys, t)),
        }
    }

    fn ready_step(&mut self, keys: &mut Keys, literal: usize) {
        let step = match &keys.rule.literals[literal] {
            &Literal::Test { comparison, left, right, holds } => match (left, right) {
                (Term::Var(v), _) if !keys.bound.contains(&v) => Step::Bind(v, right),
                (_, Term::Var(v)) if !keys.bound.contains(&v) => Step::Bind(v, left),
                _ => Step::Test { comparison, left, right, holds },
            },
            Literal::Value { node, .. } => Step::Value { node: *node, slot: literal },
            Literal::Atom { table, keys: terms, .. } => {
                Step::Probe { table: *table, key: terms.clone(), slot: literal }
            }
        };
        if let Step::Bind(v, _) = step {
            keys.bound.insert(v);
        }
        keys.steps.push(step);
        keys.available[literal] = keys.steps.len();
    }

    /// The cheapest row to look for next, as a position in `remaining`.
    fn best_scan(&mut self, keys: &Keys) -> Option<usize> {
        let mut best: Option<(u64, usize)> = None;
        for (at, &literal) in keys.remaining.iter().enumerate() {
            let Literal::Atom { table, keys: terms, .. } = &keys.rule.literals[literal] else { continue };
            let known: Vec<usize> = (0..terms.len()).filter(|&c| self.is_bound(keys, terms[c])).collect();
            let fanout = self.fanout(*table, &known);
            if best.is_none_or(|(least, _)| fanout < least) {
                best = Some((fanout, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// About how many rows share the values of the known columns.
    fn fanout(&mut self, table: TableId, known: &[usize]) -> u64 {
        let growing = self.growing.contains(&table);
        if known.is_empty() {
            return if growing {
                GROWING * 4
            } else {
                GROWING.min(1 + self.store.tables[table.index()].len() as u64 * 4)
            };
        }
        if growing {
            return GROWING_GROUP >> (known.len() - 1).min(9);
        }
        let index = self.store.tables[table.index()].index(known);
        self.store.tables[table.index()].fanout(index) as u64
    }

    fn scan_step(&mut self, keys: &mut Keys, slot: usize) {
        let Literal::Atom { table, keys: terms, .. } = &keys.rule.literals[slot] else {
            unreachable!("only rows of tables are looked for")
        };
        let table = *table;
        let known: Vec<usize> = (0..terms.len()).filter(|&c| self.is_bound(keys, terms[c])).collect();
        let probe: Vec<Term> = known.iter().map(|&c| terms[c]).collect();
        let others = terms.iter().copied().enumerate().filter(|(c, _)| !known.contains(c));
        let (bind, check) = binding(&mut keys.bound, others);
        keys.steps.push(if known.is_empty() {
            Step::All { table, bind, check, slot }
        } else {
            let index = self.store.tables[table.index()].index(&known);
            Step::Scan { table, index, probe, bind, check, slot }
        });
        keys.available[slot] = keys.steps.len();
    }

    /// A key that must be enumerated: of the smallest sort, among those that literals or the head still need.
    fn unbound(&self, keys: &Keys) -> Option<VarId> {
        let mut needed: Vec<VarId> = Vec::new();
        for &literal in &keys.remaining {
            match &keys.rule.literals[literal] {
                Literal::Test { left, right, .. } => {
                    needed.extend([left, right].into_iter().filter_map(|t| variable(*t)))
                }
                Literal::Value { node, .. } => needed.extend(self.planner.nodes[*node].keys.iter()),
                Literal::Atom { .. } => {}
            }
        }
        if needed.is_empty()
            && let Head::Table(_, terms) = &keys.rule.head
        {
            needed.extend(terms.iter().filter_map(|t| variable(*t)));
        }
        needed.retain(|v| !keys.bound.contains(v));
        needed.into_iter().min_by_key(|v| (self.store.system.sort_of(*v).size(), *v))
    }

    /// The bits of a literal's diagram.
    fn literal_bits(&self, literal: &Literal) -> Vec<VarId> {
        match literal {
            Literal::Test { .. } => Vec::new(),
            Literal::Value { node, .. } => self.planner.nodes[*node].bits.to_vec(),
            Literal::Atom { bits, .. } => {
                let mut bits: Vec<VarId> = bits.iter().filter_map(|t| variable(*t)).collect();
                bits.sort_unstable();
                bits.dedup();
                bits
            }
        }
    }

    /// Puts the multiplications between the steps, each as early as its factors are known. New tuples come from a literal, and are read
    /// under a renaming.
    fn multiply_steps(
        &mut self,
        rule: &Rule,
        start: Option<(usize, Map)>,
        steps: Vec<Step>,
        available: &[usize],
    ) -> (Vec<Step>, Option<dd::ProductId>) {
        let (delta, mut left) = start.map_or((None, Map::default()), |(literal, read)| (Some(literal), read));
        let bits: Vec<Vec<VarId>> = rule.literals.iter().map(|literal| self.literal_bits(literal)).collect();
        let order = self.multiplication_order(rule, delta, &bits);
        let mut needs = Needs::new(self.store.system.vars.len(), rule, order.iter().map(|&l| &bits[l][..]));
        let mut order = order.into_iter().peekable();
        let mut alive: Vec<VarId> = delta.map(|literal| bits[literal].clone()).unwrap_or_default();
        let mut all = Vec::new();
        let mut steps = steps.into_iter().peekable();
        let mut passed = 0;
        loop {
            if order.peek().is_some_and(|&l| available[l] <= passed)
                && let Some(Step::Scan { table, index, probe, .. }) = steps.peek()
            {
                all.push(Step::Some { table: *table, index: *index, probe: probe.clone() });
            }
            while order.peek().is_some_and(|&l| available[l] <= passed) {
                let literal = order.next().expect("peeked");
                needs.take(&bits[literal]);
                let multiply = self.multiply_step((rule, literal), &bits[literal], &needs, &mut alive, &left);
                all.push(Step::Multiply(multiply));
                left = Map::default();
            }
            let Some(step) = steps.next() else { break };
            all.push(step);
            passed += 1;
        }
        let quantified: Vec<VarId> = alive.iter().copied().filter(|v| !rule.keep.contains(v)).collect();
        let finish = (!left.is_identity() || !quantified.is_empty()).then(|| {
            let levels = self.store.levels_of(&quantified);
            self.store.dd.register_product(&left, &Map::default(), &levels, &Map::default())
        });
        let is_framed = |slot: usize| self.is_framed(&rule.literals[slot]);
        (fuse(all, is_framed), finish)
    }

    /// The literals with diagrams, given their bits, in the order in which they are multiplied.
    fn multiplication_order(&self, rule: &Rule, delta: Option<usize>, bits: &[Vec<VarId>]) -> Vec<usize> {
        // What restricts nothing at present ties nothing together.
        let weight = |(l, bits)| if self.is_trivial(l) { &[][..] } else { bits };
        let bits: Vec<&[VarId]> =
            rule.literals.iter().zip(bits.iter().map(Vec::as_slice)).map(weight).collect();
        let has_diagram = |l: usize| match &rule.literals[l] {
            Literal::Test { .. } => false,
            Literal::Value { .. } => true,
            Literal::Atom { table, .. } => !self.store.shape(*table).bits.is_empty(),
        };
        let mut rest: Vec<usize> = (0..bits.len()).filter(|&l| Some(l) != delta && has_diagram(l)).collect();
        let n_vars = self.store.system.vars.len();
        let mut needs = Needs::new(n_vars, rule, rest.iter().map(|&l| bits[l]));
        let mut alive = vec![false; n_vars];
        delta.iter().flat_map(|&d| bits[d]).for_each(|v| alive[v.index()] = true);
        let width = |v: &VarId| self.store.layout.levels(*v).len();
        let mut order = Vec::new();
        while !rest.is_empty() {
            let growth = |&at: &usize| {
                let literal = rest[at];
                let alive = |v: &VarId| alive[v.index()];
                let new: usize =
                    bits[literal].iter().filter(|v| !alive(v) && needs.has_other(**v)).map(width).sum();
                let gone: usize =
                    bits[literal].iter().filter(|v| alive(v) && !needs.has_other(**v)).map(width).sum();
                // The equalities of a framed row rename what is alive if nothing else needs it; otherwise they are multiplied.
                let held = |v: &&VarId| alive(v) && needs.has_other_literal(**v);
                let kept: usize = match self.is_framed(&rule.literals[literal]) {
                    true => bits[literal].iter().filter(held).map(width).sum(),
                    false => 0,
                };
                (new + kept) as i64 - gone as i64
            };
            let first = delta.is_none() && !alive.contains(&true);
            let at = if first || rest.len() > 32 {
                0
            } else {
                (0..rest.len()).min_by_key(growth).expect("not empty")
            };
            let literal = rest.remove(at);
            needs.take(bits[literal]);
            bits[literal].iter().for_each(|v| alive[v.index()] = needs.has(*v));
            order.push(literal);
        }
        order
    }

    /// The rows of the literal's table, which does not grow, restrict keys only.
    fn is_trivial(&self, literal: &Literal) -> bool {
        let Literal::Atom { table, .. } = literal else { return false };
        let free = |row: &Row| row.full == Bdd::TRUE && row.frame == 0;
        !self.growing.contains(table) && self.store.tables[table.index()].rows.iter().all(free)
    }

    /// Rows of the literal's table carry equalities beside their diagrams.
    fn is_framed(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Atom { table, .. } => {
                self.store.tables[table.index()].rows.first().is_some_and(|row| row.frame != 0)
            }
            _ => false,
        }
    }

    fn multiply_step(
        &mut self,
        (rule, literal): (&Rule, usize),
        bits: &[VarId],
        needs: &Needs,
        alive: &mut Vec<VarId>,
        left: &Map,
    ) -> Multiply {
        let (right, access, columns) = match &rule.literals[literal] {
            Literal::Atom { table, bits, .. } => {
                let (map, access) = self.store.access(*table, bits);
                let columns =
                    self.store.shape(*table).bits.iter().copied().zip(bits.iter().copied()).collect();
                (map, access, columns)
            }
            // A formula's diagram mentions its variables where they stand.
            _ => {
                let own = bits.iter().map(|&v| (v, Term::Var(v))).collect();
                (Map::default(), Access::Direct, own)
            }
        };
        let before = alive.clone();
        alive.extend(bits);
        alive.sort_unstable();
        alive.dedup();
        let quantified: Vec<VarId> = alive.iter().copied().filter(|v| !needs.has(*v)).collect();
        alive.retain(|v| needs.has(*v));
        let forgotten = self.store.places(quantified.iter().copied());
        let levels: Vec<Level> = forgotten.iter().map(|place| place.level).collect();
        let keeps = left.is_identity() && levels.is_empty();
        let product = self.store.register(left.clone(), right, levels);
        let id = self.planner.settings.len() as u32;
        // The product reads the accumulated diagram through a renaming that keeps the order.
        let mut places = self.store.places(before.into_iter());
        places.iter_mut().for_each(|place| place.level = left.unapply(place.level));
        let mut right: Vec<(Place, VarId)> = Vec::new();
        for &(column, term) in &columns {
            let places = self.store.places([column].into_iter()).into_iter();
            right.extend(variable(term).into_iter().flat_map(|var| places.clone().map(move |at| (at, var))));
        }
        right.sort_unstable_by_key(|(at, _)| at.level);
        self.planner.settings.push(Setting { left: places, columns, right, quantified, forgotten });
        Multiply { id, slot: literal, access, product, keeps }
    }
}

/// Which variables the literals that are not multiplied yet, and the head, need.
struct Needs {
    /// For each variable the literals that have it.
    n_literals: Vec<u32>,
    is_kept: Vec<bool>,
}

impl Needs {
    fn new<'b>(n_vars: usize, rule: &Rule, bits: impl Iterator<Item = &'b [VarId]>) -> Self {
        let mut this = Self { n_literals: vec![0; n_vars], is_kept: vec![false; n_vars] };
        bits.flatten().for_each(|v| this.n_literals[v.index()] += 1);
        rule.keep.iter().for_each(|v| this.is_kept[v.index()] = true);
        this
    }

    /// A literal has been multiplied.
    fn take(&mut self, bits: &[VarId]) {
        bits.iter().for_each(|v| self.n_literals[v.index()] -= 1);
    }

    fn has(&self, v: VarId) -> bool {
        self.is_kept[v.index()] || self.n_literals[v.index()] > 0
    }

    /// The same beside a literal that has the variable.
    fn has_other(&self, v: VarId) -> bool {
        self.is_kept[v.index()] || self.has_other_literal(v)
    }

    fn has_other_literal(&self, v: VarId) -> bool {
        self.n_literals[v.index()] > 1
    }
}

/// Binds the variables that are free, checks the others.
type Bindings = (Vec<(usize, VarId)>, Vec<(usize, Term)>);

fn binding(bound: &mut FxHashSet<VarId>, terms: impl Iterator<Item = (usize, Term)>) -> Bindings {
    let (mut bind, mut check) = (Vec::new(), Vec::new());
    for (column, term) in terms {
        match term {
            Term::Var(v) if bound.insert(v) => bind.push((column, v)),
            _ => check.push((column, term)),
        }
    }
    (bind, check)
}

/// The variable that a term is.
pub(super) fn variable(term: Term) -> Option<VarId> {
    match term {
        Term::Var(v) => Some(v),
        Term::Value(_) => None,
    }
}

/// Puts multiplications that follow each other together where the second is by a framed table.
fn fuse(steps: Vec<Step>, framed: impl Fn(usize) -> bool) -> Vec<Step> {
    let mut fused: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        match (fused.pop(), step) {
            (Some(Step::Multiply(first)), Step::Multiply(second))
                if framed(second.slot)
                    && first.access == Access::Direct
                    && second.access == Access::Direct =>
            {
                fused.push(Step::Fused(Box::new(Fused { first, second })));
            }
            (before, step) => fused.extend(before.into_iter().chain([step])),
        }
    }
    fused
}
