//! The provider itself: where OpenSSL enters, what it asks first.

use crate::abi::{Algorithm, Callback, Dispatch, Param, UNSIGNED, UTF8_POINTER};
use crate::abi::{core_id, name, operation, provider_id as id};
use crate::handle::{free_box, give_box, guard};
use crate::kind::{MlKem512, MlKem768, MlKem1024, OfKind, SecP256r1MlKem768, SecP384r1MlKem1024};
use crate::kind::{Sntrup761X25519, X25519MlKem768};
use crate::params::{END, Value, described, put};
use crate::{decode, encode, groups, kem, keymgmt};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute;
use std::ptr;

/// What property queries name: nothing says `fips`.
const PROPERTIES: &CStr = c"provider=ringsmith";
const PROVIDER: &CStr = c"Ringsmith";
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// A function of OpenSSL's that reads from, or writes to, a stream of its own.
pub(crate) type Read = unsafe extern "C" fn(*mut c_void, *mut c_void, usize, *mut usize) -> c_int;
/// The same to write.
pub(crate) type Write = unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut usize) -> c_int;

/// What a provider keeps while it is loaded. It may be loaded more than once: each has its own.
#[derive(Clone, Copy, Default)]
pub(crate) struct Provider {
    pub(crate) read: Option<Read>,
    pub(crate) write: Option<Write>,
}

impl Provider {
    /// Finds the functions of OpenSSL's that are needed.
    ///
    /// # Safety
    /// The table is null, or one of OpenSSL's with its end.
    unsafe fn new(mut table: *const Dispatch) -> Self {
        let mut found = Provider::default();
        // SAFETY: not null, and not behind the end: the loop stops there.
        while !table.is_null() && unsafe { (*table).id } != 0 {
            // SAFETY: as above.
            let Dispatch { id, function } = unsafe { *table };
            // A null pointer is `None`.
            match id {
                core_id::BIO_READ_EX => {
                    // SAFETY: the number says the type.
                    found.read = unsafe { transmute::<*const c_void, Option<Read>>(function) };
                }
                core_id::BIO_WRITE_EX => {
                    // SAFETY: as above.
                    found.write = unsafe { transmute::<*const c_void, Option<Write>>(function) };
                }
                _ => (),
            }
            // SAFETY: there is at least the end behind it.
            table = unsafe { table.add(1) };
        }
        found
    }

    /// Reads from a stream of OpenSSL's until the place is full. Whether it is.
    ///
    /// # Safety
    /// The stream is one that OpenSSL gave.
    pub(crate) unsafe fn read_all(&self, stream: *mut c_void, mut place: &mut [u8]) -> bool {
        let Some(read) = self.read else { return false };
        while !place.is_empty() {
            let mut count = 0;
            // SAFETY: OpenSSL's function, its stream, and a place of so many bytes.
            let done = unsafe { read(stream, place.as_mut_ptr().cast(), place.len(), &mut count) };
            if done != 1 || count == 0 || count > place.len() {
                return false;
            }
            place = &mut place[count..];
        }
        true
    }

    /// Writes into a stream of OpenSSL's. Whether all of it is written.
    ///
    /// # Safety
    /// The stream is one that OpenSSL gave.
    pub(crate) unsafe fn write_all(&self, stream: *mut c_void, mut bytes: &[u8]) -> bool {
        let Some(write) = self.write else { return false };
        while !bytes.is_empty() {
            let mut count = 0;
            // SAFETY: OpenSSL's function, its stream, and so many bytes.
            let done = unsafe { write(stream, bytes.as_ptr().cast(), bytes.len(), &mut count) };
            if done != 1 || count == 0 || count > bytes.len() {
                return false;
            }
            bytes = &bytes[count..];
        }
        true
    }
}

static FUNCTIONS: [Dispatch; 6] = [
    Dispatch::new(id::TEARDOWN, teardown as *const ()),
    Dispatch::new(id::GETTABLE_PARAMS, gettable_params as *const ()),
    Dispatch::new(id::GET_PARAMS, get_params as *const ()),
    Dispatch::new(id::QUERY_OPERATION, query_operation as *const ()),
    Dispatch::new(id::GET_CAPABILITIES, get_capabilities as *const ()),
    Dispatch::END,
];

