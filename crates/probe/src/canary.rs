//! A kernel of exactly known cost: it turns ticks into cycles, and shows when a neighbour disturbs the core.

use crate::Counter;
use std::hint::black_box;
use std::io;

/// What [`chain`] takes on a core that nobody disturbs: one cycle for each of its additions.
pub const CANARY_CYCLES: u64 = 1000;

/// Chains in a span, so that starting and stopping vanish in it: 20,000 cycles.
const CHAINS: u64 = 20;

/// A thousand dependent 64-bit additions of registers, each of one cycle's latency. (An addition of a
/// constant would not do: recent cores fold it away when they rename registers.)
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn chain() -> u64 {
    let mut sum = black_box(1u64);
    let step = black_box(3u64);
    // SAFETY: additions of two declared registers; no memory, no stack; the flags count as clobbered.
    unsafe {
        core::arch::asm!(
            ".rept 1000", "add {0}, {1}", ".endr",
            inout(reg) sum, in(reg) step, options(nomem, nostack)
        );
    }
    sum
}

/// A thousand dependent 64-bit additions of registers, each of one cycle's latency.
#[cfg(target_arch = "aarch64")]
#[inline]
pub fn chain() -> u64 {
    let mut sum = black_box(1u64);
    let step = black_box(3u64);
    // SAFETY: additions of two declared registers; no memory, no stack, no flags.
    unsafe {
        core::arch::asm!(
            ".rept 1000", "add {0}, {0}, {1}", ".endr",
            inout(reg) sum, in(reg) step, options(nomem, nostack, preserves_flags)
        );
    }
    sum
}

/// A thousand dependent additions as far as the compiler can be told so: about a cycle each, or a few where
/// `black_box` goes through memory. It still shows a core that is disturbed.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline]
pub fn chain() -> u64 {
    (0..CANARY_CYCLES).fold(black_box(1), |sum, _| black_box(sum + 3))
}

/// Counts one chain: [`CANARY_CYCLES`] where the counter counts cycles; `ticks * 1000 / canary` turns ticks
/// of another counter into cycles. The least of ten spans; takes about 0.1 ms.
///
/// # Errors
/// As [`Counter::span`].
pub fn canary(counter: &mut Counter) -> io::Result<f64> {
    (0..10).try_fold(f64::INFINITY, |least, _| Ok(canary_once(counter)?.min(least)))
}

/// As [`canary`], from one span of about 10 microseconds: to be taken beside each figure, and the least of
/// many kept.
///
/// # Errors
/// As [`Counter::span`].
pub fn canary_once(counter: &mut Counter) -> io::Result<f64> {
    let ((), span) = counter.span(|| (0..CHAINS).for_each(|_| _ = black_box(chain())))?;
    Ok(span.ticks as f64 / CHAINS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    /// Protects: the chain has the number of additions that its cost is derived from.
    #[test]
    fn a_thousand_additions() {
        assert_eq!(chain(), 1 + 3 * CANARY_CYCLES);
    }

    /// Protects: a canary is a plausible number, and close to its cycles where cycles are counted. The margin
    /// is wide, because a test does not time: a neighbour on the sibling thread costs up to half.
    #[test]
    fn the_canary_sings() {
        let mut counter = Counter::open();
        let ticks = canary(&mut counter).unwrap();
        assert!(ticks > 1.0, "{ticks}");
        if counter.kind() == Kind::Hardware {
            assert!((950.0..3000.0).contains(&ticks), "{ticks}");
        }
    }
}
