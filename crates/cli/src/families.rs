//! `getafix gen`: a program of a family.

use crate::args::{GenerateOptions, RunOptions};
use crate::console::stdout;
use crate::several::rejected;
use generate::FAMILIES;
use generate::concurrent::{self, Count, Variant};
use getafix::Status;

/// How many threads of a kind there are if nothing is said.
const FEW: u32 = 2;

/// The numbers of threads that families have besides `n`.
const COUNTS: [(&str, &str); 4] = [
    ("bluetooth", "adders"),
    ("bluetooth", "stoppers"),
    ("readers_writers", "readers"),
    ("readers_writers", "writers"),
];

/// The options of a family that are numbers of threads.
pub fn counts_of(family: &str) -> impl Iterator<Item = &'static str> {
    COUNTS.into_iter().filter(move |(name, _)| *name == family).map(|(_, option)| option)
}

/// Prints the program.
pub fn run(options: &GenerateOptions) -> Status {
    match program(options) {
        Ok(text) => {
            stdout(text.as_bytes());
            Status::Evaluated
        }
        Err(message) => rejected(&RunOptions::default(), &message),
    }
}

fn program(options: &GenerateOptions) -> Result<String, String> {
    let given = [
        ("adders", options.adders),
        ("stoppers", options.stoppers),
        ("readers", options.readers),
        ("writers", options.writers),
    ];
    let family = options.family.as_str();
    let is_unknown = |(option, count): &&(&str, Option<Count>)| {
        count.is_some() && !counts_of(family).any(|own| own == *option)
    };
    let is_family = FAMILIES.iter().any(|known| known.name == family);
    if let Some((option, _)) = given.iter().find(is_unknown).filter(|_| is_family) {
        return Err(format!("`{family}` has no option `--{option}`"));
    }
    let wanted = generate::Options {
        seed: options.seed,
        fixed: options.fixed,
        reachable: options.reachable,
        globals: options.globals,
    };
    // The family refuses what it does not know, whatever its numbers of threads are.
    let text = generate::family(family, size(options)?, &wanted).map_err(|error| error.to_string())?;
    let has_counts = given.iter().any(|(_, count)| count.is_some());
    Ok(if has_counts { with_counts(options) } else { text })
}

/// The size that is given, or the one that needs not be.
fn size(options: &GenerateOptions) -> Result<u32, String> {
    if let Some(n) = options.n {
        return Ok(n);
    }
    let Some(family) = FAMILIES.iter().find(|family| family.name == options.family) else { return Ok(FEW) };
    let (least, most) = family.range;
    match least == most || counts_of(family.name).next().is_some() {
        true => Ok(FEW),
        false => Err(format!("`{}` needs a size: `--n N`, from {least} to {most}", family.name)),
    }
}

/// A program of a family with numbers of threads of its own.
fn with_counts(options: &GenerateOptions) -> String {
    let size = Count::number(options.n.unwrap_or(FEW)).expect("no family with threads has the size 0");
    let or_size = |count: Option<Count>| count.unwrap_or(size);
    match options.family.as_str() {
        "bluetooth" => {
            let variant = if options.fixed { Variant::Correct } else { Variant::Broken };
            concurrent::bluetooth(or_size(options.adders), or_size(options.stoppers), variant)
        }
        _ => {
            let variant = if options.reachable { Variant::Broken } else { Variant::Correct };
            concurrent::readers_writers(or_size(options.readers), or_size(options.writers), variant)
        }
    }
}
