//! A client and a server in memory.

use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, Error, HandshakeKind, NamedGroup};
use rustls::{RootCertStore, ServerConfig, ServerConnection};
use std::sync::Arc;

const NAME: &str = "server.example";

/// A client and a server that trusts it, before they have said anything.
pub(crate) struct Pair {
    pub(crate) client: ClientConnection,
    pub(crate) server: ServerConnection,
}

impl Pair {
    pub(crate) fn new(client: CryptoProvider, server: CryptoProvider) -> Self {
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
    pub(crate) fn hear_client(&mut self) -> Result<(), Error> {
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
    pub(crate) fn hear_server(&mut self) -> Result<(), Error> {
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

    pub(crate) fn shake_hands(&mut self) {
        for _ in 0..4 {
            self.hear_client().expect("the server");
            self.hear_server().expect("the client");
        }
        assert!(!self.client.is_handshaking() && !self.server.is_handshaking());
    }

    /// The group of the handshake, on which both agree, and its kind.
    pub(crate) fn agreed(&self) -> (NamedGroup, HandshakeKind) {
        let group = |group: Option<&'static dyn SupportedKxGroup>| group.expect("a group").name();
        let [client, server] = [
            group(self.client.negotiated_key_exchange_group()),
            group(self.server.negotiated_key_exchange_group()),
        ];
        assert_eq!(client, server);
        (client, self.client.handshake_kind().expect("a handshake"))
    }
}
