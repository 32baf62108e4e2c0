//! The operation `DECODER`: ML-KEM's keys from files. OpenSSL's own decoders make DER of text.

use crate::abi::{Algorithm, Callback, Dispatch, OBJECT_KEY, coder_id as id, name, selection};
use crate::encode::{does_selection, free, new};
use crate::form::{Context, Form, PrivateDer, PublicDer, Structure};
use crate::handle::{borrow, free as free_key, give, guard};
use crate::key::Key;
use crate::keymgmt::export;
use crate::kind::{How, Kind, MlKem512, MlKem768, MlKem1024, OfKind};
use crate::params::Given;
use ringsmith_kem::pkcs8::{PrivateKeyInfoRef, SubjectPublicKeyInfoRef};
use ringsmith_simd::Cpu;
use std::ffi::{CStr, c_int, c_void};
use zeroize::Zeroizing;

const PUBLIC: &CStr = c"provider=ringsmith,input=der,structure=SubjectPublicKeyInfo";
const PRIVATE: &CStr = c"provider=ringsmith,input=der,structure=PrivateKeyInfo";
/// More than any key of ours has: what says that it is longer is none.
const LONGEST: usize = 1 << 16;

/// The decoders of a kind.
const fn of<K: OfKind>() -> [Algorithm; 2] {
    [
        Algorithm::new(K::KIND.names, PUBLIC, functions::<K, PublicDer>()),
        Algorithm::new(K::KIND.names, PRIVATE, functions::<K, PrivateDer>()),
    ]
}

/// All of them.
pub(crate) static DECODERS: [Algorithm; 7] = {
    let [[a, b], [c, d], [e, f]] = [of::<MlKem512>(), of::<MlKem768>(), of::<MlKem1024>()];
    [a, b, c, d, e, f, Algorithm::END]
};

const fn functions<K: OfKind, F: Form>() -> &'static [Dispatch] {
    const {
        &[
            Dispatch::new(id::NEWCTX, new as *const ()),
            Dispatch::new(id::FREECTX, free as *const ()),
            Dispatch::new(id::DOES_SELECTION, does_selection::<F> as *const ()),
            Dispatch::new(id::DECODE, decode::<K, F> as *const ()),
            Dispatch::new(id::EXPORT_OBJECT, export_object as *const ()),
            Dispatch::END,
        ]
    }
}

/// Reads a key from a stream of OpenSSL's and tells the function of it. What is none is no failure: OpenSSL
/// asks other decoders then.
///
/// # Safety
/// The handles are null, or one of [`new`] and a stream; the function takes the argument.
unsafe extern "C" fn decode<K: OfKind, F: Form>(
    context: *mut c_void,
    stream: *mut c_void,
    _parts: c_int,
    callback: Option<Callback>,
    argument: *mut c_void,
    _passphrase: *const c_void,
    _passphrase_argument: *mut c_void,
) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let context = unsafe { context.cast::<Context>().as_ref() };
        let (Some(context), Some(callback)) = (context, callback) else { return 0 };
        // SAFETY: a stream of OpenSSL's.
        let read = unsafe { one(context, stream) };
        match read.and_then(|der| key::<F>(K::KIND, &der)) {
            // SAFETY: the contract.
            Some(key) => unsafe { tell(key, callback, argument) },
            None => 1,
        }
    })
}

/// One object of DER, as it stands in a stream: a tag, a length in one form or the other, and so many bytes.
///
/// # Safety
/// A stream of OpenSSL's.
unsafe fn one(context: &Context, stream: *mut c_void) -> Option<Zeroizing<Vec<u8>>> {
    let mut der = Zeroizing::new(vec![0; 2]);
    // SAFETY: the contract.
    let more = |der: &mut Vec<u8>, bytes: usize| unsafe {
        let start = der.len();
        let mut longer = Vec::with_capacity(start + bytes);
        longer.extend_from_slice(der);
        longer.resize(start + bytes, 0);
        // A vector that grows leaves what it held behind: the first holds nothing but a tag and a length.
        *der = longer;
        context.read_all(stream, &mut der[start..]).then_some(())
    };
    // SAFETY: the contract.
    unsafe { context.read_all(stream, &mut der) }.then_some(())?;
    let length = match usize::from(der[1]) {
        short @ 0..=0x7F => short,
        long @ 0x81..=0x83 => {
            more(&mut der, long - 0x80)?;
            der[2..].iter().fold(0, |length, byte| length << 8 | usize::from(*byte))
        }
        _ => return None,
    };
    if length > LONGEST {
        return None;
    }
    more(&mut der, length)?;
    Some(der)
}

/// The key in a file, if it is of this kind.
fn key<F: Form>(kind: &'static Kind, der: &[u8]) -> Option<Key> {
    let How::Scheme(scheme) = kind.how else { return None };
    let (encoding, mut key) = (scheme.encoding.as_ref()?, Key::blank(kind));
    let is_set = match F::STRUCTURE {
        Structure::SubjectPublicKeyInfo => {
            let info = SubjectPublicKeyInfoRef::try_from(der).ok()?;
            key.set_public(&(encoding.read_public_key)(Cpu::detect(), &info).ok()?)
        }
        Structure::PrivateKeyInfo => {
            let info = PrivateKeyInfoRef::try_from(der).ok()?;
            let read = (encoding.read_private_key)(Cpu::detect(), &info).ok()?;
            key.set_private(read.seed.as_ref().unwrap_or(&read.bytes))
        }
    };
    is_set.then_some(key)
}

/// Gives a key: the function is told where its handle is, and takes it from there if it wants it.
///
/// # Safety
/// The function takes the argument.
unsafe fn tell(key: Key, callback: Callback, argument: *mut c_void) -> c_int {
    let kind = key.kind;
    let mut handle = give(key);
    let place = &raw mut handle;
    let mut given = Given::new()
        .integer(name::OBJECT_TYPE, &OBJECT_KEY)
        .text(name::DATA_TYPE, kind.name)
        .place(name::REFERENCE, place.cast(), size_of::<*mut c_void>());
    // SAFETY: a list with its end, whose values live until the function is back; `load` alone writes into the
    // place, a null pointer.
    let told = unsafe { callback(given.list(), argument) };
    // SAFETY: written to by nobody now; null, or still ours.
    unsafe { free_key(place.read()) };
    told
}

/// Tells the function of the halves of a key that was decoded, for a provider that is not this one.
///
/// # Safety
/// The reference is null or the place of a key's handle; the function takes the argument.
unsafe extern "C" fn export_object(
    _context: *mut c_void,
    reference: *const c_void,
    bytes: usize,
    callback: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    if reference.is_null() || bytes != size_of::<*mut c_void>() {
        return 0;
    }
    // SAFETY: the place of a handle, by the contract.
    let handle = unsafe { *reference.cast::<*mut c_void>() };
    // SAFETY: null, or a key's handle.
    let is_private = unsafe { borrow(handle) }.is_some_and(|key| key.has(selection::PRIVATE));
    let parts = if is_private { selection::PAIR } else { selection::PUBLIC };
    // SAFETY: the contract.
    unsafe { export(handle, parts, callback, argument) }
}
