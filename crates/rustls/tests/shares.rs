//! A server of rustls with our groups ends every handshake with a malformed key share by an alert. (The suite
//! `interop` does the same with OpenSSL's server and with nginx.)

mod hello;

use hello::{Hello, Random, is_alert, is_hello, malformed};
use ringsmith_hybrid::tls::{ALONE, Group, HYBRIDS};
use ringsmith_kem::random::drawn;
use ringsmith_rustls::{MLKEM512, MLKEM768, MLKEM1024, provider, with_groups};
use ringsmith_simd::Cpu;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection};
use std::sync::Arc;

/// Servers with all groups.
fn config() -> Arc<ServerConfig> {
    let base = provider(rustls::crypto::ring::default_provider());
    let groups = with_groups(base, &[&MLKEM512, &MLKEM768, &MLKEM1024]);
    let made = rcgen::generate_simple_self_signed(["server.example".to_string()]).expect("a certificate");
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(groups))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key);
    Arc::new(config.expect("a certificate of the key"))
}

/// What a server says to a hello.
fn answer(config: &Arc<ServerConfig>, hello: &Hello) -> Vec<u8> {
    let mut server = ServerConnection::new(config.clone()).expect("a server");
    let (records, mut said) = (hello.records(), Vec::new());
    let mut left = &records[..];
    while !left.is_empty() {
        server.read_tls(&mut left).expect("memory");
        if server.process_new_packets().is_err() {
            break;
        }
    }
    while server.wants_write() {
        server.write_tls(&mut said).expect("memory");
    }
    said
}

/// A good share.
fn good(group: &'static Group) -> Vec<u8> {
    drawn(|rng| group.start(Cpu::detect(), rng).share().to_vec()).expect("randomness")
}

/// Protects: key shares of every length, random, spoiled, or with lengths that are told wrong, are answered
/// by one alert; a good one is answered by a hello.
#[test]
fn malformed_shares() {
    let (config, mut random) = (config(), Random(1));
    for group in HYBRIDS.into_iter().chain(ALONE) {
        let share = good(group);
        for hello in malformed(group, &share, &mut random) {
            let said = answer(&config, &hello);
            assert!(is_alert(&said), "{}: {said:02x?}", hello.what);
        }
        let said = answer(&config, &Hello::new("a good share".into(), group, share));
        assert!(is_hello(&said) && !is_alert(&said), "{}", group.name);
    }
}
