//! What the tests of the solver share.

use base::{Gauge, Sources, Stop};
use calculus::system::System;
use solver::Settings;
use std::sync::Arc;
use std::time::Duration;

/// Settings without limits.
pub fn settings(symbolic: bool) -> Settings {
    Settings {
        symbolic,
        record: false,
        collect_from: solver::COLLECT_FROM,
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || Duration::ZERO,
    }
}

/// The sources and the checked system of a text that has no errors.
pub fn load(text: &str) -> (Sources, System) {
    let mut sources = Sources::default();
    let (file, errors) = calculus::load(&mut sources, "test.mu", text, &mut |name| Err(name.to_owned()));
    let render = |ds: &[base::Diagnostic]| ds.iter().map(|d| base::render(&sources, d)).collect::<String>();
    assert!(errors.is_empty(), "{}", render(&errors));
    let (system, _) = calculus::check(&file, &[]).unwrap_or_else(|errors| panic!("{}", render(&errors)));
    (sources, system)
}
