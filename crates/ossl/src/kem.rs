//! The operation `KEM`: encapsulation to a public key, decapsulation by a private one. The functions are the
//! same for all kinds: a key knows its own.

use crate::abi::{Dispatch, Param, kem_id as id};
use crate::handle::{Place, free_box, give_box, guard, share};
use crate::key::Key;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::Arc;

/// The functions.
pub(crate) static FUNCTIONS: [Dispatch; 8] = [
    Dispatch::new(id::NEWCTX, new as *const ()),
    Dispatch::new(id::FREECTX, free as *const ()),
    Dispatch::new(id::DUPCTX, duplicate as *const ()),
    Dispatch::new(id::ENCAPSULATE_INIT, init as *const ()),
    Dispatch::new(id::ENCAPSULATE, encapsulate as *const ()),
    Dispatch::new(id::DECAPSULATE_INIT, init as *const ()),
    Dispatch::new(id::DECAPSULATE, decapsulate as *const ()),
    Dispatch::END,
];

/// An operation: its key, once it has one.
#[derive(Clone, Default)]
struct Operation(Option<Arc<Key>>);

extern "C" fn new(_provider: *mut c_void) -> *mut c_void {
    guard(ptr::null_mut(), || give_box(Operation::default()))
}

/// # Safety
/// The handle is null or one of [`new`], and is not used again.
unsafe extern "C" fn free(operation: *mut c_void) {
    // SAFETY: the contract.
    guard((), || unsafe { free_box::<Operation>(operation) });
}

/// # Safety
/// The handle is null or one of [`new`].
unsafe extern "C" fn duplicate(operation: *mut c_void) -> *mut c_void {
    guard(ptr::null_mut(), || {
        // SAFETY: the contract.
        let operation = unsafe { operation.cast::<Operation>().as_ref() };
        operation.map_or(ptr::null_mut(), |operation| give_box(operation.clone()))
    })
}

/// # Safety
/// The handles are null, or one of [`new`] that nobody else uses, and a key's.
unsafe extern "C" fn init(operation: *mut c_void, key: *mut c_void, _params: *const Param) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let (operation, key) = unsafe { (operation.cast::<Operation>().as_mut(), share(key)) };
        match (operation, key) {
            (Some(operation), Some(key)) => {
                operation.0 = Some(key);
                1
            }
            _ => 0,
        }
    })
}

/// The key of an operation.
///
/// # Safety
/// The handle is null or one of [`new`], which lives during `'a`.
unsafe fn key<'a>(operation: *mut c_void) -> Option<&'a Key> {
    // SAFETY: the contract.
    unsafe { operation.cast::<Operation>().as_ref() }?.0.as_deref()
}

/// # Safety
/// The handle is one of [`new`]; places are null, or valid for writes of as many bytes as their lengths say,
/// which are null or valid.
unsafe extern "C" fn encapsulate(
    operation: *mut c_void,
    ciphertext: *mut u8,
    ciphertext_length: *mut usize,
    secret: *mut u8,
    secret_length: *mut usize,
) -> c_int {
    let to = Place { bytes: ciphertext, length: ciphertext_length };
    let shared = Place { bytes: secret, length: secret_length };
    // SAFETY: the contract.
    guard(0, || c_int::from(unsafe { encapsulate_to(operation, &to, &shared) }.is_some()))
}

/// # Safety
/// As [`encapsulate`].
unsafe fn encapsulate_to(operation: *mut c_void, ciphertext: &Place, secret: &Place) -> Option<()> {
    // SAFETY: the contract.
    let key = unsafe { key(operation) }?;
    let [_, to, shared] = key.kind.sizes();
    if !ciphertext.is_there() {
        // SAFETY: the contract.
        unsafe {
            ciphertext.say(to);
            secret.say(shared);
        }
        return Some(());
    }
    // SAFETY: the contract.
    if !secret.is_there() || unsafe { !ciphertext.fits(to) || !secret.fits(shared) } {
        return None;
    }
    let answer = key.encapsulate()?;
    // SAFETY: there is room, as was asked just now.
    unsafe {
        ciphertext.write(&answer.ciphertext);
        secret.write(&answer.secret);
    }
    Some(())
}

/// # Safety
/// As [`encapsulate`]; the ciphertext is null or valid for reads of so many bytes.
unsafe extern "C" fn decapsulate(
    operation: *mut c_void,
    secret: *mut u8,
    secret_length: *mut usize,
    ciphertext: *const u8,
    ciphertext_length: usize,
) -> c_int {
    let to = Place { bytes: secret, length: secret_length };
    guard(0, || {
        // SAFETY: the contract.
        c_int::from(unsafe { decapsulate_to(operation, &to, ciphertext, ciphertext_length) }.is_some())
    })
}

/// # Safety
/// As [`decapsulate`].
unsafe fn decapsulate_to(
    operation: *mut c_void,
    secret: &Place,
    ciphertext: *const u8,
    bytes: usize,
) -> Option<()> {
    // SAFETY: the contract.
    let key = unsafe { key(operation) }?;
    let [_, expected, shared] = key.kind.sizes();
    if !secret.is_there() {
        // SAFETY: the contract.
        unsafe { secret.say(shared) };
        return Some(());
    }
    // SAFETY: the contract.
    if ciphertext.is_null() || bytes != expected || unsafe { !secret.fits(shared) } {
        return None;
    }
    // SAFETY: not null, so valid for so many bytes by the contract.
    let made = key.decapsulate(unsafe { slice::from_raw_parts(ciphertext, bytes) })?;
    // SAFETY: there is room, as was asked just now.
    unsafe { secret.write(&made) };
    Some(())
}
