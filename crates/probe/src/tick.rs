//! A clock that an unprivileged program can read in a few cycles: the time-stamp counter, or else the
//! system's clock.

use crate::kind::Kind;

/// What [`now`] counts on this machine.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const KIND: Kind = Kind::Tsc;
/// What [`now`] counts on this machine.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) const KIND: Kind = Kind::Nanoseconds;

/// The time-stamp counter, read after everything before it has executed and before anything after it starts:
/// `lfence` does both (Intel's manual, volume 2, RDTSC; on AMD the kernel makes it dispatch-serialising).
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn now() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: lfence and rdtsc are part of x86-64, touch no memory and write edx and eax alone, both
    // declared. A system may forbid rdtsc to programs (prctl PR_SET_TSC); then the process ends by a signal,
    // which is not undefined.
    unsafe {
        core::arch::asm!(
            "lfence", "rdtsc", "lfence",
            out("rax") low, out("rdx") high, options(nostack, preserves_flags)
        );
    }
    high << 32 | low
}

/// The virtual counter of the generic timer; `isb` keeps it from being read early, or late.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(crate) fn now() -> u64 {
    let ticks: u64;
    // SAFETY: reads a system register that Linux, and every system that has a vDSO clock, opens to programs;
    // touches no memory.
    unsafe {
        core::arch::asm!(
            "isb", "mrs {}, cntvct_el0", "isb",
            out(reg) ticks, options(nostack, preserves_flags)
        );
    }
    ticks
}

/// Nanoseconds since the first call.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn now() -> u64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::now;

    /// Protects: time passes, and never backwards, on the core that the test is pinned to.
    #[test]
    fn ticks_do_not_run_backwards() {
        let _ = crate::pin();
        let first = now();
        let mut last = first;
        for _ in 0..100_000 {
            let next = now();
            assert!(next >= last, "{next} after {last}");
            last = next;
        }
        assert!(last > first);
    }
}
