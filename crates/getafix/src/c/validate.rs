//! `getafix validate` of a program in C: is a claim a proof?

use super::{Loaded, Wanted, load};
use crate::answer::Value;
use crate::formula;
use crate::input::{READ_TWICE, is_read_twice};
use crate::job::Job;
use crate::options::{COptions, IntegersName, ValidateOptions};
use crate::status::Status;
use crate::validate::{concluded, keep_source};
use base::{Diagnostic, Sources};
use c::Property;
use integers::{Action, InputKind, Program};
use present::answer::Conclusion;
use present::html::{Invariant, Proof};
use proof::{Draft, Reason, Refused, Rule, Statement, subject_with};
use smt::Pipe;

/// Checks a claim against a program.
pub fn run(options: &ValidateOptions, job: &Job) -> Status {
    validate(options, job).unwrap_or_else(|status| status)
}

fn validate(options: &ValidateOptions, job: &Job) -> Result<Status, Status> {
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    if is_read_twice(&[&options.file, &options.certificate]) {
        return Err(rejected(READ_TWICE.to_owned()));
    }
    let (name, text) = job.read(&options.certificate)?;
    let mut claims = Sources::default();
    let file = claims.add(name, text);
    let diagnosed = |error: Diagnostic| {
        job.record.diagnose_all(&claims, &[error]);
        Status::Rejected
    };
    let draft = Draft::read(&claims, file).map_err(diagnosed)?;
    let (loaded, names) = loaded_for(options, &draft, job)?;
    loaded.only_places(job)?;
    let program = selected(&loaded);
    let asked = proof::asked(&program, &draft.header.statement);
    let choice = proof::chosen(&asked, &draft.header.cells, &loaded.sources).map_err(diagnosed)?;
    let subject = subject_with(&program, &draft.header.statement, &choice);
    if !draft.is_about(&subject) {
        job.record.note("the claim was written for another program, or for another version of this one");
    }
    let claim = draft.finish(&subject).map_err(diagnosed)?;
    let solver = job.outside.solver(options.solver.path.as_deref()).map_err(rejected)?;
    let mut pipe = Pipe::with(&solver, job.stop.clone(), formula::share(job).of_only_pipe());
    match proof::check_with(&program, &choice, &claim, &mut pipe) {
        Ok(figures) => {
            if job.output.stats {
                let (n_rules, n_queries) = (figures.n_rules, figures.n_queries);
                job.record
                    .remark(&format!("{n_rules} rules, {n_queries} different questions to the SMT solver\n"));
            }
            let what = proved(&program, &claim.statement, &names, &loaded);
            keep_source(&loaded.sources.file(loaded.file).text, job);
            if job.output.html {
                let proof = outlined(proof::outline(&claim, &subject, &loaded.sources));
                job.record.keep(|reply| reply.proof = Some(proof));
            }
            concluded(Conclusion::accepted(&what, &names), job);
            Ok(Status::Evaluated)
        }
        Err(refused) => Ok(refuse(&refused, &subject.program, &loaded, &names, job)),
    }
}

/// What a page shows of a claim.
fn outlined(all: Vec<proof::Invariant>) -> Proof {
    let invariant = |of: proof::Invariant| Invariant {
        line: of.line,
        column: 0,
        function: of.function,
        is_end: of.at_exit,
        clauses: vec![of.formula],
        is_whole: true,
    };
    let why = "Every run starts where the claim holds, and every step leads from states that it allows to states that it allows: the SMT solver has confirmed each of them.";
    Proof { why: vec![why.to_owned()], invariants: all.into_iter().map(invariant).collect() }
}

