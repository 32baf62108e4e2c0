//! Integer types for coefficients.

use core::iter::zip;

/// An unsigned integer type for coefficients.
pub trait Coefficient: Copy + Into<u64> + Send + Sync + sealed::Sealed {
    /// Of a number below `q`, which fits where `q` does.
    #[doc(hidden)]
    fn of(x: u64) -> Self;
    /// Copies numbers that are below a bound of at most `2^15`. A top bit says that one is not.
    #[doc(hidden)]
    fn narrow(from: &[Self], bound: u16, to: &mut [u16]) -> u64;
    /// The greatest.
    #[doc(hidden)]
    const MAX: u64;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! coefficients {
    ($($type:ty),*) => { $(
        impl sealed::Sealed for $type {}
        impl Coefficient for $type {
            #[inline(always)]
            fn of(x: u64) -> Self {
                x as Self
            }
            fn narrow(from: &[Self], bound: u16, to: &mut [u16]) -> u64 {
                let (bound, mut outside) = (Self::from(bound), 0);
                for (to, x) in zip(to, from) {
                    *to = *x as u16;
                    outside |= *x | !x.wrapping_sub(bound);
                }
                u64::from(outside >> (Self::BITS - 1)) << (u64::BITS - 1)
            }
            const MAX: u64 = <$type>::MAX as u64;
        }
    )* };
}

coefficients!(u16, u32, u64);
