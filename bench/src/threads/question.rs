//! Questions about the Bluetooth driver, as words: `2A2S switches:6 bounded_contexts complete no-symmetry`.
//!
//! A question travels to the process that answers it as text, and is shown to the user as the same text.

use checker::Bound;
use generate::concurrent::{Count, Variant, bluetooth};
use sequentialize::Scheme;
use std::fmt;
use std::str::FromStr;

/// A number of adders and a number of stoppers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Configuration {
    /// The threads that ask the driver to work.
    pub adders: Count,
    /// Those that stop it.
    pub stoppers: Count,
}

impl Configuration {
    /// The program, with the mistakes that it is known for.
    pub fn text(self) -> String {
        bluetooth(self.adders, self.stoppers, Variant::Broken)
    }

    /// The least bound of the same kind within which `ERROR` is reachable, as the text of the program states it.
    pub fn least(self, bound: Bound) -> Option<u32> {
        let kind = match bound {
            Bound::Switches(_) | Bound::Every => "// expect(-k ",
            Bound::Rounds(_) => "// expect(--rounds ",
        };
        self.text().lines().find_map(|line| {
            let (number, answer) = line.strip_prefix(kind)?.split_once("): ")?;
            answer.starts_with("reachable").then_some(number)?.parse().ok()
        })
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}A{}S", self.adders, self.stoppers)
    }
}

impl FromStr for Configuration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no configuration: expected something like 2A2S or *A*S");
        let (adders, stoppers) =
            text.strip_suffix('S').and_then(|text| text.split_once('A')).ok_or_else(wrong)?;
        let count = |text: &str| text.parse::<Count>().map_err(|_| wrong());
        Ok(Self { adders: count(adders)?, stoppers: count(stoppers)? })
    }
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Route {
    /// By a formula for threads, named.
    Formula(&'static str),
    /// State by state.
    Explicit,
    /// By [`SEQUENTIAL`] on a sequential program that asks the same.
    Sequentialized(Scheme),
}

/// The algorithm that decides sequentialised programs.
pub const SEQUENTIAL: &str = "entry_forward_split";

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Formula(name) => write!(f, "{name}"),
            Self::Explicit => write!(f, "explicit"),
            Self::Sequentialized(Scheme::Eager) => write!(f, "sequentialized:eager"),
            Self::Sequentialized(Scheme::Lazy) => write!(f, "sequentialized:lazy"),
        }
    }
}

impl FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "explicit" => Ok(Self::Explicit),
            "sequentialized:eager" => Ok(Self::Sequentialized(Scheme::Eager)),
            "sequentialized:lazy" => Ok(Self::Sequentialized(Scheme::Lazy)),
            name => match checker::algorithm(name) {
                Some(algorithm) => Ok(Self::Formula(algorithm.name)),
                None => Err(format!("there is no algorithm `{name}`")),
            },
        }
    }
}

/// Something that saves time and can be switched off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Saving {
    /// Copies of a thread take their first turns in order.
    Symmetry,
    /// A thread is resumed only where its next step matters to others.
    Visibility,
    /// The variable order that the formula file asks for.
    Order,
}

impl Saving {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Symmetry, Self::Visibility, Self::Order];

    /// The word that switches it off.
    pub fn word(self) -> &'static str {
        match self {
            Self::Symmetry => "no-symmetry",
            Self::Visibility => "no-visibility",
            Self::Order => "no-order",
        }
    }
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The program.
    pub configuration: Configuration,
    /// What its runs may do.
    pub bound: Bound,
    /// How the question is answered.
    pub route: Route,
    /// Without the mistakes.
    pub is_fixed: bool,
    /// All states are computed; else the search ends at `ERROR`.
    pub complete: bool,
    /// A trace is wanted.
    pub trace: bool,
    /// What is switched off.
    pub without: Option<Saving>,
}

impl Question {
    /// A question that ends at `ERROR`, without a trace, nothing switched off.
    pub fn new(configuration: Configuration, bound: Bound, route: Route) -> Self {
        let (is_fixed, complete, trace) = (false, false, false);
        Self { configuration, bound, route, is_fixed, complete, trace, without: None }
    }

