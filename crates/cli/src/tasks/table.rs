//! What is said at the end about many checks: the table of a list, and the counts.

use super::answer::Answer;
use super::expected::Standing;
use super::task::Task;
use getafix::Status;

type Answers = [Option<(Answer, Standing)>];

/// A line for each check, then what is not as expected at length, then the counts.
pub fn of_list(tasks: &[Task], answers: &Answers) -> String {
    let mut rows = vec![["check", "verdict", "expected", ""].map(str::to_owned)];
    for (task, answer) in tasks.iter().zip(answers) {
        rows.push(match answer {
            Some((answer, standing)) => {
                let word = match standing {
                    Standing::AsExpected => standing.word().to_owned(),
                    _ => standing.word().to_uppercase(),
                };
                [task.name.clone(), answer.verdict().to_owned(), task.expected.shown(answer), word]
            }
            None => [task.name.clone(), "not asked".to_owned(), String::new(), "UNKNOWN".to_owned()],
        });
    }
    let mut text = columns(&rows);
    text.push('\n');
    let details: Vec<String> =
        tasks.iter().zip(answers).filter_map(|(task, answer)| detail(task, answer.as_ref()?)).collect();
    for detail in details {
        text.push_str(&detail);
        text.push('\n');
    }
    let count = |wanted: Standing| {
        answers
            .iter()
            .filter(|answer| answer.as_ref().map_or(Standing::Unknown, |(_, standing)| *standing) == wanted)
            .count()
    };
    let counts: Vec<(usize, &str)> =
        Standing::ALL.iter().map(|(standing, word)| (count(*standing), *word)).collect();
    text + &counted(answers.len(), "check", &counts)
}

/// What is not as expected: why, and how it is asked again.
fn detail(task: &Task, (answer, standing): &(Answer, Standing)) -> Option<String> {
    if *standing == Standing::AsExpected {
        return None;
    }
    let expected = match standing {
        Standing::Another => format!(", and {} is expected", task.expected.shown(answer)),
        _ => String::new(),
    };
    Some(format!("{}: {}{expected}\n  {}\n", task.name, answer.told(), task.command()))
}

/// How many programs have which verdict.
pub fn summary(answers: &Answers) -> String {
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for verdict in super::expected::VERDICTS.into_iter().chain(["evaluated"]) {
        let is = |(answer, _): &&(Answer, Standing)| answer.verdict() == verdict;
        counts.push((answers.iter().flatten().filter(is).count(), verdict));
    }
    let of = |status: Status| answers.iter().flatten().filter(|(answer, _)| answer.status == status).count();
    counts.push((of(Status::Rejected), "rejected"));
    counts.push((of(Status::Bug), "a bug of getafix"));
    counts.push((answers.iter().filter(|answer| answer.is_none()).count(), "not asked"));
    let another = answers.iter().flatten().filter(|(_, standing)| *standing == Standing::Another).count();
    let mut text = counted(answers.len(), "program", &counts);
    if another > 0 {
        text.push_str(&format!("{another} not as the task expects\n"));
    }
    text
}

fn counted(all: usize, what: &str, counts: &[(usize, &str)]) -> String {
    let shown: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    format!("{all} {what}{}: {}\n", if all == 1 { "" } else { "s" }, shown.join(", "))
}

/// Rows with columns as wide as they have to be, and nothing behind the last.
fn columns(rows: &[[String; 4]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let line = |row: &[String; 4]| {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}
