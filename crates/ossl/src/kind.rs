//! The kinds of keys: ML-KEM's sets, and the groups of TLS that are hybrids.

use ringsmith_hybrid::tls::{self, Group};
use ringsmith_kem::scheme::Scheme;
use ringsmith_ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use std::ffi::CStr;

/// How keys of a kind work.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// As those of a scheme, which may stay and be written to files.
    Scheme(&'static Scheme),
    /// As those of a group of TLS, for one connection.
    Group(&'static Group),
}

/// A kind of keys.
pub(crate) struct Kind {
    /// All its names: OpenSSL's first, as OpenSSL 3.5 has them.
    pub(crate) names: &'static CStr,
    /// OpenSSL's name.
    pub(crate) name: &'static CStr,
    pub(crate) how: How,
    /// Bits of security against classical attacks.
    pub(crate) security_bits: u32,
}

impl Kind {
    /// Bytes of a public key, of a ciphertext and of a secret: in TLS the client's share, the server's, and
    /// what both have.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        match self.how {
            How::Scheme(scheme) => [scheme.public_key, scheme.ciphertext, scheme.shared_key],
            How::Group(group) => [group.client_share, group.server_share, group.secret],
        }
    }
}

/// A type that stands for a kind, so that C has a function for each.
pub(crate) trait OfKind: 'static {
    const KIND: &'static Kind;
}

macro_rules! kinds {
    ($($kind:ident $names:literal, $name:literal, $how:expr, bits $bits:literal;)*) => { $(
        pub(crate) enum $kind {}

        impl OfKind for $kind {
            const KIND: &'static Kind = {
                static KIND: Kind = Kind { names: $names, name: $name, how: $how, security_bits: $bits };
                &KIND
            };
        }
    )* };
}

kinds! {
    MlKem512 c"ML-KEM-512:MLKEM512:id-alg-ml-kem-512:2.16.840.1.101.3.4.4.1", c"ML-KEM-512",
    How::Scheme(&ml_kem_512::SCHEME), bits 128;
    MlKem768 c"ML-KEM-768:MLKEM768:id-alg-ml-kem-768:2.16.840.1.101.3.4.4.2", c"ML-KEM-768",
    How::Scheme(&ml_kem_768::SCHEME), bits 192;
    MlKem1024 c"ML-KEM-1024:MLKEM1024:id-alg-ml-kem-1024:2.16.840.1.101.3.4.4.3", c"ML-KEM-1024",
    How::Scheme(&ml_kem_1024::SCHEME), bits 256;
    X25519MlKem768 c"X25519MLKEM768", c"X25519MLKEM768", How::Group(&tls::X25519_MLKEM768), bits 192;
    SecP256r1MlKem768 c"SecP256r1MLKEM768", c"SecP256r1MLKEM768",
    How::Group(&tls::SECP256R1_MLKEM768), bits 192;
    SecP384r1MlKem1024 c"SecP384r1MLKEM1024", c"SecP384r1MLKEM1024",
    How::Group(&tls::SECP384R1_MLKEM1024), bits 256;
    Sntrup761X25519 c"sntrup761x25519", c"sntrup761x25519", How::Group(&tls::SNTRUP761_X25519), bits 128;
}
