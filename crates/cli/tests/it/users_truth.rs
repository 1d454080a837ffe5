//! The verdicts of the users' programs are those of a compiler with sanitizers: each program is run many times, with all short lists of small inputs and with random ones, and what its runs show must agree with the verdict in its first line.
//!
//! Where a run takes too long, the second line says which smaller number does as well: `// judged with 5 in place of 50000`. That something is not reached is not shown by runs; but where a verdict says so, no run may come there, and none may misuse memory. `GETAFIX_USERS=all` takes more runs of all programs. Without a C compiler nothing is compared, and a note says so.

use std::path::Path;
use std::process::Command;
use testing::{Counts, Folder};

/// Of each of so many programs the runs are looked at, and of all if all are asked for.
const EVERY: usize = 6;

/// How runs of a program ended.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    at_the_target: u64,
    in_abort: u64,
    returned: u64,
    stopped: u64,
}

#[test]
fn a_compiler_with_sanitizers_agrees_with_the_verdicts() {
    if !testing::has_c_compiler() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/users");
    let asks_all = std::env::var("GETAFIX_USERS").is_ok_and(|which| which == "all");
    let every = if asks_all { 1 } else { EVERY };
    let mut counts = Counts::default();
    for name in testing::expected::names(&folder, ".c").iter().step_by(every) {
        let text = std::fs::read_to_string(folder.join(name)).expect("it can be read");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("// expect: "));
        let (verdict, options) =
            expected.map(|line| line.split_once(' ').unwrap_or((line, ""))).expect("a verdict");
        let is_reachable = verdict == "REACHABLE";
        let ends = ends(&smaller(&text), is_reachable, if is_reachable { 6000 } else { 1000 });
        // What may be assumed holds in the runs that are counted.
        let of_interest = match options.trim_end_matches("--assume defined").trim_end() {
            "--target memory" | "--property valid-memsafety" => ends.stopped,
            "--target abort" => ends.in_abort,
            "" => ends.at_the_target,
            other => panic!("{name}: what `{other}` asks is not looked at here"),
        };
        assert_eq!(of_interest > 0, is_reachable, "{name}: {ends:?}");
        assert!(is_reachable || ends.stopped == 0, "{name} misuses memory: {ends:?}");
        assert!(
            ends.at_the_target + ends.in_abort + ends.returned + ends.stopped > 0,
            "{name} has no run that ends"
        );
        counts.count(if is_reachable { "reachable" } else { "unreachable" });
    }
    println!("{counts:?}");
    counts.at_least(if asks_all {
        &[("reachable", 25), ("unreachable", 75)]
    } else {
        &[("reachable", 3), ("unreachable", 10)]
    });
}

/// The program with a smaller number where its second line says so: whatever the number is, the verdict is the same.
fn smaller(text: &str) -> String {
    let said = text.lines().nth(1).and_then(|line| line.strip_prefix("// judged with "));
    match said.and_then(|said| said.split_once(" in place of ")) {
        Some((number, large)) => text.replace(large, number),
        None => text.to_owned(),
    }
}

/// Runs the program. A run that is to show something must not overflow before it does; that nothing is reached must hold with results that wrap, too.
fn ends(text: &str, is_reachable: bool, n_runs: u64) -> Ends {
    let whole =
        format!("{}\n{text}\n{}", include_str!("../truth/before.h"), include_str!("../truth/after.h"));
    let overflows: &[&str] = match is_reachable {
        true => &["-fsanitize=address,undefined"],
        false => &["-fsanitize=address,undefined", "-fno-sanitize=signed-integer-overflow", "-fwrapv"],
    };
    let options = [overflows, &["-fno-sanitize-recover=all"]].concat();
    let folder = Folder::temporary();
    let binary = testing::compile_c(folder.path(), &whole, &options);
    let mut command = Command::new(binary);
    command.env("ASAN_OPTIONS", "exitcode=77:detect_leaks=0:detect_stack_use_after_return=1:symbolize=0");
    command.env("UBSAN_OPTIONS", "exitcode=77:symbolize=0");
    command.args([n_runs.to_string(), "1".to_owned()]).args(constants(text));
    let output = command.output().expect("the program starts");
    let line = String::from_utf8(output.stdout).expect("numbers");
    let numbers: Vec<u64> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let &[at_the_target, in_abort, returned, stopped, _] = &numbers[..] else { panic!("it prints {line}") };
    Ends { at_the_target, in_abort, returned, stopped }
}

/// The numbers in a program: inputs near them are those that matter.
fn constants(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut numbers: Vec<&str> = words.filter(|word| word.parse::<i64>().is_ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
