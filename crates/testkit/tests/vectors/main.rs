//! The checks of published test vectors: on files that are synthesised here, whole and broken, and on
//! Wycheproof's.

mod acvp;
mod cctv;
mod encryption;
mod exchange;
mod files;
#[cfg(ringsmith_internals)]
mod poly;
mod response_files;
mod signature;
mod support;
mod wycheproof;
