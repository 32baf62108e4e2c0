//! Signatures.
//!
//! A private key signs a message, and its public key verifies the signature. A context, of up to 255 bytes,
//! says what a signature is for: a signature for one context is not valid for another. Most protocols have no
//! context.

use crate::Error;
use crate::error::{drawn, guarded};
use crate::memory::{In, Out, Own, fill_both};
use crate::text::{List, SchemeStatus, names};
use rand_core::Rng;
use ringsmith::Cpu;
use ringsmith::scheme::{self, SignatureScheme};
use ringsmith::signature::{Context, Mu};
use std::ffi::c_char;

/// A scheme of signatures. Handles are the library's, and stay.
pub struct Signature {
    _private: [u8; 0],
}

/// All of them.
static SIGNATURES: List<SignatureScheme> =
    List { all: scheme::SIGNATURES, names: names!(scheme::SIGNATURES) };

/// Bytes of C's: where they are, and how many.
type Given = (*const u8, usize);

/// What is signed: a message and its context.
struct Signed {
    message: In<u8>,
    context: In<u8>,
}

impl Signed {
    /// A message and its context, whose pointers may be null where they have no bytes.
    ///
    /// # Safety
    /// Each pointer is null, or valid for reads of as many bytes as stand behind it, as long as this value is
    /// used.
    unsafe fn new(message: Given, context: Given) -> Result<Self, Error> {
        // SAFETY: by the contract.
        let message = unsafe { In::or_nothing(message.0, message.1) }?;
        // SAFETY: by the contract.
        let context = unsafe { In::or_nothing(context.0, context.1) }?;
        Ok(Signed { message, context })
    }

    /// The digest that is signed, for a public key.
    fn mu(&self, scheme: &SignatureScheme, public: &[u8]) -> Result<Mu, Error> {
        let context = self.context.up_to(usize::from(u8::MAX)).ok_or(Error::Context)?.read()?;
        let context = Context::new(&context).map_err(|_| Error::Context)?;
        let mut message = (scheme.message)(Cpu::detect(), public, context)?;
        self.message.in_pieces(|piece| message.update(piece))?;
        Ok(message.finish())
    }
}

/// Checks a private key, and writes a signature of a message in a context.
///
/// # Safety
/// As of [`ringsmith_signature_sign`].
unsafe fn signed(
    scheme: *const Signature,
    signature: (*mut u8, usize),
    [message, context, private]: [Given; 3],
    sign: impl FnOnce(&SignatureScheme, &[u8], &Mu, &mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let scheme = SIGNATURES.of(scheme)?;
    // SAFETY: by the contract.
    let (out, private) = unsafe { (Out::new(signature.0, signature.1)?, In::new(private.0, private.1)?) };
    // SAFETY: by the contract.
    let what = unsafe { Signed::new(message, context) }?;
    let out = out.of(scheme.signature)?;
    let private = private.of(scheme.private_key)?.read()?;
    let mut public = Own::zero(scheme.public_key)?;
    (scheme.public_key_of)(Cpu::detect(), &private, &mut public)?;
    let mu = what.mu(scheme, &public)?;
    out.fill(|made| sign(scheme, &private, &mu, made))
}

/// How many schemes the library was built with.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_count() -> usize {
    SIGNATURES.all.len()
}

/// The scheme at a place of the list, from 0; null behind the last one.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_at(place: usize) -> *const Signature {
    SIGNATURES.at(place)
}

/// The scheme of a name, as in "ML-DSA-65", in capitals or not; null where there is none.
///
/// # Safety
/// The pointer is null, or at a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_find(name: *const c_char) -> *const Signature {
    // SAFETY: by the contract.
    unsafe { SIGNATURES.find(name) }
}

/// Its name; null if the handle is invalid. The text is the library's, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_name(scheme: *const Signature) -> *const c_char {
    SIGNATURES.name(scheme)
}

/// Whether it is a standard, historical, or for research alone.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_status(scheme: *const Signature) -> SchemeStatus {
    SIGNATURES.of(scheme).map_or(SchemeStatus::None, |scheme| scheme.status.into())
}

/// Bytes of a public key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_public_key_bytes(scheme: *const Signature) -> usize {
    SIGNATURES.fact(scheme, |scheme| scheme.public_key)
}

/// Bytes of a private key, in the long form of its standard; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_private_key_bytes(scheme: *const Signature) -> usize {
    SIGNATURES.fact(scheme, |scheme| scheme.private_key)
}

/// Bytes of the seed that makes a private key, its short form; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_seed_bytes(scheme: *const Signature) -> usize {
    SIGNATURES.fact(scheme, |scheme| scheme.seed)
}

