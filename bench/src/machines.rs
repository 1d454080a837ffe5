//! What several workers, and several processes on this machine, make of a search: seconds, bytes a state, and states that fit into the same memory.
//!
//! Each cell is a run of `getafix check`, one after the other, so on a machine that others use only the counts mean something.

use crate::options;
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

const HELP: &str = "usage: bench machines [--quick]

  --quick  smaller programs

Asks `getafix check` about large sequential programs and programs with threads with 1, 2 and 4 workers, and with two processes
on this machine that find each other over the loopback device; then how many states fit into the same memory of each process.
Measures target/release/getafix.";

/// A program, and what is asked.
struct Asked<'a> {
    family: &'static str,
    n: u32,
    question: &'a [&'a str],
}

const LARGE: [Asked<'_>; 4] = [
    Asked { family: "driver", n: 8000, question: &[] },
    Asked { family: "counter", n: 18, question: &[] },
    Asked { family: "driver", n: 3000, question: &["--nonterm"] },
    Asked { family: "philosophers", n: 7, question: &["--target", "ERROR"] },
];

const SMALL: [Asked<'_>; 4] = [
    Asked { family: "driver", n: 400, question: &[] },
    Asked { family: "counter", n: 12, question: &[] },
    Asked { family: "driver", n: 200, question: &["--nonterm"] },
    Asked { family: "philosophers", n: 5, question: &["--target", "ERROR"] },
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
    bytes: f64,
}

impl Place {
    fn tables(&self, is_quick: bool) -> Result<(), String> {
        println!("| program | | states | seconds | times as fast | bytes/state |\n|---|---|---|---|---|---|");
        for asked in if is_quick { &SMALL } else { &LARGE } {
            self.rows(asked)?;
        }
        let (n, memory) = if is_quick { (1000, "24M") } else { (8000, "128M") };
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
            let Told { verdict, states, seconds, bytes } = &told;
            let alone = first.as_ref().unwrap_or(&told);
            if alone.verdict != *verdict {
                return Err(format!("{}: {} alone, {verdict} with {name}", asked.family, alone.verdict));
            }
            let times = alone.seconds / seconds;
            let (family, n, question) = (asked.family, asked.n, asked.question.join(" "));
            println!(
                "| `{family} {n}` {question} | {name} | {states} | {seconds:.2} | {times:.2} | {:.1} |",
                bytes / states.max(1.0)
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
        let started: Result<Vec<Child>, std::io::Error> = (0..n_processes).map(start).collect();
        let mut outputs = Vec::new();
        for child in started.map_err(|error| error.to_string())? {
            outputs.push(child.wait_with_output().map_err(|error| error.to_string())?);
        }
        told(&outputs[0].stdout)
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
    Some(Told {
        verdict: answer.get("verdict")?.as_str()?.to_owned(),
        states: number("states")?,
        seconds: number("seconds")?,
        bytes: number("bytes")?,
    })
}
