//! The command line of the subcommands about threads.

use std::time::Duration;

/// What `--help` prints.
pub const HELP: &str = "\
Measure the checker for programs with threads, on the Bluetooth driver with adders (A) and stoppers (S).

Usage: bench contexts [OPTION …]          the table of the paper (PLDI 2009, figure 3) next to ours
       bench complete [OPTION …]          all states of 2A2S within k context switches
       bench any-number [OPTION …]        any number of adders and stoppers, within rounds
       bench growth [OPTION …]            time by number of context switches and of threads
       bench savings [OPTION …]           what symmetry, visibility and the variable order are worth
       bench sequentialized [OPTION …]    sequential programs that ask the same, against the formula
       bench every-schedule [OPTION …]    without a bound, by the explicit engine
       bench engines [OPTION …]           the explicit engine, the formulas, both, and Spin, on several families
       bench forever [OPTION …]           the part of `engines` about deadlocks and infinite runs
       bench threads [OPTION …]           all of these

  --quick                  smaller bounds
  --repeat N               at most N runs of which the fastest counts (3); no further run once 3 s are spent
  --timeout SECONDS        end a run after this time (60)
  --only WORDS             of `engines` and `forever`: programs whose names begin with this
  --help                   print this

Exit status: 0 all verdicts are right, 1 they are not or a run failed, 2 usage.";

/// How to measure.
#[derive(Debug, PartialEq)]
pub struct Arguments {
    /// Smaller bounds.
    pub is_quick: bool,
    /// Most runs of a cell.
    pub repeat: usize,
    /// Longest time of a run.
    pub timeout: Duration,
    /// How the names of programs begin, of those subcommands that have several.
    pub only: String,
}

/// Reads the arguments after the subcommand; `None` asks for help.
pub fn parse(words: &[String]) -> Result<Option<Arguments>, String> {
    let mut arguments =
        Arguments { is_quick: false, repeat: 3, timeout: Duration::from_secs(60), only: String::new() };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word == "--only" {
            arguments.only = rest.next().ok_or("`--only` needs a value")?.clone();
            continue;
        }
        let mut number = || -> Result<u64, String> {
            let text = rest.next().ok_or(format!("`{word}` needs a value"))?;
            text.parse().map_err(|_| format!("`{word}` needs a number, found `{text}`"))
        };
        match word.as_str() {
            "--help" | "-h" => return Ok(None),
            "--quick" => arguments.is_quick = true,
            "--repeat" => arguments.repeat = number()?.max(1) as usize,
            "--timeout" => arguments.timeout = Duration::from_secs(number()?),
            other => return Err(format!("unknown argument `{other}`")),
        }
    }
    Ok(Some(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Option<Arguments>, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words)
    }

    #[test]
    fn options_are_read() {
        let expected =
            Arguments { is_quick: true, repeat: 1, timeout: Duration::from_secs(7), only: "t 4".to_owned() };
        let words = ["--quick", "--repeat", "0", "--timeout", "7", "--only", "t 4"].map(str::to_owned);
        assert_eq!(parse(&words), Ok(Some(expected)));
        assert_eq!(parsed("--help"), Ok(None));
    }

    #[test]
    fn misspelt_options_are_errors() {
        assert_eq!(parsed("--quik"), Err("unknown argument `--quik`".to_owned()));
        assert_eq!(parsed("--repeat often"), Err("`--repeat` needs a number, found `often`".to_owned()));
    }
}
