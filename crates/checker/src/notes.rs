//! What a formula file says about its tuples, so that its relations and variables can have any names.
//!
//! | note | says |
//! |---|---|
//! | `#bound k switches;` | the parameter `k` bounds the number of context switches |
//! | `#bound k rounds;` | it bounds the number of rounds, in the order of the text |
//! | `#bound k rounds, any order;` | it bounds the number of rounds, in an order that is the same in all of them; blocks of any number are allowed |
//! | `#contexts c, t, T, G;` | variables of the query: the target is reached in context `c`, by thread `t`; context j is that of thread `T[j]` and begins with the shared values `G[j]` |
//! | `#rounds i, t, G, H by Out;` | variables of the query: the target is reached in round `i`, by thread `t`, which finds `G[j]` in round j and has left `H[j]` in those before; the tuples `Out(t, i, G, H)` are what threads do in `i` rounds |
//! | `#verdict violated "text";` | what a true query means: `reachable`, `unreachable`, `violated`, `holds`, `infinite run` or `no infinite run`; the text says what the run does that is looked for |
//! | `#verdict reachable within i "calls";` | the same, and the least value of the query's variable `i` is a bound, in these units |
//! | `#exact;` | the author claims that each run that the formula speaks of exists, so that no run is needed to believe it |
//! | `#without straight-lines;` | the formula can tell what this reduction makes the same |
//! | `#label A = "f:L";` | `A(State)` holds at that label (see `labels`) |
//! | `#function F = "f";`, `#variable X = "f:x";` | `F(Module)` holds of that function, `X(Variable)` of that variable (see `names`) |
//! | `#certificate Summary, Reach;` | `Summary` has pairs of an entry and a state, `Reach` the entries that runs get to; without the second they are the pairs at counter 0 |

use crate::names;
use crate::outcome::Words;
use base::{Diagnostic, FileId, Span};
use calculus::syntax::{Note, NoteKind, NotePart};
use calculus::system::{BinderId, RelationId, SortKind, System, VarId};
use rsm::Reductions;

/// What is bounded, and by which parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundNote {
    /// The parameter.
    pub parameter: String,
    /// What it counts.
    pub counts: Counts,
}

/// What a bound counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Context switches.
    Switches,
    /// Rounds, in the order of the text.
    Rounds,
    /// Rounds, in any order.
    AnyOrder,
}

/// The relations of a formula that make a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Summaries {
    /// Entry and current state.
    pub pairs: RelationId,
    /// Entries that runs get to.
    pub entries: Option<RelationId>,
}

/// The variables of a query about rounds, and the relation of what threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RoundsNote {
    pub round: BinderId,
    pub thread: BinderId,
    pub finds: BinderId,
    pub leaves: BinderId,
    /// Its parameters are a thread, a number of rounds, what the thread finds and what it leaves.
    pub turns: RelationId,
}

/// The variables of a query about contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContextsNote {
    pub context: BinderId,
    pub thread: BinderId,
    pub schedule: BinderId,
    pub shared: BinderId,
}

/// What a true query means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VerdictNote {
    pub words: Words,
    /// A query that is true means that there is what is looked for.
    pub true_is_yes: bool,
    /// What the runs do that are looked for.
    pub about: Option<String>,
    pub within: Option<WithinNote>,
}

/// What an answer counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WithinNote {
    /// The variable of the query whose least value is the bound.
    pub number: BinderId,
    /// What it is a number of.
    pub unit: String,
}

/// All notes of a file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Notes {
    pub bound: Option<BoundNote>,
    pub contexts: Option<ContextsNote>,
    pub rounds: Option<RoundsNote>,
    pub certificate: Option<Summaries>,
    pub verdict: Option<VerdictNote>,
    /// Where `#exact` is said.
    pub exact: Option<Span>,
}

/// The reductions that some notes leave over.
pub(crate) fn reductions<'n>(
    notes: impl IntoIterator<Item = &'n Note>,
    mut which: Reductions,
) -> Result<Reductions, Diagnostic> {
    for note in notes.into_iter().filter(|note| note.word == "#without") {
        // The names have hyphens, which the calculus reads as marks.
        for parts in note.parts.split(|part| part.kind == NoteKind::Mark && part.text == ",") {
            let [first, last] = [parts.first(), parts.last()].map(|part| part.map(|part| part.span));
            let (Some(first), Some(last)) = (first, last) else {
                return Err(Reader { note, at: note.parts.len() }.expected("the name of a reduction"));
            };
            let name: String = parts.iter().map(|part| part.text.as_str()).collect();
            match which.switch(&name) {
                _ if name == "all" => which = Reductions::NONE,
                Ok(switch) => *switch = false,
                Err(error) => {
                    return Err(Diagnostic::error(Span { end: last.end, ..first }, error.to_string()));
                }
            }
        }
    }
    Ok(which)
}

