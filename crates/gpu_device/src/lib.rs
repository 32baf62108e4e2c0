//! What a machine with a GPU and nothing else runs: checks of every kernel against the CPU's library, ten
//! experiments, and the page that tells what was measured. The program is `ringsmith-gpu-device`; docs/gpu.md
//! tells how it is built and used.
#![forbid(unsafe_code)]

pub mod check;
mod effort;
pub mod experiments;
pub mod job;
pub mod jobs;
pub mod machine;
mod memory;
pub mod report;
pub mod results;

pub use effort::Effort;

/// Why a command ended.
pub type Failure = Box<dyn core::error::Error + Send + Sync>;
