//! Questions about deadlocks and infinite runs of families whose answers are known, and what to ask Spin.

use super::super::promela;
use generate::concurrent::{
    Count, Variant, bluetooth, bounded_buffer, dekker, peterson, philosophers, readers_writers, szymanski,
    ticket_lock,
};
use rsm::interleave::Scheduler;
use std::num::NonZeroU32;

/// A question about a program.
pub struct Asked {
    /// The program's name, with its size.
    pub name: String,
    /// Its text.
    pub text: String,
    /// A model of it.
    pub promela: String,
    /// What is asked.
    pub what: What,
}

/// What is asked about infinite runs.
pub enum What {
    /// Can all be stuck?
    Deadlock {
        /// The answer.
        expected: bool,
    },
    /// Does every infinite run satisfy a formula?
    Formula {
        /// In our words.
        ours: String,
        /// In Spin's.
        spins: String,
        /// Whether some run violates it, under each scheduler. Where a run stops, Spin repeats its last state for ever; these
        /// formulas do not tell.
        violated: [bool; 3],
    },
}

impl What {
    /// The schedulers under which it is asked.
    pub fn schedulers(&self) -> &'static [Scheduler] {
        match self {
            Self::Deadlock { .. } => &[Scheduler::Any],
            Self::Formula { .. } => &Scheduler::ALL,
        }
    }

    /// There is a deadlock, or a run that violates the formula.
    pub fn expected(&self, scheduler: Scheduler) -> bool {
        match self {
            Self::Deadlock { expected } => *expected,
            Self::Formula { violated, .. } => violated[scheduler as usize],
        }
    }
}

/// Nobody starves.
const NEVER: [bool; 3] = [false; 3];
/// A thread starves that is forgotten.
const IF_FORGOTTEN: [bool; 3] = [true, false, false];
/// A thread starves that is always too late.
const IF_TOO_LATE: [bool; 3] = [true, true, false];
/// A thread starves although it gets every chance.
const ALWAYS: [bool; 3] = [true; 3];

/// A program and its model, about which questions are collected.
struct Program<'a> {
    all: &'a mut Vec<Asked>,
    name: String,
    text: String,
    promela: String,
}

impl Program<'_> {
    fn ask(&mut self, what: What) -> &mut Self {
        let (name, text, promela) = (self.name.clone(), self.text.clone(), self.promela.clone());
        self.all.push(Asked { name, text, promela, what });
        self
    }

    fn deadlock(&mut self, expected: bool) -> &mut Self {
        self.ask(What::Deadlock { expected })
    }

    fn formula(
        &mut self,
        ours: impl Into<String>,
        spins: impl Into<String>,
        violated: [bool; 3],
    ) -> &mut Self {
        self.ask(What::Formula { ours: ours.into(), spins: spins.into(), violated })
    }

    /// Who waits at a label gets to another.
    fn served(&mut self, thread: &str, from: &str, to: &str, violated: [bool; 3]) -> &mut Self {
        self.served_as(thread, thread, (from, to), violated)
    }

    /// The same, where the thread has another name in the model.
    fn served_as(
        &mut self,
        ours: &str,
        spins: &str,
        (from, to): (&str, &str),
        violated: [bool; 3],
    ) -> &mut Self {
        let our = format!("G (at({ours}:{from}) -> F at({ours}:{to}))");
        self.formula(our, format!("[] ({spins}@{from} -> <> {spins}@{to})"), violated)
    }

    /// No two threads are at a label.
    fn exclusive(&mut self, label: &str) -> &mut Self {
        let ours = format!("G !(at(p0:{label}) & at(p1:{label}))");
        self.formula(ours, format!("[] !(p0@{label} && p1@{label})"), NEVER)
    }
}

/// All questions; in a quick look those about small programs.
pub fn all(is_quick: bool) -> Vec<Asked> {
    let mut all = Vec::new();
    let up_to = |small: u32, large: u32| if is_quick { small } else { large };
    exclusions(&mut all, up_to(2, 4));
    for n in 2..=up_to(2, 4) {
        rooms(&mut all, n);
    }
    for n in 2..=up_to(3, 4) {
        buffer(&mut all, n);
    }
    for n in 3..=up_to(4, 10) {
        table(&mut all, n);
    }
    for n in 3..=up_to(4, 6) {
        tickets(&mut all, n);
    }
    independent(&mut all, up_to(4, 8));
    all
}

fn number(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("there is at least one")
}

fn count(n: u32) -> Count {
    Count::Number(number(n))
}

