case esac;
//! exit 2
//! stderr: a_case_needs_a_branch.mu:1:6
