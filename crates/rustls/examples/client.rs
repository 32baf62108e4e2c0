//! A client for the load test, and one that sends malformed key shares: both are for a server of the tests
//! alone, and look at no certificate.
//!
//! ```text
//! client shake ADDRESS GROUP COUNT   full handshakes, each on a new connection; prints seconds
//! client spoil ADDRESS GROUP         malformed key shares of every length; each must be answered by an alert
//! ```

#[path = "../tests/hello/mod.rs"]
mod hello;

use hello::{Hello, Random, is_alert, is_hello, malformed};
use ringsmith_hybrid::tls;
use ringsmith_kem::random::drawn;
use ringsmith_rustls::{HYBRIDS, MLKEM512, MLKEM768, MLKEM1024};
use ringsmith_simd::Cpu;
use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, HandshakeKind, SignatureScheme};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Connections at once: while one waits, the server has another to serve.
const THREADS: usize = 4;
/// Of a single answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Takes every certificate: what a server can do is measured, and a client must not be what is slow.
#[derive(Debug)]
struct Anyone;

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verify_tls12_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ECDSA_NISTP256_SHA256]
    }
}

/// The groups that a client may take.
fn named(name: &str) -> Option<&'static dyn SupportedKxGroup> {
    let alone: [&dyn SupportedKxGroup; 3] = [&MLKEM512, &MLKEM768, &MLKEM1024];
    let curves = rustls::crypto::ring::ALL_KX_GROUPS.iter().copied();
    let mut all = HYBRIDS.into_iter().chain(alone).chain(curves);
    all.find(|group| format!("{:?}", group.name()) == name)
}

/// Clients with one group, which remember no session.
fn config(group: &'static dyn SupportedKxGroup) -> Result<ClientConfig, Error> {
    let base = rustls::crypto::ring::default_provider();
    let mut config =
        ClientConfig::builder_with_provider(Arc::new(CryptoProvider { kx_groups: vec![group], ..base }))
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Anyone))
            .with_no_client_auth();
    config.resumption = Resumption::disabled();
    Ok(config)
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let socket = TcpStream::connect(address)?;
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    Ok(socket)
}

/// One handshake, to its end at the server: that closes the connection once it has heard that the client
/// does.
fn shake(config: &Arc<ClientConfig>, address: &str, rest: &mut Vec<u8>) -> io::Result<()> {
    let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
    let mut client = ClientConnection::new(config.clone(), name).map_err(io::Error::other)?;
    let mut socket = connect(address)?;
    while client.is_handshaking() {
        client.complete_io(&mut socket)?;
    }
    if client.handshake_kind() != Some(HandshakeKind::Full) {
        return Err(io::Error::other("not a full handshake"));
    }
    client.send_close_notify();
    while client.wants_write() {
        client.write_tls(&mut socket)?;
    }
    socket.shutdown(Shutdown::Write)?;
    rest.clear();
    socket.read_to_end(rest)?;
    Ok(())
}

/// So many handshakes, by a few threads; the seconds.
fn shake_all(address: &str, group: &str, count: usize) -> io::Result<f64> {
    let group = named(group).ok_or(io::Error::other("no such group"))?;
    let (config, left) = (Arc::new(config(group).map_err(io::Error::other)?), AtomicUsize::new(count));
    let one = |_| -> io::Result<()> {
        let mut rest = Vec::new();
        while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
            shake(&config, address, &mut rest)?;
        }
        Ok(())
    };
    let start = Instant::now();
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || one(thread))).collect();
        let ended =
            threads.into_iter().map(|thread| thread.join().map_err(|_| io::Error::other("a panic"))?);
        ended.collect::<io::Result<()>>()
    })?;
    Ok(start.elapsed().as_secs_f64())
}

/// What a server says to a hello. It may close before it has heard all of it.
fn answer(address: &str, hello: &Hello) -> io::Result<Vec<u8>> {
    let (mut socket, mut said) = (connect(address)?, Vec::new());
    let sent = socket.write_all(&hello.records());
    let mut part = [0; 4096];
    loop {
        match socket.read(&mut part) {
            Ok(0) => return Ok(said),
            Ok(count) => said.extend(&part[..count]),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset && !said.is_empty() => {
                return Ok(said);
            }
            Err(error) => return Err(sent.err().unwrap_or(error)),
        }
        // A server that goes on waits for the client.
        if is_hello(&said) {
            return Ok(said);
        }
    }
}

fn spoil(address: &str, name: &str) -> io::Result<usize> {
    let mut all = tls::HYBRIDS.into_iter().chain(tls::ALONE).chain([&tls::SNTRUP761_X25519]);
    let group = all.find(|group| group.name == name).ok_or(io::Error::other("no such group"))?;
    let share = drawn(|rng| group.start(Cpu::detect(), rng).share().to_vec()).map_err(io::Error::other)?;
    let hellos = malformed(group, &share, &mut Random(u64::from(group.code_point)));
    for hello in &hellos {
        let said =
            answer(address, hello).map_err(|why| io::Error::other(format!("{}: {why}", hello.what)))?;
        if !is_alert(&said) {
            return Err(io::Error::other(format!("{}: answered by {said:02x?}", hello.what)));
        }
    }
    let said = answer(address, &Hello::new("a good share".into(), group, share))?;
    if is_hello(&said) { Ok(hellos.len()) } else { Err(io::Error::other("a good share was refused")) }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["shake", address, group, count] => {
            let count = count.parse().map_err(io::Error::other)?;
            println!("{:.6}", shake_all(address, group, count)?);
        }
        ["spoil", address, group] => println!("{}", spoil(address, group)?),
        _ => return Err(io::Error::other("client shake ADDRESS GROUP COUNT, or spoil ADDRESS GROUP")),
    }
    Ok(())
}
