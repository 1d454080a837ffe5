//! The library as those use it who know nothing else of this repository.

mod examples;
mod pages;
mod requests;
