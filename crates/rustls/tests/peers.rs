//! Over the loopback with Go's crypto/tls and with OpenSSL, which has the groups by our provider, in both
//! directions. The suite `interop` runs it: `RINGSMITH_TLS_FOLDER` has the Go program `tls`, a certificate,
//! and `openssl.cnf` that loads the provider. `RINGSMITH_OPENSSL` names another program `openssl`: from 3.5
//! on it has the groups itself, and takes its own.

use ringsmith_rustls::HYBRIDS;
use rustls::crypto::SupportedKxGroup;
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{AlertDescription, ClientConfig, ClientConnection, Error, NamedGroup, RootCertStore};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The same forwards and backwards: `openssl s_server -rev` turns lines round.
const LINE: &[u8; 6] = b"level\n";

/// Something in the folder.
fn at(name: &str) -> PathBuf {
    let folder = std::env::var_os("RINGSMITH_TLS_FOLDER").expect("the suite interop sets it");
    PathBuf::from(folder).join(name)
}

fn only(group: &'static dyn SupportedKxGroup) -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider { kx_groups: vec![group], ..rustls::crypto::ring::default_provider() })
}

fn certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_file(at("cert.pem")).expect("a certificate")
}

/// A program that ends when this does.
struct Program(Child);

impl Program {
    fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Program(command.spawn().expect("the program"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The Go program, which is told the folder and the group.
fn go(command: &str, group: &dyn SupportedKxGroup) -> Command {
    let mut go = Command::new(at("tls"));
    go.arg(command).arg(at("")).arg(format!("{:#x}", u16::from(group.name())));
    go
}

/// OpenSSL with one group.
fn openssl(command: &str, group: &dyn SupportedKxGroup) -> Command {
    let mut openssl = Command::new(std::env::var_os("RINGSMITH_OPENSSL").unwrap_or("openssl".into()));
    openssl.env("OPENSSL_CONF", at("openssl.cnf")).args([command, "-quiet", "-groups"]);
    openssl.arg(match u16::from(group.name()) {
        0x11EC => "X25519MLKEM768",
        0x11EB => "SecP256r1MLKEM768",
        _ => "SecP384r1MLKEM1024",
    });
    openssl
}

/// Go's server, which turns lines round, and where it is.
fn go_server(group: &dyn SupportedKxGroup) -> (Program, TcpStream) {
    let mut server = Program::start(&mut go("serve", group));
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().expect("a pipe")).read_line(&mut address).expect("an address");
    (server, TcpStream::connect(address.trim()).expect("the server"))
}

/// A port that nobody has.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

/// Connects to a server that is just being started.
fn connect(port: u16) -> TcpStream {
    for _ in 0..1000 {
        if let Ok(stream) = TcpStream::connect(("127.0.0.1", port)) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no server")
}

/// OpenSSL's server, at this port.
fn openssl_server(group: &dyn SupportedKxGroup, port: u16) -> Program {
    let mut server = openssl("s_server", group);
    server.args(["-rev", "-accept", &format!("127.0.0.1:{port}"), "-cert"]).arg(at("cert.pem"));
    Program::start(server.arg("-key").arg(at("key.pem")).stderr(Stdio::null()))
}

fn our_client(group: &'static dyn SupportedKxGroup) -> ClientConnection {
    let mut roots = RootCertStore::empty();
    roots.add(certificate()).expect("a root");
    let config = ClientConfig::builder_with_provider(only(group))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    ClientConnection::new(Arc::new(config), name).expect("a client")
}

fn patient(socket: &TcpStream) {
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
}

/// Says a line, and hears it.
fn ask(group: &'static dyn SupportedKxGroup, socket: &mut TcpStream) -> std::io::Result<()> {
    patient(socket);
    let mut client = our_client(group);
    let mut stream = Stream::new(&mut client, socket);
    stream.write_all(LINE)?;
    let mut heard = [0; LINE.len()];
    stream.read_exact(&mut heard)?;
    assert_eq!(&heard, LINE, "{group:?}");
    Ok(())
}

/// Protects: our client next to their servers.
#[test]
#[ignore = "the suite interop runs it"]
fn client() {
    for group in HYBRIDS {
        let (_go, mut socket) = go_server(group);
        ask(group, &mut socket).expect("Go's server");
        let port = free_port();
        let _openssl = openssl_server(group, port);
        ask(group, &mut connect(port)).expect("OpenSSL's server");
    }
}

/// Protects: their clients next to our server.
#[test]
#[ignore = "the suite interop runs it"]
fn server() {
    for group in HYBRIDS {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let go = Program::start(go("connect", group).arg(&address));
        answer(group, &listener, go);
        answer(group, &listener, openssl_client(group, &address));
    }
}

/// OpenSSL's client, which has a line to say.
fn openssl_client(group: &dyn SupportedKxGroup, address: &str) -> Program {
    let mut openssl = openssl("s_client", group);
    openssl.args(["-no_ign_eof", "-verify_return_error", "-servername", "localhost", "-CAfile"]);
    openssl.arg(at("cert.pem")).args(["-connect", address]).stderr(Stdio::null());
    let mut client = Program::start(&mut openssl);
    client.0.stdin.as_mut().expect("a pipe").write_all(LINE).expect("a pipe");
    client
}

fn our_server(group: &'static dyn SupportedKxGroup) -> ServerConnection {
    let key = PrivateKeyDer::from_pem_file(at("key.pem")).expect("a key");
    let config = ServerConfig::builder_with_provider(only(group))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate()], key)
        .expect("a certificate of the key");
    ServerConnection::new(Arc::new(config)).expect("a server")
}

/// Hears a line of a client, and says it; the client is content.
fn answer(group: &'static dyn SupportedKxGroup, listener: &TcpListener, mut client: Program) {
    let (mut socket, _) = listener.accept().expect("a client");
    patient(&socket);
    let mut server = our_server(group);
    let mut stream = Stream::new(&mut server, &mut socket);
    let mut heard = [0; LINE.len()];
    stream.read_exact(&mut heard).expect("a line");
    stream.write_all(&heard).expect("a handshake");
    server.send_close_notify();
    server.write_tls(&mut socket).expect("an end");
    drop(socket);
    drop(client.0.stdin.take());
    assert!(client.0.wait().expect("the program").success(), "{group:?}");
}

/// A group whose clients and servers send a share of another length.
#[derive(Debug)]
struct Resized(&'static dyn SupportedKxGroup, usize);

/// A share of another length.
struct Share(Box<dyn ActiveKeyExchange>, Vec<u8>);

impl SupportedKxGroup for Resized {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let client = self.0.start()?;
        let mut share = client.pub_key().to_vec();
        share.resize(self.1, 0);
        Ok(Box::new(Share(client, share)))
    }
    fn start_and_complete(&self, share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let mut made = self.0.start_and_complete(share)?;
        made.pub_key.resize(self.1, 0);
        Ok(made)
    }
    fn name(&self) -> NamedGroup {
        self.0.name()
    }
}

impl ActiveKeyExchange for Share {
    fn complete(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
        self.0.complete(share)
    }
    fn pub_key(&self) -> &[u8] {
        &self.1
    }
    fn group(&self) -> NamedGroup {
        self.0.group()
    }
}

/// A group for as long as the tests run, as providers hold their groups.
fn resized(group: &'static dyn SupportedKxGroup, length: usize) -> &'static dyn SupportedKxGroup {
    Box::leak(Box::new(Resized(group, length)))
}

/// The alert that came.
fn alert(refused: &std::io::Error) -> Option<AlertDescription> {
    match refused.get_ref()?.downcast_ref::<Error>()? {
        Error::AlertReceived(alert) => Some(*alert),
        _ => None,
    }
}

/// Protects: OpenSSL's client ends a handshake by an alert where a server's share has another length.
#[test]
#[ignore = "the suite interop runs it"]
fn lengths_of_servers() {
    for (group, length) in
        HYBRIDS.into_iter().flat_map(|group| [1, 64, 1119, 1667].map(|length| (group, length)))
    {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let mut client = openssl_client(group, &address);
        let (mut socket, _) = listener.accept().expect("a client");
        patient(&socket);
        let mut server = our_server(resized(group, length));
        let refused = Stream::new(&mut server, &mut socket).read(&mut [0]).expect_err("an alert");
        assert_eq!(alert(&refused), Some(AlertDescription::InternalError), "{length} bytes: {refused}");
        assert_eq!(client.0.wait().expect("the program").code(), Some(1));
    }
}

/// Protects: a client's share of any other length ends the handshake with OpenSSL's server by the alert
/// `illegal_parameter`, and nothing else: one server answers all of them, and a good client at last.
#[test]
#[ignore = "the suite interop runs it"]
fn lengths() {
    let group = HYBRIDS[0];
    let (port, good) = (free_port(), 1216);
    let mut server = openssl_server(group, port);
    for length in (1..good + 2).filter(|length| *length != good) {
        let refused = ask(resized(group, length), &mut connect(port)).expect_err("a bad share");
        assert_eq!(alert(&refused), Some(AlertDescription::IllegalParameter), "{length} bytes: {refused}");
    }
    ask(group, &mut connect(port)).expect("a good share");
    assert!(server.0.try_wait().expect("the server").is_none());
}
