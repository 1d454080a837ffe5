//! Instructions of formulas, as ratios to those of the checker written by hand and to those of a fixed loop, kept in a file.
//!
//! Contract: every run is counted by callgrind in a process of its own, from text to verdict. Counts of one build are the same on every
//! machine but for a fraction of a per cent; ratios outlive small changes of the compiler. `bench/counts.txt` has them for each profile, and
//! what has moved by more than a tenth is said, one line each. Without valgrind nothing is counted, and that is said.

use super::arguments::Arguments;
use super::cell;
use super::engine::Engine;
use super::suite;
use crate::Scratch;
use crate::child::{self, End};
use crate::report::{align, geometric_mean};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// What is counted beside the programs of a quick look, if nobody names a program.
const MORE: [&str; 2] = ["t1:200", THREADS];

/// The small ones: seconds, even in a build for tests.
const SMALL: [&str; 5] = ["t1:40", "driver:12", "terminator:8", "counter:6", "multiplier:4"];

/// A question about threads, which nobody has written a checker for by hand.
const THREADS: &str = "2A1S switches:4 bounded_contexts";

/// What has moved by more than this factor is said.
const TOLERATED: f64 = 1.1;

/// Longest time of a run; counting makes it fifty times as long.
const LIMIT: Duration = Duration::from_secs(600);

/// What the columns of the table and of the file are.
const HEADING: [&str; 5] = ["build", "program", "by hand", "loop", "traced"];

/// The ratios of a program: to the checker written by hand, to the loop, and of an answer with a trace to one without.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratios([Option<f64>; 3]);

/// The build that this program is.
const BUILD: &str = if cfg!(debug_assertions) { "test" } else { "release" };

/// Ratios by build and program.
type Kept = BTreeMap<(String, String), Ratios>;

/// Counts, prints, and compares with the file, or renews it; status 1 if something moved.
pub fn run(arguments: &Arguments, directory: &Scratch) -> Result<ExitCode, String> {
    if !Counter::is_there() {
        return Ok(ExitCode::SUCCESS);
    }
    let counter = Counter { directory };
    let by_loop = counter.count(&["inside", "loop"])?;
    let mut found = Kept::new();
    for name in names(arguments) {
        eprintln!("{name} …");
        found.insert((BUILD.to_owned(), name.clone()), counter.ratios(&name, by_loop)?);
    }
    println!(
        "Instructions as ratios to the checker written by hand, to a fixed loop, and with a trace to without."
    );
    print!("{}", table(&found));
    let by_hand: Vec<f64> = found.values().filter_map(|ratios| ratios.0[0]).collect();
    if !by_hand.is_empty() {
        println!("geometric mean by hand: {:.2}, {} programs", geometric_mean(&by_hand), by_hand.len());
    }
    let path = file();
    let mut kept = read(&path)?;
    if arguments.renews {
        kept.extend(found);
        std::fs::write(&path, table(&kept)).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let moved = moved(&kept, &found);
    moved.iter().for_each(|line| eprintln!("{line}"));
    Ok(ExitCode::from(u8::from(!moved.is_empty())))
}

/// The names of the programs that are meant.
fn names(arguments: &Arguments) -> Vec<String> {
    let all: Vec<&str> = match arguments.is_quick {
        true => SMALL.to_vec(),
        false => [&suite::QUICK[..], &MORE].concat(),
    };
    match arguments.programs.is_empty() {
        true => all.into_iter().map(str::to_owned).collect(),
        false => arguments.programs.clone(),
    }
}

/// Counts instructions.
pub struct Counter<'d> {
    /// Where valgrind may complain.
    pub directory: &'d Scratch,
}

impl Counter<'_> {
    /// Whether there is a valgrind; if not, that is said.
    pub fn is_there() -> bool {
        let is_there = Command::new("valgrind").arg("--version").output().is_ok();
        if !is_there {
            println!("note: there is no valgrind, so no instructions are counted");
        }
        is_there
    }

    fn ratios(&self, name: &str, by_loop: f64) -> Result<Ratios, String> {
        if name == THREADS {
            let words: Vec<&str> = ["inside-threads"].into_iter().chain(name.split(' ')).collect();
            return Ok(Ratios([None, Some(self.count(&words)? / by_loop), None]));
        }
        let programs = suite::programs(&[name.to_owned()], false)?;
        let [program] = &programs[..] else { return Err(format!("`{name}` is not one program")) };
        let formula = Engine::Formula(checker::DEFAULT.to_owned());
        let path = cell::file(self.directory, program, &formula)?.display().to_string();
        let count = |engine: &Engine| self.count(&["inside", &engine.name(), &path]);
        let verdict = count(&formula)?;
        let by_hand = count(&Engine::Handwritten(handwritten::Algorithm::Summary))?;
        let traced = match program.expected() {
            Some(true) => Some(count(&Engine::Traced(checker::DEFAULT.to_owned()))? / verdict),
            _ => None,
        };
        Ok(Ratios([Some(verdict / by_hand), Some(verdict / by_loop), traced]))
    }

    /// The instructions that this program takes with some arguments.
    pub fn count(&self, arguments: &[&str]) -> Result<f64, String> {
        let program = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
        let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"].map(str::to_owned);
        let mut command = valgrind.to_vec();
        command.push(program.display().to_string());
        command.extend(arguments.iter().map(|word| (*word).to_owned()));
        let complaints = self.directory.0.join("counted");
        let run = child::run(&command, &complaints, LIMIT);
        let said = std::fs::read_to_string(&complaints).unwrap_or_default();
        match run.end {
            End::Finished => {
                collected(&said).ok_or_else(|| format!("no count in what valgrind said: {said}"))
            }
            _ => Err(format!("`{}` was not counted: {said}", arguments.join(" "))),
        }
    }
}

