//! The traits of the crate `kem` 0.3, for generic code.
//!
//! Their operations take no CPU: they use the best one of the machine, and their results are those of the
//! types' own functions. Sizes are types there, of the crate `hybrid-array`, which has those of the sets that
//! a family's crate names as [`Kem`]s.

use crate::error::InvalidKey;
use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::secret::SecretArray;
use crate::set::{Bytes, CcaSet, KemSet, SeedSet, drawing};
use core::ops::Deref;
use hybrid_array::{ArraySize, AssocArraySize};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, Kem, Key, KeyExport, KeyInit, KeySizeUser,
    SharedKey, TryKeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::ZeroizeOnDrop;

/// How many bytes `B` has, as a type.
pub type Size<B> = <B as AssocArraySize>::Size;

/// Bytes of one array type as another of as many.
fn copied<B: Bytes, N: ArraySize>(bytes: &B) -> hybrid_array::Array<u8, N> {
    hybrid_array::Array::try_from(bytes.as_ref()).expect("the size of the bytes")
}

/// The other way round.
fn borrowed<B: Bytes, N: ArraySize>(bytes: &hybrid_array::Array<u8, N>) -> &B {
    B::of(bytes).expect("the size of the bytes")
}

impl<S: KemSet<PublicBytes: AssocArraySize>> KeySizeUser for EncapsulationKey<S> {
    type KeySize = Size<S::PublicBytes>;
}

impl<S: KemSet<PublicBytes: AssocArraySize>> KeyExport for EncapsulationKey<S> {
    fn to_bytes(&self) -> Key<Self> {
        copied(&self.to_bytes())
    }
}

impl<S: KemSet<PublicBytes: AssocArraySize>> TryKeyInit for EncapsulationKey<S> {
    fn new(key: &Key<Self>) -> Result<Self, ::kem::InvalidKey> {
        Self::from_bytes(borrowed(key)).map_err(|why| {
            let InvalidKey = why.into();
            ::kem::InvalidKey
        })
    }
}

impl<S: KemSet<PublicBytes: AssocArraySize> + Kem<EncapsulationKey = Self>> Encapsulate
    for EncapsulationKey<S>
{
    type Kem = S;
    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<S>, SharedKey<S>) {
        let (ciphertext, shared) = self.encapsulate(rng);
        (copied(&ciphertext), copied(shared.as_bytes()))
    }
}

impl<S: CcaSet + Kem<EncapsulationKey = EncapsulationKey<S>>> Decapsulator for DecapsulationKey<S> {
    type Kem = S;
    fn encapsulation_key(&self) -> &EncapsulationKey<S> {
        self.encapsulation_key()
    }
}

impl<S: CcaSet + Kem<EncapsulationKey = EncapsulationKey<S>>> Decapsulate for DecapsulationKey<S> {
    fn decapsulate(&self, ciphertext: &Ciphertext<S>) -> SharedKey<S> {
        copied(self.decapsulate(borrowed(ciphertext)).as_bytes())
    }
}

impl<S: CcaSet + Kem<DecapsulationKey = Self>> Generate for DecapsulationKey<S> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate(rng)
    }
}

/// Of the sets whose keys have no short form.
impl<S: CcaSet<PrivateBytes: AssocArraySize> + Kem<DecapsulationKey = Self>> KeySizeUser
    for DecapsulationKey<S>
{
    type KeySize = Size<S::PrivateBytes>;
}

/// The caller clears it.
impl<S: CcaSet<PrivateBytes: AssocArraySize> + Kem<DecapsulationKey = Self>> KeyExport
    for DecapsulationKey<S>
{
    fn to_bytes(&self) -> Key<Self> {
        copied(&*self.to_bytes())
    }
}

/// A private key that has its seed: the one of the traits of the crate `kem`, which store a key as its seed.
///
/// It [is](Deref) a [`DecapsulationKey`]; one of these that was read in its long form has no seed, and is
/// none of this type.
pub struct SeededKey<S: SeedSet>(DecapsulationKey<S>);

impl<S: SeedSet> ZeroizeOnDrop for SeededKey<S> {}

impl<S: SeedSet> SeededKey<S> {
    /// A private key, if it has its seed.
    pub fn of(key: DecapsulationKey<S>) -> Option<Self> {
        key.to_seed().is_some().then_some(SeededKey(key))
    }

    /// The private key.
    pub fn into_key(self) -> DecapsulationKey<S> {
        self.0
    }
}

impl<S: SeedSet> Deref for SeededKey<S> {
    type Target = DecapsulationKey<S>;
    fn deref(&self) -> &DecapsulationKey<S> {
        &self.0
    }
}

impl<S: SeedSet + Kem<EncapsulationKey = EncapsulationKey<S>>> Decapsulator for SeededKey<S> {
    type Kem = S;
    fn encapsulation_key(&self) -> &EncapsulationKey<S> {
        self.0.encapsulation_key()
    }
}

impl<S: SeedSet + Kem<EncapsulationKey = EncapsulationKey<S>>> Decapsulate for SeededKey<S> {
    fn decapsulate(&self, ciphertext: &Ciphertext<S>) -> SharedKey<S> {
        copied(self.0.decapsulate(borrowed(ciphertext)).as_bytes())
    }
}

impl<S: SeedSet> Generate for SeededKey<S> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = SecretArray::<S::Seed>::zero();
        drawing(rng, |draw| draw(seed.as_mut()))?;
        Ok(SeededKey(DecapsulationKey::from_seed(&*seed)))
    }
}

impl<S: SeedSet<Seed: AssocArraySize>> KeySizeUser for SeededKey<S> {
    type KeySize = Size<S::Seed>;
}

/// From the seed.
impl<S: SeedSet<Seed: AssocArraySize>> KeyInit for SeededKey<S> {
    fn new(seed: &Key<Self>) -> Self {
        SeededKey(DecapsulationKey::from_seed(borrowed(seed)))
    }
}

/// The seed: the caller clears it.
impl<S: SeedSet<Seed: AssocArraySize>> KeyExport for SeededKey<S> {
    fn to_bytes(&self) -> Key<Self> {
        copied(&*self.to_seed().expect("a key with its seed"))
    }
}
