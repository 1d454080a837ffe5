//! What the tests share: a program from its text, and what becomes of a certificate.

use base::{Sources, Stop};
use certificate::{Outcome, read, validate};
use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Rsm};

/// A program and its text.
pub struct Program {
    pub rsm: Rsm,
    pub sources: Sources,
}

/// The program of a text.
#[track_caller]
pub fn load(text: &str) -> Program {
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program has no errors");
    let rsm = bp::lower(&checked).expect("the program is sequential");
    Program { rsm, sources }
}

impl Program {
    /// The statements labelled `ERROR`, and all assertions.
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (n, module) in self.rsm.modules.iter().enumerate() {
            let id = ModuleId::new(n);
            let labelled =
                module.nodes.iter().enumerate().filter(|(_, node)| node.labels.contains(&"ERROR".into()));
            goals.extend(labelled.map(|(node, _)| Goal::At(id, NodeId::new(node))));
            let asserts =
                module.edges.iter().enumerate().filter(|(_, e)| matches!(e.action, Action::Assert(_)));
            goals.extend(asserts.map(|(edge, _)| Goal::Failure(id, EdgeId::new(edge))));
        }
        goals
    }

    /// `accepted`, or why the certificate is refused.
    #[track_caller]
    pub fn verdict(&self, certificate: &str) -> String {
        let certificate = read(certificate).expect("the certificate is well formed");
        match validate(&self.rsm, &self.sources, &self.goals(), &certificate, &Stop::default(), None) {
            Ok(Outcome::Accepted(_)) => "accepted".to_owned(),
            Ok(Outcome::Refused(message)) => message,
            Err(reason) => panic!("stopped: {reason:?}"),
        }
    }
}
