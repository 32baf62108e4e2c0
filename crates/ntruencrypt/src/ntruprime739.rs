//! NTRUEncrypt's scheme over a field, `Z_9829[x]/(x^739 - x - 1)`: NTRU Prime's ring under X9.98.
//! **For research**: no standard and no other library has it.
//!
//! The modulus polynomial is irreducible, so there are no maps to smaller rings, and every `f` except 0 has
//! an inverse. Decryption never fails: a coefficient of `f e` is at most 4849, and `(q - 1) / 2` is 4914.
//!
//! | set | public key | private key | ciphertext | message |
//! |---|---:|---:|---:|---:|
//! | ntruprime739-x998 | 1294 | 1442 | 1294 | 113 |
//! | ntruprime739-radix | 1232 | 1380 | 1294 | 113 |
//!
//! They differ only in how a public key is packed: 14 bits for each coefficient, or five bytes for three.
//! Ciphertexts are the same, so each set decrypts what the other encrypted.
//!
//! # What the source leaves open
//! Keys are their elements, without identifiers; what is hashed has the identifier 00 07 39, and the first 24
//! bytes of the key in 14 bits a coefficient. Bits go from the most significant on. What is masked and hashed
//! is of coefficients from 0 to `q - 1`. Decryption computes the blinding polynomial again and compares, as
//! in X9.98. The paper does not mention this step.
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
