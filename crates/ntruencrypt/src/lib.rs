//! NTRUEncrypt: public-key encryption of short messages in rings `Z_2048[x]/(x^n - 1)`, by the scheme SVES of
//! EESS#1 v3.1, IEEE 1363.1 and X9.98. **Historical**: for research and compatibility.
//!
//! ```
//! use ringsmith_ntruencrypt::ees677ep1;
//! # struct Fixed(u64);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.try_next_u64().map(|x| x as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
//! #         self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
//! #         Ok(self.0 >> 20)
//! #     }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
//! #         dst.iter_mut().try_for_each(|byte| self.try_next_u64().map(|x| *byte = x as u8))
//! #     }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let alice = ees677ep1::DecryptionKey::generate(&mut rng);
//! let published: [u8; 936] = alice.encryption_key().to_bytes();
//!
//! let bob = ees677ep1::EncryptionKey::from_bytes(&published)?;
//! let ciphertext = bob.encrypt(b"a key for another cipher", &mut rng)?;
//!
//! assert_eq!(*alice.decrypt(&ciphertext)?, *b"a key for another cipher");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Sets
//! Bytes; what is claimed for a set, in bits; the kind of `F` and of what blinds a message.
//!
//! | | bits | `n` | kind | hash | message | public key | private key | ciphertext |
//! |---|---:|---:|---|---|---:|---:|---:|---:|
//! | ees401ep1 | 112 | 401 | ternary | SHA-1 | 60 | 557 | 638 | 552 |
//! | ees541ep1 | 112 | 541 | ternary | SHA-1 | 86 | 749 | 858 | 744 |
//! | ees659ep1 | 112 | 659 | ternary | SHA-1 | 108 | 912 | 1007 | 907 |
//! | ees401ep2 | 112 | 401 | product | SHA-1 | 60 | 557 | 607 | 552 |
//! | ees449ep1 | 128 | 449 | ternary | SHA-1 | 67 | 623 | 713 | 618 |
//! | ees613ep1 | 128 | 613 | ternary | SHA-1 | 97 | 848 | 971 | 843 |
//! | ees761ep1 | 128 | 761 | ternary | SHA-1 | 125 | 1052 | 1157 | 1047 |
//! | ees439ep1 | 128 | 439 | product | SHA-1 | 65 | 609 | 659 | 604 |
//! | ees443ep1 | 128 | 443 | product | SHA-256 | 49 | 615 | 665 | 610 |
//! | ees653ep1 | 192 | 653 | ternary | SHA-256 | 97 | 903 | 1034 | 898 |
//! | ees677ep1 | 192 | 677 | ternary | SHA-256 | 101 | 936 | 1072 | 931 |
//! | ees887ep1 | 192 | 887 | ternary | SHA-256 | 141 | 1225 | 1403 | 1220 |
//! | ees1087ep1 | 192 | 1087 | ternary | SHA-256 | 178 | 1500 | 1674 | 1495 |
//! | ees593ep1 | 192 | 593 | product | SHA-256 | 86 | 821 | 891 | 816 |
//! | ees587ep1 | 192 | 587 | product | SHA-256 | 76 | 813 | 883 | 808 |
//! | ees853ep1 | 256 | 853 | ternary | SHA-256 | 126 | 1178 | 1349 | 1173 |
//! | ees1087ep2 | 256 | 1087 | ternary | SHA-256 | 170 | 1500 | 1718 | 1495 |
//! | ees1171ep1 | 256 | 1171 | ternary | SHA-256 | 186 | 1616 | 1851 | 1611 |
//! | ees1499ep1 | 256 | 1499 | ternary | SHA-256 | 247 | 2067 | 2285 | 2062 |
//! | ees743ep1 | 256 | 743 | product | SHA-256 | 106 | 1027 | 1120 | 1022 |
//!
//! Sets of 112 bits and sets with SHA-1 are for research alone. So are ees653ep1 and ees853ep1: they come
//! from a draft of IEEE 1363.1 that the final standard replaced, and where the draft is silent they have the
//! numbers of similar sets. Their identifiers are those of ees677ep1 and ees1087ep2, so a key is read as one
//! of theirs only if the caller names the set.
//!
//! [`libntru`] has the sets of the library of that name, which encodes everything differently.
//! [`ntruprime739`] has the same scheme over a field.
//!
//! # Decryption failures
//! Decryption never fails in the sets whose `F` has few nonzero coefficients; in the others it fails with a
//! probability below `2^-100` (`cargo xtask failure`). Every invalid ciphertext gives the same error.
//!
//! # Constant time
//! In everything except public keys, ciphertexts, the length of a message, and the number of hashed blocks.
//! That number is the same for nearly all secrets: enough blocks for 9,999 of 10,000 secrets are always
//! hashed. If a key or a message must be drawn again, the time shows how often. A private key is cleared on
//! drop.
//!
//! # Seeds that fail
//! `f = 1 + 3 F` of a seed may have no inverse. `generate` then forgets the seed and draws another, as
//! often as needed: it never fails for that reason. NTRU's own library returns an error there. Of random
//! seeds nearly none fails. In the standard's rings an inverse modulo 2 is what may be missing. `f` is 1
//! at `x = 1` for every seed, and all other factors of `x^n - 1` modulo 2 have degrees of 73 or more: if
//! `f` is random modulo each of those, the probability is about `2^-70` with `n = 439`, and less with
//! every other `n`. Over a field only `f = 0` has no inverse, which no seed gives.
//!
//! # Source
//! Consortium for Efficient Embedded Security: EESS#1, implementation aspects of NTRUEncrypt, version 3.1,
//! 2015. For 1363.1's draft and what the standards leave open: `docs/decisions/0051-ntruencrypt.md`.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `alloc` | private keys in boxes, which need an allocator |
//! | `pkcs8` | public keys as SubjectPublicKeyInfo |
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]
#![allow(
    private_interfaces,
    unreachable_pub,
    reason = "expanded keys stand in the public trait of sets, and nobody else can name them"
)]