/// Bytes of a signature; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_signature_bytes(scheme: *const Signature) -> usize {
    SIGNATURES.fact(scheme, |scheme| scheme.signature)
}

/// Writes a new public key and its private key.
///
/// # Safety
/// Each pointer is null, or valid for writes of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_keypair(
    scheme: *const Signature,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *mut u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = SIGNATURES.of(scheme)?;
        // SAFETY: by the contract.
        let public = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { Out::new(private_key, private_key_bytes) }?.of(scheme.private_key)?;
        let mut seed = Own::zero(scheme.seed)?;
        fill_both([public, private], |public, private| {
            drawn(|rng| {
                rng.fill_bytes(&mut seed);
                (scheme.expand)(Cpu::detect(), &seed, public, private)
            })
        })
    })
}

/// Writes the public key and the private key that a seed makes: always the same ones.
///
/// # Safety
/// Each pointer is null, or valid for writes (the seed's: reads) of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_keypair_from_seed(
    scheme: *const Signature,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *mut u8,
    private_key_bytes: usize,
    seed: *const u8,
    seed_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = SIGNATURES.of(scheme)?;
        // SAFETY: by the contract.
        let public = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { Out::new(private_key, private_key_bytes) }?.of(scheme.private_key)?;
        // SAFETY: by the contract.
        let seed = unsafe { In::new(seed, seed_bytes) }?.of(scheme.seed)?.read()?;
        fill_both([public, private], |public, private| {
            Ok((scheme.expand)(Cpu::detect(), &seed, public, private)?)
        })
    })
}

/// Writes the public key of a private key, which is checked: `RINGSMITH_ERROR_KEY` where it is none.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the other for
/// reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_public_key(
    scheme: *const Signature,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = SIGNATURES.of(scheme)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { In::new(private_key, private_key_bytes) }?.of(scheme.private_key)?.read()?;
        out.fill(|public| Ok((scheme.public_key_of)(Cpu::detect(), &private, public)?))
    })
}

/// Writes a signature of a message, with fresh randomness. The private key is checked. Pointers of a message
/// and a context without bytes may be null; `RINGSMITH_ERROR_CONTEXT` where a context has more than 255
/// bytes.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
/// reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_sign(
    scheme: *const Signature,
    signature: *mut u8,
    signature_bytes: usize,
    message: *const u8,
    message_bytes: usize,
    context: *const u8,
    context_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    let given = [(message, message_bytes), (context, context_bytes), (private_key, private_key_bytes)];
    // SAFETY: by the contract.
    guarded(|| unsafe {
        signed(scheme, (signature, signature_bytes), given, |scheme, private, mu, out| {
            drawn(|rng| (scheme.sign)(Cpu::detect(), private, mu, rng, out))
        })
    })
}

/// The same without randomness: always the same signature of one message. The standard prefers randomness,
/// which makes faults and side channels harder to use.
///
/// # Safety
/// As of `ringsmith_signature_sign`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_sign_deterministic(
    scheme: *const Signature,
    signature: *mut u8,
    signature_bytes: usize,
    message: *const u8,
    message_bytes: usize,
    context: *const u8,
    context_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    let given = [(message, message_bytes), (context, context_bytes), (private_key, private_key_bytes)];
    // SAFETY: by the contract.
    guarded(|| unsafe {
        signed(scheme, (signature, signature_bytes), given, |scheme, private, mu, out| {
            Ok((scheme.sign_deterministic)(Cpu::detect(), private, mu, out)?)
        })
    })
}

/// Verifies a signature: `RINGSMITH_OK` where it was made of the message and the context with the private key
/// of this public key, and `RINGSMITH_ERROR_SIGNATURE` where it was not, whatever is wrong with it, its
/// length included.
///
/// # Safety
/// Each pointer is null, or valid for reads of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_signature_verify(
    scheme: *const Signature,
    signature: *const u8,
    signature_bytes: usize,
    message: *const u8,
    message_bytes: usize,
    context: *const u8,
    context_bytes: usize,
    public_key: *const u8,
    public_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = SIGNATURES.of(scheme)?;
        // SAFETY: by the contract.
        let public = unsafe { In::new(public_key, public_key_bytes) }?.of(scheme.public_key)?.read()?;
        // SAFETY: by the contract.
        let signature = unsafe { In::new(signature, signature_bytes) }?;
        // SAFETY: by the contract.
        let what = unsafe { Signed::new((message, message_bytes), (context, context_bytes)) }?;
        let signature = signature.of(scheme.signature).map_err(|_| Error::Signature)?.read()?;
        let mu = what.mu(scheme, &public)?;
        Ok((scheme.verify)(Cpu::detect(), &public, &mu, &signature)?)
    })
}
