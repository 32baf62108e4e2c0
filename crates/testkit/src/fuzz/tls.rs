//! Key shares of TLS, as the other side sends them: bytes of any length and any contents, to every group.

use super::same_everywhere;
use ringsmith_hybrid::tls::{ALONE, Client, Component, Group, HYBRIDS, SNTRUP761_X25519, ShareError};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::sync::LazyLock;

/// The modulus of ML-KEM: no coefficient of an encapsulation key reaches it.
const Q: u16 = 3329;
/// What places for results hold before: what fails must leave zeros.
const BEFORE: u8 = 1;

/// What one side has by the end: its share, if it sends one, and the secret.
type Made = (Vec<u8>, Vec<u8>);

/// A handshake of one group.
struct Handshake {
    group: &'static Group,
    /// The same client on each backend, by its name.
    clients: Vec<(&'static str, Box<dyn Client>)>,
    /// What its server answers, and the secret of both.
    answer: Made,
}

/// One for each group, always the same.
static HANDSHAKES: LazyLock<Vec<Handshake>> = LazyLock::new(|| {
    let handshake = |group: &'static Group| {
        let client = |cpu: Cpu| (cpu.name(), group.start(cpu, &mut Random::new(1)));
        let clients: Vec<_> = Cpu::available().map(client).collect();
        let answer = respond(Cpu::detect(), group, clients[0].1.share()).expect("a client's own share");
        Handshake { group, clients, answer }
    };
    HYBRIDS.into_iter().chain(ALONE).chain([&SNTRUP761_X25519]).map(handshake).collect()
});

impl Handshake {
    fn client(&self, cpu: Cpu) -> &dyn Client {
        let client = self.clients.iter().find(|(name, _)| *name == cpu.name());
        client.expect("one of each backend").1.as_ref()
    }

    fn share(&self) -> &[u8] {
        self.client(Cpu::detect()).share()
    }

    /// Both parts of a string, in which the curve's has so many bytes: the lattice scheme's and the curve's.
    fn parts<'a>(&self, bytes: &'a [u8], of_curve: fn(&Component) -> usize) -> (&'a [u8], &'a [u8]) {
        match &self.group.curve {
            None => (bytes, &[]),
            Some(curve) if curve.start == 0 => {
                let (curve, lattice) = bytes.split_at(of_curve(curve));
                (lattice, curve)
            }
            Some(curve) => bytes.split_at(bytes.len() - of_curve(curve)),
        }
    }
}

/// Checks that places are as a result leaves them: if it is an error, they are zeros.
fn cleared(result: Result<(), ShareError>, places: &[&[u8]]) -> Result<(), ShareError> {
    result.inspect_err(|_| assert!(places.iter().all(|place| place.iter().all(|byte| *byte == 0))))
}

/// What a server makes of a client's share; its numbers are always the same.
fn respond(cpu: Cpu, group: &Group, share: &[u8]) -> Result<Made, ShareError> {
    let (mut answer, mut secret) = (vec![BEFORE; group.server_share], vec![BEFORE; group.secret]);
    let answered = group.respond(cpu, share, &mut Random::new(2), &mut answer, &mut secret);
    cleared(answered, &[&answer, &secret])?;
    Ok((answer, secret))
}

/// The secret that a client has of a server's share.
fn finish(client: &dyn Client, group: &Group, share: &[u8]) -> Result<Vec<u8>, ShareError> {
    let mut secret = vec![BEFORE; group.secret];
    cleared(client.finish(share, &mut secret), &[&secret])?;
    Ok(secret)
}

/// The secret that a client has of the point of a server that took the curve alone.
fn finish_curve(client: &dyn Client, curve: Component, point: &[u8]) -> Result<Vec<u8>, ShareError> {
    let mut secret = vec![BEFORE; curve.secret];
    cleared(client.finish_curve(point, &mut secret), &[&secret])?;
    Ok(secret)
}

