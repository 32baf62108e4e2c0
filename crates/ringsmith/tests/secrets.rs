//! What the types of secrets do not implement, and what they do: read by the compiler.
//!
//! That memory is cleared is looked at in `crates/testkit/tests/cleared.rs`.

use ringsmith::encoding::{PrivateBytes, PrivateKey};
use ringsmith::keys::{DecapsulationKey, OneTimeKey, SecretKey};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024};
use ringsmith::new_hope::adps::Adps;
use ringsmith::new_hope::longa_naehrig::LongaNaehrig;
use ringsmith::new_hope::{NewHopeCca512, NewHopeCompact512, NewHopeCpa512, Offer};
use ringsmith::ntru::{Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229};
use ringsmith::ntru::{Ntruhrss701, Ntruhrss1373};
use ringsmith::ntru_prime::{Ntrulpr653, Ntrulpr761, Ntrulpr857, Ntrulpr953, Ntrulpr1013, Ntrulpr1277};
use ringsmith::ntru_prime::{Sntrup653, Sntrup761, Sntrup857, Sntrup953, Sntrup1013, Sntrup1277};
use ringsmith::ntruencrypt::{Ees401ep1, Ees401ep2, Ees677ep1, Ees743ep1, libntru, ntruprime739};
use ringsmith::pke::{DecryptionKey, Message};
use ringsmith::set::SharedKey;
use ringsmith::ssh;
use ringsmith_kem::traits::SeededKey;
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

/// Of each type, with its name: Debug, Display, Clone, Copy, PartialEq, ZeroizeOnDrop.
macro_rules! traits {
    ($($type:ty),*) => {
        [$((stringify!($type), [
            Has::<$type>::DEBUG,
            Has::<$type>::DISPLAY,
            Has::<$type>::CLONE,
            Has::<$type>::COPY,
            Has::<$type>::EQUALITY,
            Has::<$type>::CLEARED,
        ])),*]
    };
}

/// Protects: no private key, and no secret of an exchange, can be printed, copied, or compared with `==`;
/// each says that it is cleared.
#[test]
fn private_keys() {
    use DecapsulationKey as Key;
    const CLEARED_ALONE: [bool; 6] = [false, false, false, false, false, true];
    let secrets = traits! {
        Key<MlKem512>, Key<MlKem768>, Key<MlKem1024>,
        SeededKey<MlKem512>, SeededKey<MlKem768>, SeededKey<MlKem1024>,
        Key<Sntrup653>, Key<Sntrup761>, Key<Sntrup857>,
        Key<Sntrup953>, Key<Sntrup1013>, Key<Sntrup1277>,
        Key<Ntrulpr653>, Key<Ntrulpr761>, Key<Ntrulpr857>,
        Key<Ntrulpr953>, Key<Ntrulpr1013>, Key<Ntrulpr1277>,
        Key<Ntruhps2048509>, Key<Ntruhps2048677>, Key<Ntruhps4096821>, Key<Ntruhps40961229>,
        Key<Ntruhrss701>, Key<Ntruhrss1373>,
        OneTimeKey<NewHopeCpa512>, SecretKey<NewHopeCpa512>, Key<NewHopeCca512>, Key<NewHopeCompact512>,
        DecryptionKey<Ees401ep1>, DecryptionKey<Ees401ep2>,
        DecryptionKey<Ees677ep1>, DecryptionKey<Ees743ep1>,
        DecryptionKey<libntru::Ees401ep1>, Message<Ees401ep1>, Message<libntru::Ees401ep1>,
        DecryptionKey<ntruprime739::X998>, DecryptionKey<ntruprime739::Radix>, Message<ntruprime739::X998>,
        Offer<Adps>, Offer<LongaNaehrig>,
        ssh::Client, ssh::Secret
    };
    for (name, traits) in secrets {
        assert_eq!(traits, CLEARED_ALONE, "{name}");
    }
    // Their parts clear themselves.
    for (name, traits) in traits!(PrivateKey, PrivateBytes) {
        assert_eq!(traits, [false; 6], "{name}");
    }
}

/// Protects: a shared key can be compared, is cleared, and does not say what it is.
#[test]
fn shared_keys() {
    let [(_, traits)] = traits!(SharedKey);
    assert_eq!(traits, [true, false, false, false, true, true]);
    let (mut key, zero) = (SharedKey::zero(), SharedKey::zero());
    assert!(key == zero && key == [0; 32]);
    key.as_mut_bytes()[31] = 1;
    assert!(key != zero && key != [0; 32] && key.as_bytes()[31] == 1);
    assert_eq!(format!("{key:?}"), "SharedKey(..)");
}

/// Protects: the looking itself, on types that have all of this, and on one that is cleared.
#[test]
fn the_looking_sees() {
    let [(_, plain), (_, cleared)] = traits!(u8, Zeroizing<[u8; 32]>);
    assert_eq!(plain, [true, true, true, true, true, false]);
    assert_eq!(cleared, [true, false, true, false, true, true]);
}
