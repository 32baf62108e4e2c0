//! Integers that coefficients are given and taken as.

/// An unsigned integer that a coefficient is given and taken as.
pub trait Coefficient: Copy + Into<u64> + sealed::Sealed {
    /// Of a number below `q`, which fits where `q` does.
    #[doc(hidden)]
    fn of(x: u64) -> Self;
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
            fn of(x: u64) -> Self {
                x as Self
            }
            const MAX: u64 = <$type>::MAX as u64;
        }
    )* };
}

coefficients!(u16, u32, u64);
