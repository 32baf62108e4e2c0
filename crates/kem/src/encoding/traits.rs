//! The traits of the crate `pkcs8` for the keys of every set that has an object identifier, and what the
//! table of schemes says of them.
//!
//! A public key is the bit string of its bytes. A private key is its seed, its long form, or both: all are
//! read, and the seed is written where it is known. Where there are both, they must belong to each other.
//! Source: RFC 9935.

use super::{Encoding, PrivateBytes, PrivateForm, expanded_der, public_bytes, public_der, seed_der};
use crate::declassify::publish;
use crate::error::{InvalidKey, SchemeError};
use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::scheme::{Scheme, exactly, exactly_mut};
use crate::secret::SecretArray;
use crate::set::{Bytes, KemSet, SeedSet};
#[cfg(feature = "kem")]
use crate::traits::SeededKey;
use alloc::boxed::Box;
use alloc::vec;
use ctutils::CtEq;
use pkcs8::der::asn1::AnyRef;
use pkcs8::spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier};
use pkcs8::{
    AssociatedOid, Document, EncodePrivateKey, EncodePublicKey, KeyError, PrivateKeyInfoRef, SecretDocument,
    SubjectPublicKeyInfoRef,
};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

impl Scheme {
    /// A set whose private keys have a short form, and which has an object identifier.
    pub const fn encoded<S: SeedSet + AssociatedOid>() -> Scheme {
        Scheme { encoding: Some(encoding::<S>()), ..Scheme::seeded::<S>() }
    }
}

const fn encoding<S: SeedSet + AssociatedOid>() -> Encoding {
    Encoding {
        oid: S::OID,
        write_public_key: |cpu, key| {
            let key =
                EncapsulationKey::<S>::from_bytes_on(cpu, exactly("public key", key)?).map_err(Into::into)?;
            Ok(key.to_public_key_der()?)
        },
        read_public_key: |cpu, info| {
            Ok(EncapsulationKey::<S>::from_info(cpu, info)?.to_bytes().as_ref().to_vec())
        },
        write_private_key: |cpu, key| {
            let mut read = Box::new(DecapsulationKey::<S>::blank(S::planned(cpu)));
            match S::Seed::of(key) {
                Some(seed) => S::expand(read.0.places(), seed),
                None => S::read_private(read.0.places(), exactly("private key", key)?)?,
            }
            Ok(read.to_pkcs8_der()?)
        },
        read_private_key: |cpu, info| {
            let mut key = Box::new(DecapsulationKey::<S>::blank(S::planned(cpu)));
            key.read(info)?;
            let mut bytes = Zeroizing::new(vec![0; S::PrivateBytes::LEN]);
            key.to_bytes_into(exactly_mut("private key", &mut bytes)?);
            let seed = key.to_seed().as_deref().map(|seed| Zeroizing::new(seed.as_ref().to_vec()));
            Ok(PrivateBytes { bytes, seed })
        },
    }
}

/// No parameters stand beside the identifier.
const fn identifier<S: AssociatedOid>() -> AlgorithmIdentifier<AnyRef<'static>> {
    AlgorithmIdentifier { oid: S::OID, parameters: None }
}

impl<S: KemSet + AssociatedOid> AssociatedAlgorithmIdentifier for EncapsulationKey<S> {
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<S>();
}

impl<S: SeedSet + AssociatedOid> AssociatedAlgorithmIdentifier for DecapsulationKey<S> {
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<S>();
}

/// With the best CPU backend of the machine.
impl<S: KemSet + AssociatedOid> TryFrom<SubjectPublicKeyInfoRef<'_>> for EncapsulationKey<S> {
    type Error = spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
        Ok(Self::from_info(Cpu::detect(), &info)?)
    }
}

impl<S: KemSet + AssociatedOid> EncodePublicKey for EncapsulationKey<S> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        public_der(S::OID, self.to_bytes().as_ref())
    }
}

impl<S: KemSet + AssociatedOid> EncapsulationKey<S> {
    fn from_info(cpu: Cpu, info: &SubjectPublicKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        let bytes = S::PublicBytes::of(public_bytes(S::OID, info)?).ok_or(KeyError::Invalid)?;
        Ok(Self::from_bytes_on(cpu, bytes).map_err(|_| KeyError::Invalid)?)
    }
}

/// With the best CPU backend of the machine.
impl<S: SeedSet + AssociatedOid> TryFrom<PrivateKeyInfoRef<'_>> for DecapsulationKey<S> {
    type Error = pkcs8::Error;
    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, pkcs8::Error> {
        let mut key = Self::blank(S::planned(Cpu::detect()));
        key.read(&info)?;
        Ok(key)
    }
}

/// The seed where there is one, otherwise the long form.
impl<S: SeedSet + AssociatedOid> EncodePrivateKey for DecapsulationKey<S> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        if let Some(seed) = self.to_seed().as_deref() {
            return seed_der(S::OID, seed.as_ref());
        }
        let mut bytes = SecretArray::<S::PrivateBytes>::zero();
        self.to_bytes_into(&mut bytes);
        expanded_der(S::OID, (*bytes).as_ref())
    }
}

impl<S: SeedSet + AssociatedOid> DecapsulationKey<S> {
    /// Fills it in.
    fn read(&mut self, info: &PrivateKeyInfoRef<'_>) -> pkcs8::Result<()> {
        self.read_form(PrivateForm::read(S::OID, info)?).map_err(|_| KeyError::Invalid)?;
        match &info.public_key {
            Some(public) if public.as_bytes() != Some(self.encapsulation_key().to_bytes().as_ref()) => {
                Err(KeyError::Invalid.into())
            }
            _ => Ok(()),
        }
    }

    fn read_form(&mut self, form: PrivateForm<'_>) -> Result<(), InvalidKey> {
        if let PrivateForm::Seed(seed) | PrivateForm::Both(seed, _) = form {
            S::expand(self.0.places(), S::Seed::of(seed).ok_or(InvalidKey)?);
        }
        match form {
            PrivateForm::Seed(_) => Ok(()),
            PrivateForm::Expanded(bytes) => {
                S::read_private(self.0.places(), S::PrivateBytes::of(bytes).ok_or(InvalidKey)?)
            }
            PrivateForm::Both(_, bytes) => {
                let mut own = SecretArray::<S::PrivateBytes>::zero();
                self.to_bytes_into(&mut own);
                // Whether the key is one is said to the caller.
                let mut same = [(*own).as_ref().ct_eq(bytes).to_u8()];
                publish(&mut same);
                if same == [1] { Ok(()) } else { Err(InvalidKey) }
            }
        }
    }
}

/// Takes keys that hold their seed.
#[cfg(feature = "kem")]
impl<S: SeedSet + AssociatedOid> TryFrom<PrivateKeyInfoRef<'_>> for SeededKey<S> {
    type Error = pkcs8::Error;
    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, pkcs8::Error> {
        Ok(Self::of(DecapsulationKey::try_from(info)?).ok_or(KeyError::Invalid)?)
    }
}

#[cfg(feature = "kem")]
impl<S: SeedSet + AssociatedOid> EncodePrivateKey for SeededKey<S> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        (**self).to_pkcs8_der()
    }
}

impl From<InvalidKey> for super::EncodingError {
    fn from(error: InvalidKey) -> Self {
        SchemeError::from(error).into()
    }
}
