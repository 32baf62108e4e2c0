//! `ringsmith tour`: everything that the library offers on this machine, checked and timed.

mod rings;
mod schemes;

use crate::error::Error;
use crate::lookup::cpus;
use crate::output::print;
use std::time::{Duration, Instant};

/// Runs the command.
pub(crate) fn run() -> Result<(), Error> {
    let cpus = cpus()?;
    rings::run(&cpus)?;
    schemes::run(&cpus)?;
    print(
        b"Next: `ringsmith rings` says why a route does not serve a ring, `ringsmith multiply --help` how to use one,\n\
          `ringsmith kem --help` how to make keys.\n",
    )
}

/// `2 backends`.
fn backends(count: usize) -> String {
    format!("{count} backend{}", if count == 1 { "" } else { "s" })
}

/// Nanoseconds that an operation takes: the best of several batches, each long enough for the clock.
fn measure(mut operation: impl FnMut()) -> f64 {
    const BATCHES: u32 = 15;
    const BATCH: Duration = Duration::from_millis(1);
    let mut batch = |repetitions: u32| {
        let start = Instant::now();
        (0..repetitions).for_each(|_| operation());
        start.elapsed()
    };
    let mut repetitions = 1;
    while repetitions < 1 << 20 && batch(repetitions) < BATCH {
        repetitions *= 2;
    }
    let best = (0..BATCHES).map(|_| batch(repetitions)).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / f64::from(repetitions)
}
