//! Schemes by their names: their facts, keys and operations. `ringsmith.schemes` makes classes of them.
//!
//! Private keys stay in Rust's memory, which clears them; what Python is given as bytes is Python's.

use crate::error::{self, cpu};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError};
use ringsmith::random::{self, SystemRng};
use ringsmith::scheme::{self, KeyExchange, PublicKeyEncryption, Scheme, SchemeError};
use ringsmith::x_wing;
use ringsmith_age::excerpt;
use ringsmith_kem::encoding::{read_private_key, read_public_key};
use std::sync::{LazyLock, Mutex, PoisonError};
use zeroize::Zeroizing;

/// The classes and the lists.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Kem>()?;
    module.add_class::<KemKey>()?;
    module.add_class::<Pke>()?;
    module.add_class::<PkeKey>()?;
    module.add_class::<Exchange>()?;
    module.add_class::<Offer>()?;
    module.add("KEMS", KEMS.iter().map(|it| it.name).collect::<Vec<_>>())?;
    module.add("PKES", scheme::ENCRYPTIONS.iter().map(|it| it.name).collect::<Vec<_>>())?;
    module.add("EXCHANGES", scheme::EXCHANGES.iter().map(|it| it.name).collect::<Vec<_>>())
}

/// Key encapsulation: the library's list, and X-Wing.
static KEMS: LazyLock<Vec<&'static Scheme>> =
    LazyLock::new(|| scheme::ALL.iter().copied().chain([&x_wing::SCHEME]).collect());

/// Key encapsulation by its name, in capitals or not.
pub(crate) fn kem_by_name(name: &str) -> Option<&'static Scheme> {
    KEMS.iter().copied().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

/// Bytes that are cleared on drop.
pub(crate) type Secret = Zeroizing<Vec<u8>>;

pub(crate) fn zeroes(count: usize) -> Secret {
    Zeroizing::new(vec![0; count])
}

/// What a scheme makes of the system's randomness.
pub(crate) fn drawn(make: impl FnOnce(&mut SystemRng) -> Result<(), SchemeError>) -> PyResult<()> {
    random::drawn(make).map_err(error::of_random)?.map_err(error::of_scheme)
}

/// What has a name, or an error with the command that lists them.
pub(crate) fn named<T>(name: &str, [what, lists]: [&str; 2], found: Option<T>) -> PyResult<T> {
    let none = || format!("no {what} is named '{}'; `ringsmith {lists}` lists them", excerpt(name));
    found.ok_or_else(|| error::refused(none()))
}

/// What is said of a scheme that there is not, and of an exchange.
pub(crate) const SCHEME: [&str; 2] = ["scheme", "schemes"];
const EXCHANGE: [&str; 2] = ["key exchange", "exchange --help"];

/// Key encapsulation, by its name.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Kem(&'static Scheme);

/// A private key of key encapsulation. It is cleared when it is dropped.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct KemKey {
    scheme: &'static Scheme,
    long: Secret,
    seed: Option<Secret>,
    /// Its public key, where the private key tells it or was made with it.
    public: Option<Vec<u8>>,
}

#[pymethods]
impl Kem {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        named(name, SCHEME, kem_by_name(name)).map(Kem)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// "standard", "draft", "historical" or "research only".
    #[getter]
    fn status(&self) -> String {
        self.0.status.to_string()
    }