    /// The same question about all states.
    pub fn complete(self) -> Self {
        Self { complete: true, ..self }
    }

    /// The least bound that is to be found; none if `ERROR` is unreachable within the bound.
    pub fn expected(&self) -> Option<u32> {
        let least = self.configuration.least(self.bound).filter(|_| !self.is_fixed);
        least.filter(|least| *least <= self.bound.number())
    }

    /// The program.
    pub fn text(&self) -> String {
        let Configuration { adders, stoppers } = self.configuration;
        bluetooth(adders, stoppers, if self.is_fixed { Variant::Correct } else { Variant::Broken })
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Switches(number) => format!("switches:{number}"),
            Bound::Rounds(number) => format!("rounds:{number}"),
            Bound::Every => "every".to_owned(),
        };
        write!(f, "{} {bound} {}", self.configuration, self.route)?;
        let fixed = self.is_fixed.then_some("fixed");
        let words = [fixed, self.complete.then_some("complete"), self.trace.then_some("trace")];
        let words = words.into_iter().chain([self.without.map(Saving::word)]);
        words.flatten().try_for_each(|word| write!(f, " {word}"))
    }
}

impl FromStr for Question {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let mut next = || words.next().ok_or("a question is a configuration, a bound and a route".to_owned());
        let (configuration, limit, route) = (next()?, next()?, next()?);
        let mut question = Self::new(configuration.parse()?, bound(limit)?, route.parse()?);
        for word in words {
            match word {
                "fixed" => question.is_fixed = true,
                "complete" => question.complete = true,
                "trace" => question.trace = true,
                other => {
                    let saving = Saving::ALL.into_iter().find(|saving| saving.word() == other);
                    question.without = Some(saving.ok_or_else(|| format!("unknown word `{other}`"))?);
                }
            }
        }
        Ok(question)
    }
}

fn bound(text: &str) -> Result<Bound, String> {
    if text == "every" {
        return Ok(Bound::Every);
    }
    let wrong = || format!("`{text}` is no bound: expected switches:N, rounds:N or every");
    let (kind, number) = text.split_once(':').ok_or_else(wrong)?;
    let number = number.parse().map_err(|_| wrong())?;
    match kind {
        "switches" => Ok(Bound::Switches(number)),
        "rounds" => Ok(Bound::Rounds(number)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> Result<Question, String> {
        text.parse()
    }

    #[test]
    fn questions_are_read_as_they_are_printed() {
        for text in [
            "2A2S switches:6 bounded_contexts complete no-symmetry",
            "*A*S rounds:2 linear_interfaces_lazy",
            "1A2S switches:3 bounded_contexts trace",
            "1A1S rounds:2 sequentialized:eager",
            "3A3S every explicit fixed",
        ] {
            assert_eq!(question(text).map(|question| question.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn words_that_are_wrong_are_named() {
        let no_bound = "`rounds` is no bound: expected switches:N, rounds:N or every";
        assert_eq!(question("2A2S rounds rounds"), Err(no_bound.to_owned()));
        assert_eq!(question("2A2S rounds:2 round"), Err("there is no algorithm `round`".to_owned()));
        assert!(question("2A switches:1 bounded_contexts").is_err());
        assert!(question("2A2S switches:1 bounded_contexts no-order no-luck").is_err());
        assert!(question("2A2S").is_err());
    }

    #[test]
    fn the_text_of_the_program_states_the_answer() {
        let expected = |text: &str| question(text).map(|question| question.expected());
        assert_eq!(expected("2A1S switches:3 bounded_contexts"), Ok(None));
        assert_eq!(expected("2A1S switches:6 bounded_contexts"), Ok(Some(4)));
        assert_eq!(expected("1A1S switches:6 bounded_contexts"), Ok(None));
        assert_eq!(expected("*A*S rounds:3 linear_interfaces_lazy"), Ok(Some(2)));
    }
}
