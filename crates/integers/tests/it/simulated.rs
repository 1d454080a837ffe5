//! Runs with objects beside the cell program, step by step: whatever a run does, the cell program can do with some values of what is unknown, whichever cells are followed; and it comes to a target for some of them.
//!
//! A pointer and the number of an element are compared by what was seen before: each object has one first number, and no two pointers that may be compared share one. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use super::cells::shaped;
use super::compared::Groups;
use base::Random;
use integers::cells::{Choice, Tracked, cells, lines};
use integers::random::memory::program as small_program;
use integers::random::{Kinds, program};
use integers::step::{Configuration, Refusal, Situation};
use integers::{
    Action, Content, EdgeId, Input, InputId, InputKind, Integers, Manage, Memory, Op, Place, Program,
    RegionId, Start, Type, Value,
};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use testing::{Counts, seeds};

/// Runs are followed so far.
const MOST_STEPS: usize = 60;

/// A step with more combinations of what is unknown is not followed.
const MOST_CHOICES: usize = 3_000;

/// So many states of the cell program are kept beside one of the run.
const MOST_STATES: usize = 400;

/// Cells that are followed have numbers up to this one.
const LAST_NUMBER: i128 = 40;

/// A program without memory, in which somebody chooses what is unknown.
struct Opened {
    program: Program,
    /// For each edge, the regions whose content is chosen, behind the inputs that the step has anyway.
    chosen: Vec<Vec<Vec<Option<RegionId>>>>,
    /// The globals that are unknown at first: the numbers of cells, and what is in cells.
    ghosts: Vec<usize>,
    contents: Vec<(usize, RegionId)>,
}

/// What is unknown in a cell program is an element of a region.
fn region(program: &Program, construct: &str) -> Option<RegionId> {
    let name = construct.strip_prefix("an element of `")?.strip_suffix('`')?;
    program.memory.regions.iter().position(|region| region.name == name).map(RegionId::new)
}

fn opened(lines: &Program, cells: &Program) -> Opened {
    let mut program = cells.clone();
    let span = program.function(program.main).span;
    let input = InputId::new(program.inputs.len());
    let (name, kind) = ("unknown".to_owned(), InputKind::Uninitialised);
    program.inputs.push(Input { name, ty: Type::signed(64), kind, span });
    let of = |id: integers::UnknownId| region(lines, &cells.unknowns[id.index()].construct);
    let mut chosen = Vec::new();
    for function in &mut program.functions {
        let mut of_function = Vec::new();
        for edge in &mut function.edges {
            let mut of_edge = Vec::new();
            if let Action::Step(step) = &mut edge.action {
                let first = step.inputs.len() as u32;
                of_edge = step.unknowns.iter().map(|id| of(*id)).collect();
                step.inputs.extend(step.unknowns.drain(..).map(|_| input));
                let open = |op| if let Op::Unknown(n) = op { Op::Input(first + n) } else { op };
                step.guard = step.guard.relabelled(open);
                step.updates.iter_mut().for_each(|(_, value)| *value = value.relabelled(open));
            }
            of_function.push(of_edge);
        }
        chosen.push(of_function);
    }
    let (mut ghosts, mut contents) = (Vec::new(), Vec::new());
    for (n, global) in program.globals.iter_mut().enumerate().skip(lines.globals.len()) {
        let Start::Unknown(id) = global.start else { continue };
        global.start = Start::Number(0);
        match (global.variable.name.contains('['), of(id)) {
            (true, Some(region)) => contents.push((n, region)),
            _ => ghosts.push(n),
        }
    }
    Opened { program, chosen, ghosts, contents }
}

/// A run with objects.
pub(super) struct Run {
    /// What was done, and what was chosen for it: an edge, or a return.
    moves: Vec<(Option<EdgeId>, Vec<i128>)>,
    /// Before each move, and behind the last.
    pub(super) states: Vec<Configuration>,
    /// What was chosen for cells that nothing had been stored in.
    drawn: Vec<i128>,
    pub(super) is_at_target: bool,
}

