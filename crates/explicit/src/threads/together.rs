//! Programs with threads, searched by several workers, in one process or in several.
//!
//! ```text
//!  Question ──Search::new, for each share──▶ Share ──Shares::run──▶ Found ──path──▶ Trace, Everything
//! ```
//!
//! Contract: verdicts, bounds and runs are those of one search as far as [`super`] promises them, and every process comes to the same ones. Where
//! threads are started at run time, or their number is free, one worker searches: in several processes each of them does all the work.

mod alone;
mod path;
mod report;
mod share;
mod shares;

use super::closed::everything;
use super::forever::FirstDeadlock;
use super::levels::Search;
use super::mail::Mail;
use super::{
    AnyNumber, Cost, End, Everything, Found, MOST_FOR_LEAST, Question, Settings, blocking, counts, forever,
    known_of, run_in, to_be_checked,
};
use crate::search::Share as Part;
use crate::shares::{SharedBy, Team};
use crate::{Figures, Limits, Peers, Stopped, Workers};
use alone::Begun;
use rsm::trace::Trace;
use rsm::{Reductions, ThreadGoal};
use share::Share;
use shares::Shares;

/// Who searches together.
#[derive(Clone, Copy, Debug)]
pub struct Company<'a> {
    /// Of this process.
    pub workers: Workers,
    /// Other processes, each of which asks the same.
    pub peers: Option<&'a dyn Peers>,
}

impl<'a> Company<'a> {
    pub(super) fn team(&self) -> Team<'a> {
        Team::new(self.peers, self.workers.number.get())
    }

    /// There is more than one worker.
    pub fn is_shared(&self) -> bool {
        self.team().is_shared()
    }

    /// How many workers there are, those of all processes.
    pub fn n_workers(&self) -> u64 {
        self.team().n_shares().into()
    }

    /// The question is one that several workers can share.
    pub fn can_share(&self, question: &Question<'_>, settings: Settings) -> bool {
        let is_started =
            settings.native_start && question.cost == Cost::Switches && !question.program.slots.is_empty();
        self.is_shared() && !question.program.is_parameterised() && !is_started
    }

    /// What the first process says: everybody does the same.
    pub fn agree(&self, is_wanted: bool) -> Result<bool, Stopped> {
        let heard = self.team().exchange(|_| vec![u8::from(is_wanted)])?;
        Ok(heard[0] == [1])
    }

    /// What the first process knows that knows anything; it may not be this one.
    fn first_known(&self, own: Option<FirstDeadlock>) -> Result<Option<FirstDeadlock>, Stopped> {
        let said = own.as_ref().map_or(0, |first| 1 + u8::from(first.is_found));
        let heard = self.team().exchange(|_| vec![said])?;
        let known = heard.iter().find_map(|told| match told[..] {
            [1] => Some(false),
            [2] => Some(true),
            _ => None,
        });
        let figures = own.map(|first| first.figures).unwrap_or_default();
        Ok(known.map(|is_found| FirstDeadlock { is_found, figures }))
    }

    /// The shares of this process, of a search that is made for each.
    fn shares<'p>(&self, search: impl Fn() -> Search<'p>) -> Shares<'p, 'a> {
        let team = self.team();
        let share = |number| {
            let mut search = search();
            let part = Part { number, of: team.n_shares(), by: SharedBy::Configuration };
            let (blocks, n_blocks) =
                (search.roles.iter().map(|role| role.0), search.tables.program.blocks.len());
            let n_beside = if search.origins.is_wanted() { 4 } else { 1 };
            search.mail = Some(Box::new(Mail::new(part, blocks, &search.groups, n_blocks, n_beside)));
            Share::new(search)
        };
        Shares::new(team.here().map(share).collect(), team, self.workers)
    }
}

/// What is asked, and of whom.
#[derive(Clone, Copy)]
pub struct Asked<'q> {
    /// About a known number of threads, or a bound that makes it known.
    pub question: &'q Question<'q>,
    /// What is left out.
    pub settings: Settings,
    /// Who searches.
    pub company: Company<'q>,
    /// How much work is allowed.
    pub limits: &'q Limits<'q>,
}

