//! ML-DSA (FIPS 204): signatures by module lattices.
//!
//! Alice makes a key pair and publishes the verifying key. She signs a message. Everyone who has the
//! verifying key can check that the message is hers.
//!
//! ```
//! use ringsmith_ml_dsa::{Context, ml_dsa_65};
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4); // chosen by fair dice roll
//! let alice = ml_dsa_65::SigningKey::generate(&mut rng);
//! let published: [u8; 1952] = alice.verifying_key().to_bytes();
//! let signature: [u8; 3309] = alice.sign(&mut rng, Context::EMPTY, b"a message")?;
//!
//! let bob = ml_dsa_65::VerifyingKey::from_bytes(&published);
//! assert!(bob.verify(Context::EMPTY, b"a message", &signature).is_ok());
//! assert!(bob.verify(Context::EMPTY, b"another message", &signature).is_err());
//! # Ok::<(), ringsmith_ml_dsa::TooManyAttempts>(())
//! ```
//!
//! # Sizes
//! | | `(k, l)` | verifying key | signing key | its seed | signature | security category |
//! |---|---:|---:|---:|---:|---:|---:|
//! | ML-DSA-44 | (4, 4) | 1312 | 2560 | 32 | 2420 | 2 |
//! | ML-DSA-65 | (6, 5) | 1952 | 4032 | 32 | 3309 | 3 |
//! | ML-DSA-87 | (8, 7) | 2592 | 4896 | 32 | 4627 | 5 |
//!
//! A private key remembers the seed that it was made of. That is the form to store: it is short, and it
//! cannot be inconsistent.
//!
//! # A long message
//! A message need not be in memory: it is hashed piece by piece, and the hash is signed.
//!
//! ```
//! use ringsmith_ml_dsa::{Context, ml_dsa_44};
//!
//! let key = ml_dsa_44::SigningKey::from_seed(&[7; 32]); // 32 random bytes
//! let mut message = key.verifying_key().message(Context::new(b"backup")?);
//! message.update(b"a mess");
//! message.update(b"age");
//! let signature = key.sign_mu_deterministic(&message.finish())?;
//! assert!(key.verifying_key().verify(Context::new(b"backup")?, b"a message", &signature).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many signatures with one key
//! Most of the time of a first attempt, and of a verification, is spent on the matrix, which depends only on
//! the key. A prepared key keeps the matrix, which takes 16, 30 or 56 KiB.
//!
//! ```
//! use ringsmith_ml_dsa::{Context, ml_dsa_44};
//!
//! let key = ml_dsa_44::SigningKey::from_seed(&[7; 32]); // 32 random bytes
//! let signer = ml_dsa_44::PreparedSigningKey::new(&key);
//! let verifier = ml_dsa_44::PreparedVerifyingKey::new(key.verifying_key());
//! for message in [b"one", b"two"] {
//!     let signature = signer.sign_deterministic(Context::EMPTY, message)?;
//!     assert!(verifier.verify(Context::EMPTY, message, &signature).is_ok());
//! }
//! # Ok::<(), ringsmith_ml_dsa::TooManyAttempts>(())
//! ```
//!
//! # Other forms
//! HashML-DSA signs a digest: [`Prehashed`], with the twelve hashes of the standard. Whoever holds the
//! message computes the digest. A device that does not see the message signs 64 bytes: [`Mu`].
//!
//! # Keys as files
//! With the feature `pkcs8`, keys are written and read as SubjectPublicKeyInfo and PKCS #8 (RFC 9881) through
//! the traits of the crate `pkcs8` 0.11; the feature `pem` adds text. A private key is written as its seed
//! where it has one, otherwise in its long form; both are read, and so is a key that holds both, if they
//! belong to each other. Private keys in the form of a draft are refused; the error of
//! `ringsmith_kem::encoding::read_signing_key` says so.
//!
//! ```
//! # #[cfg(feature = "pem")] {
//! use ringsmith_kem::pkcs8::{DecodePrivateKey, DecodePublicKey};
//! use ringsmith_kem::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};
//! use ringsmith_ml_dsa::ml_dsa_65::{SigningKey, VerifyingKey};
//!
//! let seed = [7; 32]; // 32 random bytes
//! let key = SigningKey::from_seed(&seed);
//! let private = key.to_pkcs8_pem(LineEnding::LF)?;
//! let public = key.verifying_key().to_public_key_pem(LineEnding::LF)?;
//! assert!(private.starts_with("-----BEGIN PRIVATE KEY-----\n"));
//!
//! assert_eq!(SigningKey::from_pkcs8_pem(&private)?.to_seed().as_deref(), Some(&seed));
//! assert_eq!(VerifyingKey::from_public_key_pem(&public)?, *key.verifying_key());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Generic code
//! With the feature `signature`, keys have the traits of the crate `signature` 3: see
//! `ringsmith_kem::signature::traits`.
//!
//! ```
//! # #[cfg(feature = "signature")] {
//! use ringsmith_kem::signature::traits::{Error, Keypair, SignatureEncoding, Signer, Verifier};
//! use ringsmith_ml_dsa::ml_dsa_44;
//!
//! fn signed<S: SignatureEncoding>(
//!     key: &(impl Signer<S> + Keypair<VerifyingKey: Verifier<S>>),
//!     message: &[u8],
//! ) -> Result<S::Repr, Error> {
//!     let signature = key.try_sign(message)?;
//!     key.verifying_key().verify(message, &signature)?;
//!     Ok(signature.to_bytes())
//! }
//!
//! let key = ml_dsa_44::SigningKey::from_seed(&[7; 32]); // 32 random bytes
//! let signature: [u8; 2420] = signed::<ml_dsa_44::Signature>(&key, b"a message")?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Checks
//! Lengths, the one encoding of hints, the bound of `z`. A private key in its long form must be one: its
//! secret in range, `t0` and the hash of the public key as they follow from it.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `signature` | the traits of the crate `signature` 3 |
//! | `pkcs8` | keys as SubjectPublicKeyInfo and PKCS #8 in DER; needs an allocator |
//! | `pem` | the same as text |
//! | `hazmat` | signing with the randomness as an argument, and messages without a context |
//!
//! # Constant time
//! Key generation and signing branch only on values that the file `publish.rs` lists with the reasons: the
//! seed of the matrix, challenges, and whether an attempt is rejected. Verifying branches on public data.
//! Secrets are cleared on drop and have no `Debug`. There is no division.
//!
//! # Memory
//! No allocator is needed. Signing with ML-DSA-87 takes less than 128 KiB of the stack, verifying less than
//! 64 KiB.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(test)]
extern crate std;

