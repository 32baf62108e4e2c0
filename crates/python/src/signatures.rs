//! Signatures by their names: facts, keys, messages in pieces. `ringsmith.schemes` makes classes of them.
//!
//! All is signed and verified as 64 bytes, mu, which are the hash of a public key, a context and a message
//! (FIPS 204, section 6): [`Message`] and [`Signature::prehashed`] compute it. It is no secret, and Python
//! has it between the two steps. Private keys stay in Rust's memory, which clears them.

use crate::error::{self, cpu};
use crate::schemes::{SCHEME, Secret, drawn, named, zeroes};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use ringsmith::encoding::{read_any_signing_key, read_any_verifying_key};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87};
use ringsmith::scheme::{self, SchemeError, SignatureScheme};
use ringsmith::set::Bytes;
use ringsmith::signature::{self, Context, MU_BYTES, Mu, Prehash, Prehashed, SignatureSet, VerifyingKey};
use ringsmith_age::excerpt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use zeroize::Zeroizing;

/// The classes and the lists.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Signature>()?;
    module.add_class::<SignatureKey>()?;
    module.add_class::<Message>()?;
    module.add("SIGNATURES", scheme::SIGNATURES.iter().map(|it| it.name).collect::<Vec<_>>())?;
    module.add("PREHASHES", Prehash::ALL.iter().map(|hash| name_of(hash.name())).collect::<Vec<_>>())
}

/// A hash by the name that `hashlib` has for it: `SHA2-512/256` is `sha512_256`.
fn name_of(hash: &str) -> String {
    hash.to_ascii_lowercase().replacen("sha2-", "sha", 1).replace(['-', '/'], "_")
}

/// A hash by its name, `hashlib`'s or the standard's.
fn hash_by_name(name: &str) -> PyResult<Prehash> {
    let known = Prehash::ALL.iter().copied().find(|hash| name_of(hash.name()) == name_of(name));
    let none = || format!("no hash is named '{}'; schemes.PREHASHES lists them", excerpt(name));
    known.ok_or_else(|| error::refused(none()))
}

fn context_of(bytes: &[u8]) -> PyResult<Context<'_>> {
    Context::new(bytes).map_err(error::refused)
}

fn mu_of(bytes: &[u8]) -> PyResult<Mu> {
    let length = |_| SchemeError::Length { what: "mu", expected: MU_BYTES, given: bytes.len() };
    Ok(Mu::from_bytes(bytes.try_into().map_err(length).map_err(error::of_scheme)?))
}

/// Signatures, by the name of a parameter set.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Signature(&'static SignatureScheme);

/// A private key of signatures. It is cleared when it is dropped.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct SignatureKey {
    scheme: &'static SignatureScheme,
    long: Secret,
    seed: Option<Secret>,
    public: Vec<u8>,
}

/// A message that is hashed as it comes, until it is finished. Threads that use one have their turns.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Message(Mutex<Option<signature::Message>>);

#[pymethods]
impl Signature {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        named(name, SCHEME, scheme::signature_by_name(name)).map(Signature)
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

    /// Bytes of a public key, a private key in its long form, a seed and a signature.
    #[getter]
    fn sizes(&self) -> [usize; 4] {
        [self.0.public_key, self.0.private_key, self.0.seed, self.0.signature]
    }

    /// Whether keys have PEM and DER.
    #[getter]
    fn has_encoding(&self) -> bool {
        self.0.encoding.is_some()
    }

    /// A new private key.
    fn generate(&self, py: Python<'_>) -> PyResult<SignatureKey> {
        let mut seed = zeroes(self.0.seed);
        getrandom::fill(&mut seed).map_err(error::of_random)?;
        self.expand(py, &seed)
    }

    /// The private key of a seed.
    fn expand(&self, py: Python<'_>, seed: &[u8]) -> PyResult<SignatureKey> {
        let (cpu, mut public, mut long) = (cpu()?, vec![0; self.0.public_key], zeroes(self.0.private_key));
        py.detach(|| (self.0.expand)(cpu, seed, &mut public, &mut long)).map_err(error::of_scheme)?;
        Ok(SignatureKey { scheme: self.0, long, seed: Some(Zeroizing::new(seed.to_vec())), public })
    }

    /// A private key: PEM, DER, or raw bytes in the short form or the long one.
    fn read_private_key(&self, data: &[u8]) -> PyResult<SignatureKey> {
        let (cpu, mut public) = (cpu()?, vec![0; self.0.public_key]);
        let key = read_any_signing_key(cpu, data, Some(self.0)).map_err(error::of_encoding)?;
        (self.0.public_key_of)(cpu, &key.bytes, &mut public).map_err(error::of_scheme)?;
        Ok(SignatureKey { scheme: self.0, long: key.bytes, seed: key.seed, public })
    }

