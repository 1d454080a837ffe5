//! Searches with several workers, and with several processes that find each other: the same verdicts as with one, and a word about everything that
//! can go wrong between them.

use crate::harness::{Outcome, Sandbox};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SECRET: &str = "a secret of this test alone\n";

/// A program with one function, and a target that is far away.
const DEEP: &str = "decl a: int<4>, b: int<4>, c: int<4>;
void main() begin
  decl i: int<4>;
  a, b, c, i := 0, 0, 0, 0;
  while (i < 7) do
    if (i = 0 & a = 15 & b = 15 & c = 15) then ERROR: skip; fi
    a, b, c := a + i, b + a, c + b;
    if (*) then a := a + 1; else skip; fi
    if (*) then b := b + c; else c := c + a; fi
    if (*) then i := i + 1; else skip; fi
  od
end
";

/// A folder with programs, a key, and a list of so many addresses at which nobody listens.
fn sandbox(n: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, family, n) in
        [("safe.bp", "driver", "150"), ("long.bp", "driver", "3000"), ("wrong.bp", "t1", "40")]
    {
        sandbox.file(name, &sandbox.run(&["gen", family, "--n", n]).stdout);
    }
    sandbox.file("deep.bp", DEEP);
    let free: Vec<TcpListener> = (0..n).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines = free.iter().map(|listener| format!("{}\n", listener.local_addr().expect("an address")));
    sandbox.file("hosts", lines.collect::<String>());
    for (name, key) in [("key", SECRET), ("other", "another secret of this test\n")] {
        sandbox.file(name, key);
        let changed = Command::new("chmod").arg("600").arg(sandbox.path().join(name)).status();
        assert!(changed.expect("chmod runs").success());
    }
    sandbox
}

/// Starts one of the processes.
fn start(sandbox: &Sandbox, host: usize, arguments: &[&str]) -> Child {
    start_by(Command::new(env!("CARGO_BIN_EXE_getafix")), sandbox, host, arguments)
}