    /// Where it is defined.
    #[getter]
    fn source(&self) -> &'static str {
        self.0.source
    }

    /// Whether a private key serves for any number of ciphertexts, and not for one alone.
    #[getter]
    fn cca(&self) -> bool {
        self.0.cca
    }

    /// Bytes of a public key, a private key, a seed or 0, a ciphertext and a shared key.
    #[getter]
    fn sizes(&self) -> [usize; 5] {
        let Scheme { public_key, private_key, ciphertext, shared_key, .. } = *self.0;
        [public_key, private_key, self.0.seed.as_ref().map_or(0, |seed| seed.bytes), ciphertext, shared_key]
    }

    /// Whether keys have PEM and DER.
    #[getter]
    fn has_encoding(&self) -> bool {
        self.0.encoding.is_some()
    }

    /// A new private key.
    fn generate(&self, py: Python<'_>) -> PyResult<KemKey> {
        if let Some(seed) = &self.0.seed {
            let mut bytes = zeroes(seed.bytes);
            getrandom::fill(&mut bytes).map_err(error::of_random)?;
            return self.expand(py, &bytes);
        }
        let (cpu, mut public, mut long) = (cpu()?, vec![0; self.0.public_key], zeroes(self.0.private_key));
        py.detach(|| drawn(|rng| (self.0.generate)(cpu, rng, &mut public, &mut long)))?;
        Ok(KemKey { scheme: self.0, long, seed: None, public: Some(public) })
    }

    /// The private key of a seed.
    fn expand(&self, py: Python<'_>, seed: &[u8]) -> PyResult<KemKey> {
        let Some(form) = &self.0.seed else {
            return Err(error::refused(format!("private keys of {} have no seed", self.0.name)));
        };
        let (cpu, mut public, mut long) = (cpu()?, vec![0; self.0.public_key], zeroes(self.0.private_key));
        py.detach(|| (form.expand)(cpu, seed, &mut public, &mut long)).map_err(error::of_scheme)?;
        Ok(KemKey { scheme: self.0, long, seed: Some(Zeroizing::new(seed.to_vec())), public: Some(public) })
    }

    /// A private key: PEM, DER, or raw bytes in the short form or the long one.
    fn read_private_key(&self, data: &[u8]) -> PyResult<KemKey> {
        let cpu = cpu()?;
        let key = read_private_key(cpu, data, &KEMS, Some(self.0)).map_err(error::of_encoding)?;
        let public = self.0.public_key_of.map(|of| {
            let mut public = vec![0; self.0.public_key];
            of(cpu, &key.bytes, &mut public).map(|()| public)
        });
        let public = public.transpose().map_err(error::of_scheme)?;
        Ok(KemKey { scheme: self.0, long: key.bytes, seed: key.seed, public })
    }

    /// The bytes of a public key, given as PEM, DER or raw bytes, and checked.
    fn read_public_key(&self, data: &[u8]) -> PyResult<Vec<u8>> {
        let key = read_public_key(cpu()?, data, &KEMS, Some(self.0)).map_err(error::of_encoding)?;
        Ok(key.bytes)
    }

    /// A shared key and a ciphertext of it for a public key.
    fn encapsulate<'py>(
        &self,
        py: Python<'py>,
        public: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let cpu = cpu()?;
        let (mut ciphertext, mut shared) = (vec![0; self.0.ciphertext], zeroes(self.0.shared_key));
        py.detach(|| drawn(|rng| (self.0.encapsulate)(cpu, public, rng, &mut ciphertext, &mut shared)))?;
        Ok((PyBytes::new(py, &shared), PyBytes::new(py, &ciphertext)))
    }

    /// A public key as SubjectPublicKeyInfo.
    fn public_key_der<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.0.public_key_to_der(cpu()?, public).map_err(error::of_encoding)?;
        Ok(PyBytes::new(py, document.as_bytes()))
    }

    /// The same as text.
    fn public_key_pem<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let text = self.0.public_key_to_pem(cpu()?, public).map_err(error::of_encoding)?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }
}

