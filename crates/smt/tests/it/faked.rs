//! Solvers that fail in every way: the answer is unknown, never wrong, and no process is left.
#![cfg(unix)]

use base::{Stop, StopReason};
use smt::{
    Answer, Assumption, Begins, Cubes, Horn, Manner, Model, Pipe, Query, Settings, Solution, Solver, Why,
};
use std::path::{Path, PathBuf};
use std::time::Duration;
use testing::Folder;

/// A solver that greets, and does as it is told when it is asked.
struct Fake {
    version: &'static str,
    name: &'static str,
    at_start: &'static str,
    at_check: &'static str,
    at_values: &'static str,
    at_echo: &'static str,
}

const PROPER: Fake = Fake {
    version: "4.12.0",
    name: "Z3",
    at_start: "",
    at_check: "echo sat",
    at_values: "echo '((a true))'",
    at_echo: "say \"$line\"",
};

impl Fake {
    fn script(&self, folder: &Folder) -> PathBuf {
        let Fake { version, name, at_start, at_check, at_values, at_echo } = self;
        let pids = folder.path().join("pids");
        let text = format!(
            "#!/bin/sh\necho $$ >> {}\ncd {}\nsay() {{ t=${{1#*\\\"}}; echo \"${{t%\\\"*}}\"; }}\n{at_start}\n\
             while read -r line; do\n  case \"$line\" in\n    '(get-info :name)') echo '(:name \"{name}\")';;\n    \
             '(get-info :version)') echo '(:version \"{version}\")';;\n    '(echo'*) {at_echo};;\n    \
             '(check-sat'*) {at_check};;\n    '(get-value'*) {at_values};;\n  esac\ndone\n",
            pids.display(),
            folder.path().display(),
        );
        folder.script("solver", &text)
    }
}

const SHORT: Settings = Settings {
    effort: 1000,
    patience: Duration::from_secs(60),
    memory: 1000,
    seconds: None,
    n_retries: 2,
    n_restarts: 10,
};

/// For solvers that are silent.
const IMPATIENT: Settings = Settings { patience: Duration::from_millis(300), ..SHORT };

const TOO_LONG: &str = "took too long";

fn query() -> Query {
    Query { variables: vec!["x".to_owned()], asserts: Vec::new(), atoms: vec!["(> x 0)".to_owned()] }
}

fn lists(n: usize) -> Vec<Vec<Assumption>> {
    vec![vec![Assumption { atom: 0, holds: true }]; n]
}

/// No process of the script is left.
#[track_caller]
fn assert_gone(folder: &Folder) {
    let pids = std::fs::read_to_string(folder.path().join("pids")).expect("the script was started");
    for pid in pids.lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "process {pid} is left");
    }
}

/// What a solver is asked in all three ways, and how many times it was started.
#[track_caller]
fn ask(fake: &Fake) -> (Answer, Cubes, Model, u32) {
    ask_with(fake, SHORT)
}

#[track_caller]
fn ask_with(fake: &Fake, settings: Settings) -> (Answer, Cubes, Model, u32) {
    let folder = Folder::temporary();
    let mut pipe = Pipe::with(&fake.script(&folder), Stop::default(), settings);
    let answer = pipe.check(&query(), &lists(1)).remove(0);
    let cubes = pipe.cubes(&query(), 5);
    let model = pipe.model(&query(), &["x".to_owned()]);
    let n_started = pipe.n_started();
    drop(pipe);
    assert_gone(&folder);
    (answer, cubes, model, n_started)
}

#[track_caller]
fn assert_fails(name: &str, fake: &Fake, why: &str) {
    let settings = if why == TOO_LONG { IMPATIENT } else { SHORT };
    let (answer, cubes, model, _) = ask_with(fake, settings);
    let said = |unknown: &Why| unknown.to_string().contains(why);
    assert!(matches!(&answer, Answer::Unknown(unknown) if said(unknown)), "{name}: {answer:?}");
    assert!(matches!(&cubes, Cubes::Unknown(unknown) if said(unknown)), "{name}: {cubes:?}");
    assert!(matches!(&model, Model::Unknown(unknown) if said(unknown)), "{name}: {model:?}");
}

