//! Public-key encryption: of short messages.

use crate::Error;
use crate::error::{drawn, guarded};
use crate::memory::{In, Out, Own, fill_both};
use crate::text::{List, SchemeStatus, names};
use ringsmith::Cpu;
use ringsmith::scheme::{self, PublicKeyEncryption};
use std::ffi::c_char;

/// A scheme of public-key encryption. Handles are the library's, and stay.
pub struct Pke {
    _private: [u8; 0],
}

/// All of them.
static PKES: List<PublicKeyEncryption> =
    List { all: scheme::ENCRYPTIONS, names: names!(scheme::ENCRYPTIONS) };

/// How many schemes the library was built with.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_count() -> usize {
    PKES.all.len()
}

/// The scheme at a place of the list, from 0; null behind the last one.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_at(place: usize) -> *const Pke {
    PKES.at(place)
}

/// The scheme of a name, as in "ees443ep1", in capitals or not; null where there is none.
///
/// # Safety
/// The pointer is null, or at a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_pke_find(name: *const c_char) -> *const Pke {
    // SAFETY: by the contract.
    unsafe { PKES.find(name) }
}

/// Its name; null if the handle is invalid. The text is the library's, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_name(pke: *const Pke) -> *const c_char {
    PKES.name(pke)
}

/// Whether it is a standard, historical, or for research alone.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_status(pke: *const Pke) -> SchemeStatus {
    PKES.of(pke).map_or(SchemeStatus::None, |scheme| scheme.status.into())
}

/// Bytes of a public key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_public_key_bytes(pke: *const Pke) -> usize {
    PKES.fact(pke, |scheme| scheme.public_key)
}

/// Bytes of a private key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_private_key_bytes(pke: *const Pke) -> usize {
    PKES.fact(pke, |scheme| scheme.private_key)
}

/// Bytes of a ciphertext; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_ciphertext_bytes(pke: *const Pke) -> usize {
    PKES.fact(pke, |scheme| scheme.ciphertext)
}

/// Bytes of the longest message; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_pke_message_bytes(pke: *const Pke) -> usize {
    PKES.fact(pke, |scheme| scheme.message)
}

/// Writes a new public key and its private key.
///
/// # Safety
/// Each pointer is null, or valid for writes of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_pke_keypair(
    pke: *const Pke,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *mut u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = PKES.of(pke)?;
        // SAFETY: by the contract.
        let public = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { Out::new(private_key, private_key_bytes) }?.of(scheme.private_key)?;
        fill_both([public, private], |public, private| {
            drawn(|rng| (scheme.generate)(Cpu::detect(), rng, public, private))
        })
    })
}

/// Checks a public key: `RINGSMITH_ERROR_KEY` where it is none. Encryption checks it, too.
///
/// # Safety
/// The pointer is null, or valid for reads of so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_pke_check_public_key(
    pke: *const Pke,
    public_key: *const u8,
    public_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = PKES.of(pke)?;
        // SAFETY: by the contract.
        let public = unsafe { In::new(public_key, public_key_bytes) }?.of(scheme.public_key)?.read()?;
        Ok((scheme.check_public_key)(Cpu::detect(), &public)?)
    })
}

/// Writes the public key of a private key, which is checked.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the other for
/// reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_pke_public_key(
    pke: *const Pke,
    public_key: *mut u8,
    public_key_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = PKES.of(pke)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(public_key, public_key_bytes) }?.of(scheme.public_key)?;
        // SAFETY: by the contract.
        let private = unsafe { In::new(private_key, private_key_bytes) }?.of(scheme.private_key)?.read()?;
        out.fill(|public| Ok((scheme.public_key_of)(Cpu::detect(), &private, public)?))
    })
}

/// Writes the ciphertext of a message for a public key. A message has any number of bytes up to the most that
/// the scheme takes: `RINGSMITH_ERROR_MESSAGE` for more. Its pointer may be null where it has none.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
/// reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_pke_encrypt(
    pke: *const Pke,
    ciphertext: *mut u8,
    ciphertext_bytes: usize,
    message: *const u8,
    message_bytes: usize,
    public_key: *const u8,
    public_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = PKES.of(pke)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(ciphertext, ciphertext_bytes) }?.of(scheme.ciphertext)?;
        // SAFETY: by the contract.
        let public = unsafe { In::new(public_key, public_key_bytes) }?.of(scheme.public_key)?.read()?;
        if message_bytes > scheme.message {
            return Err(Error::Message);
        }
        // SAFETY: by the contract.
        let message = unsafe { In::or_nothing(message, message_bytes) }?.read()?;
        out.fill(|made| drawn(|rng| (scheme.encrypt)(Cpu::detect(), &public, &message, rng, made)))
    })
}

/// Writes the message in a ciphertext, zeroes behind it, and how many bytes it has. There is room for the
/// longest message. `RINGSMITH_ERROR_DECRYPTION` where the ciphertext, of whatever length, was not made for
/// the key.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
/// reads; that of the length is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_pke_decrypt(
    pke: *const Pke,
    message: *mut u8,
    message_room: usize,
    message_bytes: *mut usize,
    ciphertext: *const u8,
    ciphertext_bytes: usize,
    private_key: *const u8,
    private_key_bytes: usize,
) -> Error {
    guarded(|| {
        let scheme = PKES.of(pke)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(message, message_room) }?.of(scheme.message)?;
        // SAFETY: by the contract.
        let length_out = unsafe { Out::new(message_bytes, 1) }?;
        // SAFETY: by the contract.
        let private = unsafe { In::new(private_key, private_key_bytes) }?.of(scheme.private_key)?.read()?;
        // SAFETY: by the contract.
        let ciphertext = unsafe { In::new(ciphertext, ciphertext_bytes) }?;
        let ciphertext = ciphertext.of(scheme.ciphertext).map_err(|_| Error::Decryption)?.read()?;
        let mut found = Own::zero(scheme.message)?;
        let length = (scheme.decrypt)(Cpu::detect(), &private, &ciphertext, &mut found)?;
        out.write(&found);
        length_out.write(&[length]);
        Ok(())
    })
}
