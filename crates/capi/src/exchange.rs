//! Key exchanges in three steps: an offer, a response to it, and the end.

use crate::Error;
use crate::error::{drawn, guarded};
use crate::memory::{In, Out, fill_both};
use crate::text::{List, SchemeStatus, names};
use ringsmith::Cpu;
use ringsmith::scheme::{self, KeyExchange};
use std::ffi::c_char;

/// A key exchange. Handles are the library's, and stay.
pub struct Exchange {
    _private: [u8; 0],
}

/// All of them.
static EXCHANGES: List<KeyExchange> = List { all: scheme::EXCHANGES, names: names!(scheme::EXCHANGES) };

/// How many exchanges the library was built with.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_count() -> usize {
    EXCHANGES.all.len()
}

/// The exchange at a place of the list, from 0; null behind the last one.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_at(place: usize) -> *const Exchange {
    EXCHANGES.at(place)
}

/// The exchange of a name, as in "NewHope-ADPS", in capitals or not; null where there is none.
///
/// # Safety
/// The pointer is null, or at a text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_exchange_find(name: *const c_char) -> *const Exchange {
    // SAFETY: by the contract.
    unsafe { EXCHANGES.find(name) }
}

/// Its name; null if the handle is invalid. The text is the library's, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_name(exchange: *const Exchange) -> *const c_char {
    EXCHANGES.name(exchange)
}

/// Whether it is a standard, historical, or for research alone.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_status(exchange: *const Exchange) -> SchemeStatus {
    EXCHANGES.of(exchange).map_or(SchemeStatus::None, |exchange| exchange.status.into())
}

/// Bytes of the secret of an offer; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_secret_bytes(exchange: *const Exchange) -> usize {
    EXCHANGES.fact(exchange, |exchange| exchange.secret)
}

/// Bytes of an offer; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_offer_bytes(exchange: *const Exchange) -> usize {
    EXCHANGES.fact(exchange, |exchange| exchange.offer)
}

/// Bytes of a response; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_response_bytes(exchange: *const Exchange) -> usize {
    EXCHANGES.fact(exchange, |exchange| exchange.response)
}

/// Bytes of a shared key; 0 if the handle is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_exchange_shared_key_bytes(exchange: *const Exchange) -> usize {
    EXCHANGES.fact(exchange, |exchange| exchange.shared_key)
}

/// The first step: writes a new offer, to be sent, and its secret, to be kept until the response comes.
///
/// # Safety
/// Each pointer is null, or valid for writes of as many bytes as stand behind it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_exchange_offer(
    exchange: *const Exchange,
    offer: *mut u8,
    offer_bytes: usize,
    secret: *mut u8,
    secret_bytes: usize,
) -> Error {
    guarded(|| {
        let exchange = EXCHANGES.of(exchange)?;
        // SAFETY: by the contract.
        let offer = unsafe { Out::new(offer, offer_bytes) }?.of(exchange.offer)?;
        // SAFETY: by the contract.
        let secret = unsafe { Out::new(secret, secret_bytes) }?.of(exchange.secret)?;
        fill_both([secret, offer], |secret, offer| {
            drawn(|rng| (exchange.make_offer)(Cpu::detect(), rng, secret, offer))
        })
    })
}

/// The second step, of the other side: writes a response to an offer, to be sent, and the shared key.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first two for writes, the other
/// for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_exchange_respond(
    exchange: *const Exchange,
    response: *mut u8,
    response_bytes: usize,
    shared_key: *mut u8,
    shared_key_bytes: usize,
    offer: *const u8,
    offer_bytes: usize,
) -> Error {
    guarded(|| {
        let exchange = EXCHANGES.of(exchange)?;
        // SAFETY: by the contract.
        let response = unsafe { Out::new(response, response_bytes) }?.of(exchange.response)?;
        // SAFETY: by the contract.
        let shared = unsafe { Out::new(shared_key, shared_key_bytes) }?.of(exchange.shared_key)?;
        // SAFETY: by the contract.
        let offer = unsafe { In::new(offer, offer_bytes) }?.of(exchange.offer)?.read()?;
        fill_both([response, shared], |response, shared| {
            drawn(|rng| (exchange.respond)(Cpu::detect(), &offer, rng, response, shared))
        })
    })
}

/// The third step, of the first side: clears the secret, which serves for one response, and writes the shared
/// key. `RINGSMITH_ERROR_KEY` for a secret that was cleared.
///
/// # Safety
/// Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the second for
/// reads and writes, the third for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_exchange_finish(
    exchange: *const Exchange,
    shared_key: *mut u8,
    shared_key_bytes: usize,
    secret: *mut u8,
    secret_bytes: usize,
    response: *const u8,
    response_bytes: usize,
) -> Error {
    guarded(|| {
        let exchange = EXCHANGES.of(exchange)?;
        // SAFETY: by the contract.
        let out = unsafe { Out::new(shared_key, shared_key_bytes) }?.of(exchange.shared_key)?;
        // SAFETY: by the contract.
        let kept = unsafe { In::new(secret.cast_const(), secret_bytes) }?.of(exchange.secret)?.read()?;
        // SAFETY: by the contract.
        let response = unsafe { In::new(response, response_bytes) }?.of(exchange.response)?.read()?;
        // All bytes are looked at, whatever they are.
        if kept.iter().fold(0, |all, byte| all | byte) == 0 {
            return Err(Error::Key);
        }
        out.fill(|shared| {
            (exchange.finish)(Cpu::detect(), &kept, &response, shared)?;
            // SAFETY: by the contract.
            unsafe { Out::new(secret, secret_bytes) }?.wipe();
            Ok(())
        })
    })
}
