//! The command line of the subcommands about programs.

use std::time::Duration;

/// What `--help` prints.
pub const HELP: &str = "\
Measure the checker for Boolean programs.

Usage: bench programs [PROGRAM …] [OPTION …]   all algorithms, the checker written by hand, Spacer, others
       bench phases [PROGRAM …] [OPTION …]     where the time of one algorithm goes
       bench traces [PROGRAM …] [OPTION …]     what it costs to be able to give a trace, and to give it
       bench views [PROGRAM …] [OPTION …]      what views of programs bring: one algorithm, check, Spacer
       bench instructions [PROGRAM …] [OPTION …]   what they cost, counted by valgrind
       bench counts [PROGRAM …] [OPTION …]     instructions as ratios, and what moved against bench/counts.txt
       bench own [PROGRAM …]                   instructions of formulas that users could have written (bench/formulas)

A PROGRAM is a file, a family with its sizes in the suite, or FAMILY:N with any of +reachable, +fixed, +globalsN,
+seedN. Without programs the whole suite runs.

  --quick                  fewer and smaller programs
  --algorithms A,B         only these algorithms; the first is the one that is compared (all, the default first)
  --no-spacer              do not run Spacer
  --external \"CMD {}\"      run also another checker, {} being the file
  --repeat N               at most N runs of which the fastest counts (3); no further run once 3 s are spent
  --timeout SECONDS        end a run after this time (20)
  --emit                   print the programs and measure nothing
  --renew                  of counts: write what is found into bench/counts.txt
  --help                   print this

Exit status: 0 all verdicts agree, 1 they do not, a run failed or a count moved, 2 usage.";

/// What to measure, and how.
#[derive(Debug, PartialEq)]
pub struct Arguments {
    /// Families, programs, files; none means the suite.
    pub programs: Vec<String>,
    /// Print the programs instead.
    pub emit: bool,
    /// The file of counts is written anew.
    pub renews: bool,
    /// The quick suite.
    pub is_quick: bool,
    /// The algorithms, the one that matters first.
    pub algorithms: Vec<String>,
    /// Spacer takes part.
    pub spacer: bool,
    /// Another checker.
    pub external: Option<Vec<String>>,
    /// Most runs of a cell.
    pub repeat: usize,
    /// Longest time of a run.
    pub timeout: Duration,
}

/// Reads the arguments after the subcommand; `None` asks for help.
pub fn parse(words: &[String]) -> Result<Option<Arguments>, String> {
    let mut arguments = Arguments {
        programs: Vec::new(),
        emit: false,
        renews: false,
        is_quick: false,
        algorithms: all_algorithms(),
        spacer: true,
        external: None,
        repeat: 3,
        timeout: Duration::from_secs(20),
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut value = || rest.next().cloned().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            "--help" | "-h" => return Ok(None),
            "--emit" => arguments.emit = true,
            "--renew" => arguments.renews = true,
            "--quick" => arguments.is_quick = true,
            "--no-spacer" => arguments.spacer = false,
            "--algorithms" => arguments.algorithms = algorithms(&value()?)?,
            "--external" => arguments.external = Some(command(&value()?)?),
            "--repeat" => arguments.repeat = number(word, &value()?)?.max(1) as usize,
            "--timeout" => arguments.timeout = Duration::from_secs(number(word, &value()?)?),
            flag if flag.starts_with('-') => return Err(format!("unknown option `{flag}`")),
            program => arguments.programs.push(program.to_owned()),
        }
    }
    Ok(Some(arguments))
}

/// All algorithms for sequential programs, the default first.
fn all_algorithms() -> Vec<String> {
    let is_other = |algorithm: &&checker::Algorithm| {
        algorithm.programs == checker::Programs::Sequential && algorithm.name != checker::DEFAULT
    };
    let others = checker::ALGORITHMS.iter().filter(is_other).map(|algorithm| algorithm.name);
    [checker::DEFAULT].into_iter().chain(others).map(str::to_owned).collect()
}

fn algorithms(list: &str) -> Result<Vec<String>, String> {
    let all = all_algorithms();
    let known = |name: &str| all.iter().find(|known| *known == name).cloned();
    let find = |name: &str| known(name).ok_or_else(|| format!("there is no algorithm `{name}`"));
    list.split(',').map(|name| find(name.trim())).collect()
}

fn command(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if words.len() < 2 || !words.iter().any(|word| word.contains("{}")) {
        return Err(format!("`--external` needs a command with {{}} for the file, found `{text}`"));
    }
    Ok(words)
}

fn number(option: &str, text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{option}` needs a number, found `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<Arguments>, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words)
    }

    #[test]
    fn programs_and_options_mix() {
        let Ok(Some(arguments)) = parsed("driver --quick --algorithms summary,hybrid t1:7") else {
            panic!("arguments")
        };
        assert_eq!(arguments.programs, ["driver", "t1:7"]);
        assert_eq!(arguments.algorithms, ["summary", "hybrid"]);
        assert!(arguments.is_quick && arguments.spacer);
    }

    #[test]
    fn the_default_algorithm_is_compared() {
        let Ok(Some(arguments)) = parsed("") else { panic!("arguments") };
        assert_eq!(arguments.algorithms[0], checker::DEFAULT);
        assert!(arguments.algorithms.iter().all(|name| name != "bounded_contexts"));
    }

    #[test]
    fn misspelt_options_and_algorithms_are_errors() {
        assert_eq!(parsed("--quik"), Err("unknown option `--quik`".to_owned()));
        assert_eq!(parsed("--algorithms sumary"), Err("there is no algorithm `sumary`".to_owned()));
        assert!(parsed("--external moped").is_err());
    }
}