#[test]
fn the_fake_that_does_nothing_wrong_is_believed() {
    let folder = Folder::temporary();
    let mut pipe = Pipe::with(&PROPER.script(&folder), Stop::default(), SHORT);
    assert_eq!(pipe.check(&query(), &lists(3)), vec![Answer::Sat; 3]);
    assert_eq!(pipe.open(), Ok(()));
}

#[test]
fn a_solver_that_dies_or_talks_nonsense_says_nothing() {
    for (name, at_check, why) in [
        ("dies", "exit 3", "ended unexpectedly"),
        ("killed", "kill -9 $$", "ended unexpectedly"),
        ("maybe", "echo maybe", "maybe"),
        ("twice", "echo sat; echo sat", "said"),
        ("mute", ":", "said nothing"),
        ("error", "echo '(error \"line 1 column 2: what\")'", "line 1 column 2: what"),
        ("open", "echo '(sat'", "said `(sat`"),
        ("yes", "exec yes", "answer without end"),
        ("upper", "echo UNSAT", "UNSAT"),
        ("unsupported", "echo unsupported", "unsupported"),
    ] {
        assert_fails(name, &Fake { at_check, ..PROPER }, why);
    }
}

#[test]
fn a_solver_that_hangs_has_taken_too_long() {
    assert_fails("hangs", &Fake { at_check: "exec sleep 1000", ..PROPER }, TOO_LONG);
    assert_fails("deaf", &Fake { at_start: "exec sleep 1000", ..PROPER }, TOO_LONG);
}

#[test]
fn answers_out_of_order_are_not_believed() {
    // The mark first, and the answer behind it.
    let late = Fake { at_check: "late=unsat", at_echo: "say \"$line\"; echo $late; late=", ..PROPER };
    assert_fails("late", &late, "said");
    // The mark of another question.
    let other = Fake { at_echo: "echo 'getafix 0'", ..PROPER };
    assert_fails("other", &other, TOO_LONG);
}

#[test]
fn a_solver_that_is_old_or_another_one_is_not_asked() {
    let (answer, _, _, n_started) = ask(&Fake { version: "4.8.12", ..PROPER });
    let Answer::Unknown(Why::Failed(how)) = answer else { panic!("{answer:?}") };
    assert!(how.contains("is version 4.8.12 of z3; 4.11.2 or later is needed"), "{how}");
    assert_eq!(n_started, 1, "it does not become younger");
    assert_fails(
        "cvc5",
        &Fake { name: "cvc5", version: "1.0.3", ..PROPER },
        "is cvc5 1.0.3; z3 4.11.2 or later",
    );
    assert_fails("odd", &Fake { version: "devel", ..PROPER }, "is version devel of z3");
    assert_fails("shy", &Fake { name: "\") (", ..PROPER }, "failed");
    let (answer, ..) = ask(&Fake { version: "4.11.2", ..PROPER });
    assert_eq!(answer, Answer::Sat);
}

#[test]
fn a_solver_that_repeats_a_valuation_or_gives_none_has_no_cubes() {
    for (name, at_values, why) in [
        ("same", "echo '((a true))'", "the same valuation twice"),
        ("few", "echo '()'", "said"),
        ("number", "echo '((a 1))'", "said"),
        ("gone", "exit 0", "ended unexpectedly"),
    ] {
        let (_, cubes, ..) = ask(&Fake { at_values, ..PROPER });
        assert!(
            matches!(&cubes, Cubes::Unknown(unknown) if unknown.to_string().contains(why)),
            "{name}: {cubes:?}"
        );
    }
    for at_values in ["echo '((x true))'", "echo '((x 1.5))'", "echo '((x (/ 1 2)))'", "echo '((x 1) (y 2))'"]
    {
        let (_, _, model, _) = ask(&Fake { at_values, ..PROPER });
        assert!(matches!(model, Model::Unknown(Why::Failed(_))), "{at_values}: {model:?}");
    }
}

#[test]
fn a_solver_that_dies_once_is_asked_again() {
    let at_check = "if [ -e died ]; then echo unsat; else : > died; exit 1; fi";
    let (answer, _, model, n_started) = ask(&Fake { at_check, ..PROPER });
    assert_eq!((answer, model, n_started), (Answer::Unsat, Model::Unsat, 2));
}

