//! What goes in and what comes out: every question, every form, and everything that can be wrong with it.

use getafix::options::{
    AbstractOptions, CheckOptions, ExecuteOptions, FormatOptions, Named, QuestionOptions,
    SequentializeOptions, TraceForm, TranslateOptions, ValidateOptions, WitnessOptions,
};
use getafix::{Events, Limits, Output, Question, Reply, Request, Said, Source, Status};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SAFE: &str = "decl x; void main() begin x := F; if (x) then ERROR: skip; fi end";
const BAD: &str = "decl x; void main() begin x := *; assert(x); end";

fn ask(question: Question, sources: &[(&str, &str)]) -> Reply {
    let sources = sources.iter().map(|(name, text)| Source::new(*name, *text)).collect();
    getafix::answer(&Request::new(question, sources), &mut Events::sealed())
}

fn check(text: &str, options: CheckOptions) -> Reply {
    getafix::answer(&Request::check_with("p.bp", text, options), &mut Events::sealed())
}

#[test]
fn a_reply_says_itself_in_every_form() {
    let reply = getafix::check(BAD);
    assert_eq!((reply.status, reply.verdict(), reply.reason()), (Status::Violated, "reachable", None));
    assert!(
        reply.text.starts_with("REACHABLE\n") && reply.text.contains("assertion fails"),
        "{}",
        reply.text
    );
    let json = reply.json();
    assert_eq!((&json["verdict"], &json["trace"]), (&"reachable".into(), reply.trace().expect("a run")));
    let sarif = reply.sarif("program.bp");
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1), "{sarif:#}");
    let safe = getafix::check(SAFE);
    assert_eq!((safe.status, safe.verdict(), safe.trace()), (Status::Evaluated, "unreachable", None));
}

#[test]
fn forms_that_are_not_wanted_are_not_made_and_the_others_are_the_same() {
    let all = getafix::check(BAD);
    let only = |output: Output| {
        let request = Request { output, ..Request::check("program.bp", BAD) };
        getafix::answer(&request, &mut Events::sealed())
    };
    let none = Output { text: false, json: false, sarif: false, html: false, stats: false };
    let (text, json) = (only(Output { text: true, ..none }), only(Output { json: true, ..none }));
    assert_eq!((&text.text, text.trace()), (&all.text, None));
    assert_eq!((json.text.as_str(), json.json()), ("", all.json()));
    let sarif = only(Output { sarif: true, ..none });
    assert_eq!((sarif.text.as_str(), sarif.sarif("p")), ("", all.sarif("p")));
}

#[test]
fn no_trace_is_no_trace_in_any_form() {
    let reply = check(BAD, CheckOptions { trace: TraceForm::None, ..CheckOptions::default() });
    assert_eq!((reply.text.as_str(), reply.trace()), ("REACHABLE\n", None));
    assert_eq!(reply.json()["trace"], serde_json::Value::Null);
}

#[test]
fn a_certificate_is_a_text_that_validates() {
    let certificate = check(SAFE, CheckOptions { certificate: true, ..CheckOptions::default() });
    let certificate = certificate.certificate.expect("a certificate");
    let validate = |program: &str| {
        let options = ValidateOptions {
            file: "p.bp".into(),
            certificate: "p.cert".into(),
            ..ValidateOptions::default()
        };
        ask(Question::Validate(options), &[("p.bp", program), ("p.cert", &certificate)])
    };
    assert_eq!(validate(SAFE).verdict(), "accepted");
    assert_eq!(validate(&SAFE.replace("x := F", "x := T")).verdict(), "refused");
}

