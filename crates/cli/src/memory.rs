//! How much memory a run may take: what the system has, what its control groups grant, what its processes take now.
//!
//! Contract: where the system does not tell, there is no limit and no size. Both versions of control groups are looked at, and
//! of nested groups the tightest counts.

use std::path::{Path, PathBuf};

/// The limit of a run that is given none: four fifths of what is granted.
pub fn default_limit() -> Option<u64> {
    granted(Path::new("/")).map(|bytes| bytes / 5 * 4)
}

/// The bytes in memory of this process and of those that it has started, directly or not. Those are mostly the same program several times, so what they have
/// from files counts once.
pub fn of_all_processes() -> Option<u64> {
    let own = resident(Path::new("/proc/self"), "VmRSS:")?;
    let mut started = Vec::new();
    collect(Path::new("/proc/self"), &mut started);
    let of_each = |process: &PathBuf| resident(process, "VmRSS:").unwrap_or(0);
    let of_files = |process: &PathBuf| resident(process, "RssFile:").unwrap_or(0);
    let private: u64 = started.iter().map(|process| of_each(process).saturating_sub(of_files(process))).sum();
    Some(own + private + started.iter().map(of_files).max().unwrap_or(0))
}

/// All processes below one. Of one that has just ended there are none, and it takes nothing.
fn collect(process: &Path, found: &mut Vec<PathBuf>) {
    for child in children(process) {
        let child = PathBuf::from(format!("/proc/{child}"));
        collect(&child, found);
        found.push(child);
    }
}

fn resident(process: &Path, name: &str) -> Option<u64> {
    kilobytes(&read(&process.join("status"))?, name)
}

/// Those that the threads of a process have started.
fn children(process: &Path) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(process.join("task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| read(&thread.path().join("children")));
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// What the system below a root grants to this process.
fn granted(root: &Path) -> Option<u64> {
    let system = read(&root.join("proc/meminfo")).and_then(|text| kilobytes(&text, "MemTotal:"));
    // Some addresses are taken by stacks and by text.
    let addresses = dd::memory::address_space_in(root).map(|bytes| bytes / 8 * 7);
    system.into_iter().chain(addresses).chain(groups(root)).min()
}

/// The limits of the control groups that this process is in.
fn groups(root: &Path) -> Vec<u64> {
    let text = read(&root.join("proc/self/cgroup")).unwrap_or_default();
    text.lines().flat_map(|line| limits_of(root, line)).collect()
}

/// The limits of a group and of those around it, from a line `number:controllers:path`.
fn limits_of(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let (top, file) = match controllers {
        "" => (root.join("sys/fs/cgroup"), "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => {
            (root.join("sys/fs/cgroup/memory"), "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    let path: PathBuf = Path::new(path).components().skip(1).collect();
    // Inside a container the path may be that of the host; then only the top is there.
    let limit = |group: &Path| read(&top.join(group).join(file))?.trim().parse().ok();
    path.ancestors().filter_map(limit).collect()
}

/// `MemTotal:  123 kB`.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is granted by a system with these files.
    fn granted_by(name: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = std::env::temp_dir().join(format!("getafix-memory-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a fresh folder");
            std::fs::write(path, text).expect("a fresh file");
        }
        let granted = granted(&root);
        let _ = std::fs::remove_dir_all(root);
        granted
    }

    const SYSTEM: (&str, &str) = ("proc/meminfo", "MemFree: 7 kB\nMemTotal:        8388608 kB\n");

    #[test]
    fn the_tightest_limit_counts() {
        assert_eq!(granted_by("none", &[]), None);
        assert_eq!(granted_by("system", &[SYSTEM]), Some(8 << 30));
        let group = ("proc/self/cgroup", "0::/a/b\n");
        let unlimited = ("sys/fs/cgroup/a/b/memory.max", "max\n");
        assert_eq!(granted_by("unlimited", &[SYSTEM, group, unlimited]), Some(8 << 30));
        let outer = ("sys/fs/cgroup/a/memory.max", "1073741824\n");
        assert_eq!(granted_by("outer", &[SYSTEM, group, unlimited, outer]), Some(1 << 30));
        let top = ("sys/fs/cgroup/memory.max", "1048576\n");
        assert_eq!(granted_by("top", &[SYSTEM, group, outer, top]), Some(1 << 20));
    }

    #[test]
    fn groups_of_the_first_version_are_known() {
        let group = ("proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/docker/1\n0::/\n");
        let limit = ("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "2147483648\n");
        let host = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(granted_by("first", &[SYSTEM, group, limit, host]), Some(2 << 30));
        assert_eq!(granted_by("host", &[SYSTEM, group, host]), Some(8 << 30));
    }

    #[test]
    fn addresses_count() {
        let limits =
            ("proc/self/limits", "Max address space         800000000            unlimited  bytes\n");
        assert_eq!(granted_by("addresses", &[SYSTEM, limits]), Some(700_000_000));
        let limits =
            ("proc/self/limits", "Max address space         unlimited            unlimited  bytes\n");
        assert_eq!(granted_by("any", &[SYSTEM, limits]), Some(8 << 30));
    }
}