    /// The bytes of a public key, given as PEM, DER or raw bytes.
    fn read_public_key(&self, data: &[u8]) -> PyResult<Vec<u8>> {
        let key = read_any_verifying_key(cpu()?, data, Some(self.0)).map_err(error::of_encoding)?;
        Ok(key.bytes)
    }

    /// Begins a message, for a public key and a context.
    fn message(&self, public: &[u8], context: &[u8]) -> PyResult<Message> {
        let message = (self.0.message)(cpu()?, public, context_of(context)?).map_err(error::of_scheme)?;
        Ok(Message(Mutex::new(Some(message))))
    }

    /// The mu of a message's digest by a hash (HashML-DSA), for a public key and a context.
    fn prehashed<'py>(
        &self,
        py: Python<'py>,
        public: &[u8],
        context: &[u8],
        hash: &str,
        digest: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let digest = Prehashed::new(hash_by_name(hash)?, digest).map_err(error::refused)?;
        let context = context_of(context)?;
        let mu = match self.0.name {
            MlDsa44::NAME => mu_of_digest::<MlDsa44>(public, context, digest),
            MlDsa65::NAME => mu_of_digest::<MlDsa65>(public, context, digest),
            MlDsa87::NAME => mu_of_digest::<MlDsa87>(public, context, digest),
            name => Err(error::refused(format!("{name} signs no digests"))),
        };
        Ok(PyBytes::new(py, &mu?.to_bytes()))
    }

    /// Whether a signature was made of mu with a key; else an error.
    fn verify(&self, py: Python<'_>, public: &[u8], mu: &[u8], signature: &[u8]) -> PyResult<()> {
        let (cpu, mu) = (cpu()?, mu_of(mu)?);
        py.detach(|| (self.0.verify)(cpu, public, &mu, signature)).map_err(error::of_scheme)
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

/// What is signed of a digest: the list of schemes has messages alone.
fn mu_of_digest<S: SignatureSet>(public: &[u8], context: Context<'_>, digest: Prehashed<'_>) -> PyResult<Mu> {
    let (what, expected, given) = ("public key", S::VerifyingBytes::LEN, public.len());
    let length = || error::of_scheme(SchemeError::Length { what, expected, given });
    let public = S::VerifyingBytes::of(public).ok_or_else(length)?;
    Ok(VerifyingKey::<S>::from_bytes_on(cpu()?, public).prehashed(context, digest))
}

#[pymethods]
impl SignatureKey {
    /// Its public key.
    #[getter]
    fn public<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.public)
    }

    /// The long form.
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.long)
    }

    /// The seed, where it is known.
    fn seed<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.seed.as_ref().map(|seed| PyBytes::new(py, seed))
    }

    /// The signature of mu, with 32 bytes of the system's randomness or with none.
    fn sign<'py>(&self, py: Python<'py>, mu: &[u8], deterministic: bool) -> PyResult<Bound<'py, PyBytes>> {
        let (cpu, mu, of) = (cpu()?, mu_of(mu)?, self.scheme);
        let mut signature = vec![0; of.signature];
        py.detach(|| match deterministic {
            true => (of.sign_deterministic)(cpu, &self.long, &mu, &mut signature).map_err(error::of_scheme),
            false => drawn(|rng| (of.sign)(cpu, &self.long, &mu, rng, &mut signature)),
        })?;
        Ok(PyBytes::new(py, &signature))
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

impl SignatureKey {
    fn short(&self) -> &[u8] {
        self.seed.as_ref().unwrap_or(&self.long)
    }
}

#[pymethods]
impl Message {
    /// Takes the next piece.
    fn update(&self, py: Python<'_>, piece: &[u8]) -> PyResult<()> {
        py.detach(|| self.held().as_mut().map(|message| message.update(piece))).ok_or_else(finished)
    }

    /// Ends the message: its mu.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mu = py.detach(|| self.held().take().map(|message| message.finish().to_bytes()));
        Ok(PyBytes::new(py, &mu.ok_or_else(finished)?))
    }
}

impl Message {
    /// The message, for one thread. Python's lock is not held meanwhile: its owner may wait for this one.
    fn held(&self) -> MutexGuard<'_, Option<signature::Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finished() -> PyErr {
    error::refused("the message is finished, and takes no more pieces")
}