/// Locks by shared variables, and the driver.
fn exclusions(all: &mut Vec<Asked>, most: u32) {
    let (text, model) = (peterson(Variant::Correct), promela::peterson(Variant::Correct));
    let mut program = Program { all, name: "peterson".to_owned(), text, promela: model };
    program.deadlock(false).exclusive("CRITICAL").served("p0", "WAIT", "CRITICAL", IF_FORGOTTEN);
    let (text, model) = (dekker(Variant::Correct), promela::dekker());
    let mut program = Program { all, name: "dekker".to_owned(), text, promela: model };
    program.deadlock(false).exclusive("CRITICAL").served("p0", "WAIT", "CRITICAL", IF_FORGOTTEN);
    for n in 2..=most {
        let text = szymanski(number(n), Variant::Correct);
        let model = promela::szymanski(n, Variant::Correct);
        let mut program = Program { all, name: format!("szymanski {n}"), text, promela: model };
        // While somebody stands before the door, nobody goes round behind it.
        program.deadlock(false).exclusive("CRITICAL").served("p0", "WAIT", "CRITICAL", NEVER);
    }
    let text = bluetooth(count(2), count(2), Variant::Correct);
    let model = promela::bluetooth(2, 2, Variant::Correct);
    let mut program = Program { all, name: "bluetooth 2+2".to_owned(), text, promela: model };
    program.deadlock(false).formula("F stopped", "<> stopped", NEVER);
}

/// Readers and writers.
fn rooms(all: &mut Vec<Asked>, n: u32) {
    let text = readers_writers(count(n), count(n), Variant::Correct);
    let model = promela::readers_writers(n, n, Variant::Correct);
    let mut program = Program { all, name: format!("readers_writers {n}+{n}"), text, promela: model };
    let writer = format!("writer[{n}]");
    program.deadlock(false).formula("G (writing -> F !writing)", "[] (writing -> <> !writing)", NEVER);
    program.served_as("writer[0]", &writer, ("WANT", "WRITE"), ALWAYS);
}

/// Producers and consumers.
fn buffer(all: &mut Vec<Asked>, n: u32) {
    let (text, model) = (bounded_buffer(number(n), Variant::Correct), promela::bounded_buffer(n));
    let mut program = Program { all, name: format!("bounded_buffer {n}+{n}"), text, promela: model };
    let uses = (n..2 * n).map(|pid| format!("consumer[{pid}]@USE")).collect::<Vec<String>>().join(" || ");
    program.deadlock(false).formula("G F at(USE)", format!("[] <> ({uses})"), NEVER);
    program.served_as("consumer[0]", &format!("consumer[{n}]"), ("GET", "USE"), IF_TOO_LATE);
}

/// Philosophers, one left-handed and not.
fn table(all: &mut Vec<Asked>, n: u32) {
    let (text, model) =
        (philosophers(number(n), Variant::Correct), promela::philosophers(n, Variant::Correct));
    let mut program = Program { all, name: format!("philosophers {n}"), text, promela: model };
    let eats = (0..n).map(|own| format!("p{own}@EAT")).collect::<Vec<String>>().join(" || ");
    program.deadlock(false).formula("G F at(EAT)", format!("[] <> ({eats})"), NEVER);
    program.served("p1", "HUNGRY", "EAT", IF_TOO_LATE);
    let (text, model) = (philosophers(number(n), Variant::Broken), promela::philosophers(n, Variant::Broken));
    let mut program = Program { all, name: format!("philosophers {n} right-handed"), text, promela: model };
    program.deadlock(true).served("p1", "HUNGRY", "EAT", IF_TOO_LATE);
}

/// A lock that serves in order.
fn tickets(all: &mut Vec<Asked>, n: u32) {
    let (text, model) = (ticket_lock(number(n), Variant::Correct), promela::ticket_lock(n));
    let mut program = Program { all, name: format!("ticket_lock {n}"), text, promela: model };
    program.deadlock(false).served("p[0]", "WAIT", "CS", NEVER).served("p[0]", "TRY", "CS", IF_FORGOTTEN);
}

/// Pairs of threads that know nothing of the other pairs, and a formula with several promises about one of them.
fn independent(all: &mut Vec<Asked>, n: u32) {
    let mut program = Program { all, name: format!("pairs {n}"), text: pairs(n), promela: promela::pairs(n) };
    program.deadlock(false).formula("G F a0", "[] <> a0", IF_FORGOTTEN).formula(
        "(G F a0 & G F !a0) -> G F at(p0:L)",
        "([] <> a0 && [] <> !a0) -> [] <> p0@L",
        NEVER,
    );
}

fn pairs(n: u32) -> String {
    let names: Vec<String> = (0..n).map(|own| format!("a{own}")).collect();
    let first: Vec<String> = names.iter().map(|name| format!("!{name}")).collect();
    let pair = |own: u32| {
        format!(
            "thread p{own} begin
  void main() begin while (T) do L: a{own} := T; assume(!a{own}); od end
end
thread q{own} begin
  void main() begin while (T) do assume(a{own}); a{own} := F; od end
end
"
        )
    };
    let pairs: String = (0..n).map(pair).collect();
    format!("decl {};\ninit {};\n{pairs}", names.join(", "), first.join(" & "))
}
