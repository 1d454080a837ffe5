//! `getafix lsp`: the language server on stdin and stdout.

use std::process::ExitCode;

/// Serves until the editor ends it or is gone. Checks are made by this very program, wherever it is; no setting says otherwise.
pub fn serve() -> ExitCode {
    let program = std::env::current_exe().ok();
    let version = env!("CARGO_PKG_VERSION");
    match lsp::serve(std::io::stdin(), std::io::stdout(), program, version) {
        lsp::Ended::Orderly => ExitCode::SUCCESS,
        lsp::Ended::Abruptly => ExitCode::FAILURE,
    }
}