/// The handshake of the group whose share is closest in length, and the bytes cut or filled up to it.
fn fitted(bytes: &[u8], length: fn(&Group) -> usize) -> (&'static Handshake, Vec<u8>) {
    let distance = |handshake: &&Handshake| length(handshake.group).abs_diff(bytes.len());
    let handshake = HANDSHAKES.iter().min_by_key(distance).expect("there are groups");
    let mut fitted = bytes.to_vec();
    fitted.resize(length(handshake.group), 0);
    (handshake, fitted)
}

/// Whether a result is that a length is wrong.
fn is_length<T>(result: Result<T, ShareError>) -> bool {
    matches!(result, Err(ShareError::Length { .. }))
}

/// Whether bytes are an encapsulation key of a group's lattice scheme: of ML-KEM if all coefficients, of 12
/// bits each, are below the modulus; a seed of 32 bytes stands behind them. Any bytes are one of sntrup761.
fn is_key(group: &Group, key: &[u8]) -> bool {
    let coefficients = |three: &[u8]| {
        let [one, two, three] = [three[0], three[1], three[2]].map(u16::from);
        [one | (two & 0x0F) << 8, two >> 4 | three << 4]
    };
    let mut all = key[..key.len() - 32].chunks_exact(3).flat_map(coefficients);
    !group.name.contains("MLKEM") || all.all(|coefficient| coefficient < Q)
}

pub(super) fn client_shares() -> Vec<Vec<u8>> {
    HANDSHAKES.iter().map(|handshake| handshake.share().to_vec()).collect()
}

/// A server refuses a share, or has an answer and a secret; other lengths, keys that are none, and some
/// points are refused.
pub(super) fn client_share(bytes: &[u8]) {
    for Handshake { group, .. } in HANDSHAKES.iter() {
        assert!(bytes.len() == group.client_share || is_length(respond(Cpu::detect(), group, bytes)));
    }
    let (own, share) = fitted(bytes, |group| group.client_share);
    let (key, _) = own.parts(&share, |curve| curve.point);
    let valid = is_key(own.group, key);
    match same_everywhere(|cpu| respond(cpu, own.group, &share)) {
        Ok(made) => assert!(valid && (share != own.share() || made == own.answer)),
        Err(ShareError::EncapsulationKey) => assert!(!valid),
        Err(why) => assert!(why == ShareError::Point && own.group.curve.is_some()),
    }
}

pub(super) fn server_shares() -> Vec<Vec<u8>> {
    HANDSHAKES.iter().map(|handshake| handshake.answer.0.clone()).collect()
}

/// A client refuses a share, or has a secret, which is the server's only if the ciphertext is; its curve
/// alone comes to the same.
pub(super) fn server_share(bytes: &[u8]) {
    for handshake in HANDSHAKES.iter() {
        let (group, client) = (handshake.group, handshake.client(Cpu::detect()));
        assert!(bytes.len() == group.server_share || is_length(finish(client, group, bytes)));
        let of_curve = group.curve.filter(|curve| curve.point != bytes.len());
        assert!(of_curve.is_none_or(|curve| is_length(finish_curve(client, curve, bytes))));
    }
    let (own, share) = fitted(bytes, |group| group.server_share);
    let [(ciphertext, point), (theirs, _)] =
        [&share, &own.answer.0].map(|share| own.parts(share, |curve| curve.point));
    let finished = same_everywhere(|cpu| finish(own.client(cpu), own.group, &share));
    let of_curve = own.group.curve.map(|curve| finish_curve(own.client(Cpu::detect()), curve, point));
    match finished {
        Ok(secret) => {
            let [(shared, agreed), (same, _)] =
                [&secret, &own.answer.1].map(|secret| own.parts(secret, |curve| curve.secret));
            assert_eq!(shared == same, ciphertext == theirs);
            assert!(of_curve.is_none_or(|secret| secret.as_deref() == Ok(agreed)));
            assert!(share != own.answer.0 || secret == own.answer.1);
        }
        Err(why) => assert!(why == ShareError::Point && of_curve == Some(Err(why))),
    }
}