/// The bound that one of some notes speaks of.
pub(crate) fn bound<'n>(notes: impl IntoIterator<Item = &'n Note>) -> Result<Option<BoundNote>, Diagnostic> {
    let mut found = None;
    for note in notes.into_iter().filter(|note| note.word == "#bound") {
        let mut reader = Reader::new(note);
        let parameter = reader.name("a parameter")?.text.clone();
        let counts = reader.name("`switches` or `rounds`")?;
        let counts = match counts.text.as_str() {
            "switches" => Counts::Switches,
            "rounds" if reader.mark(",") => {
                reader.keyword("any")?;
                reader.keyword("order")?;
                Counts::AnyOrder
            }
            "rounds" => Counts::Rounds,
            other => {
                let message = format!("expected `switches` or `rounds`, found `{other}`");
                return Err(Diagnostic::error(counts.span, message));
            }
        };
        reader.end()?;
        if found.replace(BoundNote { parameter, counts }).is_some() {
            return Err(Diagnostic::error(note.span, "the bound is said twice"));
        }
    }
    Ok(found)
}

/// Reads the notes of a system whose query, which stands in this file, begins with these variables. A note of another file, which is
/// loaded, is about that file's own query: where it names variables that this one does not have, it says nothing here.
pub(crate) fn read(system: &System, home: FileId, query: &[BinderId]) -> Result<Notes, Vec<Diagnostic>> {
    let (mut notes, mut errors) = (Notes::default(), Vec::new());
    match bound(&system.notes) {
        Ok(bound) => notes.bound = bound,
        Err(error) => errors.push(error),
    }
    for note in &system.notes {
        let names = Names { system, query };
        let mut reader = Reader::new(note);
        let read = match note.word {
            "#contexts" => names.contexts(&mut reader).map(|read| notes.contexts = Some(read)),
            "#rounds" => names.rounds(&mut reader).map(|read| notes.rounds = Some(read)),
            "#certificate" => names.certificate(&mut reader).map(|read| notes.certificate = Some(read)),
            // These are about the query, not about relations: in a file that is loaded they are about that file's own.
            "#verdict" | "#exact" if note.span.file != home => continue,
            "#verdict" if notes.verdict.is_some() => {
                errors.push(Diagnostic::error(note.span, "the verdict is said twice"));
                continue;
            }
            "#verdict" => names.verdict(&mut reader).map(|read| notes.verdict = Some(read)),
            "#exact" => {
                notes.exact = Some(note.span);
                Ok(())
            }
            _ => continue,
        };
        let read = read.and_then(|()| reader.end());
        errors.extend(read.err().filter(|_| note.span.file == home));
    }
    if errors.is_empty() { Ok(notes) } else { Err(errors) }
}

/// The words of `#verdict`, by the first of them, and whether a true query means that there is what is looked for.
fn meant(first: &str) -> Option<(Words, bool)> {
    match first {
        "reachable" => Some((Words::Reachable, true)),
        "unreachable" => Some((Words::Reachable, false)),
        "violated" => Some((Words::Violated, true)),
        "holds" => Some((Words::Violated, false)),
        "infinite" => Some((Words::InfiniteRun, true)),
        "no" => Some((Words::InfiniteRun, false)),
        _ => None,
    }
}

/// The words that a `#verdict` has, whatever follows.
pub(crate) fn words(note: &Note) -> Option<Words> {
    Some(meant(&note.parts.first()?.text)?.0)
}

/// A `#verdict` says `reachable`, and no more.
pub(crate) fn is_bare_reachable(note: &Note) -> bool {
    matches!(&note.parts[..], [word] if word.text == "reachable")
}

/// A note names something of the program.
pub(crate) fn names_program(note: &Note) -> bool {
    note.word == "#where" || names::kind(note).is_some()
}

/// Goes through the parts of a note.
struct Reader<'n> {
    note: &'n Note,
    at: usize,
}

impl<'n> Reader<'n> {
    fn new(note: &'n Note) -> Self {
        Self { note, at: 0 }
    }

    fn peek(&self) -> Option<&'n NotePart> {
        self.note.parts.get(self.at)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        match self.peek() {
            Some(part) => Diagnostic::error(part.span, format!("expected {what}, found `{}`", part.text)),
            None => {
                let end = Span { start: self.note.span.end, ..self.note.span };
                Diagnostic::error(end, format!("expected {what}, found the end of `{}`", self.note.word))
            }
        }
    }

    fn name(&mut self, what: &str) -> Result<&'n NotePart, Diagnostic> {
        let part = self.peek().filter(|part| part.kind == NoteKind::Name);
        let part = part.ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(part)
    }

    fn keyword(&mut self, word: &str) -> Result<(), Diagnostic> {
        match self.peek() {
            Some(part) if part.kind == NoteKind::Name && part.text == word => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.expected(&format!("`{word}`"))),
        }
    }

    /// The next part is this mark; then it is taken.
    fn mark(&mut self, text: &str) -> bool {
        let is_next = self.peek().is_some_and(|part| part.kind == NoteKind::Mark && part.text == text);
        self.at += usize::from(is_next);
        is_next
    }

    /// The next part is a quoted text; then it is taken.
    fn text(&mut self) -> Option<&'n str> {
        let part = self.peek().filter(|part| part.kind == NoteKind::Text)?;
        self.at += 1;
        Some(&part.text)
    }

    fn comma(&mut self) -> Result<(), Diagnostic> {
        if self.mark(",") { Ok(()) } else { Err(self.expected("`,`")) }
    }

    fn end(&self) -> Result<(), Diagnostic> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("`;`")) }
    }
}