/// The number of instructions in what callgrind says at the end.
fn collected(said: &str) -> Option<f64> {
    said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// Work that never changes: numbers are sorted, put into a tree, and looked for.
pub fn fixed_loop() -> String {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut numbers: Vec<u64> = (0..20_000).map(|_| next()).collect();
    let tree: BTreeMap<u64, usize> = numbers.iter().copied().zip(0..).collect();
    numbers.sort_unstable();
    let found = numbers.iter().filter(|number| tree.contains_key(&(*number ^ 1))).count();
    format!("verdict=unreachable found={found}")
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt")
}

/// Ratios as text, which [`parse`] reads.
fn table(kept: &Kept) -> String {
    let mut lines = vec![HEADING.map(str::to_owned).to_vec()];
    for ((build, program), ratios) in kept {
        let mut line = vec![build.clone(), program.replace(' ', ",")];
        line.extend(ratios.0.map(|ratio| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"))));
        lines.push(line);
    }
    align(&lines)
}

fn read(path: &Path) -> Result<Kept, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kept::new()),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

fn parse(text: &str) -> Result<Kept, String> {
    let mut kept = Kept::new();
    for line in text.lines().skip(1) {
        let wrong = || format!("`{line}` is no line of bench/counts.txt");
        let [build, program, ratios @ ..] = &line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let ratio = |word: &&str| match *word {
            "-" => Ok(None),
            word => word.parse().map(Some).map_err(|_| wrong()),
        };
        let ratios = ratios.iter().map(ratio).collect::<Result<Vec<_>, _>>()?;
        let ratios = ratios.try_into().map_err(|_| wrong())?;
        kept.insert(((*build).to_owned(), program.replace(',', " ")), Ratios(ratios));
    }
    Ok(kept)
}

/// What is not as the file says, a line each.
fn moved(kept: &Kept, found: &Kept) -> Vec<String> {
    let mut lines = Vec::new();
    for ((build, program), now) in found {
        let Some(before) = kept.get(&(build.clone(), program.clone())) else { continue };
        for ((column, before), now) in HEADING[2..].iter().zip(before.0).zip(now.0) {
            if let (Some(before), Some(now)) = (before, now)
                && !(1.0 / TOLERATED..=TOLERATED).contains(&(now / before))
            {
                let change = 100.0 * (now / before - 1.0);
                lines.push(format!("{program}, {column}: {before:.3} has become {now:.3} ({change:+.0} %)"));
            }
        }
    }
    if !lines.is_empty() {
        lines.push(
            "`bench counts --renew` writes what is so now; say in the change why it is slower".to_owned(),
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(program: &str, ratios: [Option<f64>; 3]) -> Kept {
        Kept::from([(("test".to_owned(), program.to_owned()), Ratios(ratios))])
    }

    #[test]
    fn what_is_written_is_read() {
        let kept = one("driver:12", [Some(1.5), Some(20.25), None]);
        assert_eq!(parse(&table(&kept)), Ok(kept));
        let threads = one(THREADS, [None, Some(3.0), None]);
        assert_eq!(parse(&table(&threads)), Ok(threads));
        assert!(parse("build program\ntest driver:12 x - -\n").is_err());
        assert!(parse("build program\ntest driver:12 1.0 -\n").is_err());
    }

    #[test]
    fn a_tenth_is_tolerated_and_more_is_said() {
        let kept = one("driver:12", [Some(1.5), Some(20.0), None]);
        assert_eq!(moved(&kept, &one("driver:12", [Some(1.6), Some(18.5), Some(2.0)])), Vec::<String>::new());
        let found = moved(&kept, &one("driver:12", [Some(1.7), Some(17.0), None]));
        assert_eq!(found[0], "driver:12, by hand: 1.500 has become 1.700 (+13 %)");
        assert_eq!(found[1], "driver:12, loop: 20.000 has become 17.000 (-15 %)");
        assert_eq!(found.len(), 3);
        assert_eq!(moved(&Kept::new(), &kept), Vec::<String>::new());
    }

    #[test]
    fn the_count_is_in_the_last_lines() {
        assert_eq!(collected("==7== Events    : Ir\n==7== Collected : 123456\n"), Some(123456.0));
        assert_eq!(collected("==7== nothing\n"), None);
    }

    #[test]
    fn the_loop_is_always_the_same() {
        assert_eq!(fixed_loop(), "verdict=unreachable found=0");
    }
}
