//! ML-DSA (FIPS 204): signatures by module lattices.
//!
//! Alice makes a key pair and publishes the verifying key. She signs a message, and whoever has the key can
//! verify that the message is hers.
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
//! # Other forms
//! HashML-DSA signs a digest: [`Prehashed`], with the twelve hashes of the standard. Whoever holds the
//! message computes the digest. A device that does not see the message signs 64 bytes: [`Mu`].
//!
//! # Checks
//! Lengths, the one encoding of hints, the bound of `z`. A private key in its long form must be one: its
//! secret in range, `t0` and the hash of the public key as they follow from it.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `hazmat` | signing with the randomness as an argument, and messages without a context |
//!
//! # Constant time
//! Key generation and signing branch on what the file `publish.rs` names, with the reasons: the seed of the
//! matrix, challenges, whether an attempt is rejected. Verifying branches on public data. What is secret is
//! cleared on drop and has no `Debug`. There is no division.
//!
//! # Memory
//! No allocator is needed. Signing with ML-DSA-87 takes less than 128 KiB of the stack, verifying less than
//! 64 KiB.
#![no_std]
#![forbid(unsafe_code)]

mod codec;
mod publish;
mod ring;
mod round;
mod sample;
mod scheme;

pub use ringsmith_kem::scheme::InvalidKey;
pub use ringsmith_kem::signature::{
    Context, ContextTooLong, DigestLength, MU_BYTES, Message, Mu, Prehash, Prehashed, RND_BYTES, SEED_BYTES,
    SignatureSet, SigningError, TooManyAttempts, VerificationError,
};

use ringsmith_kem::set::Status;
use ringsmith_simd::Cpu;
use scheme::Parameters;

/// Declares sets: their parameters, and a module each with their types and sizes.
macro_rules! parameter_sets {
    ($(
        $(#[$doc:meta])* $module:ident $set:ident $name:literal, k $k:literal, l $l:literal, tau $tau:literal,
        ctilde $ctilde:literal, mask bits $mask:literal, gamma2 (q - 1) / $parts:literal, eta $eta:literal,
        omega $omega:literal;
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
        pub struct $set;

        impl Parameters for $set {
            const TAU: usize = $tau;
            const CTILDE: usize = $ctilde;
            const MASK_BITS: usize = $mask;
            const GAMMA2: i32 = (ring::Q - 1) / $parts;
            const ETA: i32 = $eta;
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
                scheme::sign::<$set, $k, $l>(cpu, scheme::ATTEMPTS, signing, mu, rnd, signature)
            }

            fn verify(
                cpu: Cpu,
                verifying: &Self::VerifyingBytes,
                mu: &[u8; MU_BYTES],
                signature: &Self::SignatureBytes,
            ) -> bool {
                scheme::verify::<$set, $k, $l>(cpu, verifying, mu, signature)
            }
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
        }
    )* };
}

parameter_sets! {
    /// ML-DSA-44: security category 2.
    ml_dsa_44 MlDsa44 "ML-DSA-44", k 4, l 4, tau 39,
    ctilde 32, mask bits 18, gamma2 (q - 1) / 88, eta 2,
    omega 80;

    /// ML-DSA-65: security category 3, what most protocols use.
    ml_dsa_65 MlDsa65 "ML-DSA-65", k 6, l 5, tau 49,
    ctilde 48, mask bits 20, gamma2 (q - 1) / 32, eta 4,
    omega 55;

    /// ML-DSA-87: security category 5.
    ml_dsa_87 MlDsa87 "ML-DSA-87", k 8, l 7, tau 60,
    ctilde 64, mask bits 20, gamma2 (q - 1) / 32, eta 2,
    omega 75;
}
