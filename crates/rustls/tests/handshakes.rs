//! Handshakes in memory: our groups on both sides, ours beside a provider without them, and bad key shares.

use ringsmith_rustls::{HYBRIDS, MLKEM512, MLKEM768, MLKEM1024, provider, with_groups};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup,
};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{AlertDescription, ClientConfig, ClientConnection, Error, HandshakeKind, NamedGroup};
use rustls::{PeerMisbehaved, ProtocolVersion, RootCertStore, ServerConfig, ServerConnection};
use std::io::{Read, Write};
use std::sync::Arc;

const NAME: &str = "server.example";

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

/// A client and a server that trusts it, before they have said anything.
struct Pair {
    client: ClientConnection,
    server: ServerConnection,
}

impl Pair {
    fn new(client: CryptoProvider, server: CryptoProvider) -> Self {
        let made = rcgen::generate_simple_self_signed([NAME.to_string()]).expect("a certificate");
        let mut roots = RootCertStore::empty();
        roots.add(made.cert.der().clone()).expect("a root");
        let client = ClientConfig::builder_with_provider(Arc::new(client))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
        let server = ServerConfig::builder_with_provider(Arc::new(server))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .expect("a certificate of the key");
        let name = ServerName::try_from(NAME).expect("a name");
        Pair {
            client: ClientConnection::new(Arc::new(client), name).expect("a client"),
            server: ServerConnection::new(Arc::new(server)).expect("a server"),
        }
    }

    /// What the client has to say goes to the server.
    fn hear_client(&mut self) -> Result<(), Error> {
        let mut said = Vec::new();
        while self.client.wants_write() {
            self.client.write_tls(&mut said).expect("memory");
        }
        let mut said = &said[..];
        while !said.is_empty() {
            self.server.read_tls(&mut said).expect("memory");
            self.server.process_new_packets()?;
        }
        Ok(())
    }

    /// What the server has to say goes to the client.
    fn hear_server(&mut self) -> Result<(), Error> {
        let mut said = Vec::new();
        while self.server.wants_write() {
            self.server.write_tls(&mut said).expect("memory");
        }
        let mut said = &said[..];
        while !said.is_empty() {
            self.client.read_tls(&mut said).expect("memory");
            self.client.process_new_packets()?;
        }
        Ok(())
    }

    fn shake_hands(&mut self) {
        for _ in 0..4 {
            self.hear_client().expect("the server");
            self.hear_server().expect("the client");
        }
        assert!(!self.client.is_handshaking() && !self.server.is_handshaking());
    }

    /// The group of the handshake, on which both agree, and its kind.
    fn agreed(&self) -> (NamedGroup, HandshakeKind) {
        let group = |group: Option<&'static dyn SupportedKxGroup>| group.expect("a group").name();
        let [client, server] = [
            group(self.client.negotiated_key_exchange_group()),
            group(self.server.negotiated_key_exchange_group()),
        ];
        assert_eq!(client, server);
        (client, self.client.handshake_kind().expect("a handshake"))
    }
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
