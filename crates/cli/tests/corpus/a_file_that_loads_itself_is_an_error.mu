#load "loaded/ouroboros";
//! exit 2
//! stderr: loads itself
//! stderr: tail.mu
