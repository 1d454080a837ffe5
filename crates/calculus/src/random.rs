//! Random systems, as text, for comparing the solver with its twin.
//!
//! Input: a seed and a [`Shape`]. Output: a file of the calculus that parses and checks; the same for the
//! same seed. Every relation has at most 2^10 possible tuples, so that [`crate::naive`] answers at once.
//! The systems mix free formulas, which reach the odd corners of the language, with the rules that make
//! up model checkers: closures, summaries, safety, fairness, frontiers and games, and with machines over records.

mod formulas;
mod machines;
mod relations;
mod types;

use base::Random;

/// What the systems look like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// No relation occurs negatively in its own cycle.
    pub positive_only: bool,
    /// The chance, in percent, that an enumeration or a range is `#explicit`.
    pub explicit_percent: u32,
    /// About how many relations there are.
    pub n_relations: usize,
    /// How many quantifiers may be nested in a free formula.
    pub quantifier_depth: u32,
    /// The chance, in percent, that relations which belong together are a machine over a record.
    pub machine_percent: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            positive_only: true,
            explicit_percent: 40,
            n_relations: 10,
            quantifier_depth: 2,
            machine_percent: 20,
        }
    }
}

/// The system of a seed.
pub fn system(seed: u64, shape: &Shape) -> String {
    let mut generator = Generator::new(seed, shape);
    generator.types();
    generator.facts();
    while generator.relations.len() < shape.n_relations {
        generator.group();
        if generator.random.chance(20) {
            generator.query();
        }
    }
    generator.questions();
    generator.text
}

base::index_type! {
    /// A named type.
    TypeId;
}

const BOOL: TypeId = TypeId(0);

enum Values {
    Bool,
    Enum(Vec<String>),
    Range(u64, u64),
    Class(Vec<Variable>),
}

struct Type {
    name: String,
    values: Values,
    size: u64,
}

/// What a parameter, a field or a quantified name ranges over: a type, or an array of it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Domain {
    of: TypeId,
    length: Option<u64>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    domain: Domain,
}

#[derive(Clone)]
struct Relation {
    name: String,
    kind: &'static str,
    params: Vec<Variable>,
}

/// How a part of a formula stands to the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
    Both,
}

impl Polarity {
    fn flipped(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
            Self::Both => Self::Both,
        }
    }
}

/// Where a formula stands.
#[derive(Clone)]
struct Scope {
    variables: Vec<Variable>,
    /// Names that stand for array positions, from 0.
    positions: Vec<String>,
    /// The product of the sizes of the variables' domains.
    cost: u64,
    quantifiers: u32,
    polarity: Polarity,
}

impl Scope {
    fn with(&self, polarity: Polarity) -> Self {
        Self { polarity, ..self.clone() }
    }

    /// The scope below a negation.
    fn flipped(&self) -> Self {
        self.with(self.polarity.flipped())
    }

    /// The scope of an operand whose truth can count both ways.
    fn both(&self) -> Self {
        self.with(Polarity::Both)
    }

    fn bind(&mut self, variable: Variable, size: u64) {
        self.variables.retain(|outer| outer.name != variable.name);
        self.positions.retain(|outer| *outer != variable.name);
        self.variables.push(variable);
        self.cost *= size;
    }
}

struct Generator<'a> {
    random: Random,
    shape: &'a Shape,
    text: String,
    types: Vec<Type>,
    /// The value of the parameter `k`, which sizes arrays.
    k: u64,
    relations: Vec<Relation>,
    /// The relations from here on belong to the cycle that is being defined.
    n_settled: usize,
    /// Of those, the ones that may occur in the present body.
    open: Vec<usize>,
    /// Whether they may only occur positively.
    is_positive: bool,
    n_names: u32,
}

impl<'a> Generator<'a> {
    fn new(seed: u64, shape: &'a Shape) -> Self {
        let mut random = Random::new(seed);
        let k = 2 + random.below(2);
        let boolean = Type { name: "bool".to_owned(), values: Values::Bool, size: 2 };
        Self {
            random,
            shape,
            text: format!("// seed {seed}\n#param k = {k};\n"),
            types: vec![boolean],
            k,
            relations: Vec::new(),
            n_settled: 0,
            open: Vec::new(),
            is_positive: true,
            n_names: 0,
        }
    }
}

/// Queries and directives.
impl Generator<'_> {
    fn query(&mut self) {
        let variables: Vec<Variable> = self.params("q", 256);
        let bounds: Vec<String> = variables.iter().map(|variable| self.declare(variable)).collect();
        let depth = 1 + u32::try_from(self.random.below(2)).unwrap_or(0);
        let matrix = self.formula(&self.scope(&variables), depth);
        let bounds = bounds.join(", ");
        let line = match self.random.below(5) {
            0 => format!("#wit exists {bounds}. {matrix};"),
            1 => format!("#cex forall {bounds}. {matrix};"),
            2 => format!("forall {bounds}. {matrix};"),
            _ => format!("exists {bounds}. {matrix};"),
        };
        self.line(&line);
    }

    /// The end of the file: queries, ground queries, and the size of every relation.
    fn questions(&mut self) {
        for _ in 0..3 {
            self.query();
        }
        let nothing = self.scope(&[]);
        for relation in self.relations.clone() {
            let arguments: Option<Vec<String>> =
                relation.params.iter().map(|param| self.term(&nothing, param.domain)).collect();
            if let Some(arguments) = arguments {
                self.line(&format!("{}({});", relation.name, arguments.join(", ")));
            }
            self.line(&format!("#ons {};", relation.name));
        }
    }
}
