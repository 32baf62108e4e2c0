//! Handshakes in memory: our groups on both sides, ours beside a provider without them, and bad key shares.

mod pair;

use pair::Pair;
use ringsmith_rustls::{HYBRIDS, MLKEM512, MLKEM768, MLKEM1024, X25519MLKEM768};
use ringsmith_rustls::{provider, with_groups};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup,
};
use rustls::{AlertDescription, Error, HandshakeKind, NamedGroup, PeerMisbehaved, ProtocolVersion};
use std::io::{Read, Write};

fn base() -> CryptoProvider {
    rustls::crypto::ring::default_provider()
}

fn groups() -> impl Iterator<Item = &'static dyn SupportedKxGroup> {
    HYBRIDS.into_iter().chain([&MLKEM512 as &dyn SupportedKxGroup, &MLKEM768, &MLKEM1024])
}

/// A provider with one group.
fn only(group: &'static dyn SupportedKxGroup) -> CryptoProvider {
    CryptoProvider { kx_groups: vec![group], ..base() }
}

/// Protects: each group serves both sides, and data goes through.
#[test]
fn each_group() {
    for group in groups() {
        let mut pair = Pair::new(only(group), only(group));
        pair.shake_hands();
        assert_eq!(pair.agreed(), (group.name(), HandshakeKind::Full));
        assert_eq!(pair.client.protocol_version(), Some(ProtocolVersion::TLSv1_3));
        pair.client.writer().write_all(b"a question").expect("memory");
        pair.hear_client().expect("the server");
        let mut heard = [0; 10];
        pair.server.reader().read_exact(&mut heard).expect("all of it");
        assert_eq!(&heard, b"a question");
    }
}

/// Protects: with a provider's own groups behind ours, two sides that have both take X25519MLKEM768; where
/// one has the curves alone, X25519 is taken without another round trip.
#[test]
fn beside_the_providers_own() {
    let mut pair = Pair::new(provider(base()), provider(base()));
    pair.shake_hands();
    assert_eq!(pair.agreed(), (NamedGroup::X25519MLKEM768, HandshakeKind::Full));

    for (client, server) in [(provider(base()), base()), (base(), provider(base()))] {
        let mut pair = Pair::new(client, server);
        pair.shake_hands();
        assert_eq!(pair.agreed(), (NamedGroup::X25519, HandshakeKind::Full));
    }
}

/// Protects: a provider without groups of its own has ours alone, and serves both sides.
#[test]
fn beside_none() {
    let none = || CryptoProvider { kx_groups: Vec::new(), ..base() };
    assert_eq!(provider(none()).kx_groups.len(), HYBRIDS.len());
    let mut pair = Pair::new(provider(none()), with_groups(none(), &[&MLKEM1024, &X25519MLKEM768]));
    pair.shake_hands();
    assert_eq!(pair.agreed(), (NamedGroup::X25519MLKEM768, HandshakeKind::Full));
}

/// Protects: a server that wants another hybrid than the first gets it, by another round trip.
#[test]
fn retried() {
    for group in groups().skip(1) {
        let client = with_groups(provider(base()), &[HYBRIDS[0], group]);
        let mut pair = Pair::new(client, only(group));
        pair.shake_hands();
        assert_eq!(pair.agreed(), (group.name(), HandshakeKind::FullWithHelloRetryRequest));
    }
}

/// Protects: nothing is there twice, and what is not ours stays.
#[test]
fn lists() {
    let names = |provider: &CryptoProvider| -> Vec<NamedGroup> {
        provider.kx_groups.iter().map(|group| group.name()).collect()
    };
    let once = provider(base());
    let ours = HYBRIDS.map(|group| group.name());
    assert_eq!(ours.map(u16::from), [0x11EC, 0x11EB, 0x11ED]);
    assert_eq!(names(&once), [&ours[..], &names(&base())].concat());
    assert_eq!(names(&provider(once)), [&ours[..], &names(&base())].concat());
    assert!(groups().all(|group| !group.fips() && group.ffdhe_group().is_none()));
    assert!(groups().all(|group| !group.usable_for_version(ProtocolVersion::TLSv1_2)));
}

