//! Archives that are the same bytes each time.

use super::{Dist, output};
use std::path::Path;
use std::process::Command;

/// Packs what is in a folder, below a name.
pub fn tar(dist: &Dist, folder: &Path, name: &str, to: &Path) -> Result<(), String> {
    let mut command = Command::new("tar");
    command.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"]);
    command.arg(format!("--mtime=@{}", dist.epoch)).arg("--mode=u=rwX,go=rX");
    command.arg("--use-compress-program=gzip --no-name --best");
    command
        .arg(format!("--transform=s,^\\.,{name},"))
        .arg("--directory")
        .arg(folder)
        .arg("--file")
        .arg(to)
        .arg(".");
    output(&mut command).map(|_| ())
}

/// Packs one file.
pub fn gzip(text: &[u8], to: &Path) -> Result<(), String> {
    super::write(to, text)?;
    output(Command::new("gzip").args(["--no-name", "--best", "--force"]).arg(to)).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_the_same_bytes_each_time() {
        let work = std::env::temp_dir().join(format!("getafix-dist-tar-{}", std::process::id()));
        let dist = Dist { root: work.clone(), to: work.clone(), work: work.clone(), epoch: 1_000_000_000 };
        let packed = |n: usize| {
            let (folder, to) = (work.join(format!("in{n}")), work.join(format!("{n}.tar.gz")));
            // Made in another order, at another time.
            let names = if n == 0 { ["b", "a/c"] } else { ["a/c", "b"] };
            names.iter().for_each(|name| super::super::write(&folder.join(name), name).expect("a file"));
            tar(&dist, &folder, "top", &to).expect("an archive");
            (
                std::fs::read(&to).expect("it is there"),
                output(Command::new("tar").arg("-tf").arg(&to)).expect("a list"),
            )
        };
        let (first, second) = (packed(0), packed(1));
        let _ = std::fs::remove_dir_all(&work);
        assert!(first.0 == second.0);
        assert_eq!(first.1, "top/\ntop/a/\ntop/a/c\ntop/b\n");
    }
}
