//! Many checks as JUnit XML, which CI servers show: a test case for each check.

use super::answer::Answer;
use super::expected::Standing;
use super::task::Task;

/// Whether times are told. With them no two documents are the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Written,
    LeftOut,
}

/// The document.
pub fn document(suite: &str, tasks: &[Task], answers: &[Option<(Answer, Standing)>], times: Times) -> String {
    let standing = |answer: &Option<(Answer, Standing)>| {
        answer.as_ref().map_or(Standing::Unknown, |(_, standing)| *standing)
    };
    let n_failures = answers.iter().filter(|answer| standing(answer) == Standing::Another).count();
    let n_right = answers.iter().filter(|answer| standing(answer) == Standing::AsExpected).count();
    let n_errors = answers.len() - n_failures - n_right;
    let counts = format!("tests=\"{}\" failures=\"{n_failures}\" errors=\"{n_errors}\"", tasks.len());
    let cases: String =
        tasks.iter().zip(answers).map(|(task, answer)| case(task, answer.as_ref(), times)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite name=\"{}\" {counts} skipped=\"0\">\n{cases}  </testsuite>\n</testsuites>\n",
        escaped(suite)
    )
}

fn case(task: &Task, answer: Option<&(Answer, Standing)>, times: Times) -> String {
    let time = match (answer, times) {
        (Some((answer, _)), Times::Written) => format!(" time=\"{:.3}\"", answer.seconds),
        _ => String::new(),
    };
    let file = escaped(&task.file.to_string_lossy());
    let start =
        format!("    <testcase name=\"{}\" classname=\"{file}\" file=\"{file}\"{time}", escaped(&task.name));
    let Some((answer, standing)) = answer else {
        return format!("{start}>\n      <error type=\"unknown\" message=\"not asked\"/>\n    </testcase>\n");
    };
    let element = match standing {
        Standing::AsExpected => return format!("{start}/>\n"),
        Standing::Another => "failure",
        Standing::Unknown | Standing::Rejected | Standing::Bug => "error",
    };
    let message = match standing {
        Standing::Another => format!("{}, and {} is expected", answer.told(), task.expected.shown(answer)),
        _ => answer.told(),
    };
    let text = format!(
        "{}\n{}{}",
        task.command(),
        answer.text,
        if answer.text.is_empty() { &answer.errors } else { "" }
    );
    format!(
        "{start}>\n      <{element} type=\"{}\" message=\"{}\">{}</{element}>\n    </testcase>\n",
        standing.word(),
        escaped(&message),
        escaped(&text)
    )
}

/// A text in XML. What XML has no letter for is shown as the letter for that.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            _ if letter < ' ' || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(super::escaped("a<b & \"c\"\u{1}>\nd"), "a&lt;b &amp; &quot;c&quot;\u{fffd}&gt;\nd");
    }
}
