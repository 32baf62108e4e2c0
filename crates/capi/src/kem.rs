//! Key encapsulation.
//!
//! One side has a key pair; the other encapsulates: it makes a shared key and a ciphertext for the public
//! key, of which the private key decapsulates the shared key.

use crate::Error;
use crate::error::{drawn, guarded};
use crate::memory::{In, Out, fill_both};
use crate::text::{List, SchemeStatus, names};
use ringsmith::Cpu;
use ringsmith::scheme::{self, Scheme};
use std::ffi::{c_char, c_int};

/// A scheme of key encapsulation. Handles are the library's, and stay.
pub struct Kem {
    _private: [u8; 0],
}

/// All of them.
static KEMS: List<Scheme> = List { all: scheme::ALL, names: names!(scheme::ALL) };

/// How many schemes the library was built with.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_count() -> usize {
    KEMS.all.len()
}

/// The scheme at a place of the list, from 0; null behind the last one.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_at(place: usize) -> *const Kem {
    KEMS.at(place)
}

/// The scheme of a name, as in "ML-KEM-768", in capitals or not; null where there is none.
///
/// # Safety
/// The pointer is null, or at a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_find(name: *const c_char) -> *const Kem {
    // SAFETY: by the contract.
    unsafe { KEMS.find(name) }
}

/// Its name; null if the handle is invalid. The text is the library's, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_name(kem: *const Kem) -> *const c_char {
    KEMS.name(kem)
}

/// Whether it is a standard, historical, or for research alone.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_status(kem: *const Kem) -> SchemeStatus {
    KEMS.of(kem).map_or(SchemeStatus::None, |scheme| scheme.status.into())
}

/// 1 if a private key serves for any number of ciphertexts. 0 if it serves for one, since an attacker who
/// sees how several are answered may learn the key; 0, too, if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_is_reusable(kem: *const Kem) -> c_int {
    KEMS.of(kem).map_or(0, |scheme| scheme.cca.into())
}

/// Bytes of a public key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_public_key_bytes(kem: *const Kem) -> usize {
    KEMS.fact(kem, |scheme| scheme.public_key)
}

/// Bytes of a private key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_private_key_bytes(kem: *const Kem) -> usize {
    KEMS.fact(kem, |scheme| scheme.private_key)
}

/// Bytes of a ciphertext; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_ciphertext_bytes(kem: *const Kem) -> usize {
    KEMS.fact(kem, |scheme| scheme.ciphertext)
}

/// Bytes of a shared key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_shared_key_bytes(kem: *const Kem) -> usize {
    KEMS.fact(kem, |scheme| scheme.shared_key)
}

/// Bytes of the seed from which a private key is made; 0 if the scheme has no seeds or the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_kem_seed_bytes(kem: *const Kem) -> usize {
    KEMS.fact(kem, |scheme| scheme.seed.as_ref().map_or(0, |seed| seed.bytes))
}

/// Writes a new public key and its private key.
///
/// # Safety
/// Each pointer is null, or valid for writes of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_keypair(
    kem: *const Kem,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *mut u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = KEMS.of(kem)?;
        // SAFETY: by the contract.
        let public = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { Out::new(private_key, private_key_bytes) }?.of(scheme.private_key)?;
        fill_both([public, private], |public, private| {
            drawn(|rng| (scheme.generate)(Cpu::detect(), rng, public, private))
        })
    })
}

/// Writes the public key and the private key that a seed makes: always the same ones.
/// `RINGSMITH_ERROR_UNSUPPORTED` where the scheme has no seeds.
///
/// # Safety
/// Each pointer is null, or valid for writes (the seed's: reads) of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_keypair_from_seed(
    kem: *const Kem,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *mut u8,
    private_key_bytes: usize,
    seed: *const u8,
    seed_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = KEMS.of(kem)?;
        let form = scheme.seed.as_ref().ok_or(Error::Unsupported)?;
        // SAFETY: by the contract.
        let public = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { Out::new(private_key, private_key_bytes) }?.of(scheme.private_key)?;
        // SAFETY: by the contract.
        let seed = unsafe { In::new(seed, seed_bytes) }?.of(form.bytes)?.read()?;
        fill_both([public, private], |public, private| {
            Ok((form.expand)(Cpu::detect(), &seed, public, private)?)
        })
    })
}

/// Checks a public key as the scheme's standard asks for: `RINGSMITH_ERROR_KEY` where it is none.
/// Encapsulation checks it, too.
///
/// # Safety
/// The pointer is null, or valid for reads of so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_check_public_key(
    kem: *const Kem,
    public_key: *const u8,
    public_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = KEMS.of(kem)?;
        // SAFETY: by the contract.
        let public = unsafe { In::new(public_key, public_key_bytes) }?.of(scheme.public_key)?.read()?;
        Ok((scheme.check_public_key)(Cpu::detect(), &public)?)
    })
}

/// Writes the public key of a private key, which is checked. `RINGSMITH_ERROR_UNSUPPORTED` where private keys
/// of the scheme do not tell it.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the other for
/// reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_public_key(
    kem: *const Kem,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = KEMS.of(kem)?;
        let public_key_of = scheme.public_key_of.ok_or(Error::Unsupported)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { In::new(private_key, private_key_bytes) }?.of(scheme.private_key)?.read()?;
        out.fill(|public| Ok(public_key_of(Cpu::detect(), &private, public)?))
    })
}

/// Writes a ciphertext for a public key, and the shared key that is in it.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first two for writes, the other
/// for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_encaps(
    kem: *const Kem,
    ciphertext: *mut u8,
    ciphertext_bytes: usize,
    shared_key: *mut u8,
    shared_key_bytes: usize,
    public_key: *const u8,
    public_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = KEMS.of(kem)?;
        // SAFETY: by the contract.
        let ciphertext = unsafe { Out::new(ciphertext, ciphertext_bytes) }?.of(scheme.ciphertext)?;
        // SAFETY: by the contract.
        let shared = unsafe { Out::new(shared_key, shared_key_bytes) }?.of(scheme.shared_key)?;
        // SAFETY: by the contract.
        let public = unsafe { In::new(public_key, public_key_bytes) }?.of(scheme.public_key)?.read()?;
        fill_both([ciphertext, shared], |ciphertext, shared| {
            drawn(|rng| (scheme.encapsulate)(Cpu::detect(), &public, rng, ciphertext, shared))
        })
    })
}

/// Writes the shared key in a ciphertext. Where the ciphertext was not made for the key, that is no error: it
/// is a key that nobody else has, so that who sent the ciphertext learns nothing.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
/// reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_kem_decaps(
    kem: *const Kem,
    shared_key: *mut u8,
    shared_key_bytes: usize,
    ciphertext: *const u8,
    ciphertext_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = KEMS.of(kem)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(shared_key, shared_key_bytes) }?.of(scheme.shared_key)?;
        // SAFETY: by the contract.
        let ciphertext = unsafe { In::new(ciphertext, ciphertext_bytes) }?.of(scheme.ciphertext)?.read()?;
        // SAFETY: by the contract.
        let private = unsafe { In::new(private_key, private_key_bytes) }?.of(scheme.private_key)?.read()?;
        out.fill(|shared| Ok((scheme.decapsulate)(Cpu::detect(), &private, &ciphertext, shared)?))
    })
}
