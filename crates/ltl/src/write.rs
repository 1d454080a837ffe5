//! An automaton as the text of a monitor.

use crate::automaton::{Automaton, Literal};
use bp::Checked;
use bp::monitor::{Frame, Guard};

/// A proposition as it is written in a guard.
///
/// Where a function is not on top, a guard over its locals is false as a whole, and so is the proposition; its negation is true
/// there. So a negation over locals has two guards: the function is not on top, or it is and the proposition is false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    text: String,
    /// Whose locals it reads.
    frame: Owner,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Owner {
    Nobody,
    Function(String),
    Several,
}

impl Written {
    /// A proposition, from the text of a formula and what it means.
    pub(crate) fn new(text: &str, guard: &Guard, program: &Checked) -> Self {
        let frame = match guard.frame {
            Frame::Any => Owner::Nobody,
            Frame::Only(function) => {
                let function = &program.program().unit.functions[function.index()];
                Owner::Function(program.program().text(function.name).to_owned())
            }
            Frame::Never => Owner::Several,
        };
        Self { text: text.split_whitespace().collect::<Vec<_>>().join(" "), frame }
    }

    /// A proposition over globals only.
    pub fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), frame: Owner::Nobody }
    }

    /// The guards, one of which has to hold for it to have a value; `T` is left out.
    fn guards(&self, value: bool) -> Vec<Option<String>> {
        let text = &self.text;
        let is_simple = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
        let is_atom = text.ends_with(')')
            && text.find('(').is_some_and(|open| {
                !text[open + 1..].contains('(')
                    && text[..open].bytes().all(|byte| byte.is_ascii_alphabetic())
                    && open > 0
            });
        let bracketed = if is_simple || is_atom { text.clone() } else { format!("({text})") };
        match (value, &self.frame) {
            (true, Owner::Several) => Vec::new(),
            (false, Owner::Several) => vec![None],
            (true, _) => vec![Some(bracketed)],
            (false, Owner::Nobody) => vec![Some(format!("!{bracketed}"))],
            (false, Owner::Function(name)) => {
                vec![Some(format!("!in({name})")), Some(format!("!{bracketed}"))]
            }
        }
    }
}

impl Automaton {
    /// The text of a monitor that accepts the same runs.
    pub fn write(&self, propositions: &[Written]) -> String {
        let mut text = String::from("monitor ltl\nbegin\n");
        for (n, state) in self.states.iter().enumerate() {
            let initial = if n == 0 { "initial " } else { "" };
            let target = if state.is_target { "target " } else { "" };
            text += &format!("  {initial}{target}state s{n}:\n");
            for (literals, to) in &state.edges {
                for guard in guards(literals, propositions) {
                    text += &format!("    on {guard} goto s{to};\n");
                }
            }
        }
        text + "end\n"
    }
}

/// The guards, one of which has to hold, for some literals.
fn guards(literals: &[Literal], propositions: &[Written]) -> Vec<String> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for literal in literals {
        let own = propositions[literal.proposition as usize].guards(literal.value);
        all = all
            .iter()
            .flat_map(|parts| {
                own.iter().map(move |guard| parts.iter().cloned().chain(guard.clone()).collect())
            })
            .collect();
    }
    let text = |parts: Vec<String>| if parts.is_empty() { "T".to_owned() } else { parts.join(" & ") };
    all.into_iter().map(text).collect()
}