/// Some run: it may take any edge that can be taken.
pub(super) fn some_run(program: &Program, random: &mut Random) -> Run {
    let mut at = Configuration::start(program);
    let mut run = Run { moves: Vec::new(), states: vec![at.clone()], drawn: Vec::new(), is_at_target: false };
    while run.moves.len() < MOST_STEPS {
        run.is_at_target = at.target(program).is_some();
        let taken = match at.situation(program) {
            Situation::AtExit if at.frames.len() > 1 => {
                at.leave(program);
                Some((None, Vec::new()))
            }
            Situation::At(..) if !run.is_at_target => step(program, &mut at, random, &mut run.drawn),
            _ => None,
        };
        let Some(taken) = taken else { break };
        if !at
            .frames
            .iter()
            .flat_map(|frame| &frame.locals)
            .chain(&at.globals)
            .all(|value| is_inside(&at, *value))
        {
            break;
        }
        run.moves.push(taken);
        run.states.push(at.clone());
    }
    run
}

/// Whether a number is none that only a pointer far outside its object would be.
fn is_inside(at: &Configuration, value: Value) -> bool {
    let Value::Number(number) = value else { return false };
    let (object, offset) = integers::memory::unpack(number);
    match at.objects.get(object) {
        _ if object <= 0 => offset.abs() < 1 << 40,
        // Arrays in structures have numbers behind one another, eight for each structure.
        Some(object) => (-1..=8 * object.count as i64).contains(&offset),
        None => false,
    }
}

fn step(
    program: &Program,
    at: &mut Configuration,
    random: &mut Random,
    drawn: &mut Vec<i128>,
) -> Option<(Option<EdgeId>, Vec<i128>)> {
    let frame = at.frames.last()?;
    let mut edges: Vec<EdgeId> =
        program.function(frame.function).edges_from(frame.node).map(|(id, _)| id).collect();
    let function = frame.function;
    for _ in 0..12 {
        let edge = *random.pick(&edges);
        let ids = match &program.function(function).edge(edge).action {
            Action::Step(step) => &step.inputs[..],
            _ => &[],
        };
        let any = |random: &mut Random, id: InputId| {
            let ty = program.input(id).ty;
            ty.min() + random.below(ty.count().min(4) as u64) as i128
        };
        let mut inputs: Vec<i128> = ids.iter().map(|id| any(random, *id)).collect();
        loop {
            match at.take(program, edge, &inputs, Integers::Mathematical) {
                Ok(_) => {
                    drawn.extend(&inputs[ids.len()..]);
                    inputs.truncate(ids.len());
                    return Some((Some(edge), inputs));
                }
                Err(Refusal::NoInput(input)) => inputs.push(any(random, input)),
                Err(Refusal::Guard) => break,
                Err(_) => {
                    edges.retain(|other| *other != edge);
                    break;
                }
            }
        }
        if edges.is_empty() {
            return None;
        }
    }
    None
}

/// The cell program beside a run, and which numbers pointers have.
#[derive(Clone, PartialEq, Eq)]
struct Beside {
    cells: Configuration,
    /// The first number of each object, and the pointer that each number is, for variables that are compared.
    first: BTreeMap<(usize, i64), i128>,
    pointers: BTreeMap<(usize, i128), i128>,
}