#[pymethods]
impl KemKey {
    /// Its public key.
    #[getter]
    fn public<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let name = self.scheme.name;
        let none = || {
            let why = "does not tell its public key: keep both when they are made";
            error::refused(format!("a private key of {name} {why}"))
        };
        self.public.as_ref().map(|public| PyBytes::new(py, public)).ok_or_else(none)
    }

    /// The long form.
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.long)
    }

    /// The seed, where it is known.
    fn seed<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.seed.as_ref().map(|seed| PyBytes::new(py, seed))
    }

    /// The shared key of a ciphertext; another one, where it was not made for this key.
    fn decapsulate<'py>(&self, py: Python<'py>, ciphertext: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let (cpu, mut shared) = (cpu()?, zeroes(self.scheme.shared_key));
        py.detach(|| (self.scheme.decapsulate)(cpu, &self.long, ciphertext, &mut shared))
            .map_err(error::of_scheme)?;
        Ok(PyBytes::new(py, &shared))
    }

    /// PKCS #8, of the seed where it is known.
    fn der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.scheme.private_key_to_der(cpu()?, self.short()).map_err(error::of_encoding)?;
        Ok(PyBytes::new(py, document.as_bytes()))
    }

    /// The same as text.
    fn pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = self.scheme.private_key_to_pem(cpu()?, self.short()).map_err(error::of_encoding)?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }
}

impl KemKey {
    fn short(&self) -> &[u8] {
        self.seed.as_ref().unwrap_or(&self.long)
    }
}

/// Public-key encryption, by its name.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Pke(&'static PublicKeyEncryption);

/// A private key of public-key encryption. It is cleared when it is dropped.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct PkeKey {
    scheme: &'static PublicKeyEncryption,
    bytes: Secret,
    public: Vec<u8>,
}

impl PkeKey {
    /// Of a private key's bytes, which are checked.
    fn of(cpu: Cpu, scheme: &'static PublicKeyEncryption, bytes: Secret) -> PyResult<Self> {
        let mut public = vec![0; scheme.public_key];
        (scheme.public_key_of)(cpu, &bytes, &mut public).map_err(error::of_scheme)?;
        Ok(PkeKey { scheme, bytes, public })
    }
}

#[pymethods]
impl Pke {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        named(name, SCHEME, scheme::encryption_by_name(name)).map(Pke)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// "standard", "draft", "historical" or "research only".
    #[getter]
    fn status(&self) -> String {
        self.0.status.to_string()
    }

    /// Where it is defined.
    #[getter]
    fn source(&self) -> &'static str {
        self.0.source
    }

    /// Bytes of a public key, a private key, a ciphertext and the longest message.
    #[getter]
    fn sizes(&self) -> [usize; 4] {
        [self.0.public_key, self.0.private_key, self.0.ciphertext, self.0.message]
    }

    /// Whether public keys have PEM and DER.
    #[getter]
    fn has_encoding(&self) -> bool {
        self.0.encoding.is_some()
    }

    /// A new private key.
    fn generate(&self, py: Python<'_>) -> PyResult<PkeKey> {
        let (cpu, mut public, mut bytes) = (cpu()?, vec![0; self.0.public_key], zeroes(self.0.private_key));
        py.detach(|| drawn(|rng| (self.0.generate)(cpu, rng, &mut public, &mut bytes)))?;
        Ok(PkeKey { scheme: self.0, bytes, public })
    }

    /// A private key in any form of its standard.
    fn read_private_key(&self, data: &[u8]) -> PyResult<PkeKey> {
        let (cpu, mut bytes) = (cpu()?, zeroes(self.0.private_key));
        match self.0.import {
            Some(import) => import(cpu, data, &mut bytes).map_err(error::of_scheme)?,
            None if data.len() == bytes.len() => bytes.copy_from_slice(data),
            None => return Err(error::of_scheme(SchemeError::InvalidKey)),
        }
        PkeKey::of(cpu, self.0, bytes)
    }

    /// The bytes of a public key, given as PEM, DER or raw bytes, and checked.
    fn read_public_key(&self, data: &[u8]) -> PyResult<Vec<u8>> {
        let key = encoding::read_encryption_key(cpu()?, data, Some(self.0)).map_err(error::of_encoding)?;
        Ok(key.bytes)
    }

    /// The ciphertext of a message for a public key.
    fn encrypt<'py>(&self, py: Python<'py>, public: &[u8], message: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let (cpu, mut ciphertext) = (cpu()?, vec![0; self.0.ciphertext]);
        py.detach(|| drawn(|rng| (self.0.encrypt)(cpu, public, message, rng, &mut ciphertext)))?;
        Ok(PyBytes::new(py, &ciphertext))
    }

    /// A public key as SubjectPublicKeyInfo.
    fn public_key_der<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.0.public_key_to_der(cpu()?, public).map_err(error::of_encoding)?;
        Ok(PyBytes::new(py, document.as_bytes()))
    }

    /// The same as text.
    fn public_key_pem<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let text = self.0.public_key_to_pem(cpu()?, public).map_err(error::of_encoding)?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }
}

