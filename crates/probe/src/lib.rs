//! Looking at the machine from inside: cycle counters, pinning, a kernel of known cost, requests to valgrind,
//! what a value leaves in memory, an allocator that refuses, one that repeats addresses. And [`aligned`] text
//! for what is seen, and the [`Seed`] of tests that draw.
//!
//! For the test kit and the benchmarks; no part of the library.
//!
//! ```
//! use ringsmith_probe::{Counter, canary, pin};
//!
//! let _ = pin(); // a machine that can't pin measures all the same, with more noise
//! let mut counter = Counter::open();
//! let (sum, span) = counter.span(|| (0..1000u64).sum::<u64>())?;
//! let per_cycle = canary(&mut counter)? / 1000.0;
//! println!("{sum}: {} {} ({per_cycle:.2} per cycle)", span.ticks, counter.kind().unit());
//! # Ok::<(), std::io::Error>(())
//! ```

mod allocator;
mod canary;
mod counter;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod hardware;
mod kind;
mod memory;
mod pin;
mod repeating;
mod seed;
mod table;
mod tick;
pub mod valgrind;

pub use allocator::{Refusing, with_allocations};
pub use canary::{CANARY_CYCLES, canary, canary_once, chain};
pub use counter::{Counter, Span};
pub use kind::Kind;
pub use memory::{around_drop, dead_stack};
pub use pin::pin;
pub use repeating::{Repeating, repeated};
pub use seed::Seed;
pub use table::aligned;