impl Beside {
    /// Whether all variables hold what those of the run hold; what is seen of pointers for the first time is kept.
    fn agrees(&mut self, lines: &Program, groups: &Groups, run: &Configuration) -> bool {
        let mut pairs: Vec<(Type, usize, Value, Value)> = Vec::new();
        for (n, global) in lines.globals.iter().enumerate() {
            let (one, other) = (run.globals[n], self.cells.globals[n]);
            let group = groups.group(lines.main, Place::Global(n as u32));
            pairs.push((global.variable.ty, group, one, other));
        }
        for (one, other) in run.frames.iter().zip(&self.cells.frames) {
            if one.node != other.node && one.calling.is_none() {
                return false;
            }
            let id = one.function;
            for (n, local) in lines.function(id).locals.iter().enumerate() {
                let group = groups.group(id, Place::Local(n as u32));
                pairs.push((local.ty, group, one.locals[n], other.locals[n]));
            }
        }
        pairs.into_iter().all(|(ty, group, one, other)| match (one, other) {
            (Value::Number(pointer), Value::Number(number)) if ty == Type::POINTER => {
                self.is_number_of(group, pointer, number)
            }
            _ => one == other,
        })
    }

    fn is_number_of(&mut self, group: usize, pointer: i128, number: i128) -> bool {
        let (object, offset) = integers::memory::unpack(pointer);
        if object <= 0 {
            return number == if object < 0 { -1 } else { pointer };
        }
        let first = number - i128::from(offset);
        *self.first.entry((group, object)).or_insert(first) == first
            && number > 0
            && *self.pointers.entry((group, number)).or_insert(pointer) == pointer
    }

    /// The numbers that a pointer may have.
    fn numbers(&self, pointer: i128) -> Vec<i128> {
        let (object, offset) = integers::memory::unpack(pointer);
        if object <= 0 {
            return vec![if object < 0 { -1 } else { pointer }];
        }
        let is_it = |((_, known), _): &(&(usize, i64), &i128)| *known == object;
        self.first.iter().filter(is_it).map(|(_, first)| first + i128::from(offset)).collect()
    }
}

/// Everything that somebody may choose for what is in cells of a region.
fn contents(beside: &Beside, memory: &Memory, id: RegionId, run: &Run, at: usize) -> Vec<i128> {
    let is_pointer = matches!(memory.regions[id.index()].content, Content::Pointer(_));
    let mut numbers = vec![0];
    for (_, object) in run.states[at].objects.iter() {
        for field in &memory.classes[object.class.index()].fields {
            if field.region != id {
                continue;
            }
            let n_cells = object.count * field.n_cells();
            for n in 0..n_cells {
                let offset = field.offset(n / field.n_cells(), n % field.n_cells());
                if let Some(Value::Number(number)) = object.read(id, offset) {
                    numbers.extend(if is_pointer { beside.numbers(number) } else { vec![number] });
                }
            }
        }
    }
    if !is_pointer {
        numbers.extend(&run.drawn);
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

pub(super) struct Twin<'a> {
    lines: &'a Program,
    groups: Groups,
    opened: Opened,
}

/// Why a run could not be followed to its end.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Lost {
    /// The cell program cannot do what the run does here.
    At(usize),
    /// There are too many choices.
    Choices,
}

impl<'a> Twin<'a> {
    pub(super) fn new(lines: &'a Program, cells: &Program) -> Self {
        Self { lines, groups: Groups::of(lines), opened: opened(lines, cells) }
    }

    /// The cell program at its start, with the cells of these numbers.
    fn start(&self, run: &Run, ghosts: &[i128]) -> Result<Vec<Beside>, Lost> {
        let mut cells = Configuration::start(&self.opened.program);
        for (n, number) in self.opened.ghosts.iter().zip(ghosts) {
            cells.globals[*n] = Value::Number(*number);
        }
        let mut all = vec![Beside { cells, first: BTreeMap::new(), pointers: BTreeMap::new() }];
        for (n, region) in &self.opened.contents {
            let mut more = Vec::new();
            for beside in all {
                for number in contents(&beside, &self.lines.memory, *region, run, 0) {
                    let mut beside = beside.clone();
                    beside.cells.globals[*n] = Value::Number(number);
                    more.push(beside);
                }
            }
            all = more;
            if all.len() > MOST_STATES {
                return Err(Lost::Choices);
            }
        }
        let entry = self.lines.function(self.lines.main).entry;
        // What cells hold at first is stored in a step of its own.
        while all.iter().any(|beside| beside.cells.frames[0].node != entry) {
            let function = self.opened.program.main;
            let node = all[0].cells.frames[0].node;
            let mut edges = self.opened.program.function(function).edges_from(node);
            let edge = edges.next().map(|(id, _)| id);
            all = self.moved(&all, run, 0, edge, &[])?;
        }
        Ok(all)
    }