#[test]
fn one_question_that_brings_the_solver_down_leaves_the_others_their_answers() {
    let folder = Folder::temporary();
    let at_check = "case \"$line\" in *not*) exit 1;; *) echo sat;; esac";
    let mut pipe = Pipe::with(
        &Fake { at_check, ..PROPER }.script(&folder),
        Stop::default(),
        Settings { n_restarts: 50, ..SHORT },
    );
    let mut lists = lists(5);
    lists[3][0].holds = false;
    let answers = pipe.check(&query(), &lists);
    let n_known = answers.iter().filter(|answer| **answer == Answer::Sat).count();
    assert_eq!((answers.len(), n_known), (5, 4), "{answers:?}");
    assert!(matches!(answers[3], Answer::Unknown(Why::Failed(_))));
    assert_eq!(pipe.n_asked(), 5);
}

#[test]
fn a_solver_is_not_started_for_ever() {
    let folder = Folder::temporary();
    let mut pipe = Pipe::with(&Fake { at_check: "exit 1", ..PROPER }.script(&folder), Stop::default(), SHORT);
    for _ in 0..10 {
        assert!(matches!(pipe.check(&query(), &lists(1))[..], [Answer::Unknown(Why::Failed(_))]));
    }
    assert!(pipe.n_started() <= SHORT.n_restarts + 1, "{}", pipe.n_started());
}

#[test]
fn a_solver_that_needs_more_memory_than_it_may_take_says_so_and_is_not_asked_again() {
    let out_of_memory = Why::OutOfMemory(SHORT.memory);
    let (answer, cubes, model, n_started) = ask(&Fake { at_check: "exit 101", ..PROPER });
    assert_eq!(answer, Answer::Unknown(out_of_memory.clone()));
    assert_eq!((cubes, model), (Cubes::Unknown(out_of_memory.clone()), Model::Unknown(out_of_memory)));
    assert_eq!(n_started, 3, "once for each question");
    let folder = Folder::temporary();
    let script = Fake { at_check: "exit 101", ..PROPER }.script(&folder);
    let manner = Manner { memory: 77, ..Manner::default() };
    let solution = Horn::start(&script, "", manner).wait(&Stop::default()).clone();
    assert_eq!(solution, Solution::Unknown(Why::OutOfMemory(77)));
}

#[test]
fn a_process_that_the_solver_has_started_ends_with_it() {
    let folder = Folder::temporary();
    let script = Fake { at_check: "sleep 1000 & echo $! >> pids; wait", ..PROPER }.script(&folder);
    let mut pipe = Pipe::with(&script, Stop::default(), IMPATIENT);
    assert_eq!(pipe.check(&query(), &lists(1)), [Answer::Unknown(Why::TimedOut)]);
    let pids = std::fs::read_to_string(folder.path().join("pids")).expect("the script was started");
    assert_eq!(pids.lines().count(), 2, "{pids}");
    // Somebody else waits for it, and may take a while.
    let is_running = |pid: &str| {
        let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
    };
    for _ in 0..6000 {
        if !pids.lines().any(is_running) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("a process of {pids} is left");
}

#[test]
fn a_manner_may_begin_when_somebody_waits_for_it() {
    let folder = Folder::temporary();
    let script = Fake { at_check: "echo unknown", ..PROPER }.script(&folder);
    let mut horn = Horn::start(&script, "", Manner { begins: Begins::WhenAwaited, ..Manner::default() });
    assert_eq!(horn.poll(), None);
    assert!(!folder.path().join("pids").exists(), "nobody waits for it");
    assert_eq!(horn.wait(&Stop::default()), &Solution::Unknown(Why::GaveUp));
}

#[test]
fn a_stop_is_heard_while_the_solver_is_silent() {
    let folder = Folder::temporary();
    let script = Fake { at_check: "exec sleep 1000", ..PROPER }.script(&folder);
    let stop = Stop::default();
    let mut pipe =
        Pipe::with(&script, stop.clone(), Settings { patience: Duration::from_secs(500), ..SHORT });
    assert_eq!(pipe.open(), Ok(()));
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| pipe.check(&query(), &lists(2)));
        stop.request(StopReason::Time);
        assert_eq!(asked.join().expect("it answers"), vec![Answer::Unknown(Why::Stopped); 2]);
    });
    assert_gone(&folder);
}