/// What names in notes may stand for.
struct Names<'s> {
    system: &'s System,
    query: &'s [BinderId],
}

impl Names<'_> {
    fn variable(&self, reader: &mut Reader) -> Result<BinderId, Diagnostic> {
        let part = reader.name("a variable of the query")?;
        let found = self.query.iter().find(|binder| self.system.binders[binder.index()].name == part.text);
        found.copied().ok_or_else(|| {
            let message = format!("`{}` is no variable that the last query begins with", part.text);
            Diagnostic::error(part.span, message)
        })
    }

    /// A variable of the query whose values are numbers.
    fn number(&self, reader: &mut Reader) -> Result<BinderId, Diagnostic> {
        let part = reader.peek();
        let binder = self.variable(reader)?;
        let leaves = &self.system.binders[binder.index()].leaves;
        let is_number = |leaf: &VarId| matches!(self.system.sort_of(*leaf).kind, SortKind::Range { .. });
        match (&leaves[..], part) {
            ([leaf], _) if is_number(leaf) => Ok(binder),
            (_, None) => Ok(binder),
            (_, Some(part)) => {
                let message =
                    format!("`{}` is no number: a bound is a variable of a range such as `0..k`", part.text);
                Err(Diagnostic::error(part.span, message))
            }
        }
    }

    fn relation(&self, reader: &mut Reader, n_params: usize) -> Result<RelationId, Diagnostic> {
        let part = reader.name("a relation")?;
        let found = self.system.relations.iter().position(|relation| relation.name == part.text);
        let Some(found) = found.map(RelationId::new) else {
            return Err(Diagnostic::error(part.span, format!("there is no relation `{}`", part.text)));
        };
        match self.system.relation(found).params.len() {
            n if n == n_params => Ok(found),
            n => {
                let message = format!("`{}` has {n} parameters, but {n_params} are meant here", part.text);
                Err(Diagnostic::error(part.span, message))
            }
        }
    }

    fn four(&self, reader: &mut Reader) -> Result<[BinderId; 4], Diagnostic> {
        let first = self.variable(reader)?;
        let mut rest = || reader.comma().and_then(|()| self.variable(reader));
        Ok([first, rest()?, rest()?, rest()?])
    }

    fn contexts(&self, reader: &mut Reader) -> Result<ContextsNote, Diagnostic> {
        let [context, thread, schedule, shared] = self.four(reader)?;
        Ok(ContextsNote { context, thread, schedule, shared })
    }

    fn rounds(&self, reader: &mut Reader) -> Result<RoundsNote, Diagnostic> {
        let [round, thread, finds, leaves] = self.four(reader)?;
        reader.keyword("by")?;
        Ok(RoundsNote { round, thread, finds, leaves, turns: self.relation(reader, 4)? })
    }

    fn verdict(&self, reader: &mut Reader) -> Result<VerdictNote, Diagnostic> {
        const EXPECTED: &str =
            "`reachable`, `unreachable`, `violated`, `holds`, `infinite run` or `no infinite run`";
        let first = reader.peek().ok_or_else(|| reader.expected(EXPECTED))?;
        let (words, true_is_yes) = meant(&first.text).ok_or_else(|| reader.expected(EXPECTED))?;
        reader.at += 1;
        if first.text == "no" {
            reader.keyword("infinite")?;
        }
        if words == Words::InfiniteRun {
            reader.keyword("run")?;
        }
        let mut within = None;
        if reader.peek().is_some_and(|part| part.text == "within") {
            reader.at += 1;
            let number = self.number(reader)?;
            let unit = reader.text().ok_or_else(|| reader.expected("a text, as in `\"calls\"`"))?;
            within = Some(WithinNote { number, unit: unit.to_owned() });
        }
        let about = reader.text().map(str::to_owned);
        Ok(VerdictNote { words, true_is_yes, about, within })
    }

    fn certificate(&self, reader: &mut Reader) -> Result<Summaries, Diagnostic> {
        let pairs = self.relation(reader, 2)?;
        let entries = if reader.mark(",") { Some(self.relation(reader, 1)?) } else { None };
        for relation in [Some(pairs), entries].into_iter().flatten() {
            let params = &self.system.relation(relation).params;
            let is_state = |binder: &BinderId| self.system.binders[binder.index()].type_name == "State";
            if !params.iter().all(is_state) {
                let message = "a certificate is made of relations between states";
                return Err(Diagnostic::error(reader.note.span, message));
            }
        }
        Ok(Summaries { pairs, entries })
    }
}