#[test]
fn every_other_question_has_its_reply() {
    let file = || "p.bp".into();
    let run =
        ask(Question::Run(ExecuteOptions { file: file(), ..ExecuteOptions::default() }), &[("p.bp", BAD)]);
    assert!(run.text.contains("ended: ") && run.json()["run"]["ended"].is_object(), "{}", run.text);
    let canonical = ask(Question::Format(FormatOptions { file: file() }), &[("p.bp", SAFE)]);
    assert!(canonical.text.starts_with("decl x;\n"), "{}", canonical.text);
    let chc = TranslateOptions { file: file(), chc: true, ..TranslateOptions::default() };
    assert!(ask(Question::Translate(chc), &[("p.bp", SAFE)]).text.contains("(set-logic HORN)"));
    let mut sequentialize = SequentializeOptions { file: file(), ..SequentializeOptions::default() };
    sequentialize.bound.switches = Some(1);
    let threads = "decl x; thread p begin void main() begin x := T; ERROR: skip; end end";
    let sequential = ask(Question::Sequentialize(sequentialize), &[("p.bp", threads)]);
    assert!(sequential.text.contains("ERROR:"), "{}", sequential.text);
    let values = getafix::answer(&Request::evaluate("a.mu", "exists bool x. x;"), &mut Events::sealed());
    assert_eq!((values.text.as_str(), values.verdict()), ("true\n", "evaluated"));
    // These need an SMT solver, and there is none.
    let c = [("p.c", "int main(void) { return 0; }"), ("w.yml", "[]")];
    let abstraction = AbstractOptions { file: "p.c".into(), ..AbstractOptions::default() };
    assert_eq!(ask(Question::Abstract(abstraction), &c).status, Status::Rejected);
    let witness = WitnessOptions { witness: "w.yml".into(), file: "p.c".into(), ..WitnessOptions::default() };
    assert_eq!(ask(Question::Witness(witness), &c).status, Status::Rejected);
}

#[test]
fn mistakes_are_replies_with_their_places() {
    let reply = getafix::check("void main() begin x := T; end");
    assert_eq!((reply.status, reply.verdict()), (Status::Rejected, "error"));
    let [diagnostic] = &reply.diagnostics[..] else { panic!("{:?}", reply.diagnostics) };
    assert!(diagnostic.contains("program.bp:1:19") && diagnostic.contains("x := T"), "{diagnostic}");
    assert_eq!(reply.json()["diagnostics"][0]["place"]["column"], 19);
    let missing = ask(Question::Format(FormatOptions { file: "q.bp".into() }), &[("p.bp", SAFE)]);
    assert!(missing.diagnostics[0].contains("`q.bp` is not among the texts"), "{:?}", missing.diagnostics);
    let binary = Request::new(
        Question::Format(FormatOptions { file: "p.bp".into() }),
        vec![Source::new("p.bp", b"a\xff".to_vec())],
    );
    let binary = getafix::answer(&binary, &mut Events::sealed());
    assert!(binary.diagnostics[0].contains("byte 0xff at position 1"), "{:?}", binary.diagnostics);
}

#[test]
fn options_that_do_not_go_together_are_refused_whoever_asks() {
    let question = QuestionOptions { deadlock: true, ..QuestionOptions::default() };
    let reply = check(SAFE, CheckOptions { question, ..CheckOptions::default() });
    assert_eq!(reply.status, Status::Rejected);
    assert!(reply.diagnostics[0].contains("this program is sequential"), "{:?}", reply.diagnostics);
}

#[test]
fn time_is_kept_although_nobody_watches() {
    let product = "void main() begin decl a: int<64>, b: int<64>; assume(a < 2147483648 & b < 2147483648 & a * b = 2305843009213693951); ERROR: skip; end";
    let timeout = Some(Duration::from_millis(300));
    let limits = Limits { timeout, memory: None };
    let request = Request { limits, ..Request::check("product.bp", product) };
    let reply = getafix::answer(&request, &mut Events::system());
    assert_eq!(reply.verdict(), "unknown", "{}", reply.text);
    assert!(
        reply.reason().is_some_and(|reason| reason.contains("timeout after 0.3s")),
        "{:?}",
        reply.reason()
    );
}

#[test]
fn a_listener_hears_what_the_reply_holds() {
    let heard = Arc::new(Mutex::new(String::new()));
    let hears = heard.clone();
    let listener = move |said: Said<'_>| {
        let mut heard = hears.lock().expect("nobody panics");
        match said {
            Said::Answer(text) => heard.push_str(text),
            Said::Conclusion(conclusion) => heard.push_str(&conclusion.text),
            _ => {}
        }
    };
    let request = Request::evaluate("a.mu", "#print \"one\"; exists bool x. x; exists bool x. x & !x;");
    let mut events = Events::sealed().heard(request.output, Box::new(listener));
    let reply = getafix::answer(&request, &mut events);
    assert_eq!(*heard.lock().expect("nobody panics"), reply.text);
    assert_eq!(reply.text, "one\ntrue\nfalse\n");
}

#[test]
fn names_of_options_are_read_back() {
    for (value, name, about) in getafix::options::EngineName::ALL {
        assert_eq!((getafix::options::EngineName::named(name), value.name()), (Some(*value), *name));
        assert!(!about.trim().is_empty());
    }
    assert_eq!(getafix::options::EngineName::named("magic"), None);
}
