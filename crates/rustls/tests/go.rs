//! Over the loopback with Go's crypto/tls, in both directions. The suite `interop` runs it: the program and a
//! folder with its certificate are in `RINGSMITH_TLS_PROGRAM` and `RINGSMITH_TLS_FOLDER`.

use ringsmith_rustls::HYBRIDS;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

fn variable(name: &str) -> PathBuf {
    std::env::var_os(name).unwrap_or_else(|| panic!("{name} is set by the suite interop")).into()
}

fn only(group: &'static dyn SupportedKxGroup) -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider { kx_groups: vec![group], ..rustls::crypto::ring::default_provider() })
}

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_file(variable("RINGSMITH_TLS_FOLDER").join("cert.pem")).expect("a certificate")
}

/// The Go program, which is told the folder and the group.
fn go(command: &str, group: &dyn SupportedKxGroup) -> Command {
    let mut go = Command::new(variable("RINGSMITH_TLS_PROGRAM"));
    let code_point = format!("{:#x}", u16::from(group.name()));
    go.arg(command).arg(variable("RINGSMITH_TLS_FOLDER")).arg(code_point);
    go.stdin(Stdio::piped()).stdout(Stdio::piped());
    go
}

fn patient(stream: &TcpStream) {
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
}

/// Protects: our client next to their server.
#[test]
#[ignore = "the suite interop runs it"]
fn client() {
    for group in HYBRIDS {
        let mut server = go("serve", group).spawn().expect("the program");
        let mut address = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut address).expect("an address");
        let mut roots = RootCertStore::empty();
        roots.add(certificate()).expect("a root");
        let config = ClientConfig::builder_with_provider(only(group))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").expect("a name");
        let mut client = ClientConnection::new(Arc::new(config), name).expect("a client");
        let mut socket = TcpStream::connect(address.trim()).expect("the server");
        patient(&socket);
        let mut stream = Stream::new(&mut client, &mut socket);
        stream.write_all(b"a line\n").expect("a handshake");
        let mut heard = [0; 7];
        stream.read_exact(&mut heard).expect("an answer");
        assert_eq!(&heard, b"a line\n", "{group:?}");
        // Its standard input ends, and it does.
        drop(server.stdin.take());
        assert!(server.wait().expect("the program").success());
    }
}

/// Protects: their client next to our server.
#[test]
#[ignore = "the suite interop runs it"]
fn server() {
    for group in HYBRIDS {
        let key =
            PrivateKeyDer::from_pem_file(variable("RINGSMITH_TLS_FOLDER").join("key.pem")).expect("a key");
        let config = ServerConfig::builder_with_provider(only(group))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate()], key)
            .expect("a certificate of the key");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let client = go("connect", group).arg(address).spawn().expect("the program");
        let (mut socket, _) = listener.accept().expect("a client");
        patient(&socket);
        let mut server = ServerConnection::new(Arc::new(config)).expect("a server");
        let mut stream = Stream::new(&mut server, &mut socket);
        let mut heard = [0; 7];
        stream.read_exact(&mut heard).expect("a line");
        stream.write_all(&heard).expect("a handshake");
        let told = client.wait_with_output().expect("the program");
        assert!(told.status.success(), "{group:?}");
        assert!(!told.stdout.is_empty(), "{group:?}");
    }
}
