//! Lists of numbers by group, in two arrays: what thousands of small vectors would say with less memory.

/// For each group its members, in the order in which they were given.
pub(super) struct Groups {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// Sorts pairs of group and member by group.
    pub(super) fn new(n_groups: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; n_groups + 1];
        for &(group, _) in pairs {
            starts[group as usize + 1] += 1;
        }
        for group in 0..n_groups {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut members = vec![0; pairs.len()];
        for &(group, member) in pairs {
            members[next[group as usize] as usize] = member;
            next[group as usize] += 1;
        }
        Self { starts, members }
    }

    /// The members of a group.
    pub(super) fn of(&self, group: usize) -> &[u32] {
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}
