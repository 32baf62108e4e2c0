//! Messages that are hashed before they are signed: FIPS 204, section 5.4.

use super::DigestLength;

/// The object identifiers of the hashes, in DER, without their last byte: 2.16.840.1.101.3.4.2.
const OID: [u8; 10] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];

/// Declares the hashes: name, last byte of the identifier, bytes of a digest.
macro_rules! hashes {
    ($($hash:ident $name:literal $last:literal $length:literal;)*) => {
        /// A hash that a message is hashed by before it is signed: the twelve of FIPS 204. The digest is
        /// computed by whoever holds the message.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Prehash {
            $(#[doc = concat!($name, ": ", $length, " bytes.")] $hash,)*
        }

        impl Prehash {
            /// All of them.
            pub const ALL: &'static [Prehash] = &[$(Prehash::$hash),*];

            /// Its name; the last byte of its object identifier; bytes of a digest.
            const fn data(self) -> (&'static str, u8, usize) {
                match self {
                    $(Prehash::$hash => ($name, $last, $length),)*
                }
            }
        }
    };
}

hashes! {
    Sha256 "SHA2-256" 0x01 32;
    Sha384 "SHA2-384" 0x02 48;
    Sha512 "SHA2-512" 0x03 64;
    Sha224 "SHA2-224" 0x04 28;
    Sha512_224 "SHA2-512/224" 0x05 28;
    Sha512_256 "SHA2-512/256" 0x06 32;
    Sha3_224 "SHA3-224" 0x07 28;
    Sha3_256 "SHA3-256" 0x08 32;
    Sha3_384 "SHA3-384" 0x09 48;
    Sha3_512 "SHA3-512" 0x0a 64;
    Shake128 "SHAKE-128" 0x0b 32;
    Shake256 "SHAKE-256" 0x0c 64;
}

impl Prehash {
    /// Its name, as NIST's test vectors have it.
    pub const fn name(self) -> &'static str {
        self.data().0
    }

    /// Bytes of a digest.
    pub const fn digest_bytes(self) -> usize {
        self.data().2
    }

    /// Its object identifier in DER.
    pub const fn oid(self) -> [u8; 11] {
        let mut oid = [0; 11];
        oid.split_at_mut(10).0.copy_from_slice(&OID);
        oid[10] = self.data().1;
        oid
    }
}

/// The digest of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prehashed<'a> {
    pub(super) hash: Prehash,
    pub(super) digest: &'a [u8],
}

impl<'a> Prehashed<'a> {
    /// The digest of a message by this hash.
    ///
    /// # Errors
    /// Where the hash's digests have another length.
    pub const fn new(hash: Prehash, digest: &'a [u8]) -> Result<Self, DigestLength> {
        let (name, _, expected) = hash.data();
        if digest.len() != expected {
            return Err(DigestLength { hash: name, expected, given: digest.len() });
        }
        Ok(Prehashed { hash, digest })
    }
}
