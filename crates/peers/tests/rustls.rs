//! Our groups added to the provider of aws-lc-rs, which has some of them itself: ours beside its own, and
//! next to them. (The tests of `ringsmith-rustls` take the provider of ring.)
#![cfg(feature = "tls")]

#[path = "../../rustls/tests/pair/mod.rs"]
mod pair;

use pair::Pair;
use ringsmith_rustls::{HYBRIDS, MLKEM512, MLKEM768, MLKEM1024, SECP256R1MLKEM768, X25519MLKEM768};
use ringsmith_rustls::{provider, with_groups};
use rustls::crypto::aws_lc_rs::{default_provider, kx_group};
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::{HandshakeKind, NamedGroup};

/// A provider with one group.
fn only(group: &'static dyn SupportedKxGroup) -> CryptoProvider {
    CryptoProvider { kx_groups: vec![group], ..default_provider() }
}

/// A handshake takes this group, at once.
fn takes(group: NamedGroup, client: CryptoProvider, server: CryptoProvider) {
    let mut pair = Pair::new(client, server);
    pair.shake_hands();
    assert_eq!(pair.agreed(), (group, HandshakeKind::Full));
}

/// Protects: each of our groups serves both sides with the ciphers and signatures of this provider.
#[test]
fn each_group() {
    let alone: [&dyn SupportedKxGroup; 3] = [&MLKEM512, &MLKEM768, &MLKEM1024];
    for group in HYBRIDS.into_iter().chain(alone) {
        takes(group.name(), only(group), only(group));
    }
}

/// Protects: one of the provider's groups that is ours too gives way to ours, and the others stay.
#[test]
fn lists() {
    let (base, made) = (default_provider(), provider(default_provider()));
    assert_eq!(base.kx_groups[0].name(), NamedGroup::X25519MLKEM768);
    let others = base.kx_groups[1..].iter().map(|group| group.name());
    let expected: Vec<_> = HYBRIDS.iter().map(|group| group.name()).chain(others).collect();
    assert_eq!(made.kx_groups.iter().map(|group| group.name()).collect::<Vec<_>>(), expected);
    assert!(made.kx_groups.iter().zip(HYBRIDS).all(|(made, ours)| std::ptr::addr_eq(*made, ours)));
}

/// Protects: with the provider's own groups behind ours, either side takes X25519MLKEM768 with the other's as
/// it is; and X25519 with one that has no ML-KEM.
#[test]
fn beside_the_providers_own() {
    let curves = || only(kx_group::X25519);
    for (client, server) in [(true, true), (true, false), (false, true)] {
        let [client, server] =
            [client, server].map(|ours| if ours { provider(default_provider()) } else { default_provider() });
        takes(NamedGroup::X25519MLKEM768, client, server);
    }
    takes(NamedGroup::X25519, provider(default_provider()), curves());
    takes(NamedGroup::X25519, curves(), provider(default_provider()));
}

/// Protects: our groups and those of AWS-LC have the same shares and secrets, whichever is the client.
#[test]
fn with_its_own() {
    let pairs: [[&'static dyn SupportedKxGroup; 2]; 4] = [
        [&X25519MLKEM768, kx_group::X25519MLKEM768],
        [&SECP256R1MLKEM768, kx_group::SECP256R1MLKEM768],
        [&MLKEM768, kx_group::MLKEM768],
        [&MLKEM1024, kx_group::MLKEM1024],
    ];
    for [ours, theirs] in pairs {
        takes(ours.name(), only(ours), only(theirs));
        takes(ours.name(), only(theirs), only(ours));
    }
}

/// Protects: a provider without groups of its own has ours alone.
#[test]
fn beside_none() {
    let none = || CryptoProvider { kx_groups: Vec::new(), ..default_provider() };
    takes(NamedGroup::MLKEM1024, with_groups(none(), &[&MLKEM1024]), with_groups(none(), &[&MLKEM1024]));
    takes(NamedGroup::X25519MLKEM768, provider(none()), provider(none()));
}
