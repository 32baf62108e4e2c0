//! Keys as SubjectPublicKeyInfo and PKCS #8: RFC 9935.
//!
//! A public key is the bit string of its bytes. A private key is its seed, its long form, or both: all are
//! read, and the seed is written where it is known. Where there are both, they must belong to each other.

/// The traits of the crate `pkcs8`, and what the list of schemes says of them.
macro_rules! encodings {
    ($set:ident, $oid:literal) => {
        use ctutils::CtEq;
        use pkcs8::der::asn1::AnyRef;
        use pkcs8::spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier};
        use pkcs8::{
            AssociatedOid, Document, EncodePrivateKey, EncodePublicKey, KeyError, ObjectIdentifier,
            PrivateKeyInfoRef, SecretDocument, SubjectPublicKeyInfoRef,
        };
        use ringsmith_kem::declassify::publish;
        use ringsmith_kem::encoding::{
            Encoding, PrivateBytes, PrivateForm, expanded_der, public_bytes, public_der, seed_der,
        };

        const ENCODING: Option<Encoding> = Some(Encoding {
            oid: $set::OID,
            write_public_key: |cpu, key| {
                let key = EncapsulationKey::from_bytes(cpu, exactly("public key", key)?)?;
                Ok(key.to_public_key_der()?)
            },
            read_public_key: |cpu, info| Ok(EncapsulationKey::from_info(cpu, info)?.bytes.to_vec()),
            write_private_key: |cpu, key| {
                let key = if key.len() == SEED_BYTES {
                    DecapsulationKey::from_seed(cpu, exactly("private key", key)?)
                } else {
                    DecapsulationKey::from_bytes(cpu, exactly("private key", key)?)?
                };
                Ok(key.to_pkcs8_der()?)
            },
            read_private_key: |cpu, info| {
                let key = DecapsulationKey::from_info(cpu, info)?;
                Ok(PrivateBytes {
                    bytes: Zeroizing::new(key.to_bytes().to_vec()),
                    seed: key.to_seed().map(|seed| Zeroizing::new(seed.to_vec())),
                })
            },
        });

        impl AssociatedOid for $set {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }

        impl AssociatedAlgorithmIdentifier for EncapsulationKey {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> =
                AlgorithmIdentifier { oid: $set::OID, parameters: None };
        }

        impl AssociatedAlgorithmIdentifier for DecapsulationKey {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> =
                AlgorithmIdentifier { oid: $set::OID, parameters: None };
        }

        /// With the best CPU backend of the machine.
        impl TryFrom<SubjectPublicKeyInfoRef<'_>> for EncapsulationKey {
            type Error = spki::Error;
            fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
                Ok(Self::from_info(Cpu::detect(), &info)?)
            }
        }

        impl EncodePublicKey for EncapsulationKey {
            fn to_public_key_der(&self) -> spki::Result<Document> {
                public_der($set::OID, &self.bytes)
            }
        }

        impl EncapsulationKey {
            fn from_info(cpu: Cpu, info: &SubjectPublicKeyInfoRef<'_>) -> pkcs8::Result<Self> {
                let bytes = public_bytes($set::OID, info)?.try_into().map_err(|_| KeyError::Invalid)?;
                Ok(Self::from_bytes(cpu, bytes).map_err(|_| KeyError::Invalid)?)
            }
        }

        /// With the best CPU backend of the machine.
        impl TryFrom<PrivateKeyInfoRef<'_>> for DecapsulationKey {
            type Error = pkcs8::Error;
            fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, pkcs8::Error> {
                Self::from_info(Cpu::detect(), &info)
            }
        }

        /// The seed where there is one, otherwise the long form.
        impl EncodePrivateKey for DecapsulationKey {
            fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
                match self.to_seed() {
                    Some(seed) => seed_der($set::OID, seed.as_slice()),
                    None => expanded_der($set::OID, self.to_bytes().as_slice()),
                }
            }
        }

        impl DecapsulationKey {
            fn from_info(cpu: Cpu, info: &PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
                let form = PrivateForm::read($set::OID, info)?;
                let key = Self::from_form(cpu, form).map_err(|_| KeyError::Invalid)?;
                match &info.public_key {
                    Some(public) if public.as_bytes() != Some(&key.public.bytes) => {
                        Err(KeyError::Invalid.into())
                    }
                    _ => Ok(key),
                }
            }

            fn from_form(cpu: Cpu, form: PrivateForm<'_>) -> Result<Self, InvalidKey> {
                match form {
                    PrivateForm::Seed(seed) => {
                        Ok(Self::from_seed(cpu, seed.try_into().map_err(|_| InvalidKey)?))
                    }
                    PrivateForm::Expanded(bytes) => {
                        Self::from_bytes(cpu, bytes.try_into().map_err(|_| InvalidKey)?)
                    }
                    PrivateForm::Both(seed, bytes) => {
                        let key = Self::from_seed(cpu, seed.try_into().map_err(|_| InvalidKey)?);
                        // Whether the key is one is said to the caller.
                        let mut same = [key.to_bytes().as_slice().ct_eq(bytes).to_u8()];
                        publish(&mut same);
                        if same == [1] { Ok(key) } else { Err(InvalidKey) }
                    }
                }
            }
        }
    };
}
pub(super) use encodings;