mod codec;
#[cfg(ringsmith_internals)]
#[doc(hidden)]
pub mod internals;
mod publish;
mod ring;
pub mod rings;
mod round;
mod sample;
mod scheme;
mod sign;
mod small;
mod verify;

pub use ringsmith_kem::scheme::InvalidKey;
pub use ringsmith_kem::signature::{
    Context, ContextTooLong, DigestLength, MU_BYTES, Message, Mu, Prehash, Prehashed, PreparedSet, RND_BYTES,
    SEED_BYTES, SignatureScheme, SignatureSet, SigningError, SigningForm, TooManyAttempts, VerificationError,
};

use ringsmith_kem::set::Status;
use ringsmith_ring::algorithm::small::Sizes;
use ringsmith_simd::Cpu;
use scheme::Parameters;

/// Every set, for tools that serve all.
pub static SCHEMES: [&SignatureScheme; 3] = [&ml_dsa_44::SCHEME, &ml_dsa_65::SCHEME, &ml_dsa_87::SCHEME];

/// Declares sets: their parameters, and a module each with their types and sizes.
macro_rules! parameter_sets {
    ($(
        $(#[$doc:meta])* $module:ident $set:ident $name:literal, oid $oid:literal,
        k $k:literal, l $l:literal, tau $tau:literal,
        ctilde $ctilde:literal, mask bits $mask:literal, gamma2 (q - 1) / $parts:literal, eta $eta:literal,
        omega $omega:literal;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
        pub struct $set;

        impl Sizes for $set {
            const WEIGHT: i64 = $tau;
            const SIZE: i64 = $eta;
        }

        impl Parameters for $set {
            const CTILDE: usize = $ctilde;
            const MASK_BITS: usize = $mask;
            const GAMMA2: i32 = (ring::Q - 1) / $parts;
            const OMEGA: usize = $omega;
        }

        impl SignatureSet for $set {
            const NAME: &'static str = $name;
            const STATUS: Status = Status::Standard;
            const SOURCE: &'static str = "FIPS 204";
            type VerifyingBytes = [u8; $module::VERIFYING_KEY_BYTES];
            type SigningBytes = [u8; $module::SIGNING_KEY_BYTES];
            type SignatureBytes = [u8; $module::SIGNATURE_BYTES];

            fn expand(
                cpu: Cpu,
                seed: &[u8; SEED_BYTES],
                signing: &mut Self::SigningBytes,
                verifying: &mut Self::VerifyingBytes,
            ) {
                scheme::expand::<$set, $k, $l>(cpu, seed, signing, verifying);
            }

            fn key_hash(signing: &Self::SigningBytes) -> &[u8; 64] {
                scheme::key_hash(signing)
            }

            fn check(
                cpu: Cpu,
                signing: &Self::SigningBytes,
                verifying: &mut Self::VerifyingBytes,
            ) -> Result<(), InvalidKey> {
                scheme::check::<$set, $k, $l>(cpu, signing, verifying)
            }

            fn sign(
                cpu: Cpu,
                signing: &Self::SigningBytes,
                mu: &[u8; MU_BYTES],
                rnd: &[u8; RND_BYTES],
                signature: &mut Self::SignatureBytes,
            ) -> Result<(), TooManyAttempts> {
                sign::sign::<$set, $k, $l>(cpu, scheme::ATTEMPTS, signing, mu, rnd, signature)
            }

            fn verify(
                cpu: Cpu,
                verifying: &Self::VerifyingBytes,
                mu: &[u8; MU_BYTES],
                signature: &Self::SignatureBytes,
            ) -> bool {
                verify::verify::<$set, $l, { $l + 1 }>(cpu, $k, verifying, mu, signature)
            }
        }

        impl SigningForm<$set> for sign::Expanded<$k, $l> {
            fn sign(
                &self,
                cpu: Cpu,
                mu: &[u8; MU_BYTES],
                rnd: &[u8; RND_BYTES],
                signature: &mut <$set as SignatureSet>::SignatureBytes,
            ) -> Result<(), TooManyAttempts> {
                self.sign_by::<$set>(cpu, scheme::ATTEMPTS, mu, rnd, signature)
            }
        }

        impl PreparedSet for $set {
            type Signing = sign::Expanded<$k, $l>;
            type Verifying = verify::Expanded<$k, $l>;
            const SIGNING: Self::Signing = sign::Expanded::BLANK;
            const VERIFYING: Self::Verifying = verify::Expanded::BLANK;

            fn prepare_signing(cpu: Cpu, signing: &Self::SigningBytes, key: &mut Self::Signing) {
                key.fill::<$set>(cpu, signing);
            }

            fn prepare_verifying(cpu: Cpu, verifying: &Self::VerifyingBytes, key: &mut Self::Verifying) {
                key.fill(cpu, verifying);
            }

            fn verify_prepared(
                cpu: Cpu,
                key: &Self::Verifying,
                mu: &[u8; MU_BYTES],
                signature: &Self::SignatureBytes,
            ) -> bool {
                key.verify::<$set, { $l + 1 }>(cpu, mu, signature)
            }
        }

        #[cfg(feature = "pkcs8")]
        impl ringsmith_kem::pkcs8::AssociatedOid for $set {
            const OID: ringsmith_kem::pkcs8::ObjectIdentifier =
                ringsmith_kem::pkcs8::ObjectIdentifier::new_unwrap($oid);
        }

        $(#[$doc])*
        pub mod $module {
            pub use super::$set;
            use super::scheme;
            use ringsmith_kem::signature;

            /// Bytes of a public key.
            pub const VERIFYING_KEY_BYTES: usize = scheme::verifying_bytes($k);
            /// Bytes of a private key in its long form.
            pub const SIGNING_KEY_BYTES: usize = scheme::signing_bytes::<$set>($k, $l);
            /// Bytes of a signature.
            pub const SIGNATURE_BYTES: usize = scheme::signature_bytes::<$set>($k, $l);

            /// A public key.
            pub type VerifyingKey = signature::VerifyingKey<$set>;
            /// A private key, with its seed where it was made of one.
            pub type SigningKey = signature::SigningKey<$set>;
            /// A private key that is expanded once, for many signatures.
            pub type PreparedSigningKey = signature::PreparedSigningKey<$set>;
            /// A public key that is expanded once, for many verifications.
            pub type PreparedVerifyingKey = signature::PreparedVerifyingKey<$set>;
            /// A signature as a type of its own, for the traits of the crate `signature`.
            #[cfg(feature = "signature")]
            pub type Signature = signature::traits::Signature<$set>;

            /// The set among [all of them](super::SCHEMES).
            #[cfg(feature = "pkcs8")]
            pub static SCHEME: signature::SignatureScheme = signature::SignatureScheme::encoded::<$set>();
            /// The set among [all of them](super::SCHEMES).
            #[cfg(not(feature = "pkcs8"))]
            pub static SCHEME: signature::SignatureScheme = signature::SignatureScheme::of::<$set>();
        }
    )* };
}

parameter_sets! {
    /// ML-DSA-44: security category 2.
    ml_dsa_44 MlDsa44 "ML-DSA-44", oid "2.16.840.1.101.3.4.3.17", k 4, l 4, tau 39,
    ctilde 32, mask bits 18, gamma2 (q - 1) / 88, eta 2,
    omega 80;

    /// ML-DSA-65: security category 3, what most protocols use.
    ml_dsa_65 MlDsa65 "ML-DSA-65", oid "2.16.840.1.101.3.4.3.18", k 6, l 5, tau 49,
    ctilde 48, mask bits 20, gamma2 (q - 1) / 32, eta 4,
    omega 55;

    /// ML-DSA-87: security category 5.
    ml_dsa_87 MlDsa87 "ML-DSA-87", oid "2.16.840.1.101.3.4.3.19", k 8, l 7, tau 60,
    ctilde 64, mask bits 20, gamma2 (q - 1) / 32, eta 2,
    omega 75;
}