#[pymethods]
impl PkeKey {
    /// Its public key.
    #[getter]
    fn public<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.public)
    }

    /// Its bytes.
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Private keys have neither DER nor PEM.
    fn der(&self) -> PyResult<()> {
        Err(error::of_encoding(EncodingError::NoPrivateForm { scheme: self.scheme.name }))
    }

    /// The message of a ciphertext that was made for this key.
    fn decrypt<'py>(&self, py: Python<'py>, ciphertext: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let (cpu, mut message) = (cpu()?, zeroes(self.scheme.message));
        let length = py.detach(|| (self.scheme.decrypt)(cpu, &self.bytes, ciphertext, &mut message));
        Ok(PyBytes::new(py, &message[..length.map_err(error::of_scheme)?]))
    }
}

/// A key exchange, by its name.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Exchange(&'static KeyExchange);

/// The secret of an offer, for one response. It is cleared when it is dropped or used.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Offer {
    exchange: &'static KeyExchange,
    secret: Mutex<Option<Secret>>,
    offer: Vec<u8>,
}

#[pymethods]
impl Exchange {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        named(name, EXCHANGE, scheme::exchange_by_name(name)).map(Exchange)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// "standard", "draft", "historical" or "research only".
    #[getter]
    fn status(&self) -> String {
        self.0.status.to_string()
    }

    /// Where it is defined.
    #[getter]
    fn source(&self) -> &'static str {
        self.0.source
    }

    /// Bytes of a secret, an offer, a response and a shared key.
    #[getter]
    fn sizes(&self) -> [usize; 4] {
        [self.0.secret, self.0.offer, self.0.response, self.0.shared_key]
    }

    /// A new offer.
    fn make_offer(&self, py: Python<'_>) -> PyResult<Offer> {
        let (cpu, mut secret, mut offer) = (cpu()?, zeroes(self.0.secret), vec![0; self.0.offer]);
        py.detach(|| drawn(|rng| (self.0.make_offer)(cpu, rng, &mut secret, &mut offer)))?;
        Ok(Offer { exchange: self.0, secret: Mutex::new(Some(secret)), offer })
    }

    /// The shared key and the response to an offer.
    fn respond<'py>(
        &self,
        py: Python<'py>,
        offer: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let cpu = cpu()?;
        let (mut response, mut shared) = (vec![0; self.0.response], zeroes(self.0.shared_key));
        py.detach(|| drawn(|rng| (self.0.respond)(cpu, offer, rng, &mut response, &mut shared)))?;
        Ok((PyBytes::new(py, &shared), PyBytes::new(py, &response)))
    }
}

#[pymethods]
impl Offer {
    /// What is sent.
    #[getter]
    fn offer<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.offer)
    }

    /// The shared key of a response. The secret is gone then: a second response would tell about it. Of
    /// threads that come at once, one after the other has its turn.
    fn finish<'py>(&self, py: Python<'py>, response: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let (cpu, exchange) = (cpu()?, self.exchange);
        let mut held = self.secret.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Some(secret) = &*held else {
            return Err(error::refused("the secret of an offer serves one response, and is gone"));
        };
        let mut shared = zeroes(exchange.shared_key);
        (exchange.finish)(cpu, secret, response, &mut shared).map_err(error::of_scheme)?;
        *held = None;
        Ok(PyBytes::new(py, &shared))
    }
}
