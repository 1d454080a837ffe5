//! The programs of the measurements, by name: `driver:400`, `driver:400+globals8`, `quicksort:6+fixed`.

use std::path::PathBuf;

/// A program.
pub struct Program {
    /// Its name in tables.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Where it stands, if it is a file of the user.
    pub path: Option<PathBuf>,
}

impl Program {
    /// The answer that its text states: whether `ERROR` is reachable.
    pub fn expected(&self) -> Option<bool> {
        let answer = self.text.lines().find_map(|line| line.trim().strip_prefix("// expect:"))?;
        match answer.split([',', ' ']).find(|word| !word.is_empty())? {
            "reachable" => Some(true),
            "unreachable" => Some(false),
            _ => None,
        }
    }
}

/// The default suite.
const SUITE: [&str; 82] = [
    "t1:201",
    "t1:2001",
    "t1:20001",
    "t2:200",
    "t2:2000",
    "t2:20000",
    "driver:40",
    "driver:400",
    "driver:4000",
    "driver:400+reachable",
    "driver:4000+reachable",
    "driver:50+globals5",
    "driver:400+globals5",
    "driver:50+globals8",
    "driver:400+globals8",
    "driver:400+globals8+reachable",
    "terminator:12",
    "terminator:24",
    "terminator:36",
    "terminator:40",
    "counter:8",
    "counter:12",
    "counter:16",
    "counter:12+reachable",
    "quicksort:4",
    "quicksort:6",
    "quicksort:8",
    "quicksort:4+fixed",
    "quicksort:6+fixed",
    "quicksort:8+fixed",
    "multiplier:8",
    "multiplier:12",
    "multiplier:16",
    "multiplier:8+reachable",
    "multiplier:16+reachable",
    "random:100+seed1",
    "random:100+seed2",
    "random:100+seed3",
    "random:100+seed4",
    "random:300+seed5",
    "random:300+seed6",
    "random:1000+seed7",
    "random:1000+seed8",
    "random:3000+seed9",
    "random:3000+seed10",
    "irrelevant:60",
    "irrelevant:60+reachable",
    "irrelevant:200",
    "copied:20",
    "copied:20+reachable",
    "copied:40",
    "copied:40+reachable",
    "count:20",
    "nested:3",
    "permuted:40",
    "parity:32",
    "growing:32",
    "rounds:20",
    "driver:50+globals14",
    "driver:50+globals14+reachable",
    "driver:50+globals16",
    "driver:50+globals16+reachable",
    "driver:50+globals18",
    "driver:50+globals18+reachable",
    "driver:50+globals20",
    "driver:50+globals20+reachable",
    "mixed:10",
    "mixed:10+seed1",
    "mixed:10+seed2",
    "mixed:10+seed3",
    "mixed:10+seed4",
    "mixed:10+seed5",
    "mixed:10+seed6",
    "mixed:10+seed7",
    "mixed:20",
    "mixed:20+seed1",
    "mixed:20+seed2",
    "mixed:20+seed3",
    "mixed:20+seed4",
    "mixed:20+seed5",
    "mixed:20+seed6",
    "mixed:20+seed7",
];

/// The programs of a quick look.
pub const QUICK: [&str; 14] = [
    "t1:201",
    "t1:2001",
    "t2:200",
    "t2:2000",
    "driver:40",
    "driver:400",
    "driver:400+reachable",
    "driver:50+globals5",
    "driver:50+globals8",
    "terminator:24",
    "counter:12",
    "quicksort:6+fixed",
    "multiplier:12",
    "random:300+seed5",
];

/// The programs that some words name: a family, a program, a file. Without words, a whole suite.
pub fn programs(words: &[String], is_quick: bool) -> Result<Vec<Program>, String> {
    let suite: &[&str] = if is_quick { &QUICK } else { &SUITE };
    if words.is_empty() {
        return suite.iter().map(|name| generated(name)).collect();
    }
    let mut programs = Vec::new();
    for word in words {
        if generate::FAMILIES.iter().any(|family| family.name == word) {
            let named = suite.iter().filter(|name| name.split(':').next() == Some(word));
            programs.extend(named.map(|name| generated(name)).collect::<Result<Vec<_>, _>>()?);
        } else if word.ends_with(".bp") {
            programs.push(read(word)?);
        } else {
            programs.push(generated(word)?);
        }
    }
    Ok(programs)
}

/// The program of a name.
fn generated(name: &str) -> Result<Program, String> {
    let wrong =
        || format!("`{name}` is no program: expected FAMILY:N, with +reachable, +fixed, +globalsN, +seedN");
    let (family, rest) = name.split_once(':').ok_or_else(wrong)?;
    let mut parts = rest.split('+');
    let n = parts.next().and_then(|n| n.parse().ok()).ok_or_else(wrong)?;
    let mut options = generate::Options::default();
    for part in parts {
        let at = part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
        match (&part[..at], part[at..].parse::<u32>().ok()) {
            ("reachable", None) => options.reachable = true,
            ("fixed", None) => options.fixed = true,
            ("globals", Some(n)) => options.globals = n,
            ("seed", Some(n)) => options.seed = n.into(),
            _ => return Err(wrong()),
        }
    }
    let text = generate::family(family, n, &options).map_err(|error| error.to_string())?;
    Ok(Program { name: name.to_owned(), text, path: None })
}

fn read(word: &str) -> Result<Program, String> {
    let path = PathBuf::from(word);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read `{word}`: {error}"))?;
    let name = path.file_stem().map_or(word.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(Program { name, text, path: Some(path) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_of_the_suites_exists() {
        for name in QUICK.iter().chain(&SUITE).filter(|name| !name.contains("000")) {
            assert!(generated(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_carry_options() {
        let program = generated("driver:3+globals5+reachable").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.expected(), Some(true));
        assert_eq!(generated("driver:3").map(|program| program.expected()), Ok(Some(false)));
        assert!(generated("driver").is_err());
        assert!(generated("driver:3+fixed").is_err());
    }
}
