//! Where the threads stand at the end of a run.

use super::super::effect::{Moment, list};
use super::Interleaved;
use rsm::interleave::ThreadId;
use rsm::step::Frame;
use rsm::{Copies, Place};

/// Of a deeper stack only so many frames are shown at either end.
const SHOWN: usize = 4;

/// So many threads that have not run are named.
const NAMED: usize = 8;

impl Interleaved<'_> {
    /// A line for each thread that has run, and the names of the others.
    pub fn end(&self) -> String {
        let mut out = "-- at the end\n".to_owned();
        let run: Vec<ThreadId> = self.threads_that_run().collect();
        for thread in &run {
            out.push_str(&format!("{}: {}\n", self.name(*thread), self.stack(*thread)));
        }
        let is_idle = |thread: &ThreadId| {
            let block = &self.program.blocks[self.thread(*thread).block as usize];
            // Of any number of threads there are as many as run, and a slot that is not taken is no thread.
            block.copies != Copies::Any && self.slot(*thread).is_none() && !run.contains(thread)
        };
        let idle = (0..self.trace.start.threads.len()).map(ThreadId::new).filter(is_idle);
        let mut names: Vec<String> = idle.map(|thread| self.name(thread)).collect();
        if names.is_empty() {
            return out;
        }
        let n_more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        out.push_str(&format!("not started: {}{more}\n", names.join(", ")));
        out
    }

    /// The frames of a thread that are in the text, callers before callees.
    pub fn frames(&self, thread: ThreadId) -> &[Frame] {
        &self.beats.stacks[thread.index()]
    }

    fn stack(&self, thread: ThreadId) -> String {
        let frames = self.frames(thread);
        if frames.is_empty() {
            return "ended".to_owned();
        }
        let n_left_out = frames.len().saturating_sub(2 * SHOWN);
        let mut parts: Vec<String> = Vec::new();
        for (n, frame) in frames.iter().enumerate() {
            match n_left_out > 1 && n >= SHOWN && n < SHOWN + n_left_out {
                true if n == SHOWN => parts.push(format!("… {n_left_out} more …")),
                true => {}
                false => parts.push(self.frame(frame)),
            }
        }
        parts.join(" > ")
    }

    /// `main, line 7 (x = T)`.
    fn frame(&self, frame: &Frame) -> String {
        let module = self.program.machine.module(frame.module);
        let locals = list(&self.locals(frame));
        let locals = if locals.is_empty() { locals } else { format!(" ({locals})") };
        format!("{}, line {}{locals}", module.name, self.line(frame))
    }

    /// The line of the statement that comes next, or of the call that is waited for.
    pub fn line(&self, frame: &Frame) -> usize {
        let module = self.program.machine.module(frame.module);
        let span = frame.call.map_or(module.node(frame.node).span, |call| module.edge(call).span);
        self.narrator.sources.line_column(span).0
    }

    /// The locals of a frame.
    pub fn locals(&self, frame: &Frame) -> Vec<(String, String)> {
        let places = (0..frame.locals.len() as u32).map(Place::Local);
        self.narrator.valuation(frame.module, places, Moment { globals: &[], locals: &frame.locals })
    }
}
