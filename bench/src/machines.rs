//! What several workers, and several processes on this machine, make of a search: seconds, bytes a state, and states that fit into the same memory.
//!
//! Each cell is a run of `getafix check`, one after the other. On a machine that others use seconds mean little: seconds of the cores, and what steps and rounds
//! are counted, tell as much as can be told.

use crate::options;
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

const HELP: &str = "usage: bench machines [--quick]

  --quick  smaller programs

Asks `getafix check` about large sequential programs and programs with threads with 1, 2 and 4 workers, and with two processes
on this machine that find each other over the loopback device: seconds, and those of all cores together; how many times as fast as
one worker it was, and is at most by the counts of steps; the share of rounds in which workers waited for one of them. Then how many
states fit into the same memory of each process. Measures target/release/getafix.";

/// A program, and what is asked.
struct Asked<'a> {
    family: &'static str,
    n: u32,
    question: &'a [&'a str],
}

const LARGE: [Asked<'_>; 5] = [
    Asked { family: "driver", n: 8000, question: &[] },
    Asked { family: "counter", n: 18, question: &[] },
    Asked { family: "driver", n: 3000, question: &["--nonterm"] },
    Asked { family: "philosophers", n: 7, question: &["--target", "ERROR"] },
    Asked { family: "philosophers", n: 7, question: &["--ltl", "G F at(EAT)"] },
];

const SMALL: [Asked<'_>; 5] = [
    Asked { family: "driver", n: 400, question: &[] },
    Asked { family: "counter", n: 12, question: &[] },
    Asked { family: "driver", n: 200, question: &["--nonterm"] },
    Asked { family: "philosophers", n: 5, question: &["--target", "ERROR"] },
    Asked { family: "philosophers", n: 5, question: &["--ltl", "G F at(EAT)"] },
];

/// How many processes, and how many workers each.
const WAYS: [(&str, usize, usize); 4] =
    [("1 worker", 1, 1), ("2 workers", 1, 2), ("4 workers", 1, 4), ("2 processes", 2, 1)];

/// Runs the subcommand.
pub fn execute(arguments: &[String]) -> Result<ExitCode, String> {
    let Some(is_quick) = options::quick(arguments, "machines", HELP)? else { return Ok(ExitCode::SUCCESS) };
    let getafix = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("getafix");
    let directory = std::env::temp_dir().join(format!("bench-machines-{}", std::process::id()));
    fs::create_dir_all(&directory).map_err(|error| format!("no temporary directory: {error}"))?;
    let place = Place { getafix, directory };
    let done = place.tables(is_quick);
    let _ = fs::remove_dir_all(&place.directory);
    done.map(|()| ExitCode::SUCCESS)
}

/// The program that is measured, and where its files are.
struct Place {
    getafix: PathBuf,
    directory: PathBuf,
}

/// What a run told.
struct Told {
    verdict: String,
    states: f64,
    seconds: f64,
    /// Of all cores, in all processes; where the system tells them.
    of_cores: Option<f64>,
    bytes: f64,
    /// How it was shared, if it was.
    sharing: Option<Shared>,
}

struct Shared {
    by: String,
    at_most: f64,
    /// The share of rounds in which one worked and the others waited.
    waits: f64,
}

