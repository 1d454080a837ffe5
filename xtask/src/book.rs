//! `cargo xtask book`: the documents as a book, and the pictures in it.
//!
//! Contract: the pages are those of the repository, put together by `docs/SUMMARY.md`; what they link to and is no chapter follows behind, so that no link of the book leads nowhere. mdbook builds it; nothing
//! is loaded from a network by it, nor by its pages.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode};

/// The version that the configuration is for.
const MDBOOK: &str = "0.5.4";

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
        write(&to.join(path), &without_folders(root, folder, &read(path)?))?;
    }
    for path in &files {
        let bytes = std::fs::read(root.join(path)).map_err(|error| format!("{}: {error}", path.display()))?;
        write_bytes(&to.join(path), &bytes)?;
    }
    let mut table = contents;
    for chapter in &chapters {
        let relative = if let Ok(inside) = chapter.strip_prefix("docs") {
            inside.to_owned()
        } else {
            Path::new("..").join(chapter)
        };
        table = table.replace(&format!("]({})", relative.display()), &format!("]({})", chapter.display()));
    }
    table.push_str("\n# More pages\n\n");
    for page in &pages[chapters.len()..] {
        let text = read(page)?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        table.push_str(&format!("- [{title}]({})\n", page.display()));
    }
    write(&to.join("SUMMARY.md"), &table)?;
    Ok(pages.len())
}

/// All pages about decisions, in order.
fn decisions(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = Path::new("docs/decisions");
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
    let config =
        std::fs::read_to_string(root.join("book.toml")).map_err(|error| format!("book.toml: {error}"))?;
    write(&folder.join("book.toml"), &config.replace("src = \".\"", "src = \"src\""))?;
    let own = root.join("target/mdbook/bin/mdbook");
    let program = if own.is_file() { own } else { PathBuf::from("mdbook") };
    let output = Command::new(&program).arg("build").arg(folder).output().map_err(|error| {
        format!("mdbook cannot be started ({error}): `cargo install mdbook --version {MDBOOK} --locked --root target/mdbook` installs it here")
    })?;
    match output.status.success() {
        true => Ok(folder.join("html")),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// What a page in a folder links to, by its path in the repository; links to other places and within the page are none.
pub fn links(folder: &Path, page: &str) -> Vec<PathBuf> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let names =
        local.map(|target| target.split('#').next().unwrap_or(target)).filter(|name| !name.is_empty());
    names.map(|name| plain(&folder.join(name))).collect()
}

/// Links to folders, and to the table of contents, lead nowhere in a book, so their words stay.
fn without_folders(root: &Path, folder: &Path, page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        let end = after.find(')').map_or(after.len(), |end| end + 1);
        let target = after[2..end].trim_end_matches(')');
        let path = plain(&folder.join(target));
        let is_folder = !target.contains("://") && (root.join(&path).is_dir() || is_contents(&path));
        match before.rfind('[').filter(|_| is_folder && !target.is_empty()) {
            Some(start) => out.push_str(&format!("{}{}", &before[..start], &before[start + 1..])),
            None => out.push_str(&rest[..at + end]),
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

fn write(path: &Path, text: &str) -> Result<(), String> {
    write_bytes(path, text.as_bytes())
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).map_err(problem)?;
    std::fs::write(path, bytes).map_err(problem)
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
    fn links_to_folders_are_words() {
        let page = "see [a](../contrib) and [b](report.md), [c](https://x.y) [d](#e)";
        let expected = "see a and [b](report.md), [c](https://x.y) [d](#e)";
        assert_eq!(without_folders(root(), Path::new("docs"), page), expected);
        assert_eq!(links(Path::new("docs"), page), [Path::new("contrib"), Path::new("docs/report.md")]);
    }
}
