//! The core's own counters through Linux's `perf_event_open`: cycles and instructions in user mode.

use perf_event::events::Hardware as Event;
use perf_event::{Builder, Counter as Event64, Group};
use std::io;
use std::time::Duration;

/// A group of two counters that start and stop together.
pub(crate) struct Hardware {
    group: Group,
    cycles: Event64,
    instructions: Event64,
    /// How long, so far, the kernel had the group enabled but not on the core.
    lost: Duration,
}

impl Hardware {
    /// Opens the counters for the calling thread. The builder's defaults leave out the kernel and the
    /// hypervisor.
    ///
    /// # Errors
    /// Where the system forbids them (`kernel.perf_event_paranoid` above 2), or the machine has none, as most
    /// virtual ones.
    pub(crate) fn open() -> io::Result<Self> {
        let mut group = Group::new()?;
        let cycles = group.add(&Builder::new(Event::CPU_CYCLES))?;
        let instructions = group.add(&Builder::new(Event::INSTRUCTIONS))?;
        Ok(Hardware { group, cycles, instructions, lost: Duration::ZERO })
    }

    /// From zero.
    pub(crate) fn start(&mut self) -> io::Result<()> {
        self.group.reset()?;
        self.group.enable()
    }

    /// Cycles and instructions since [`start`](Self::start).
    ///
    /// # Errors
    /// Where the kernel could not keep the counters on the core all the time: such a figure would be an
    /// extrapolation.
    pub(crate) fn stop(&mut self) -> io::Result<(u64, u64)> {
        self.group.disable()?;
        let data = self.group.read()?;
        // A reset leaves the times as they are: what counts is their growth since the last span.
        let lost =
            data.time_enabled().unwrap_or_default().saturating_sub(data.time_running().unwrap_or_default());
        let complete = lost == std::mem::replace(&mut self.lost, lost);
        match (data.get(&self.cycles), data.get(&self.instructions)) {
            (Some(cycles), Some(instructions)) if complete => Ok((cycles.value(), instructions.value())),
            _ => Err(io::Error::other("the kernel shared the hardware counters out; close other profilers")),
        }
    }
}
