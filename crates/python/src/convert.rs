//! Coefficients of Python's integers, signed or not, as numbers in `[0, q)`.
//!
//! # The map
//! What is given is from `-floor(q / 2)` to `q - 1`, as the command takes it; negative numbers stand for
//! `q` more. All are looked at, and one answer is told: whether one was out of range.
//!
//! # Constant time
//! In the coefficients.

use crate::raw::Int;
use core::iter::zip;
use numpy::Element;
use ringsmith::Cpu;
use ringsmith::any::Coefficient;
use ringsmith_simd::{Kernel, Simd};

/// An integer that a ring has its elements in.
pub(crate) trait Word: Coefficient + Element + Default + Into<u64> {
    /// As universal functions call it.
    const INT: Int;
    /// Of a number below `q`, which fits.
    fn narrow_from(x: u64) -> Self;
    /// `x + y` modulo `q`, of numbers below `q`.
    fn add_mod(x: Self, y: Self, q: u64) -> Self;
    /// `x - y` modulo `q`, of numbers below `q`.
    fn sub_mod(x: Self, y: Self, q: u64) -> Self;
}

macro_rules! words {
    ($($word:ty: $wide:ty, $int:ident;)*) => { $(
        impl Word for $word {
            const INT: Int = Int::$int;
            #[inline(always)]
            fn narrow_from(x: u64) -> Self {
                x as Self
            }
            #[inline(always)]
            fn add_mod(x: Self, y: Self, q: u64) -> Self {
                once(<$wide>::from(x) + <$wide>::from(y), q as $wide) as Self
            }
            #[inline(always)]
            fn sub_mod(x: Self, y: Self, q: u64) -> Self {
                let q = q as $wide;
                once(<$wide>::from(x) + q - <$wide>::from(y), q) as Self
            }
        }
    )* };
}

// Twice a modulus fits the wide one: it is at most 2^16, 2^32 or 2^62.
words! {
    u16: u32, U16;
    u32: u64, U32;
    u64: u64, U64;
}

/// `x - q` where that is not negative, else `x`; both are far from the type's greatest number.
#[inline(always)]
fn once<T: Wide>(x: T, q: T) -> T {
    x.take_off(q)
}

/// An unsigned integer that a sum of two coefficients fits.
trait Wide: Copy {
    /// The same without a branch.
    fn take_off(self, q: Self) -> Self;
}

macro_rules! wides {
    ($($wide:ty: $signed:ty;)*) => { $(
        impl Wide for $wide {
            #[inline(always)]
            fn take_off(self, q: Self) -> Self {
                let difference = self.wrapping_sub(q);
                difference.wrapping_add(q & ((difference as $signed) >> (<$wide>::BITS - 1)) as $wide)
            }
        }
    )* };
}

wides! { u32: i32; u64: i64; }

/// An integer that coefficients are given as.
pub(crate) trait Given: Copy {
    /// The number as 64 bits, and all ones where it is negative.
    fn parts(self) -> (u64, u64);
}

macro_rules! given {
    ($($type:ty)*) => { $(
        impl Given for $type {
            #[inline(always)]
            fn parts(self) -> (u64, u64) {
                #[allow(unused_comparisons, reason = "the macro is of signed and unsigned integers")]
                let sign = if <$type>::MIN < 0 { ((self as i64) >> (u64::BITS - 1)) as u64 } else { 0 };
                (self as u64, sign)
            }
        }
    )* };
}

given! { i8 u8 i16 u16 i32 u32 i64 u64 }

/// Writes coefficients in `[0, q)`; a top bit says that one was out of range.
struct Canonical<'a, S, T> {
    q: u64,
    from: &'a [S],
    to: &'a mut [T],
}

/// `x` in `[0, q)`, and a top bit where it is out of range.
#[inline(always)]
pub(crate) fn canonical(q: u64, (x, negative): (u64, u64)) -> (u64, u64) {
    let canonical = x.wrapping_add(q & negative);
    // Of a negative x: whether x + q / 2 is negative still. Else: whether x - q is not.
    let below = x.wrapping_add(q / 2) & negative;
    (canonical, below | canonical | !canonical.wrapping_sub(q))
}

impl<S: Given, T: Word> Kernel for Canonical<'_, S, T> {
    type Out = u64;
    #[inline(always)]
    fn run<V: Simd>(self, _: V) -> u64 {
        let (q, mut outside) = (self.q, 0);
        for (to, x) in zip(self.to, self.from) {
            let (x, out) = canonical(q, x.parts());
            *to = T::narrow_from(x);
            outside |= out;
        }
        outside
    }
}

/// Writes coefficients in `[0, q)`. Whether all were in range.
pub(crate) fn write_canonical<S: Given, T: Word>(cpu: Cpu, q: u64, from: &[S], to: &mut [T]) -> bool {
    cpu.run(Canonical { q, from, to }) >> (u64::BITS - 1) == 0
}

/// A top bit says that a number is not below `q`.
struct Range<'a, T> {
    q: u64,
    of: &'a [T],
}

impl<T: Word> Kernel for Range<'_, T> {
    type Out = u64;
    #[inline(always)]
    fn run<V: Simd>(self, _: V) -> u64 {
        self.of.iter().fold(0, |outside, x| {
            let x: u64 = (*x).into();
            outside | x | !x.wrapping_sub(self.q)
        })
    }
}

/// Whether all of these are below `q`.
pub(crate) fn in_range<T: Word>(cpu: Cpu, q: u64, of: &[T]) -> bool {
    cpu.run(Range { q, of }) >> (u64::BITS - 1) == 0
}

/// Sums or differences.
struct Elementwise<'a, T> {
    q: u64,
    subtracts: bool,
    a: &'a [T],
    b: &'a [T],
    out: &'a mut [T],
}

impl<T: Word> Kernel for Elementwise<'_, T> {
    type Out = ();
    #[inline(always)]
    fn run<V: Simd>(self, _: V) {
        let Elementwise { q, subtracts, a, b, out } = self;
        let pairs = zip(out, zip(a, b));
        match subtracts {
            false => pairs.for_each(|(out, (x, y))| *out = T::add_mod(*x, *y, q)),
            true => pairs.for_each(|(out, (x, y))| *out = T::sub_mod(*x, *y, q)),
        }
    }
}

/// Writes `a + b`, of coefficients in `[0, q)`.
pub(crate) fn add<T: Word>(cpu: Cpu, q: u64, [a, b]: [&[T]; 2], out: &mut [T]) {
    cpu.run(Elementwise { q, subtracts: false, a, b, out });
}

/// Writes `a - b`, of coefficients in `[0, q)`.
pub(crate) fn sub<T: Word>(cpu: Cpu, q: u64, [a, b]: [&[T]; 2], out: &mut [T]) {
    cpu.run(Elementwise { q, subtracts: true, a, b, out });
}