impl Asked<'_> {
    /// The same as [`super::least`].
    pub fn least(&self) -> Result<Found, AnyNumber> {
        let Self { question, settings, company, limits } = *self;
        if !company.can_share(question, settings) {
            return super::least(question, settings, limits);
        }
        let counts = counts(question)?;
        let begun = company.begin(|| Search::new(question, settings, &counts, false), limits);
        Ok(begun.map_or_else(|stopped| unknown(question, stopped), |mut begun| begun.run(limits)))
    }

    /// The same as [`super::closure`]; what was looked at is brought to the first process, and no other one has it.
    pub fn closure(&self) -> Result<(Found, Option<Result<Everything, Stopped>>), AnyNumber> {
        let Self { question, company, limits, .. } = *self;
        let settings = to_be_checked(self.settings);
        let counts = counts(question)?;
        let begun = company.begin(
            || {
                let mut search = Search::new(question, settings, &counts, false);
                search.tables.matter.keep_what_is_passed_on();
                search
            },
            limits,
        );
        let mut begun = match begun {
            Ok(begun) => begun,
            Err(stopped) => return Ok((unknown(question, stopped), None)),
        };
        let found = begun.run(limits);
        if found.end != End::Closed || found.cut.is_some() {
            return Ok((found, None));
        }
        let gathered = match &mut begun {
            Begun::Alone(search, _) => Ok((company.team().own() == 0).then(|| everything(search))),
            Begun::Shared(shares) => shares
                .gather(limits)
                .map(|is_here| is_here.then(|| everything(&shares.rounds.shares[0].search))),
        };
        Ok((found, gathered.transpose()))
    }

    /// The same as [`super::fewest`]; the run is told to the first process only.
    pub fn fewest(&self) -> Result<Result<Option<Trace>, Stopped>, AnyNumber> {
        let Self { question, settings, company, limits } = *self;
        let goals: Vec<ThreadGoal> = question.targets.iter().flatten().copied().collect();
        let one = Question { targets: &[goals], ..*question };
        let counts = counts(question)?;
        let with = |settings| {
            let begun = company.begin(|| Search::new(&one, settings, &counts, true), limits);
            run_of(begun?, company, limits)
        };
        let found = with(settings);
        // The first values of a variable that does not matter at first may matter later: then all of them are looked at.
        let is_untaken = match company.agree(found == Err(Stopped::Untaken)) {
            Ok(is_untaken) => is_untaken,
            Err(stopped) => return Ok(Err(stopped)),
        };
        let all = Settings { reductions: Reductions::NONE, ..settings };
        Ok(if is_untaken && settings != all { with(all) } else { found })
    }

    /// The same as [`super::deadlock`]. One worker looks whether there is a deadlock at all, as long as that takes few configurations; then all of them
    /// count switches.
    pub fn deadlock(&self) -> Result<Found, AnyNumber> {
        let Self { question, settings, company, limits } = *self;
        if question.program.is_parameterised() {
            return Err(AnyNumber);
        }
        let one = Question { targets: &[Vec::new()], ..*question };
        let few = Limits { max_states: MOST_FOR_LEAST.min(limits.max_states), ..*limits };
        let first = match question.bound {
            None => company.team().unheard(&few, |few| {
                forever::first_deadlock(question.program, settings, few).unwrap_or_default()
            }),
            Some(_) => None,
        };
        // Whoever knows tells the others: who has less memory may not.
        let known = match company.first_known(first) {
            Ok(known) => known,
            Err(stopped) => return Ok(unknown(&one, stopped)),
        };
        let levels = |limits: &Limits<'_>| {
            let begun = company.begin(|| Search::for_deadlocks(&one, blocking(settings), false), limits);
            begun.map_or_else(|stopped| unknown(&one, stopped), |mut begun| begun.run(limits))
        };
        let Some(first) = known else { return Ok(levels(limits)) };
        if !first.is_found {
            return Ok(known_of(&first));
        }
        match levels(&few) {
            Found { end: End::Stopped(Stopped::States), .. } => Ok(known_of(&first)),
            found => Ok(found),
        }
    }

    /// The same as [`super::fewest_to_deadlock`]; the run is told to the first process only.
    pub fn fewest_to_deadlock(&self) -> Result<Result<Option<Trace>, Stopped>, AnyNumber> {
        let Self { question, settings, company, limits } = *self;
        if question.program.is_parameterised() {
            return Err(AnyNumber);
        }
        let one = Question { targets: &[Vec::new()], ..*question };
        let begun = company.begin(|| Search::for_deadlocks(&one, blocking(settings), true), limits);
        Ok(begun.and_then(|begun| run_of(begun, company, limits)))
    }
}

/// Somebody had to stop before anything was known.
fn unknown(question: &Question<'_>, stopped: Stopped) -> Found {
    let n = question.targets.len();
    Found {
        least: vec![None; n],
        is_reached: vec![false; n],
        end: End::Stopped(stopped),
        looked_at: None,
        cut: None,
        figures: Figures::default(),
    }
}

fn run_of(
    mut begun: Begun<'_, '_>,
    company: Company<'_>,
    limits: &Limits<'_>,
) -> Result<Option<Trace>, Stopped> {
    let found = begun.run(limits);
    let is_hit = match &begun {
        Begun::Alone(search, _) => search.origins.hit().is_some(),
        Begun::Shared(shares) => shares.all.hit.is_some(),
    };
    match (found.end, begun) {
        (End::Stopped(stopped), _) => Err(stopped),
        _ if !is_hit => Ok(None),
        (_, Begun::Shared(mut shares)) => shares.trace(limits.max_steps),
        (_, Begun::Alone(search, _)) if company.team().own() == 0 => run_in(*search, limits),
        (_, Begun::Alone(..)) => Ok(None),
    }
}
