//! Names of files as editors write them: `file:///home/me/a%20b.mu`.

use std::path::{Path, PathBuf};

/// The path of a file's name; none if it is no file of this machine.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let text = decoded(rest)?;
    // A zero ends names for the system, and no path has one.
    (!text.contains('\0')).then(|| PathBuf::from(text))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits)
            .ok()
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

/// The name of a file.
pub fn of_path(path: &Path) -> String {
    let mut out = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_lead_to_each_other() {
        let uri = "file:///a%20b/%C3%A9.mu";
        assert_eq!(path(uri), Some(PathBuf::from("/a b/é.mu")));
        assert_eq!(of_path(Path::new("/a b/é.mu")), uri);
        assert_eq!(path("file://localhost/x"), Some(PathBuf::from("/x")));
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        for wrong in [
            "untitled:1",
            "http://x/y",
            "file://",
            "file://server/x",
            "file:///%zz",
            "file:///%f",
            "file:///%00",
            "file:///%ff",
        ] {
            assert_eq!(path(wrong), None, "{wrong}");
        }
    }
}
