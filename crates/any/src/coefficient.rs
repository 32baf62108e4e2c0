//! Integer types for coefficients.

use core::iter::zip;

/// An unsigned integer type for coefficients.
pub trait Coefficient: Copy + Into<u64> + Send + Sync + sealed::Sealed {
    /// Of a number below `q`, which fits where `q` does.
    #[doc(hidden)]
    fn of(x: u64) -> Self;
    /// Copies numbers that are below a bound of at most `2^15`. A top bit says that one is not.
    #[doc(hidden)]
    fn halves(from: &[Self], bound: u16, to: &mut [u16]) -> u64;
    /// The same, of at most `2^31`.
    #[doc(hidden)]
    fn words(from: &[Self], bound: u32, to: &mut [u32]) -> u64;
    /// Words as they are, where they are words.
    #[doc(hidden)]
    fn as_words(_: &[Self]) -> Option<&[u64]> {
        None
    }
    /// The greatest.
    #[doc(hidden)]
    const MAX: u64;
}

/// An integer that compiled kernels take coefficients as, with room for a sign.
pub trait Lane: Coefficient + Default + 'static {
    /// Moduli are below this: half of what the integer holds.
    const LIMIT: u64;
    /// Copies numbers that are below a bound, which is below the limit. A top bit says that one is not.
    #[doc(hidden)]
    fn read<T: Coefficient>(from: &[T], bound: u64, to: &mut [Self]) -> u64;
    /// A top bit, where a number in `[0, q)` is not from `-bound` to `bound` modulo `q`; the bound is at most
    /// `q / 2`.
    #[doc(hidden)]
    fn beyond_small(numbers: &[Self], q: u64, bound: u64) -> u64;
}

mod sealed {
    pub trait Sealed {}
}

/// Copies numbers, which are compared as `$as`; their bound is at most half of what that holds.
macro_rules! copied {
    ($as:ty, $from:ident, $bound:ident, $to:ident) => {{
        let (bound, mut outside) = (<$as>::from($bound), 0);
        for (to, x) in zip($to, $from) {
            let x = <$as>::from(*x);
            *to = x as _;
            outside |= x | !x.wrapping_sub(bound);
        }
        u64::from(outside >> (<$as>::BITS - 1)) << (u64::BITS - 1)
    }};
}

macro_rules! coefficients {
    ($($type:ty, as words $word:ty $(, $as_words:item)?;)*) => { $(
        impl sealed::Sealed for $type {}
        impl Coefficient for $type {
            #[inline(always)]
            fn of(x: u64) -> Self {
                x as Self
            }
            fn halves(from: &[Self], bound: u16, to: &mut [u16]) -> u64 {
                copied!(Self, from, bound, to)
            }
            fn words(from: &[Self], bound: u32, to: &mut [u32]) -> u64 {
                copied!($word, from, bound, to)
            }
            $($as_words)?
            const MAX: u64 = <$type>::MAX as u64;
        }
    )* };
}

coefficients! {
    u16, as words u32;
    u32, as words u32;
    u64, as words u64, fn as_words(words: &[u64]) -> Option<&[u64]> { Some(words) };
}

macro_rules! lanes {
    ($($type:ty, signed $signed:ty, $read:ident;)*) => { $(
        impl Lane for $type {
            const LIMIT: u64 = 1 << (<$type>::BITS - 1);
            fn read<T: Coefficient>(from: &[T], bound: u64, to: &mut [Self]) -> u64 {
                T::$read(from, bound as $type, to)
            }
            fn beyond_small(numbers: &[Self], q: u64, bound: u64) -> u64 {
                let (q, bound) = (q as $type, bound as $type);
                let outside = numbers.iter().fold(0, |outside, x| {
                    // x + bound modulo q is at most 2 bound for those that are small. All is below twice the
                    // limit.
                    let above = (x + bound).wrapping_sub(q);
                    let sum = above.wrapping_add(q & ((above as $signed) >> (<$type>::BITS - 1)) as $type);
                    outside | sum | !sum.wrapping_sub(2 * bound + 1)
                });
                u64::from(outside >> (<$type>::BITS - 1)) << (u64::BITS - 1)
            }
        }
    )* };
}

lanes! {
    u16, signed i16, halves;
    u32, signed i32, words;
}
