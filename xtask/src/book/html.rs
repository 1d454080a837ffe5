//! The pages that mdbook has made: where their links lead.
//!
//! Contract: of every page that a reader is led to, each link to the book leads to a file, and its part behind `#` to a place in it; nothing is loaded from elsewhere.

use crate::dist::files_below;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a page refers to, and which places it has.
struct Page {
    /// The attribute, and what it names.
    references: Vec<(String, String)>,
    places: BTreeSet<String>,
}

/// What is wrong with the links of the pages below a folder.
pub fn complaints(folder: &Path) -> Result<Vec<String>, String> {
    let mut pages = BTreeMap::new();
    let mut files = BTreeSet::new();
    for file in files_below(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_owned();
        // All pages in one, the table of contents alone, and the page for wrong addresses repeat what the others have, from where it leads elsewhere.
        let is_repeated = ["print.html", "toc.html", "404.html"].iter().any(|other| name == Path::new(other));
        if name.extension().is_some_and(|ending| ending == "html") && !is_repeated {
            let text =
                std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            pages.insert(name.clone(), read(&text));
        }
        files.insert(name);
    }
    let mut complaints = Vec::new();
    for (name, page) in &pages {
        for (attribute, target) in &page.references {
            if let Some(problem) = wrong(name, attribute, target, &pages, &files) {
                complaints.push(format!("{}: `{target}` {problem}", name.display()));
            }
        }
    }
    Ok(complaints)
}

/// What is wrong with a link of a page, if anything is.
fn wrong(
    page: &Path,
    attribute: &str,
    target: &str,
    pages: &BTreeMap<PathBuf, Page>,
    files: &BTreeSet<PathBuf>,
) -> Option<&'static str> {
    let is_elsewhere =
        target.starts_with("//") || target.split(['/', '#']).next().is_some_and(|start| start.contains(':'));
    if is_elsewhere {
        // A link may lead anywhere once somebody clicks on it.
        return (attribute == "src").then_some("is loaded from elsewhere");
    }
    let (name, place) = target.split_once('#').unwrap_or((target, ""));
    let path = match name {
        "" => page.to_owned(),
        name => super::plain(&page.parent().unwrap_or(Path::new("")).join(name)),
    };
    if !files.contains(&path) {
        return Some("leads nowhere");
    }
    let has_place = |other: &Page| place.is_empty() || other.places.contains(place);
    (!pages.get(&path).is_none_or(has_place)).then_some("leads to a page that has no such place")
}

/// The links and places of a page, as mdbook writes them: attributes are quoted, and text has no quotation mark behind an equals sign within a tag.
fn read(text: &str) -> Page {
    let mut page = Page { references: Vec::new(), places: BTreeSet::new() };
    let tags = text.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default());
    for tag in tags {
        for (attribute, rest) in ["href", "src", "id", "name"].iter().filter_map(|name| {
            let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
            Some((*name, &tag[start..]))
        }) {
            let value = rest.split('"').next().unwrap_or_default().replace("&amp;", "&");
            match attribute {
                "href" | "src" => page.references.push((attribute.to_owned(), value)),
                _ => drop(page.places.insert(value)),
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_told() {
        let folder = std::env::temp_dir().join(format!("getafix-book-html-{}", std::process::id()));
        let write = |name: &str, text: &str| crate::dist::write(&folder.join(name), text).expect("a page");
        write(
            "index.html",
            "<a href=\"a/b.html#there\">x</a> <a class=\"c\" href=\"#own\">y</a><h2 id=\"own\">z</h2>",
        );
        write(
            "a/b.html",
            "<h2 id=\"there\"><a href=\"../index.html\">up</a></h2><a href=\"https://x.y\">z</a>",
        );
        let none = complaints(&folder).expect("pages");
        write(
            "a/c.html",
            "<a href=\"../a/d.html\">x</a><a href=\"b.html#not\">y</a><img src=\"https://x.y/z.png\">",
        );
        let found = complaints(&folder).expect("pages");
        let _ = std::fs::remove_dir_all(&folder);
        assert!(none.is_empty(), "{none:?}");
        assert_eq!(
            found,
            [
                "a/c.html: `../a/d.html` leads nowhere",
                "a/c.html: `b.html#not` leads to a page that has no such place",
                "a/c.html: `https://x.y/z.png` is loaded from elsewhere"
            ]
        );
    }
}