/// The program, read as the claim says, and the names of what is not to be reached.
fn loaded_for(options: &ValidateOptions, draft: &Draft, job: &Job) -> Result<(Loaded, Vec<String>), Status> {
    let header = &draft.header;
    let is_about_ends = header.statement != Statement::Unreachable;
    if is_about_ends && !options.targets.is_empty() {
        job.record.error("the claim is about whether runs end, and `--target` is about what is reached");
        return Err(Status::Rejected);
    }
    let integers = match &header.integers[..] {
        "checked" => IntegersName::Checked,
        "wrap" => IntegersName::Wrap,
        _ => IntegersName::Math,
    };
    let names = if options.targets.is_empty() { header.targets.clone() } else { options.targets.clone() };
    let c = COptions { int: options.c.int.or(Some(integers)), ..options.c.clone() };
    let wanted = Wanted {
        path: &options.file,
        options: &c,
        targets: &names,
        property: is_about_ends.then_some(Property::Termination),
        needs_target: !is_about_ends,
    };
    let loaded = load(&wanted, job)?;
    Ok((loaded, names))
}

/// The program whose targets are those that are asked for.
fn selected(loaded: &Loaded) -> Program {
    let mut program = loaded.executed();
    let executed = program.clone();
    program.select_targets(|id, _| loaded.targets.iter().any(|target| target.includes(&executed, id)));
    program
}

/// What a claim that was accepted says.
fn proved(program: &Program, statement: &Statement, names: &[String], loaded: &Loaded) -> String {
    let inputs = match statement {
        Statement::Unreachable => return format!("no run reaches {}", names.join(" or ")),
        Statement::Terminating(_) => return "every run ends".to_owned(),
        Statement::Endless(inputs) => inputs,
    };
    if inputs.is_empty() {
        return "no run ends".to_owned();
    }
    let choice = |&(id, number): &(integers::InputId, i128)| {
        let input = program.input(id);
        let line = loaded.sources.line_column(input.span).0;
        match input.kind {
            InputKind::Read => format!("{} on line {line} is {number}", input.name),
            InputKind::Uninitialised => format!("{}, uninitialised on line {line}, is {number}", input.name),
        }
    };
    let choices: Vec<String> = inputs.iter().map(choice).collect();
    format!("no run ends in which {}", choices.join(", "))
}

fn refuse(refused: &Refused, program: &Program, loaded: &Loaded, names: &[String], job: &Job) -> Status {
    let reason = told(refused, program, loaded);
    if let Reason::NotConfirmed(_) = refused.reason {
        let reason = match job.stop.requested() {
            Some(stop) => job.stopped(stop),
            None => reason,
        };
        job.record.answer(&Value::Unknown(reason));
        return Status::Unknown;
    }
    concluded(Conclusion::refused(reason, names), job);
    Status::Violated
}

/// What is wrong, and where.
fn told(refused: &Refused, program: &Program, loaded: &Loaded) -> String {
    let Refused { function, node, rule, reason } = refused;
    if let Reason::Malformed(how) = reason {
        return how.clone();
    }
    let function = program.function(*function);
    let edge = match rule {
        Rule::Enter(edge)
        | Rule::Step(edge)
        | Rule::Return(edge)
        | Rule::Measure(edge)
        | Rule::Nested(edge) => Some(function.edge(*edge)),
        Rule::Start | Rule::Target => None,
    };
    let span = edge.map_or(function.node(*node).span, |edge| edge.span);
    let line = loaded.sources.line_column(span).0;
    let callee = edge.and_then(|edge| match &edge.action {
        Action::Manage(_) => unreachable!("the program has variables only"),
        Action::Call { callee, .. } => Some(program.function(*callee).name.as_str()),
        Action::Step(_) => None,
    });
    let callee = callee.unwrap_or_default();
    let name = &function.name;
    let point = |node| function.point(node);
    let to = edge.map(|edge| point(edge.to)).unwrap_or_default();
    let what = match rule {
        Rule::Start => format!("at the start of {name}"),
        Rule::Enter(_) => format!("from {name} @{} into {callee} @entry", point(*node)),
        Rule::Return(_) => format!("from {name} @{} behind the call of {callee}, @{to}", point(*node)),
        Rule::Step(_) => format!("from {name} @{} to @{to}", point(*node)),
        Rule::Measure(_) => format!("the measure from {name} @{} to @{to}", point(*node)),
        Rule::Nested(_) => format!("the measure of the call of {callee} at {name} @{}", point(*node)),
        Rule::Target => format!("at {name} @{}, which must not be reached", point(*node)),
    };
    format!("line {line}: {what}: {reason}")
}
