//! Counting what a piece of code costs.

use crate::kind::Kind;
use crate::tick;
use std::io;
use std::time::{Duration, Instant};

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use crate::hardware::Hardware;

/// What one span of code cost, the cost of counting taken off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Core cycles, or ticks: see [`Counter::kind`].
    pub ticks: u64,
    /// Instructions in user mode, where the hardware counts them.
    pub instructions: Option<u64>,
    /// Wall time.
    pub time: Duration,
}

impl Span {
    /// This span less what an empty one costs.
    fn without(self, empty: Span) -> Span {
        Span {
            ticks: self.ticks.saturating_sub(empty.ticks),
            instructions: self.instructions.map(|i| i.saturating_sub(empty.instructions.unwrap_or(0))),
            time: self.time.saturating_sub(empty.time),
        }
    }

    /// The lesser of each.
    fn min(self, other: Span) -> Span {
        Span {
            ticks: self.ticks.min(other.ticks),
            instructions: self.instructions.min(other.instructions),
            time: self.time.min(other.time),
        }
    }
}

/// Counts hardware cycles where it can, ticks of a clock where it can't; [`kind`](Counter::kind) says which.
///
/// The hardware counts the thread that opened the counter: measure on that thread.
pub struct Counter {
    source: Source,
    empty: Span,
}

enum Source {
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    Hardware(Box<Hardware>),
    Ticks,
}

impl Source {
    /// The hardware's counters if they open and count, else the clock.
    fn open() -> Source {
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        if let Ok(hardware) = Hardware::open() {
            let mut source = Source::Hardware(Box::new(hardware));
            // Some virtual machines open the counters and never move them.
            let trial = source.span(crate::canary::chain);
            if trial
                .is_ok_and(|(_, span)| span.ticks >= crate::CANARY_CYCLES / 2 && span.instructions > Some(0))
            {
                return source;
            }
        }
        Source::Ticks
    }

    fn span<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<(T, Span)> {
        match self {
            #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
            Source::Hardware(hardware) => {
                let clock = Instant::now();
                hardware.start()?;
                let out = work();
                let (ticks, instructions) = hardware.stop()?;
                Ok((out, Span { ticks, instructions: Some(instructions), time: clock.elapsed() }))
            }
            Source::Ticks => {
                let clock = Instant::now();
                let start = tick::now();
                let out = work();
                let ticks = tick::now() - start;
                Ok((out, Span { ticks, instructions: None, time: clock.elapsed() }))
            }
        }
    }
}

impl Counter {
    /// The best counter that this machine lets the program open. Never fails: a clock is always there.
    pub fn open() -> Self {
        let empty = Span { ticks: 0, instructions: None, time: Duration::ZERO };
        let mut counter = Counter { source: Source::open(), empty };
        counter.empty = counter.cost_of_counting().unwrap_or(empty);
        counter
    }

    /// The least cost of an empty span.
    fn cost_of_counting(&mut self) -> io::Result<Span> {
        let mut least = self.source.span(|| ())?.1;
        for _ in 0..100 {
            least = least.min(self.source.span(|| ())?.1);
        }
        Ok(least)
    }

    /// What it counts.
    pub fn kind(&self) -> Kind {
        match self.source {
            #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
            Source::Hardware(_) => Kind::Hardware,
            Source::Ticks => tick::KIND,
        }
    }

    /// Runs `work` once and returns its result with its cost.
    ///
    /// # Errors
    /// Where the kernel took the hardware's counters away meanwhile; the clock never fails.
    #[inline]
    pub fn span<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<(T, Span)> {
        let (out, span) = self.source.span(work)?;
        Ok((out, span.without(self.empty)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: more work costs more, in every unit that the counter reports.
    #[test]
    fn more_work_costs_more() {
        let mut counter = Counter::open();
        let mut cost = |chains: usize| {
            let spans =
                (0..20).map(|_| counter.span(|| (0..chains).for_each(|_| _ = crate::chain())).unwrap().1);
            spans.reduce(Span::min).unwrap()
        };
        let (one, hundred) = (cost(1), cost(100));
        assert!(hundred.ticks > 10 * one.ticks, "{one:?} {hundred:?}");
        assert!(hundred.time > one.time);
        assert_eq!(one.instructions.is_some(), counter.kind() == Kind::Hardware);
    }
}
