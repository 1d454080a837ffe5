//! What ends the solvers' processes when this one is gone, however it ended.
//!
//! A process that is killed cannot end others, and a solver at work does not notice that nobody reads its answer. So a shell is started beside the
//! first solver. It reads from a pipe whose other end is ours, which solvers there are, and when the pipe is closed, which the system does
//! for a process that is gone, it ends all that are left. Solvers and the shell have process groups of their own, so that a signal to our group, such as that of Ctrl-C,
//! does not reach them. See `docs/decisions/0034`. Contract: who is held is ended, with all processes of its group, when it is released or
//! when we are gone. Where there is no shell, nothing is promised beyond the limits that solvers have themselves.

use std::collections::BTreeSet;
use std::io::Write;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{ChildStdin, Command};
use std::sync::{Mutex, PoisonError};

/// The groups that are ended when we are gone.
#[derive(Default)]
pub(crate) struct Lifeline {
    held: BTreeSet<u32>,
    shell: Option<ChildStdin>,
}

/// The one of this process.
static LIFELINE: Mutex<Lifeline> = Mutex::new(Lifeline { held: BTreeSet::new(), shell: None });

/// Signals of a terminal are for us: the end of the pipe is what counts.
#[cfg(unix)]
const SCRIPT: &str = r#"trap '' HUP INT QUIT TERM
held=
end() { kill -s KILL -- "-$1" 2>/dev/null; }
while read -r word group; do
  case $word in
    hold) held="$held $group" ;;
    *)
      if [ "$word" = release ]; then end "$group"; fi
      left=
      for other in $held; do [ "$other" = "$group" ] || left="$left $other"; done
      held=$left ;;
  esac
done
for group in $held; do end "$group"; done
"#;

/// Lets a command have a process group of its own, which is called as its process is.
pub(crate) fn apart(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// A process that was started [`apart`] ends when we are gone.
pub(crate) fn hold(process: u32) {
    with(|lifeline| lifeline.hold(process));
}

/// A process is to end now, with all that it has started. It must not have been waited for: until then no other group is called as its own is.
pub(crate) fn release(process: u32) {
    with(|lifeline| lifeline.let_go("release", process));
}

/// A process has ended by itself, and has been waited for.
pub(crate) fn forget(process: u32) {
    with(|lifeline| lifeline.let_go("forget", process));
}

fn with(act: impl FnOnce(&mut Lifeline)) {
    act(&mut LIFELINE.lock().unwrap_or_else(PoisonError::into_inner));
}

impl Lifeline {
    fn hold(&mut self, process: u32) {
        self.held.insert(process);
        if !self.tell("hold", process) {
            // There is no shell, or somebody has ended it.
            self.shell = shell();
            let held: Vec<u32> = self.held.iter().copied().collect();
            held.into_iter().for_each(|process| _ = self.tell("hold", process));
        }
    }

    fn let_go(&mut self, word: &str, process: u32) {
        if self.held.remove(&process) {
            self.tell(word, process);
        }
    }

    /// Whether it was heard.
    fn tell(&mut self, word: &str, process: u32) -> bool {
        self.shell.as_mut().is_some_and(|shell| writeln!(shell, "{word} {process}").is_ok())
    }
}

#[cfg(unix)]
fn shell() -> Option<ChildStdin> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    apart(&mut command).spawn().ok()?.stdin
}

#[cfg(not(unix))]
fn shell() -> Option<ChildStdin> {
    None
}