mod arithmetic;
mod bits;
mod candidates;
mod choose;
mod codec;
mod compact;
mod facts;
#[doc(hidden)]
pub mod generators;
mod hash;
mod key;
pub mod libntru;
mod mask;
mod modulus;
pub mod ntruprime739;
mod radix;
pub mod rings;
mod seed;
mod set;
mod sets;
#[doc(hidden)]
pub mod trits;

pub use ringsmith_kem::pke::{DecryptionError, InvalidKey, MessageTooLong};

#[doc(hidden)]
pub use facts::{Facts, Flavour, Weights};
#[doc(hidden)]
pub use hash::Hash;
#[doc(hidden)]
pub use set::halves;

use ringsmith_kem::pke::PublicKeyEncryption;

/// Lists what serves all sets.
macro_rules! all {
    ($($set:ident)*) => {
        /// Every parameter set, for tools that serve all.
        pub static SCHEMES: [&PublicKeyEncryption; 20] = [$(&$set::SCHEME),*];

        /// The numbers of each, in the same order.
        #[doc(hidden)]
        pub static FACTS: [&Facts; 20] = [$(&$set::FACTS),*];
    };
}

all!(
    ees401ep1 ees449ep1 ees677ep1 ees1087ep2 ees541ep1 ees613ep1 ees887ep1 ees1171ep1 ees659ep1 ees761ep1
    ees1087ep1 ees1499ep1 ees401ep2 ees439ep1 ees593ep1 ees743ep1 ees443ep1 ees587ep1 ees653ep1 ees853ep1
);

sets::sets! {
    "" "EESS#1 v3.1" TwoTo11 Historical Eess false:
    ees677ep1 Ees677ep1, NtruHps677 677, Of(157), 225, 157, 24, 101, 11, Sha256, [0, 5, 3], 24 der 0x24;
    ees1087ep2 Ees1087ep2, Ees1087 1087, Of(120), 362, 120, 32, 170, 13, Sha256, [0, 6, 3], 32 der 0x25;
    ees887ep1 Ees887ep1, Ees887 887, Of(81), 295, 81, 24, 141, 10, Sha256, [0, 5, 4], 24 der 0x28;
    ees1171ep1 Ees1171ep1, Ees1171 1171, Of(106), 390, 106, 32, 186, 12, Sha256, [0, 6, 4], 32 der 0x29;
    ees1087ep1 Ees1087ep1, Ees1087 1087, Of(63), 362, 63, 24, 178, 13, Sha256, [0, 5, 5], 24 der 0x2c;
    ees1499ep1 Ees1499ep1, Ees1499 1499, Of(79), 499, 79, 32, 247, 13, Sha256, [0, 6, 5], 32 der 0x2d;
    ees593ep1 Ees593ep1, Ees593 593, Product([10, 10, 8]), 197, 158,
        24, 86, 11, Sha256, [0, 5, 16], 24 der 0x30;
    ees743ep1 Ees743ep1, Ees743 743, Product([11, 11, 15]), 247, 204,
        32, 106, 13, Sha256, [0, 6, 16], 32 der 0x31;
    ees443ep1 Ees443ep1, Ees443 443, Product([9, 8, 5]), 148, 115, 32, 49, 9, Sha256, [0, 3, 17], 16 der 0x32;
    ees587ep1 Ees587ep1, Ees587 587, Product([10, 10, 8]), 196, 157,
        32, 76, 11, Sha256, [0, 5, 17], 24 der 0x33;
}

sets::sets! {
    "" "EESS#1 v3.1" TwoTo11 Research Eess false:
    ees401ep1 Ees401ep1, Ees401 401, Of(113), 133, 113, 14, 60, 11, Sha1, [0, 2, 4], 14 der 0x22;
    ees449ep1 Ees449ep1, Ees449 449, Of(134), 149, 134, 16, 67, 9, Sha1, [0, 3, 3], 16 der 0x23;
    ees541ep1 Ees541ep1, Ees541 541, Of(49), 180, 49, 14, 86, 12, Sha1, [0, 2, 5], 14 der 0x26;
    ees613ep1 Ees613ep1, Ees613 613, Of(55), 204, 55, 16, 97, 11, Sha1, [0, 3, 4], 16 der 0x27;
    ees659ep1 Ees659ep1, Ees659 659, Of(38), 219, 38, 14, 108, 11, Sha1, [0, 2, 6], 14 der 0x2a;
    ees761ep1 Ees761ep1, Ees761 761, Of(42), 253, 42, 16, 125, 12, Sha1, [0, 3, 5], 16 der 0x2b;
    ees401ep2 Ees401ep2, Ees401 401, Product([8, 8, 6]), 133, 101, 14, 60, 11, Sha1, [0, 2, 16], 14 der 0x2e;
    ees439ep1 Ees439ep1, Ees439 439, Product([9, 8, 5]), 146, 112, 16, 65, 9, Sha1, [0, 3, 16], 16 der 0x2f;
}

sets::sets! {
    "" "IEEE P1363.1 (draft)" TwoTo11 Research Eess true:
    ees653ep1 Ees653ep1, Ees653 653, Of(194), 217, 194, 24, 97, 11, Sha256, [0, 5, 3], 24;
    ees853ep1 Ees853ep1, Ees853 853, Of(268), 284, 268, 32, 126, 10, Sha256, [0, 6, 3], 32;
}