fn start_by(mut program: Command, sandbox: &Sandbox, host: usize, arguments: &[&str]) -> Child {
    program
        .arg("check")
        .args(arguments)
        .args(["--hosts", "hosts", "--host", &host.to_string()])
        .current_dir(sandbox.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn ended(child: Child) -> Outcome {
    child.wait_with_output().expect("the program ends").into()
}

/// What each of so many processes says.
fn all(sandbox: &Sandbox, n: usize, arguments: &[&str]) -> Vec<Outcome> {
    let started: Vec<Child> = (0..n).map(|host| start(sandbox, host, arguments)).collect();
    started.into_iter().map(ended).collect()
}

#[test]
fn workers_give_the_same_answer_in_every_run() {
    let sandbox = sandbox(0);
    for program in ["safe.bp", "wrong.bp", "deep.bp"] {
        let alone = sandbox.run(&["check", program, "--engine", "explicit"]);
        for workers in ["1", "2", "4"] {
            let shared = sandbox.run(&["check", program, "--workers", workers]);
            let again = sandbox.run(&["check", program, "--workers", workers]);
            assert_eq!((&shared.stdout, shared.code), (&again.stdout, alone.code), "{program}");
            assert_eq!(shared.stdout.lines().next(), alone.stdout.lines().next(), "{program}");
        }
    }
    let stats = sandbox.run(&["check", "safe.bp", "--workers", "3", "--stats"]);
    assert!(stats.stderr.contains("3 shares by entry"), "{}", stats.stderr);
    let stats = sandbox.run(&["check", "deep.bp", "--workers", "3", "--stats"]);
    assert!(stats.stderr.contains("3 shares by state"), "{}", stats.stderr);
    let stats = sandbox.run(&["check", "wrong.bp", "--workers", "3", "--stats"]);
    assert!(stats.stderr.contains("one worker alone"), "{}", stats.stderr);
    let infinite = sandbox.run(&["check", "wrong.bp", "--workers", "3", "--nonterm"]);
    let alone = sandbox.run(&["check", "wrong.bp", "--engine", "explicit", "--nonterm"]);
    assert_eq!(infinite.code, alone.code);
}

/// Programs with threads: what is asked of them, and the status.
const OF_THREADS: [(&str, &[&str], i32); 6] = [
    ("peterson", &["--target", "ERROR"], 0),
    ("bluetooth", &["--target", "ERROR"], 10),
    ("bluetooth", &["--target", "ERROR", "-k", "1"], 0),
    ("philosophers", &["--deadlock"], 10),
    ("philosophers", &["--deadlock", "--rounds", "1"], 10),
    ("ticket_lock", &["--target", "ERROR"], 0),
];

/// A folder with these programs.
fn sandbox_of_threads(n: usize) -> Sandbox {
    let sandbox = sandbox(n);
    for (family, ..) in OF_THREADS {
        sandbox.file(&format!("{family}.bp"), &sandbox.run(&["gen", family, "--n", "2"]).stdout);
    }
    sandbox
}

#[test]
fn threads_have_the_same_bounds_and_statuses_with_any_number_of_workers() {
    let sandbox = sandbox_of_threads(0);
    for (family, question, code) in OF_THREADS {
        let program = format!("{family}.bp");
        let ask = |more: &[&str]| sandbox.run(&[&["check", &program], question, more].concat());
        let alone = ask(&["--engine", "explicit"]);
        assert_eq!(alone.code, code, "{family} {question:?} {}{}", alone.stdout, alone.stderr);
        for workers in ["1", "2", "4"] {
            let (shared, again) = (ask(&["--workers", workers]), ask(&["--workers", workers]));
            assert_eq!((&shared.stdout, shared.code), (&again.stdout, code), "{family} {question:?}");
            assert_eq!(shared.stdout.lines().next(), alone.stdout.lines().next(), "{family} {question:?}");
            // A run is shown where one worker shows one.
            let has_run = |stdout: &str| stdout.contains("step  ");
            assert_eq!(has_run(&shared.stdout), has_run(&alone.stdout), "{family} {}", shared.stdout);
        }
    }
    // Moves cost little there: what each thread can do has been computed soon.
    let stats = sandbox.run(&["check", "peterson.bp", "--workers", "3", "--stats"]);
    assert!(stats.stderr.contains("one worker alone"), "{}", stats.stderr);
    sandbox.file("costly.bp", COSTLY);
    let stats = sandbox.run(&["check", "costly.bp", "--workers", "3", "--stats"]);
    assert!(stats.stderr.contains("3 shares by configuration"), "{}", stats.stderr);
}

/// Each value of `x` is met once or twice.
const COSTLY: &str = "decl x: int<15>; decl y: bool; init x = 0 & !y;
thread a begin void main() begin while (T) do x := x * 3 + 1; if (x = 7 & y) then ERROR: skip; fi od end end
thread b begin void main() begin while (T) do x := x + 5; od end end
";

#[test]
fn closed_sets_of_threads_are_written_by_several_workers_and_processes() {
    let sandbox = sandbox_of_threads(2);
    let accepted = |what: &str| {
        let said = sandbox.run(&["validate", "peterson.bp", what]);
        assert_eq!(said.code, 0, "{what}: {}{}", said.stdout, said.stderr);
    };
    let said = sandbox.run(&["check", "peterson.bp", "--workers", "3", "--certificate", "shared"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    accepted("shared");
    let process = |host: usize, file: &str| {
        start(&sandbox, host, &["peterson.bp", "--key", "key", "--workers", "2", "--certificate", file])
    };
    let (first, second) = (process(0, "first"), process(1, "second"));
    let (first, second) = (ended(first), ended(second));
    assert_eq!((first.code, second.code), (0, 0), "{}{}", first.stderr, second.stderr);
    accepted("first");
    assert!(!sandbox.path().join("second").exists());
    let told = [&second.stdout, &second.stderr].iter().any(|text| text.contains("it is told by the host at"));
    assert!(told, "{}{}", second.stdout, second.stderr);
}

#[test]
fn processes_answer_about_threads_together_and_the_first_tells_the_run() {
    let sandbox = sandbox_of_threads(2);
    for (family, question, code) in OF_THREADS {
        let program = format!("{family}.bp");
        let arguments = [&[program.as_str(), "--key", "key"], question].concat();
        let said = all(&sandbox, 2, &arguments);
        for (host, said) in said.iter().enumerate() {
            assert_eq!(said.code, code, "{family}: {}{}", said.stdout, said.stderr);
            let is_told = said.stdout.contains("step  ");
            assert_eq!(is_told, code == 10 && host == 0, "{family}: {}", said.stdout);
        }
        let verdict = |host: usize| said[host].stdout.lines().next().map(str::to_owned);
        assert_eq!(verdict(0), verdict(1));
    }
}

/// What is asked of infinite runs of threads, and the status.
const FOR_EVER: [(&str, &[&str], i32); 5] = [
    ("peterson", &["--nonterm"], 10),
    ("peterson", &["--ltl", "G F at(ERROR)"], 10),
    ("philosophers", &["--ltl", "G F at(EAT)"], 0),
    ("philosophers", &["--repeat", "HUNGRY", "--scheduler", "weak"], 10),
    ("bluetooth", &["--nonterm", "--scheduler", "strong"], 0),
];

#[test]
fn infinite_runs_of_threads_are_found_by_several_workers_and_processes() {
    let sandbox = sandbox_of_threads(2);
    for (family, question, code) in FOR_EVER {
        let program = format!("{family}.bp");
        let ask = |more: &[&str]| sandbox.run(&[&["check", &program], question, more].concat());
        let alone = ask(&[]);
        assert_eq!(alone.code, code, "{family} {question:?} {}{}", alone.stdout, alone.stderr);
        let (shared, again) = (ask(&["--workers", "3"]), ask(&["--workers", "3"]));
        assert_eq!((&shared.stdout, shared.code), (&again.stdout, code), "{family} {question:?}");
        assert_eq!(shared.stdout.lines().next(), alone.stdout.lines().next(), "{family} {question:?}");
        let said = all(&sandbox, 2, &[&[program.as_str(), "--key", "key"], question].concat());
        for (host, said) in said.iter().enumerate() {
            assert_eq!(said.code, code, "{family}: {}{}", said.stdout, said.stderr);
            let is_told = said.stdout.contains("step  ");
            assert_eq!(is_told, code == 10 && host == 0, "{family} {question:?}: {}", said.stdout);
        }
    }
}

#[test]
fn where_one_worker_searches_the_answer_says_so() {
    let sandbox = sandbox_of_threads(0);
    let any = "\nthread any[*] begin void main() begin skip; end end\nthread p0";
    let any = sandbox.read("peterson.bp").replacen("\nthread p0", any, 1);
    sandbox.file("any.bp", any);
    for question in
        [&["peterson.bp", "--ltl", "G F at(ERROR)", "--certificate", "c"][..], &["any.bp", "--nonterm"]]
    {
        let ask = |more: &[&str]| sandbox.run(&[&["check"], question, more].concat());
        let (alone, shared) = (ask(&[]), ask(&["--workers", "2"]));
        assert_eq!(alone.code, shared.code, "{}", shared.stderr);
        let said = format!("{}{}", shared.stdout, shared.stderr);
        assert!(said.contains("one worker searched"), "{said}");
    }
}

#[test]
fn processes_give_the_answer_together_and_the_first_tells_the_run() {
    let sandbox = sandbox(3);
    for (program, code) in [("safe.bp", 0), ("wrong.bp", 10), ("deep.bp", 10)] {
        let said = all(&sandbox, 3, &[program, "--key", "key", "--workers", "2"]);
        for (host, said) in said.iter().enumerate() {
            assert_eq!(said.code, code, "{program}: {}{}", said.stdout, said.stderr);
            assert_eq!(said.stdout.contains("step  line"), code == 10 && host == 0, "{}", said.stdout);
            assert_eq!(
                said.stdout.contains("it is told by the host at"),
                code == 10 && host > 0,
                "{}",
                said.stdout
            );
        }
    }
}

#[test]
fn a_process_that_is_killed_is_named_by_the_others() {
    let sandbox = sandbox(3);
    let mut started: Vec<Child> =
        (0..3).map(|host| start(&sandbox, host, &["long.bp", "--key", "key"])).collect();
    std::thread::sleep(Duration::from_millis(1500));
    let mut killed = started.remove(1);
    killed.kill().expect("it can be killed");
    let name = sandbox.read("hosts").lines().nth(1).expect("there are three").to_owned();
    let said: Vec<Outcome> = started.into_iter().map(ended).collect();
    killed.wait().expect("it has ended");
    for said in said {
        let before = said.stderr.contains(&format!("the host at {name} did not come up"));
        let within = said.stdout == format!("UNKNOWN: lost the worker at {name}\n");
        assert!(before && said.code == 2 || within && said.code == 5, "{}{}", said.stdout, said.stderr);
    }
}

/// A folder with programs, one of them with threads, that take a long time on any machine.
fn sandbox_for_long() -> Sandbox {
    let sandbox = sandbox(2);
    sandbox.file("longer.bp", &sandbox.run(&["gen", "driver", "--n", "12000"]).stdout);
    sandbox.file("threads.bp", &sandbox.run(&["gen", "philosophers", "--n", "12"]).stdout);
    sandbox
}

#[cfg(unix)]
#[test]
fn who_is_interrupted_or_killed_stops_all() {
    for signal in ["INT", "KILL"] {
        for program in ["longer.bp", "threads.bp"] {
            let sandbox = sandbox_for_long();
            let arguments = [program, "--target", "ERROR", "--key", "key"];
            let started: Vec<Child> = (0..2).map(|host| start(&sandbox, host, &arguments)).collect();
            std::thread::sleep(Duration::from_millis(2500));
            let id = started[1].id().to_string();
            let told = Command::new("sh").args(["-c", &format!("kill -{signal} {id}")]).status();
            assert!(told.expect("a shell").success());
            let said: Vec<Outcome> = started.into_iter().map(ended).collect();
            let name = sandbox.read("hosts").lines().nth(1).expect("there are two").to_owned();
            let (first, second) = (&said[0], &said[1]);
            if signal == "INT" {
                // Whoever is interrupted before all have met stops by itself.
                assert_eq!(second.code, 5, "{}{}", second.stdout, second.stderr);
                assert!(second.stdout.starts_with("UNKNOWN: interrupted"), "{}", second.stdout);
            }
            // Who cannot stop in time leaves without a word to the others.
            let is_told = first.stdout.starts_with(&format!("UNKNOWN: lost the worker at {name}"))
                || signal == "INT" && first.stdout.starts_with("UNKNOWN: interrupted");
            let has_met = !first.stderr.contains("did not come up");
            assert!(!has_met || is_told, "{}{}", first.stdout, first.stderr);
            assert_eq!(first.code, if has_met { 5 } else { 2 }, "{}", first.stderr);
            assert!(!first.stderr.contains("panicked") && !second.stderr.contains("panicked"));
        }
    }
}

#[test]
fn the_first_to_run_out_of_memory_stops_all() {
    let sandbox = sandbox(2);
    let process =
        |host: usize, memory: &str| start(&sandbox, host, &["long.bp", "--key", "key", "--memory", memory]);
    let (small, large) = (process(0, "100M"), process(1, "4G"));
    for said in [ended(small), ended(large)] {
        assert_eq!(said.code, 5, "{}{}", said.stdout, said.stderr);
        // Who cannot stop in time leaves without a word to the others.
        let reason = ["UNKNOWN: out of memory", "UNKNOWN: lost the worker at"];
        assert!(reason.iter().any(|reason| said.stdout.starts_with(reason)), "{}", said.stdout);
    }
}

/// Two machines as the system plays them: network namespaces with a wire between them; nothing where it does not.
#[cfg(target_os = "linux")]
struct Namespaces([String; 2]);

#[cfg(target_os = "linux")]
impl Namespaces {
    fn new() -> Option<Self> {
        let all = Self([0, 1].map(|n| format!("getafix-{}-{n}", std::process::id())));
        let [first, second] = &all.0;
        let wire = ["link", "add", "wire", "netns", first, "type", "veth", "peer", "name", "wire", "netns"];
        let is_there = ip(&["netns", "add", first])
            && ip(&["netns", "add", second])
            && ip(&[&wire[..], &[second]].concat())
            && [(first, "10.77.0.1/24"), (second, "10.77.0.2/24")].into_iter().all(|(name, address)| {
                ip(&["-n", name, "addr", "add", address, "dev", "wire"])
                    && ip(&["-n", name, "link", "set", "wire", "up"])
            });
        is_there.then_some(all)
    }

    /// The program on one of them.
    fn program(&self, n: usize) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.0[n], env!("CARGO_BIN_EXE_getafix")]);
        command
    }
}

#[cfg(target_os = "linux")]
impl Drop for Namespaces {
    fn drop(&mut self) {
        for name in &self.0 {
            let _ = ip(&["netns", "del", name]);
        }
    }
}

#[cfg(target_os = "linux")]
fn ip(words: &[&str]) -> bool {
    Command::new("ip").args(words).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The steps of docs/machines.md, on machines of their own where the system has some; the tests above are over the loopback device.
#[cfg(target_os = "linux")]
#[test]
fn two_machines_from_nothing() {
    let Some(machines) = Namespaces::new() else { return };
    let sandbox = sandbox_of_threads(0);
    sandbox.file("hosts", "# hosts\n10.77.0.1:7000\n10.77.0.2:7000\n");
    for (program, code) in [("safe.bp", 0), ("wrong.bp", 10), ("bluetooth.bp", 10)] {
        let arguments = [program, "--target", "ERROR", "--key", "key"];
        let second = start_by(machines.program(1), &sandbox, 1, &arguments);
        let first = start_by(machines.program(0), &sandbox, 0, &arguments);
        for said in [ended(first), ended(second)] {
            assert_eq!(said.code, code, "{program}: {}{}", said.stdout, said.stderr);
        }
    }
    let arguments = ["safe.bp", "--key", "key", "--connect-timeout", "0.5"];
    let alone = ended(start_by(machines.program(1), &sandbox, 1, &arguments));
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("the host at 10.77.0.1:7000 did not come up"), "{}", alone.stderr);
}

#[test]
fn who_is_missing_or_does_not_belong_is_named() {
    let sandbox = sandbox(2);
    let hosts: Vec<String> = sandbox.read("hosts").lines().map(str::to_owned).collect();
    let said = ended(start(&sandbox, 1, &["safe.bp", "--key", "key", "--connect-timeout", "0.3"]));
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains(&format!("the host at {} did not come up", hosts[0])), "{}", said.stderr);

    let first = start(&sandbox, 0, &["safe.bp", "--key", "key", "--connect-timeout", "5"]);
    let said = ended(start(&sandbox, 1, &["safe.bp", "--key", "other", "--connect-timeout", "5"]));
    assert_eq!((said.code, ended(first).code), (2, 2));
    assert!(said.stderr.contains("does not know the key"), "{}", said.stderr);

    sandbox.file("threads.bp", &sandbox.run(&["gen", "peterson"]).stdout);
    let something_else: [[&[&str]; 2]; 4] = [
        [&["safe.bp"], &["wrong.bp"]],
        [&["threads.bp", "-k", "2"], &["threads.bp", "-k", "3"]],
        [&["threads.bp", "--ltl", "G !at(ERROR)"], &["threads.bp", "--ltl", "F at(ERROR)"]],
        [
            &["threads.bp", "--nonterm", "--scheduler", "weak"],
            &["threads.bp", "--nonterm", "--scheduler", "strong"],
        ],
    ];
    for asked in something_else {
        let start = |host: usize| start(&sandbox, host, &[asked[host], &["--key", "key"]].concat());
        for said in [start(0), start(1)].map(ended) {
            assert_eq!(said.code, 2, "{asked:?} {}{}", said.stdout, said.stderr);
            assert!(said.stderr.contains("asks something else: getafix"), "{asked:?} {}", said.stderr);
        }
    }
}

