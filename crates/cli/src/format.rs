//! `getafix fmt`: files in canonical form, printed, compared or written.

use crate::args::{FormatOptions, RunOptions};
use crate::console::{self, Console};
use crate::files::Files;
use crate::several;
use getafix::options;
use getafix::{Events, Outside, Question, READ_TWICE, Request, Said, Source, Status, is_read_twice, shown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Some editors put it in front of a text, of which it is no part.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Prints, compares or writes the canonical text of each file.
pub fn run(options: &FormatOptions) -> Status {
    let files: Vec<&Path> = options.files.iter().map(PathBuf::as_path).collect();
    let has_stdin = files.iter().any(|file| file.as_os_str() == "-");
    let problem = match has_stdin {
        true if options.write => Some("stdin cannot be written; leave out `--write`"),
        true if is_read_twice(&files) => Some(READ_TWICE),
        _ => None,
    };
    if let Some(problem) = problem {
        return several::rejected(&RunOptions::default(), problem);
    }
    let mut status = Status::Evaluated;
    for (n, file) in files.iter().enumerate() {
        if files.len() > 1 && !options.check && !options.write {
            let gap = if n == 0 { "" } else { "\n" };
            console::stdout(format!("{gap}{}:\n", shown(file)).as_bytes());
        }
        status = status.max(format(options, file));
    }
    status
}

/// The same of one file.
fn format(options: &FormatOptions, file: &Path) -> Status {
    let console = Arc::new(Console::new(&RunOptions::default()));
    // What cannot be read, the answer tells.
    let text = Files::default().read(file).ok();
    let source = text.iter().map(|text| Source::new(file.to_string_lossy(), text.clone()));
    let question = Question::Format(options::FormatOptions { file: file.to_owned() });
    let request = Request::new(question, source.collect());
    let listener = console.clone();
    let mut events = Events::with(Files::default()).heard(
        request.output,
        Box::new(move |said| match said {
            Said::Answer(_) => {}
            said => listener.hear(said),
        }),
    );
    let mut reply = getafix::answer(&request, &mut events);
    if reply.status != Status::Evaluated {
        return reply.status;
    }
    let text = text.unwrap_or_default();
    let is_canonical = text.strip_prefix(MARK).unwrap_or(&text) == reply.text.as_bytes();
    match options.check {
        true if is_canonical => {}
        true => {
            console.print(&format!("{}: not in canonical form\n", shown(file)));
            return Status::Violated;
        }
        false if !options.write => console.print(&reply.text),
        false if !is_canonical => {
            let canonical = std::mem::take(&mut reply.text);
            several::write_file(file, &canonical, &console, &mut reply);
        }
        false => {}
    }
    reply.status
}
