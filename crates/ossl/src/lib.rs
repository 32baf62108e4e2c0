//! A provider for OpenSSL 3: ML-KEM, and the groups of TLS 1.3 with it, for programs as they are.
//!
//! OpenSSL finds algorithms in providers, which are shared objects that it loads. With this one the programs
//! of a distribution that stand on OpenSSL 3.0 to 3.4 do post-quantum TLS: `openssl`, curl, nginx.
//!
//! ```text
//! cargo build --release -p ringsmith-ossl
//! install -D target/release/libringsmith_ossl.so /usr/local/lib/ringsmith.so
//! ringsmith openssl-config /usr/local/lib/ringsmith.so > openssl.cnf
//! OPENSSL_CONF=openssl.cnf openssl s_server -cert cert.pem -key key.pem
//! ```
//!
//! # What it has
//! Sizes in bytes; each algorithm has key management and encapsulation.
//!
//! | algorithm | public key | ciphertext | secret | group of TLS | files |
//! |---|---:|---:|---:|---|---|
//! | ML-KEM-512 | 800 | 768 | 32 | MLKEM512, 0x0200 | DER, PEM |
//! | ML-KEM-768 | 1184 | 1088 | 32 | MLKEM768, 0x0201 | DER, PEM |
//! | ML-KEM-1024 | 1568 | 1568 | 32 | MLKEM1024, 0x0202 | DER, PEM |
//! | X25519MLKEM768 | 1216 | 1120 | 64 | 0x11EC | |
//! | SecP256r1MLKEM768 | 1249 | 1153 | 64 | 0x11EB | |
//! | SecP384r1MLKEM1024 | 1665 | 1665 | 80 | 0x11ED | |
//! | sntrup761x25519 | 1190 | 1071 | 64 | 0xFE61, of no standard | |
//!
//! Names and parameters are OpenSSL 3.5's: `encoded-pub-key`, `pub`, `priv` (the long form) and `seed`.
//! Files are SubjectPublicKeyInfo and PKCS #8 (RFC 9935): a private key is written as its seed where it has
//! one, and read in every form. Keys of the groups are for one connection: their private halves have no
//! bytes.
//!
//! The property is `provider=ringsmith`. There is no property `fips`, since nothing here is validated.
//!
//! OpenSSL 3.5 and later have all but the last themselves, and take their own where nothing is said. With
//! `default_properties = ?provider=ringsmith` in the section that `alg_section` names they take these.
//!
//! # Checks
//! What comes from the other side is checked when it comes: an encapsulation key, the length of a share, its
//! point ([`ringsmith_hybrid::tls`]). The check is a ciphertext for the key, which is kept for the
//! encapsulation that follows. So OpenSSL answers every bad share of a client with the alert
//! `illegal_parameter`, and a bad share of a server, which it has no check for, with `internal_error`.
//!
//! # Safety
//! `unsafe` is where handles, parameters and tables cross to C: the modules of entry points, `handle` and
//! `params`. Keys and their arithmetic are safe code, which knows of no pointer. A key is counted: an
//! operation has a part in it, and a key that an operation has is not changed. No panic crosses to C: it is
//! a failure there. Nothing is kept in statics but tables, so the provider may be loaded any number of
//! times.
//!
//! # Constant time
//! As the schemes are. Private keys and secrets are cleared on drop; what OpenSSL has a copy of is OpenSSL's.
//! Randomness is the operating system's, whose failure is an error.
//!
//! # Source
//! The manual of OpenSSL 3: provider(7), provider-base(7), provider-keymgmt(7), provider-kem(7),
//! provider-encoder(7), provider-decoder(7).

mod abi;
mod decode;
mod encode;
mod form;
mod groups;
mod handle;
mod kem;
mod key;
mod keymgmt;
mod kind;
mod params;
mod provider;

pub use abi::Dispatch;
pub use provider::OSSL_provider_init;