#[test]
fn garbage_at_the_port_is_sent_away() {
    let sandbox = sandbox(2);
    let first = start(&sandbox, 0, &["safe.bp", "--key", "key"]);
    let address = sandbox.read("hosts").lines().next().expect("there are two").to_owned();
    let mut stream = loop {
        match TcpStream::connect(&address) {
            Ok(stream) => break stream,
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n\r\n\r\n").expect("somebody listens");
    let second = start(&sandbox, 1, &["safe.bp", "--key", "key"]);
    for said in [ended(first), ended(second)] {
        assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    }
}

#[test]
fn what_does_not_go_with_workers_and_hosts_is_said() {
    let sandbox = sandbox(2);
    sandbox.file("bad", "127.0.0.1:7000\nsomewhere\n").file("open", SECRET);
    let said = |arguments: &[&str], expected: &str| {
        let outcome = sandbox.run(&[&["check"], arguments].concat());
        assert_eq!(outcome.code, 2, "{arguments:?} {}", outcome.stdout);
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    };
    said(&["safe.bp", "--workers", "0"], "expected a number from 1 to 255");
    said(&["safe.bp", "--workers", "2", "--engine", "symbolic"], "`--workers` is about the explicit engine");
    said(&["safe.bp", "--workers", "2", "--search", "bfs"], "a search depth first");
    said(&["safe.bp", "--workers", "2", "--shortest"], "`--shortest` needs `--search bfs`");
    said(&["safe.bp", "--workers", "2", "--nonterm", "--certificate", "x"], "written by one worker");
    said(
        &["safe.bp", "--workers", "2", "--certificate", "x"],
        "certificates of sequential programs are written by one worker; leave `--workers` out",
    );
    let hosts = |list: &'static str, host: &'static str, key: &'static str| {
        ["safe.bp", "--hosts", list, "--host", host, "--key", key]
    };
    said(&hosts("bad", "0", "key"), "--> bad:2:1");
    said(&hosts("hosts", "2", "key"), "`--host 2` is not there: `hosts` lists 2 processes");
    said(&hosts("none", "0", "key"), "`none` does not exist");
    said(&hosts("hosts", "0", "open"), "others may read or write this file");
    said(&["safe.bp", "--hosts", "hosts", "--host", "0"], "--key <FILE>");
    said(&[&hosts("hosts", "0", "key")[..], &["wrong.bp"]].concat(), "`--hosts` goes with one program");
}
