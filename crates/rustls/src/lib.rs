//! Post-quantum key exchange for rustls 0.23: the groups of TLS 1.3 with ML-KEM, added to any provider, for
//! clients and servers.
//!
//! ```
//! use std::sync::Arc;
//! use rustls::{ClientConfig, RootCertStore};
//!
//! let provider = Arc::new(ringsmith_rustls::provider(rustls::crypto::ring::default_provider()));
//! let config = ClientConfig::builder_with_provider(provider)
//!     .with_safe_default_protocol_versions()?
//!     .with_root_certificates(RootCertStore::empty())
//!     .with_no_client_auth();
//!
//! let first = config.crypto_provider().kx_groups[0].name();
//! assert_eq!(first, rustls::NamedGroup::X25519MLKEM768);
//! # Ok::<(), rustls::Error>(())
//! ```
//!
//! A client that is made so offers X25519MLKEM768 first, and sends X25519's share beside it: a server without
//! ML-KEM answers that one at once. A server that is made so takes ML-KEM wherever a client offers it.
//!
//! # Groups
//! | group | | by [`provider`] |
//! |---|---|---|
//! | X25519MLKEM768 | [`X25519MLKEM768`] | first |
//! | SecP256r1MLKEM768 | [`SECP256R1MLKEM768`] | second |
//! | SecP384r1MLKEM1024 | [`SECP384R1MLKEM1024`] | third |
//! | MLKEM512, MLKEM768, MLKEM1024 | [`MLKEM512`], [`MLKEM768`], [`MLKEM1024`] | no: only [`with_groups`] |
//!
//! ML-KEM alone is for those who must not have a curve: a hybrid is secure as long as one of both is. All of
//! them are groups of TLS 1.3; TLS 1.2 goes on with those of the provider that was there.
//!
//! ```
//! use ringsmith_rustls::{MLKEM1024, with_groups};
//!
//! let strict = with_groups(rustls::crypto::ring::default_provider(), &[&MLKEM1024]);
//! assert_eq!(strict.kx_groups[0].name(), rustls::NamedGroup::MLKEM1024);
//! ```
//!
//! # What is refused
//! Key shares of another length, encapsulation keys of ML-KEM that fail its check, points of small order or
//! off their curve: the handshake ends with the alert `illegal_parameter`, and
//! [`PeerMisbehaved::InvalidKeyShare`] here. See [`ringsmith_hybrid::tls`].
//!
//! # Constant time
//! As [`ringsmith_hybrid::tls`]. Secrets are cleared on drop; rustls clears the one that it is given.
//! Randomness is the operating system's, whose failure is an error. None of this is a validated module: the
//! groups are no `fips` ones, and neither is a provider that has them.
#![forbid(unsafe_code)]

use ringsmith_hybrid::tls::{self, Client, Group, ShareError};
use ringsmith_kem::random;
use ringsmith_simd::Cpu;
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, GetRandomFailed};
use rustls::crypto::{SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};

/// X25519MLKEM768: what most clients and servers have.
pub static X25519MLKEM768: KxGroup = KxGroup(&tls::X25519_MLKEM768);
/// SecP256r1MLKEM768: with the curve that standards of the United States name.
pub static SECP256R1MLKEM768: KxGroup = KxGroup(&tls::SECP256R1_MLKEM768);
/// SecP384r1MLKEM1024: security category 5.
pub static SECP384R1MLKEM1024: KxGroup = KxGroup(&tls::SECP384R1_MLKEM1024);
/// ML-KEM-512 alone.
pub static MLKEM512: KxGroup = KxGroup(&tls::MLKEM512);
/// ML-KEM-768 alone.
pub static MLKEM768: KxGroup = KxGroup(&tls::MLKEM768);
/// ML-KEM-1024 alone.
pub static MLKEM1024: KxGroup = KxGroup(&tls::MLKEM1024);

/// The hybrids, in the order in which [`provider`] has them.
pub static HYBRIDS: [&dyn SupportedKxGroup; 3] = [&X25519MLKEM768, &SECP256R1MLKEM768, &SECP384R1MLKEM1024];

/// A provider with our hybrids in front of its own groups.
pub fn provider(base: CryptoProvider) -> CryptoProvider {
    with_groups(base, &HYBRIDS)
}

/// A provider with these groups in front of its own ones. One that it has already is ours then, and nothing
/// is there twice.
pub fn with_groups(base: CryptoProvider, groups: &[&'static dyn SupportedKxGroup]) -> CryptoProvider {
    let mut kx_groups = Vec::with_capacity(groups.len() + base.kx_groups.len());
    for group in groups.iter().chain(&base.kx_groups) {
        if kx_groups.iter().all(|there: &&dyn SupportedKxGroup| there.name() != group.name()) {
            kx_groups.push(*group);
        }
    }
    CryptoProvider { kx_groups, ..base }
}

/// A group, as rustls takes it.
#[derive(Debug)]
pub struct KxGroup(&'static Group);

/// What is wrong with the other side's share is not told: TLS has one alert for all of it.
fn refused(_: ShareError) -> Error {
    PeerMisbehaved::InvalidKeyShare.into()
}

/// What is made of the system's randomness.
fn drawn<T>(make: impl FnOnce(&mut random::SystemRng) -> T) -> Result<T, Error> {
    random::drawn(make).map_err(|_| GetRandomFailed.into())
}

/// A secret of so many bytes, which `write` writes. Where it fails, it leaves zeros.
fn secret(
    bytes: usize,
    write: impl FnOnce(&mut [u8]) -> Result<(), ShareError>,
) -> Result<SharedSecret, Error> {
    let mut secret = vec![0; bytes];
    write(&mut secret).map_err(refused)?;
    // The same memory: rustls clears it.
    Ok(SharedSecret::from(secret))
}

impl SupportedKxGroup for KxGroup {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let client = drawn(|rng| self.0.start(Cpu::detect(), rng))?;
        Ok(Box::new(Active { group: self.0, client }))
    }

    fn start_and_complete(&self, peer_pub_key: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let mut pub_key = vec![0; self.0.server_share];
        let secret = drawn(|rng| {
            secret(self.0.secret, |secret| {
                self.0.respond(Cpu::detect(), peer_pub_key, rng, &mut pub_key, secret)
            })
        })??;
        Ok(CompletedKeyExchange { group: self.name(), pub_key, secret })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::from(self.0.code_point)
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

/// A client between its hello and the server's.
struct Active {
    group: &'static Group,
    client: Box<dyn Client>,
}

impl ActiveKeyExchange for Active {
    fn complete(self: Box<Self>, peer_pub_key: &[u8]) -> Result<SharedSecret, Error> {
        secret(self.group.secret, |secret| self.client.finish(peer_pub_key, secret))
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        let curve = self.group.curve?;
        let point = &self.client.share()[curve.start..][..curve.point];
        Some((NamedGroup::from(curve.code_point), point))
    }

    fn complete_hybrid_component(self: Box<Self>, peer_pub_key: &[u8]) -> Result<SharedSecret, Error> {
        let bytes = self.group.curve.map_or(0, |curve| curve.secret);
        secret(bytes, |secret| self.client.finish_curve(peer_pub_key, secret))
    }

    fn pub_key(&self) -> &[u8] {
        self.client.share()
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::from(self.group.code_point)
    }
}