impl Place {
    fn tables(&self, is_quick: bool) -> Result<(), String> {
        println!(
            "| program | | states | dealt by | s | s of cores | times as fast | at most | rounds of one | bytes/state |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
        for asked in if is_quick { &SMALL } else { &LARGE } {
            self.rows(asked)?;
        }
        let (n, memory) = if is_quick { (1000, "48M") } else { (8000, "300M") };
        println!("\n| `driver --n {n} --memory {memory}` | states until memory ran out |\n|---|---|");
        let asked = Asked { family: "driver", n, question: &["--memory", memory] };
        let program = self.program(&asked)?;
        for (name, n_processes, n_workers) in [WAYS[0], WAYS[3]] {
            let told = self.ask(&program, &asked, n_processes, n_workers)?;
            println!("| {name} | {} ({}) |", told.states, told.verdict);
        }
        Ok(())
    }

    /// All ways of asking about a program; the answers must be the same.
    fn rows(&self, asked: &Asked<'_>) -> Result<(), String> {
        let program = self.program(asked)?;
        let mut first: Option<Told> = None;
        for (name, n_processes, n_workers) in WAYS {
            let told = self.ask(&program, asked, n_processes, n_workers)?;
            let Told { verdict, states, seconds, of_cores, bytes, sharing } = &told;
            let alone = first.as_ref().unwrap_or(&told);
            if alone.verdict != *verdict {
                return Err(format!("{}: {} alone, {verdict} with {name}", asked.family, alone.verdict));
            }
            let (family, n, question) = (asked.family, asked.n, asked.question.join(" "));
            let (times, each) = (alone.seconds / seconds, bytes / states.max(1.0));
            let of_cores = of_cores.map_or_else(String::new, |seconds| format!("{seconds:.2}"));
            let shared = match sharing {
                Some(Shared { by, at_most, waits }) => {
                    (by.as_str(), format!("{at_most:.2}"), format!("{:.0} %", waits * 100.0))
                }
                None => ("", String::new(), String::new()),
            };
            println!(
                "| `{family} {n}` {question} | {name} | {states} | {} | {seconds:.2} | {of_cores} | {times:.2} | {} | {} | {each:.1} |",
                shared.0, shared.1, shared.2
            );
            first = first.or(Some(told));
        }
        Ok(())
    }

    fn program(&self, asked: &Asked<'_>) -> Result<PathBuf, String> {
        let n = asked.n.to_string();
        let made = Command::new(&self.getafix).args(["gen", asked.family, "--n", &n]).output();
        let made = made.map_err(|error| format!("cannot run `{}`: {error}", self.getafix.display()))?;
        self.file(&format!("{}-{n}.bp", asked.family), &made.stdout)
    }

    fn file(&self, name: &str, text: &[u8]) -> Result<PathBuf, String> {
        let path = self.directory.join(name);
        fs::write(&path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        Ok(path)
    }

    /// One question; the figures are those of the first process, which are those of all.
    fn ask(
        &self,
        program: &Path,
        asked: &Asked<'_>,
        n_processes: usize,
        n_workers: usize,
    ) -> Result<Told, String> {
        if n_processes > 1 {
            self.meeting(n_processes)?;
        }
        let start = |host: usize| {
            let mut command = Command::new(&self.getafix);
            command.arg("check").arg(program).args(asked.question);
            command.args(["--json", "--stats", "--trace", "none", "--workers", &n_workers.to_string()]);
            if n_processes > 1 {
                let host = host.to_string();
                command.args(["--hosts", "hosts", "--host", &host, "--key", "key"]);
            }
            command.current_dir(&self.directory).stdin(Stdio::null());
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
        };
        let before = seconds_of_cores();
        let started: Result<Vec<Child>, std::io::Error> = (0..n_processes).map(start).collect();
        let mut outputs = Vec::new();
        for child in started.map_err(|error| error.to_string())? {
            outputs.push(child.wait_with_output().map_err(|error| error.to_string())?);
        }
        let of_cores = before.zip(seconds_of_cores()).map(|(before, after)| after - before);
        told(&outputs[0].stdout)
            .map(|told| Told { of_cores, ..told })
            .ok_or_else(|| format!("no figures: {}", String::from_utf8_lossy(&outputs[0].stderr)))
    }

    /// Files for processes that find each other here.
    fn meeting(&self, n: usize) -> Result<(), String> {
        let free: Result<Vec<TcpListener>, _> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
        let addresses = free.and_then(|free| free.iter().map(TcpListener::local_addr).collect());
        let addresses: Vec<std::net::SocketAddr> = addresses.map_err(|error| error.to_string())?;
        let lines: String = addresses.iter().map(|address| format!("{address}\n")).collect();
        self.file("hosts", lines.as_bytes())?;
        let key = self.file("key", b"a key for a benchmark on this machine\n")?;
        let changed = Command::new("chmod").arg("600").arg(key).status();
        changed.map(drop).map_err(|error| format!("chmod: {error}"))
    }
}

fn told(output: &[u8]) -> Option<Told> {
    let answer: Value = serde_json::from_slice(output).ok()?;
    let search = answer.get("search")?;
    let number = |name: &str| search.get(name)?.as_f64();
    let shared = |sharing: &Value| {
        let number = |name: &str| sharing.get(name)?.as_f64();
        let rounds = number("rounds")?;
        Some(Shared {
            by: sharing.get("by")?.as_str()?.to_owned(),
            at_most: number("times_as_fast_at_most")?,
            waits: 1.0 - number("side_by_side")? / rounds.max(1.0),
        })
    };
    Some(Told {
        verdict: answer.get("verdict")?.as_str()?.to_owned(),
        states: number("states")?,
        seconds: number("seconds")?,
        of_cores: None,
        bytes: number("bytes")?,
        sharing: search.get("sharing").and_then(shared),
    })
}

/// What cores have spent on processes that were started here and have ended, if the system tells.
fn seconds_of_cores() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let ticks: Vec<f64> =
        fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    // Hundredths, wherever Linux runs.
    (ticks.len() == 2).then(|| ticks.iter().sum::<f64>() / 100.0)
}
