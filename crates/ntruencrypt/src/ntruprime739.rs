//! NTRUEncrypt's scheme over a field, `Z_9829[x]/(x^739 - x - 1)`: NTRU Prime's ring under X9.98.
//! **For research**: no standard and no other library has it.
//!
//! A modulus polynomial that is irreducible leaves nothing to maps to smaller rings, and every `f` but 0 has
//! an inverse. Nothing fails: a coefficient of `f e` is at most 4849, and `(q - 1) / 2` is 4914.
//!
//! | set | public key | private key | ciphertext | message |
//! |---|---:|---:|---:|---:|
//! | ntruprime739-x998 | 1294 | 1442 | 1294 | 113 |
//! | ntruprime739-radix | 1232 | 1380 | 1294 | 113 |
//!
//! They differ in how a public key is packed, in 14 bits a coefficient or in five bytes for three; all else
//! is the same, ciphertexts are the same, and so what one encrypts the other opens.
//!
//! # What the source leaves open
//! Keys are their elements, without identifiers; what is hashed has the identifier 00 07 39, and the first 24
//! bytes of the key in 14 bits a coefficient. Bits go from the most significant on. What is masked and hashed
//! is of coefficients from 0 to `q - 1`. That decryption makes what blinds a message again, as X9.98 does, is
//! not in the paper, and is done.
//!
//! # Source
//! I. Gorbenko, O. Kachko, G. Naumenko: Implementing NTRU-similar algorithm on the basis of NTRUPrime, 2016;
//! `docs/decisions/0053-encryption-over-a-field.md`.

use ringsmith_kem::pke::PublicKeyEncryption;

/// Both sets, for tools that serve all.
pub static SCHEMES: [&PublicKeyEncryption; 2] = [&x998::SCHEME, &radix::SCHEME];

crate::sets::sets! {
    "ntruprime739-" "Gorbenko, Kachko, Naumenko 2016" Prime9829 Research Bare true:
    x998 X998, NtruPrime739 739, Of(202), 246, 202, 24, 113, 11, Sha256, [0, 7, 0x39], 24;
}

crate::sets::sets! {
    "ntruprime739-" "Gorbenko, Kachko, Naumenko 2016" Prime9829 Research Radix true:
    radix Radix, NtruPrime739 739, Of(202), 246, 202, 24, 113, 11, Sha256, [0, 7, 0x39], 24;
}