/// Where OpenSSL enters.
///
/// # Safety
/// OpenSSL's tables and places, as its manual has them.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "OpenSSL's name")]
pub unsafe extern "C" fn OSSL_provider_init(
    _handle: *const c_void,
    theirs: *const Dispatch,
    ours: *mut *const Dispatch,
    provider: *mut *mut c_void,
) -> c_int {
    guard(0, || {
        if ours.is_null() || provider.is_null() {
            return 0;
        }
        // SAFETY: not null, so places for a pointer each; the table is OpenSSL's.
        unsafe {
            provider.write(give_box(Provider::new(theirs)));
            ours.write(FUNCTIONS.as_ptr());
        }
        1
    })
}

/// # Safety
/// The provider is ours, and is not used again.
unsafe extern "C" fn teardown(provider: *mut c_void) {
    // SAFETY: the contract.
    guard((), || unsafe { free_box::<Provider>(provider) });
}

extern "C" fn gettable_params(_provider: *mut c_void) -> *const Param {
    static LIST: [Param; 5] = [
        described(name::NAME, UTF8_POINTER),
        described(name::VERSION, UTF8_POINTER),
        described(name::BUILD, UTF8_POINTER),
        described(name::STATUS, UNSIGNED),
        END,
    ];
    LIST.as_ptr()
}

/// # Safety
/// The list is one of parameters that may be written to.
unsafe extern "C" fn get_params(_provider: *mut c_void, params: *mut Param) -> c_int {
    let values = [
        (name::NAME, Value::Text(PROVIDER)),
        (name::VERSION, Value::Text(VERSION)),
        (name::BUILD, Value::Text(VERSION)),
        (name::STATUS, Value::Number(1)),
    ];
    // SAFETY: the contract.
    guard(0, || c_int::from(values.into_iter().all(|(key, value)| unsafe { put(params, key, value) })))
}

/// Keys of a kind.
const fn keys<K: OfKind>() -> Algorithm {
    Algorithm::new(K::KIND.names, PROPERTIES, keymgmt::functions::<K>())
}

/// Encapsulation to keys of a kind.
const fn encapsulation<K: OfKind>() -> Algorithm {
    Algorithm::new(K::KIND.names, PROPERTIES, &kem::FUNCTIONS)
}

static KEYS: [Algorithm; 8] = [
    keys::<MlKem512>(),
    keys::<MlKem768>(),
    keys::<MlKem1024>(),
    keys::<X25519MlKem768>(),
    keys::<SecP256r1MlKem768>(),
    keys::<SecP384r1MlKem1024>(),
    keys::<Sntrup761X25519>(),
    Algorithm::END,
];

static ENCAPSULATION: [Algorithm; 8] = [
    encapsulation::<MlKem512>(),
    encapsulation::<MlKem768>(),
    encapsulation::<MlKem1024>(),
    encapsulation::<X25519MlKem768>(),
    encapsulation::<SecP256r1MlKem768>(),
    encapsulation::<SecP384r1MlKem1024>(),
    encapsulation::<Sntrup761X25519>(),
    Algorithm::END,
];

/// What there is of an operation. OpenSSL may keep it.
///
/// # Safety
/// The place is null or valid for a write.
unsafe extern "C" fn query_operation(
    _provider: *mut c_void,
    asked: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm {
    if !no_cache.is_null() {
        // SAFETY: not null, so valid by the contract.
        unsafe { no_cache.write(0) };
    }
    match asked {
        operation::KEYMGMT => KEYS.as_ptr(),
        operation::KEM => ENCAPSULATION.as_ptr(),
        operation::ENCODER => encode::ENCODERS.as_ptr(),
        operation::DECODER => decode::DECODERS.as_ptr(),
        _ => ptr::null(),
    }
}

/// # Safety
/// The capability is null or a text; the function takes the argument.
unsafe extern "C" fn get_capabilities(
    _provider: *mut c_void,
    capability: *const c_char,
    callback: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    guard(0, || match (capability.is_null(), callback) {
        (false, Some(callback)) => {
            // SAFETY: not null, so a text; the rest is the contract.
            c_int::from(unsafe { groups::tell(CStr::from_ptr(capability), callback, argument) })
        }
        _ => 0,
    })
}
