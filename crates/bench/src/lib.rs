//! Benchmarks: what the rings, the schemes and the hash cost on each CPU, next to other libraries, in one
//! process and one run.
//!
//! A [`Case`] is one operation that can be measured; [`cases`] lists ours, a program's
//! [`peers`] those of other libraries, [`measure`]
//! turns them into [`Measurement`]s. [`table`] prints those, [`json`] stores them, [`page`]
//! writes `docs/performance.md`, [`paper`] puts them beside what was published.
//!
//! # How it is measured
//! Cases of the same subject and operation are interleaved batch by batch, so that a disturbance meets all of
//! them, and the time of a row is spread over several sweeps through all, because a disturbance stays for a
//! while. A batch repeats its operation up to 4096 times; the figure is the minimum over the batches, with
//! the median beside it. The counter is the core's where the machine has one (user mode only), else the
//! time-stamp counter, whose ticks are no cycles: each row carries its canary, the count of a chain of 1000
//! additions taken beside it, which gives the ratio.
//!
//! ```
//! use ringsmith_bench::{Budget, Case, Id, json, measure};
//! use ringsmith_probe::Counter;
//!
//! let id = Id::new("doc", "u64", "sum", "core", "scalar", "loop");
//! let case = Case::new(id, || || _ = std::hint::black_box((0..100u64).sum::<u64>()));
//! let rows = measure(vec![case], &mut Counter::open(), &Budget::quick(), &mut |_| ())?;
//! assert_eq!(json::parse(&json::text(&rows)).unwrap(), rows);
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod case;
mod doubles;
mod exchange;
pub mod file;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod hash;
mod inverse;
pub mod json;
pub mod kem;
pub mod machine;
mod measurement;
pub mod ml_dsa_ring;
mod numbers;
pub mod page;
pub mod paper;
pub mod peers;
pub mod pke;
pub mod places;
pub mod public;
pub mod ring;
mod run;
pub mod signature;
pub mod table;
#[cfg(feature = "tool")]
pub mod tool;
pub mod word;

pub use case::{Case, Id, check};
pub use exchange::exchange_cases;
pub use hash::hash_cases;
pub use kem::kem_cases;
pub use measurement::Measurement;
pub use pke::pke_cases;
pub use ring::{cpus, ring_cases};
pub use run::{Budget, measure, try_all};
pub use signature::signature_cases;

/// The name of this library in [`Measurement::implementation`].
pub const RINGSMITH: &str = "ringsmith";

/// All suites of this library on the given CPUs: the schemes, signatures, the key exchanges, public-key
/// encryption, the hash, the rings.
pub fn cases(cpus: &[ringsmith_simd::Cpu]) -> Vec<Case> {
    let schemes = [kem_cases(cpus), signature_cases(cpus), exchange_cases(cpus), pke_cases(cpus)];
    schemes.into_iter().chain([hash_cases(cpus), ring_cases(cpus)]).flatten().collect()
}
