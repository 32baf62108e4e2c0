//! What the types of secrets do not implement, and what they do: read by the compiler.
//!
//! That memory is cleared is looked at in `crates/testkit/tests/cleared.rs`.

use ringsmith::encoding::{PrivateBytes, PrivateKey};
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::{ntru_prime, ssh};
use std::fmt::{Debug, Display};
use std::marker::PhantomData;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// Whether a type has a trait: an associated constant of the type itself, which exists where the bound holds,
/// goes before one of a trait, which always exists.
struct Has<T>(PhantomData<T>);

trait Otherwise {
    const DEBUG: bool = false;
    const DISPLAY: bool = false;
    const CLONE: bool = false;
    const COPY: bool = false;
    const EQUALITY: bool = false;
    const CLEARED: bool = false;
}
impl<T> Otherwise for Has<T> {}

impl<T: Debug> Has<T> {
    const DEBUG: bool = true;
}
impl<T: Display> Has<T> {
    const DISPLAY: bool = true;
}
impl<T: Clone> Has<T> {
    const CLONE: bool = true;
}
impl<T: Copy> Has<T> {
    const COPY: bool = true;
}
/// Equality with `==` stops at the first difference.
impl<T: PartialEq> Has<T> {
    const EQUALITY: bool = true;
}
impl<T: ZeroizeOnDrop> Has<T> {
    const CLEARED: bool = true;
}

/// Debug, Display, Clone, Copy, PartialEq, ZeroizeOnDrop.
macro_rules! traits {
    ($type:ty) => {
        [
            Has::<$type>::DEBUG,
            Has::<$type>::DISPLAY,
            Has::<$type>::CLONE,
            Has::<$type>::COPY,
            Has::<$type>::EQUALITY,
            Has::<$type>::CLEARED,
        ]
    };
}

/// Protects: no private key, and no secret of an exchange, can be printed, copied, or compared with `==`;
/// each says that it is cleared.
#[test]
fn private_keys() {
    const CLEARED_ALONE: [bool; 6] = [false, false, false, false, false, true];
    assert_eq!(traits!(ml_kem_512::DecapsulationKey), CLEARED_ALONE);
    assert_eq!(traits!(ml_kem_768::DecapsulationKey), CLEARED_ALONE);
    assert_eq!(traits!(ml_kem_1024::DecapsulationKey), CLEARED_ALONE);
    assert_eq!(traits!(ml_kem_512::SeededKey), CLEARED_ALONE);
    assert_eq!(traits!(ml_kem_768::SeededKey), CLEARED_ALONE);
    assert_eq!(traits!(ml_kem_1024::SeededKey), CLEARED_ALONE);
    macro_rules! cleared_alone {
        ($($set:ident)*) => {$(
            assert_eq!(traits!(ntru_prime::$set::DecapsulationKey), CLEARED_ALONE, stringify!($set));
        )*};
    }
    cleared_alone!(sntrup653 sntrup761 sntrup857 sntrup953 sntrup1013 sntrup1277);
    cleared_alone!(ntrulpr653 ntrulpr761 ntrulpr857 ntrulpr953 ntrulpr1013 ntrulpr1277);
    assert_eq!(traits!(ssh::Client), CLEARED_ALONE);
    assert_eq!(traits!(ssh::Secret), CLEARED_ALONE);
    // Their parts clear themselves.
    assert_eq!(traits!(PrivateKey), [false; 6]);
    assert_eq!(traits!(PrivateBytes), [false; 6]);
}

/// Protects: the looking itself, on types that have all of this, and on one that is cleared.
#[test]
fn the_looking_sees() {
    assert_eq!(traits!(u8), [true, true, true, true, true, false]);
    assert_eq!(traits!(Zeroizing<[u8; 32]>), [true, false, true, false, true, true]);
}
