//! Whether coefficients are in range: all of them are looked at, and only the answer is told.

use crate::{Coefficient, RingError};
use core::iter::zip;
use ringsmith_simd::{Cpu, Kernel, Simd, declassify};

/// All ones in the top bit, where `x` is not below `bound`, which is at most `2^63`.
#[inline(always)]
pub(crate) fn beyond(x: u64, bound: u64) -> u64 {
    x | !x.wrapping_sub(bound)
}

/// Whether a top bit is set, which is told.
pub(crate) fn told(outside: u64) -> Result<(), RingError> {
    let mut refused = outside >> (u64::BITS - 1);
    declassify::publish(core::slice::from_mut(&mut refused));
    if refused == 0 { Ok(()) } else { Err(RingError::Range) }
}

/// Numbers below `q`.
pub(crate) fn read<T: Coefficient>(cpu: Cpu, q: u64, from: &[T], to: &mut [u64]) -> Result<(), RingError> {
    told(cpu.run(Read { q, from, to }))
}

/// Whether all numbers are below `q`.
pub(crate) fn check(cpu: Cpu, q: u64, numbers: &[u64]) -> Result<(), RingError> {
    told(cpu.run(Below { q, numbers }))
}

/// Numbers below `q` that are small: at most `bound`, or at least `q - bound`, which stand for negative ones.
pub(crate) fn check_small(cpu: Cpu, q: u64, bound: u64, numbers: &[u64]) -> Result<(), RingError> {
    told(cpu.run(Small { q, bound, numbers }))
}

/// Numbers that the integers hold.
pub(crate) fn write<T: Coefficient>(cpu: Cpu, from: &[u64], to: &mut [T]) {
    cpu.run(Write { from, to });
}

/// Copies numbers. A top bit says that one is not below `q`. A plain loop, which the compiler makes vectors
/// of in a kernel.
struct Read<'a, T> {
    q: u64,
    from: &'a [T],
    to: &'a mut [u64],
}

impl<T: Coefficient> Kernel for Read<'_, T> {
    type Out = u64;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u64 {
        let mut outside = 0;
        for (to, x) in zip(self.to, self.from) {
            *to = (*x).into();
            outside |= beyond(*to, self.q);
        }
        outside
    }
}

/// A top bit says that a number is not below `q`.
struct Below<'a> {
    q: u64,
    numbers: &'a [u64],
}

impl Kernel for Below<'_> {
    type Out = u64;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u64 {
        self.numbers.iter().fold(0, |outside, x| outside | beyond(*x, self.q))
    }
}

/// A top bit says that a number is not small.
struct Small<'a> {
    q: u64,
    bound: u64,
    numbers: &'a [u64],
}

impl Kernel for Small<'_> {
    type Out = u64;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u64 {
        let mut outside = 0;
        for x in self.numbers {
            // x + B modulo q is at most 2 B for those that are small.
            let above = (x + self.bound).wrapping_sub(self.q);
            let negative = ((above as i64) >> (u64::BITS - 1)) as u64;
            outside |= beyond(above.wrapping_add(self.q & negative), 2 * self.bound + 1);
        }
        outside
    }
}

/// Copies numbers.
struct Write<'a, T> {
    from: &'a [u64],
    to: &'a mut [T],
}

impl<T: Coefficient> Kernel for Write<'_, T> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (to, x) in zip(self.to, self.from) {
            *to = T::of(*x);
        }
    }
}