    /// What the cell program can do with an edge.
    fn moved(
        &self,
        all: &[Beside],
        run: &Run,
        at: usize,
        edge: Option<EdgeId>,
        inputs: &[i128],
    ) -> Result<Vec<Beside>, Lost> {
        let mut more: Vec<Beside> = Vec::new();
        for beside in all {
            let Some(edge) = edge else {
                let mut next = beside.clone();
                next.cells.leave(&self.opened.program);
                more.push(next);
                continue;
            };
            let function = beside.cells.frames.last().expect("somebody is running").function;
            let regions = &self.opened.chosen[function.index()][edge.index()];
            let of = |region: &Option<RegionId>| match region {
                Some(region) => contents(beside, &self.lines.memory, *region, run, at),
                None => vec![0],
            };
            let choices: Vec<Vec<i128>> = regions.iter().map(of).collect();
            let n_choices = choices.iter().map(Vec::len).product::<usize>();
            if n_choices > MOST_CHOICES {
                return Err(Lost::Choices);
            }
            for mut n in 0..n_choices {
                let mut inputs = inputs.to_vec();
                for choice in &choices {
                    inputs.push(choice[n % choice.len()]);
                    n /= choice.len();
                }
                let mut next = beside.clone();
                if next.cells.take(&self.opened.program, edge, &inputs, Integers::Mathematical).is_ok() {
                    more.push(next);
                }
            }
        }
        Ok(more)
    }

    /// Follows a run with the cells of these numbers.
    pub(super) fn follow(&self, run: &Run, ghosts: &[i128]) -> Result<(), Lost> {
        let mut all = self.start(run, ghosts)?;
        for (at, (edge, inputs)) in run.moves.iter().enumerate() {
            // What is chosen is what cells hold before the step, or after it.
            all = self.moved(&all, run, at, *edge, inputs)?;
            all.retain_mut(|beside| beside.agrees(self.lines, &self.groups, &run.states[at + 1]));
            let mut known = FxHashSet::default();
            all.retain(|beside| known.insert(beside.cells.globals.clone()));
            if all.is_empty() {
                return Err(Lost::At(at));
            }
            if all.len() > MOST_STATES {
                return Err(Lost::Choices);
            }
        }
        Ok(())
    }
}

/// Some cells: those that a proof would follow, or any.
fn choice(program: &Program, lines: &Program, random: &mut Random) -> Choice {
    if random.chance(50) {
        return Choice::natural(program);
    }
    let mut choice = Choice::default();
    for region in (0..lines.memory.regions.len()).map(RegionId::new) {
        if random.chance(30) {
            continue;
        }
        let n_cells = 1 + random.index(2);
        let at = choice.tracked.first().map(|first: &Tracked| first.region).filter(|_| random.chance(70));
        let n_cells = if at.is_some() { choice.tracked[0].n_cells } else { n_cells };
        let watched = integers::cells::watchable(lines, region);
        choice.tracked.push(Tracked { region, n_cells, at, watched });
    }
    choice
}

