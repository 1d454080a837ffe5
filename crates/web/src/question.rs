//! A question as the page writes it.
//!
//! ```json
//! { "file": "a.bp", "texts": { "a.bp": "…", "own.mu": "…" }, "options": { "k": 3, "algorithm": "own.mu" }, "memory": 500000000 }
//! ```
//!
//! Contract: options have the names of the command line; one that is not known is a mistake, and not left out. A file of formulas is evaluated, unless it is
//! that of an option; every other file is checked, or shown in its canonical form if `"do": "format"` says so.

use getafix::options::{
    CheckOptions, EngineName, FormatOptions, MuOptions, Named, ProgramStage, QuestionOptions, SchedulerName,
    SearchName, TraceForm,
};
use getafix::{Limits, Output, Question, Request, Source};
use serde_json::{Map, Value};

/// The request, and the name of the program.
pub fn read(text: &str) -> Result<(Request, String), String> {
    let asked: Value = serde_json::from_str(text).map_err(|error| format!("no question: {error}"))?;
    let name = asked["file"].as_str().ok_or("the question names no file")?.to_owned();
    let texts = asked["texts"].as_object().ok_or("the question has no texts")?;
    let sources = texts.iter().map(|(name, text)| Source::new(name, text.as_str().unwrap_or_default()));
    let options = asked["options"].as_object().cloned().unwrap_or_default();
    let question = match asked["do"].as_str() {
        Some("format") => Question::Format(FormatOptions { file: name.clone().into() }),
        _ if name.ends_with(".mu") => Question::Evaluate(evaluate(&name, &options)?),
        _ => Question::Check(Box::new(check(&name, &options)?)),
    };
    let mut request = Request::new(question, sources.collect());
    request.limits = Limits { timeout: None, memory: asked["memory"].as_u64() };
    let stats = asked["stats"] == true;
    request.output = Output { text: true, json: true, sarif: false, html: true, stats };
    Ok((request, name))
}

/// The options of a file of formulas.
fn evaluate(name: &str, options: &Map<String, Value>) -> Result<MuOptions, String> {
    let mut of = MuOptions { file: name.into(), ..MuOptions::default() };
    for (option, value) in options {
        match option.as_str() {
            "param" => of.params = numbers(option, value)?,
            "twin" => of.twin = truth(option, value)?,
            _ => return Err(format!("`{option}` is no option of a file of formulas")),
        }
    }
    Ok(of)
}

/// The options of a program.
fn check(name: &str, options: &Map<String, Value>) -> Result<CheckOptions, String> {
    let mut of = CheckOptions { file: name.into(), ..CheckOptions::default() };
    for (option, value) in options {
        set(&mut of, option, value)?;
    }
    Ok(of)
}

fn set(of: &mut CheckOptions, option: &str, value: &Value) -> Result<(), String> {
    match option {
        "target" => of.targets = words(option, value)?,
        "k" => of.bound.switches = Some(number(option, value)?),
        "rounds" => of.bound.rounds = Some(number(option, value)?),
        "up-to" => of.bound.up_to = Some(number(option, value)?),
        "async-labels" => of.bound.async_labels = truth(option, value)?,
        "algorithm" => of.formula.algorithm = Some(word(option, value)?),
        "param" => of.formula.params = numbers(option, value)?,
        "label" => of.formula.labels = pairs(option, value)?,
        "engine" => of.engine = Some(named::<EngineName>(option, value)?),
        "search" => of.search = Some(named::<SearchName>(option, value)?),
        "no-explicit" => of.formula.no_explicit = truth(option, value)?,
        "without" => of.without = words(option, value)?,
        "show" => of.show = Some(named::<ProgramStage>(option, value)?),
        "trace" => of.trace = named::<TraceForm>(option, value)?,
        "shortest" => of.shortest = truth(option, value)?,
        "certificate" => of.certificate = truth(option, value)?,
        "seed" => of.seed = Some(u64::from(number(option, value)?)),
        "int" => of.c.int = Some(named(option, value)?),
        "data-model" => of.c.data_model = Some(named(option, value)?),
        "input" => of.c.input = words(option, value)?,
        "no-cpp" => of.c.no_cpp = truth(option, value)?,
        _ => return ask(&mut of.question, option, value),
    }
    Ok(())
}

fn ask(of: &mut QuestionOptions, option: &str, value: &Value) -> Result<(), String> {
    match option {
        "repeat" => of.repeat = words(option, value)?,
        "nonterm" => of.nonterm = truth(option, value)?,
        "deadlock" => of.deadlock = truth(option, value)?,
        "monitor" => of.monitor = Some(word(option, value)?.into()),
        "fair" => of.fair = truth(option, value)?,
        "ltl" => of.ltl = Some(word(option, value)?),
        "scheduler" => of.scheduler = Some(named::<SchedulerName>(option, value)?),
        _ => return Err(format!("there is no option `{option}` here")),
    }
    Ok(())
}

fn word(option: &str, value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("`{option}` wants a word"))
}

fn truth(option: &str, value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("`{option}` is given or not"))
}

fn number(option: &str, value: &Value) -> Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("`{option}` wants a number from 0 to {}", u32::MAX))
}

fn named<T: Named>(option: &str, value: &Value) -> Result<T, String> {
    let known: Vec<&str> = T::ALL.iter().map(|(_, name, _)| *name).collect();
    T::named(value.as_str().unwrap_or_default())
        .ok_or_else(|| format!("`{option}` is one of {}", known.join(", ")))
}

fn words(option: &str, value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Array(all) => all.iter().map(|one| word(option, one)).collect(),
        one => Ok(vec![word(option, one)?]),
    }
}

fn pairs(option: &str, value: &Value) -> Result<Vec<(String, String)>, String> {
    let all = value.as_object().ok_or_else(|| format!("`{option}` wants names and values"))?;
    all.iter().map(|(name, value)| Ok((name.clone(), word(option, value)?))).collect()
}

fn numbers(option: &str, value: &Value) -> Result<Vec<(String, u64)>, String> {
    let all = value.as_object().ok_or_else(|| format!("`{option}` wants names and numbers"))?;
    all.iter().map(|(name, value)| Ok((name.clone(), u64::from(number(option, value)?)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(options: &str) -> String {
        let text = format!(r#"{{ "file": "a.bp", "texts": {{ "a.bp": "" }}, "options": {options} }}"#);
        read(&text).err().unwrap_or_default()
    }

    #[test]
    fn options_have_the_names_of_the_command_line() {
        assert_eq!(mistake(r#"{ "k": 3, "target": "L", "engine": "explicit", "nonterm": true }"#), "");
        assert_eq!(mistake(r#"{ "kk": 3 }"#), "there is no option `kk` here");
        assert_eq!(mistake(r#"{ "k": -1 }"#), "`k` wants a number from 0 to 4294967295");
        assert_eq!(mistake(r#"{ "scheduler": "?" }"#), "`scheduler` is one of any, weak, strong");
        assert!(read("{").err().is_some_and(|message| message.starts_with("no question")));
    }
}