#[test]
fn a_question_that_fills_the_pipe_of_a_deaf_solver_does_not_block() {
    let folder = Folder::temporary();
    let script = Fake { at_start: "exec sleep 1000", ..PROPER }.script(&folder);
    let mut pipe = Pipe::with(&script, Stop::default(), IMPATIENT);
    let large = Query { asserts: vec!["(> x 0)".to_owned(); 200_000], ..query() };
    assert_eq!(pipe.check(&large, &lists(1)), [Answer::Unknown(Why::TimedOut)]);
    drop(pipe);
    assert_gone(&folder);
}

#[test]
fn a_program_that_is_none_cannot_be_started() {
    let folder = Folder::temporary();
    let broken = folder.script("solver", "this is no program\n");
    for path in [broken, folder.path().join("missing"), folder.path().to_owned()] {
        let mut pipe = Pipe::with(&path, Stop::default(), SHORT);
        let answers = pipe.check(&query(), &lists(2));
        assert!(
            matches!(&answers[..], [Answer::Unknown(Why::Failed(_)), Answer::Unknown(Why::Failed(_))]),
            "{answers:?}"
        );
    }
}

#[test]
fn the_solver_is_found_by_its_name_or_on_the_path() {
    let folder = Folder::temporary();
    let z3 = folder.script("z3", "");
    let path = folder.path().as_os_str();
    assert_eq!(smt::find_in(None, path), Ok(z3.clone()));
    assert_eq!(smt::find_in(Some(&z3), "".as_ref()), Ok(z3.clone()));
    assert_eq!(smt::find_in(Some(Path::new("z3")), path), Ok(z3));
    let missing = smt::find_in(None, "".as_ref()).expect_err("nothing is there").to_string();
    assert_eq!(
        missing,
        "there is no SMT solver `z3` beside the program, on the path or among Python's programs; `pip install z3-solver` installs one, `--solver PATH` or \
         `GETAFIX_SOLVER` names one (z3 4.11.2 or later)"
    );
    let named = smt::find_in(Some(folder.path()), path).expect_err("it is a folder").to_string();
    assert!(named.starts_with("there is no solver `"), "{named}");
}

/// Each place by itself, and the first of them where there are several.
#[test]
fn the_solver_is_found_beside_the_program_and_where_python_puts_programs() {
    let folder = Folder::temporary();
    let at = |name: &str| folder.path().join(name);
    for name in ["program/z3", "path/z3", "venv/bin/z3", "python/z3", "home/.local/bin/z3"] {
        std::fs::create_dir_all(at(name).parent().expect("a folder")).expect("it can be made");
        folder.script(name, "");
    }
    folder.script("python/python3.12", "");
    std::fs::create_dir_all(at("usual")).expect("it can be made");
    std::os::unix::fs::symlink(at("python/python3.12"), at("usual/python3")).expect("a link");
    let (program, path, usual) = (at("program/getafix"), at("path"), at("usual"));
    let everything = smt::places(Some(&program), path.as_os_str(), Some(at("venv")), Some(at("home")));
    for (places, found) in [
        (everything, "program/z3"),
        (smt::places(None, path.as_os_str(), Some(at("venv")), Some(at("home"))), "path/z3"),
        (smt::places(None, usual.as_os_str(), Some(at("venv")), Some(at("home"))), "venv/bin/z3"),
        (smt::places(None, usual.as_os_str(), None, Some(at("home"))), "python/z3"),
        (smt::places(None, "".as_ref(), None, Some(at("home"))), "home/.local/bin/z3"),
    ] {
        let place = smt::find_in(None, &places).expect("one is there");
        assert_eq!(place.canonicalize().ok(), at(found).canonicalize().ok(), "{places:?}");
    }
    assert!(smt::find_in(None, &smt::places(None, "".as_ref(), None, None)).is_err());
}