/// Numbers of cells: each alone is gone through, of several some are drawn, or all.
pub(super) fn ghosts(twin: &Twin<'_>, random: &mut Random, takes_all: bool) -> Vec<Vec<i128>> {
    let is_large = |op: &Op| matches!(op, Op::Constant(number) if *number >= 1 << 62);
    let edges = twin.opened.program.functions.iter().flat_map(|function| &function.edges);
    let is_packed = edges.into_iter().any(|edge| match &edge.action {
        Action::Step(step) => step.exprs().any(|expr| expr.code().iter().any(is_large)),
        _ => false,
    });
    let mut numbers: Vec<i128> = (-1..=LAST_NUMBER).collect();
    if is_packed {
        numbers.truncate(14);
        numbers.extend(
            (1..6).flat_map(|object| (-1..14).map(move |offset| integers::memory::pack(object, offset))),
        );
    }
    let n = twin.opened.ghosts.len() as u32;
    match n {
        0 => vec![Vec::new()],
        1 => numbers.into_iter().map(|number| vec![number]).collect(),
        2 if takes_all => {
            numbers.iter().flat_map(|one| numbers.iter().map(|other| vec![*one, *other])).collect()
        }
        _ => (0..20).map(|_| (0..n).map(|_| *random.pick(&numbers)).collect()).collect(),
    }
}

fn count(counts: &mut Counts, lines: &Program, run: &Run) {
    for (state, (edge, _)) in run.states.iter().zip(&run.moves) {
        let (Some(edge), Some(frame)) = (edge, state.frames.last()) else { continue };
        counts.count(match &lines.function(frame.function).edge(*edge).action {
            Action::Call { .. } => "calls",
            Action::Step(step) if !step.stores.is_empty() => "stores",
            Action::Step(step) if step.exprs().any(integers::Expr::has_loads) => "loads",
            Action::Step(_) => "plain steps",
            Action::Manage(manage) => match manage {
                Manage::Begin(_) => "begins",
                Manage::Allocate { .. } => "allocations",
                Manage::Reallocate { .. } => "reallocations",
                Manage::Fill { .. } => "fills",
                Manage::Copy { .. } => "copies",
                Manage::End(_) | Manage::Release { .. } => "ends",
            },
        });
    }
    if !run.drawn.is_empty() {
        counts.count("runs that read what nothing was stored in");
    }
}

#[test]
fn every_run_is_a_run_of_the_cell_program() {
    let mut counts = Counts::default();
    for seed in seeds(0..300) {
        let random = &mut Random::new(seed);
        let program = match seed % 3 {
            0 => program(random, Kinds { unknowns: false, divisions: false, memory: true }),
            _ => small_program(random, shaped(seed / 3).1),
        };
        let lines = lines(&program);
        if !integers::cells::has_memory(&lines) {
            counts.count("variables only");
            continue;
        }
        let choice = choice(&program, &lines, random);
        let cells = cells(&program, &choice);
        let twin = Twin::new(&lines, &cells);
        for _ in 0..3 {
            let run = some_run(&lines, random);
            count(&mut counts, &lines, &run);
            let mut is_reached = false;
            let mut is_open = false;
            let last = run.moves.len().wrapping_sub(1);
            for ghosts in ghosts(&twin, random, run.is_at_target) {
                match twin.follow(&run, &ghosts) {
                    Ok(()) => {
                        is_reached = true;
                        counts.count("followed to the end");
                    }
                    // At the target the watched cell must be the right one.
                    Err(Lost::At(at)) if run.is_at_target && at == last => counts.count("other cells"),
                    Err(Lost::At(at)) => panic!(
                        "GETAFIX_SEED={seed}, {choice:?}, cells {ghosts:?}: step {at} of the run is lost\n{}\n{}",
                        integers::show(&lines),
                        integers::show(&cells)
                    ),
                    Err(Lost::Choices) => {
                        is_open = true;
                        counts.count("too many choices");
                    }
                }
            }
            if run.is_at_target && twin.opened.ghosts.len() < 3 && !is_open {
                assert!(is_reached, "GETAFIX_SEED={seed}, {choice:?}: the target is lost");
                counts.count("targets");
            }
        }
    }
    counts.at_least(&[
        ("loads", 300),
        ("stores", 300),
        ("begins", 300),
        ("allocations", 300),
        ("fills", 30),
        ("copies", 10),
        ("targets", 80),
        ("runs that read what nothing was stored in", 60),
    ]);
}
