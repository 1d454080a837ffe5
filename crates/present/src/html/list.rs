//! A page that leads to the pages of several programs.
//!
//! Contract: as of the page of an answer: nothing from outside is markup, and nothing is asked for but the pages that it leads to.

use super::{escaped, hash};

/// An entry of a page that leads to others.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The name of the program.
    pub name: String,
    /// The first line of the answer.
    pub headline: String,
    /// The exit status.
    pub status: u8,
    /// The file of its page.
    pub page: String,
}

/// What a status looks like.
const KINDS: [(&str, u8); 2] = [("good", 0), ("open", 5)];

const STYLE: &str = include_str!("list.css");

/// A page that leads to others: for each program its name, its verdict and its page.
pub fn index(programs: &[Listed]) -> String {
    let row = |Listed { name, headline, status, page }: &Listed| {
        let kind = KINDS.iter().find(|(_, of)| of == status).map_or("bad", |(kind, _)| kind);
        let (address, name, headline) = (escaped(&address(page)), escaped(name), escaped(headline));
        format!("<tr><td><a href=\"{address}\">{name}</a></td><td class=\"{kind}\">{headline}</td></tr>\n")
    };
    let rows: String = programs.iter().map(row).collect();
    let title = format!("{} {}", programs.len(), if programs.len() == 1 { "answer" } else { "answers" });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<table>\n\
         <thead><tr><th>program</th><th>answer</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</body>\n</html>\n",
        hash(STYLE)
    )
}

/// A file name as part of an address.
fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