const INVALID: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

/// Protects: shares of every length but the group's are refused, on either side.
#[test]
fn lengths() {
    // All lengths up to one more than the good one.
    let others = |good: usize| (0..good + 2).filter(move |length| *length != good);
    for group in groups() {
        let client = group.start().expect("randomness").pub_key().to_vec();
        let server = group.start_and_complete(&client).expect("a good share").pub_key;
        let [long_client, long_server] = [&client, &server].map(|share| [&share[..], &[0]].concat());
        for length in others(client.len()) {
            assert_eq!(group.start_and_complete(&long_client[..length]).err(), Some(INVALID));
        }
        for length in others(server.len()) {
            let started = group.start().expect("randomness");
            assert_eq!(started.complete(&long_server[..length]).err(), Some(INVALID));
        }
    }
}

/// A group whose shares are spoiled on their way out.
#[derive(Debug)]
struct Spoiled {
    group: &'static dyn SupportedKxGroup,
    how: fn(&mut Vec<u8>),
}

/// A client's share that is spoiled.
struct SpoiledClient {
    client: Box<dyn ActiveKeyExchange>,
    share: Vec<u8>,
}

impl SupportedKxGroup for Spoiled {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let client = self.group.start()?;
        let mut share = client.pub_key().to_vec();
        (self.how)(&mut share);
        Ok(Box::new(SpoiledClient { client, share }))
    }
    fn start_and_complete(&self, share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let mut made = self.group.start_and_complete(share)?;
        (self.how)(&mut made.pub_key);
        Ok(made)
    }
    fn name(&self) -> NamedGroup {
        self.group.name()
    }
}

impl ActiveKeyExchange for SpoiledClient {
    fn complete(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
        self.client.complete(share)
    }
    fn pub_key(&self) -> &[u8] {
        &self.share
    }
    fn group(&self) -> NamedGroup {
        self.client.group()
    }
}

fn spoiled(group: &'static dyn SupportedKxGroup, how: fn(&mut Vec<u8>)) -> CryptoProvider {
    // For as long as the tests run, as providers hold their groups.
    only(Box::leak(Box::new(Spoiled { group, how })))
}

/// Protects: a bad share ends a handshake with an error here and the alert `illegal_parameter` there.
#[test]
fn alerts() {
    let ways: [fn(&mut Vec<u8>); 4] = [
        |share| share.truncate(1),
        |share| _ = share.pop(),
        |share| share.push(0),
        |share| share.fill(0), // a point of small order, or at infinity
    ];
    for (group, how) in HYBRIDS.into_iter().flat_map(|group| ways.map(|how| (group, how))) {
        let mut pair = Pair::new(spoiled(group, how), only(group));
        assert_eq!(pair.hear_client(), Err(INVALID), "{group:?}");
        assert_eq!(pair.hear_server(), Err(Error::AlertReceived(AlertDescription::IllegalParameter)));

        let mut pair = Pair::new(only(group), spoiled(group, how));
        pair.hear_client().expect("a good share");
        assert_eq!(pair.hear_server(), Err(INVALID), "{group:?}");
        assert_eq!(pair.hear_client(), Err(Error::AlertReceived(AlertDescription::IllegalParameter)));
    }
}

/// Protects: a ciphertext that was not made for the key gives another secret, and the handshake ends.
#[test]
fn rejected_implicitly() {
    for group in [HYBRIDS[0], &MLKEM768] {
        let mut pair = Pair::new(only(group), spoiled(group, |share| share[7] ^= 1));
        pair.hear_client().expect("a good share");
        assert_eq!(pair.hear_server(), Err(Error::DecryptError), "{group:?}");
    }
}
