//! `cargo xtask book`: the documents as a book, and the pictures in it.
//!
//! Contract: the pages are those of the repository, put together by `docs/SUMMARY.md`; what they link to and is no chapter follows behind. mdbook builds it, and then every link of every page is followed: none leads nowhere, and
//! nothing is loaded from a network.

mod html;

use crate::dist::write;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode};

/// The version that the configuration is for.
const MDBOOK: &str = "0.5.4";

/// Where decisions are; in the book they have a page that leads to them.
const DECISIONS: &str = "docs/decisions";

/// Pictures of reports: the file, the arguments of `check`, and the step that is selected.
const PICTURES: [(&str, &[&str], &str); 2] = [
    ("report.png", &["examples/bluetooth.bp", "-k", "3"], "#13"),
    ("proof.png", &["examples/safe_lock.bp"], ""),
];

/// Puts the book together in `target/book`, and builds it.
pub fn run(root: &Path) -> ExitCode {
    let folder = root.join("target/book");
    match assembled(root, &folder.join("src"))
        .and_then(|n_pages| built(root, &folder).map(|to| (n_pages, to)))
    {
        Ok((n_pages, to)) => {
            println!("{}: {n_pages} pages", to.display());
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the pictures in `docs/images` anew, with a binary of getafix.
pub fn pictures(root: &Path, binary: &Path) -> ExitCode {
    for (name, arguments, step) in PICTURES {
        if let Err(problem) = picture(root, binary, name, arguments, step) {
            eprintln!("error: {name}: {problem}");
            return ExitCode::FAILURE;
        }
        println!("docs/images/{name}");
    }
    ExitCode::SUCCESS
}

fn picture(root: &Path, binary: &Path, name: &str, arguments: &[&str], step: &str) -> Result<(), String> {
    let folder = root.join("target/pictures");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(root.join("docs/images")).map_err(|error| error.to_string())?;
    let page = folder.join(name).with_extension("html");
    let mut check = Command::new(binary);
    check.arg("check").args(arguments).arg("--html").arg(&page).current_dir(root);
    let output = check.output().map_err(|error| format!("{}: {error}", binary.display()))?;
    if !page.is_file() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let to = root.join("docs/images").join(name);
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let mut arguments = vec!["--headless".to_owned(), "--no-sandbox".to_owned(), "--disable-gpu".to_owned()];
    arguments.extend(["--hide-scrollbars".to_owned(), "--window-size=1200,700".to_owned()]);
    arguments.push(format!("--screenshot={}", to.display()));
    arguments.push(format!("file://{}{step}", page.display()));
    let taken = browsers.iter().any(|browser| {
        Command::new(browser).args(&arguments).output().is_ok_and(|output| output.status.success())
            && to.is_file()
    });
    if taken { Ok(()) } else { Err(format!("none of {} takes a picture", browsers.join(", "))) }
}

/// Copies the pages as the repository has them, with a table of contents; how many there are.
fn assembled(root: &Path, to: &Path) -> Result<usize, String> {
    if to.exists() {
        std::fs::remove_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    let read = |path: &Path| {
        std::fs::read_to_string(root.join(path)).map_err(|error| format!("{}: {error}", path.display()))
    };
    let contents = read(Path::new("docs/SUMMARY.md"))?;
    let chapters = links(Path::new("docs"), &contents);
    let (mut pages, mut files) = (chapters.clone(), BTreeSet::new());
    pages.extend(decisions(root)?);
    let mut next = 0;
    while let Some(page) = pages.get(next).cloned() {
        let folder = page.parent().unwrap_or(Path::new("")).to_owned();
        for target in links(&folder, &read(&page)?) {
            let about = target.join("README.md");
            let target = if root.join(&about).is_file() { about } else { target };
            let is_page = target.extension().is_some_and(|ending| ending == "md");
            match (is_page, root.join(&target)) {
                (true, _) if is_contents(&target) => {}
                (true, path) if path.is_file() && !pages.contains(&target) => pages.push(target),
                (false, path) if path.is_file() => {
                    files.insert(target);
                }
                _ => {}
            }
        }
        next += 1;
    }
    for path in &pages {
        let folder = path.parent().unwrap_or(Path::new(""));
        write(&to.join(in_book(path)), with_links_of_book(root, folder, &read(path)?))?;
    }
    for path in &files {
        let bytes = std::fs::read(root.join(path)).map_err(|error| format!("{}: {error}", path.display()))?;
        write(&to.join(path), &bytes)?;
    }
    let mut titled = Vec::new();
    for page in &pages[chapters.len()..] {
        let text = read(page)?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        titled.push((title, page.clone()));
    }
    write(&to.join(DECISIONS).join("index.md"), list_of_decisions(&titled))?;
    write(&to.join("SUMMARY.md"), table_of(&contents, &chapters, &titled))?;
    Ok(pages.len() + 1)
}

/// The table of contents with the pages that follow behind it.
fn table_of(contents: &str, chapters: &[PathBuf], more: &[(String, PathBuf)]) -> String {
    let mut table = contents.to_owned();
    for chapter in chapters {
        let relative = if let Ok(inside) = chapter.strip_prefix("docs") {
            inside.to_owned()
        } else {
            Path::new("..").join(chapter)
        };
        let (from, to) = (relative.display(), in_book(chapter));
        table = table.replace(&format!("]({from})"), &format!("]({})", to.display()));
    }
    let (decided, others): (Vec<_>, Vec<_>) = more.iter().partition(|(_, page)| page.starts_with(DECISIONS));
    table.push_str(&format!("- [Decisions]({DECISIONS}/index.md)\n"));
    decided.iter().for_each(|(title, page)| table.push_str(&format!("  - [{title}]({})\n", page.display())));
    table.push_str("\n# More pages\n\n");
    for (title, page) in others {
        table.push_str(&format!("- [{title}]({})\n", in_book(page).display()));
    }
    table
}

/// The page that leads to the decisions.
fn list_of_decisions(pages: &[(String, PathBuf)]) -> String {
    let mut text = "# Decisions\n\nWhat was decided while Getafix was built, what else was considered, and why it was not taken. They are numbered in the order in which they were made.\n\n".to_owned();
    for (title, page) in pages.iter().filter(|(_, page)| page.starts_with(DECISIONS)) {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("- [{title}]({name})\n"));
    }
    text
}

/// All pages about decisions, in order.
fn decisions(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(DECISIONS);
    let entries =
        std::fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut pages: Vec<PathBuf> = entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
    pages.sort();
    Ok(pages)
}

/// The table of contents is beside each page of a book, and none of them.
fn is_contents(path: &Path) -> bool {
    path.ends_with("SUMMARY.md")
}

/// Builds what was put together.
fn built(root: &Path, folder: &Path) -> Result<PathBuf, String> {
    let read =
        |path: &str| std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let config = read("book.toml")?;
    write(&folder.join("book.css"), read("docs/book.css")?)?;
    write(&folder.join("book.toml"), config.replace("src = \".\"", "src = \"src\""))?;
    let own = root.join("target/mdbook/bin/mdbook");
    let program = if own.is_file() { own } else { PathBuf::from("mdbook") };
    let output = Command::new(&program).arg("build").arg(folder).output().map_err(|error| {
        format!("mdbook cannot be started ({error}): `cargo install mdbook --version {MDBOOK} --locked --root target/mdbook` installs it here")
    })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let to = folder.join("html");
    let complaints = html::complaints(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    if complaints.is_empty() { Ok(to) } else { Err(complaints.join("\n")) }
}

/// What a page in a folder links to, by its path in the repository; links to other places and within the page are none.
pub fn links(folder: &Path, page: &str) -> Vec<PathBuf> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let names =
        local.map(|target| target.split('#').next().unwrap_or(target)).filter(|name| !name.is_empty());
    names.map(|name| plain(&folder.join(name))).collect()
}

/// Where a page is in the book: mdbook would rename what is called README, and leave the links to it as they are.
fn in_book(page: &Path) -> PathBuf {
    if page.ends_with("README.md") { page.with_file_name("index.md") } else { page.to_owned() }
}

/// A page with the links that it has in the book: a folder is the page about it; where there is none, and for the table of contents, which is beside every page, the words stay.
fn with_links_of_book(root: &Path, folder: &Path, page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        let end = after.find(')').map_or(after.len(), |end| end + 1);
        let target = after[2..end].trim_end_matches(')');
        let (name, place) = target.split_at(target.find('#').unwrap_or(target.len()));
        let path = plain(&folder.join(name));
        let is_ours = !name.contains("://") && !name.is_empty();
        let is_told = path.starts_with(DECISIONS)
            || path.ends_with("README.md")
            || root.join(&path).join("README.md").is_file();
        match (before.rfind('['), root.join(&path).is_dir()) {
            (Some(start), is_folder) if is_ours && (is_folder && !is_told || is_contents(&path)) => {
                out.push_str(&format!("{}{}", &before[..start], &before[start + 1..]));
            }
            (_, true) if is_ours => {
                out.push_str(&format!("{before}]({}/index.md{place})", name.trim_end_matches('/')));
            }
            _ if is_ours && is_told && name.ends_with("README.md") => {
                out.push_str(&format!("{before}]({}{place})", in_book(Path::new(name)).display()));
            }
            _ => out.push_str(&rest[..at + end]),
        }
        rest = &after[end..];
    }
    out + rest
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository")
    }

    #[test]
    fn every_document_is_in_the_book_and_every_link_of_it_leads_somewhere() {
        let to = std::env::temp_dir().join(format!("getafix-book-{}", std::process::id()));
        let n_pages = assembled(root(), &to).expect("a book");
        let contents = std::fs::read_to_string(to.join("SUMMARY.md")).expect("a table of contents");
        let chapters = links(Path::new(""), &contents);
        assert!(chapters.len() == n_pages && n_pages > 60, "{n_pages}");
        for entry in std::fs::read_dir(root().join("docs")).expect("documents").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                let path = Path::new("docs").join(&name);
                assert!(chapters[..40].contains(&path), "docs/SUMMARY.md lacks {name}");
            }
        }
        for chapter in &chapters {
            let text = std::fs::read_to_string(to.join(chapter)).expect("a page");
            for target in links(chapter.parent().unwrap_or(Path::new("")), &text) {
                assert!(
                    to.join(&target).is_file(),
                    "{}: `{}` leads nowhere",
                    chapter.display(),
                    target.display()
                );
            }
        }
        let _ = std::fs::remove_dir_all(&to);
    }

    #[test]
    fn pages_about_folders_are_called_index_in_the_book() {
        let page = "[a](../algorithms/README.md#threads) [b](../contrib), [c](decisions) [d](SUMMARY.md) [e](https://x.y/README.md)";
        let expected = "[a](../algorithms/index.md#threads) [b](../contrib/index.md), [c](decisions/index.md) d [e](https://x.y/README.md)";
        assert_eq!(with_links_of_book(root(), Path::new("docs"), page), expected);
    }

    #[test]
    fn links_to_folders_without_a_page_are_words() {
        let page = "see [a](../crates) and [b](report.md), [c](https://x.y) [d](#e)";
        let expected = "see a and [b](report.md), [c](https://x.y) [d](#e)";
        assert_eq!(with_links_of_book(root(), Path::new("docs"), page), expected);
        assert_eq!(links(Path::new("docs"), page), [Path::new("crates"), Path::new("docs/report.md")]);
    }
}
