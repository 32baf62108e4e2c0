//! What OpenSSL 3 and a provider say to each other: layouts and numbers of its public headers `core.h`,
//! `core_dispatch.h`, `core_names.h` and `core_object.h`. They are stable within OpenSSL 3.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;

/// An entry of a table of functions: `OSSL_DISPATCH`. A table ends with number 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dispatch {
    /// Which function.
    pub id: c_int,
    /// The function, of a type that the number says.
    pub function: *const c_void,
}

// SAFETY: a number and the address of a function: neither is ever written to.
unsafe impl Sync for Dispatch {}

impl Dispatch {
    /// The end of a table.
    pub(crate) const END: Dispatch = Dispatch { id: 0, function: ptr::null() };

    /// A function under its number.
    pub(crate) const fn new(id: c_int, function: *const ()) -> Dispatch {
        Dispatch { id, function: function.cast() }
    }
}

/// An algorithm: `OSSL_ALGORITHM`. A list ends with one without names.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Algorithm {
    /// Its names, with colons between.
    pub(crate) names: *const c_char,
    /// Its properties.
    pub(crate) properties: *const c_char,
    /// Its functions.
    pub(crate) functions: *const Dispatch,
    /// What it is.
    pub(crate) description: *const c_char,
}

// SAFETY: addresses of constants, which are never written to.
unsafe impl Sync for Algorithm {}

impl Algorithm {
    /// The end of a list.
    pub(crate) const END: Algorithm = Algorithm {
        names: ptr::null(),
        properties: ptr::null(),
        functions: ptr::null(),
        description: ptr::null(),
    };

    /// An algorithm. The table of its functions must have its end.
    pub(crate) const fn new(
        names: &'static CStr,
        properties: &'static CStr,
        functions: &'static [Dispatch],
    ) -> Algorithm {
        Algorithm {
            names: names.as_ptr(),
            properties: properties.as_ptr(),
            functions: functions.as_ptr(),
            description: names.as_ptr(),
        }
    }
}

/// A parameter: `OSSL_PARAM`. A list ends with one without a key.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Param {
    /// Its name.
    pub(crate) key: *const c_char,
    /// What its value is: [`INTEGER`] and the like.
    pub(crate) data_type: c_uint,
    /// Its value, or the place for it.
    pub(crate) data: *mut c_void,
    /// Bytes of that.
    pub(crate) data_size: usize,
    /// Bytes of what was written there.
    pub(crate) return_size: usize,
}

// SAFETY: only lists that say which parameters there are are shared; their addresses are of constants, which
// are never written to.
unsafe impl Sync for Param {}

/// A signed number in the machine's order of bytes.
pub(crate) const INTEGER: c_uint = 1;
/// An unsigned one.
pub(crate) const UNSIGNED: c_uint = 2;
/// A text.
pub(crate) const UTF8: c_uint = 4;
/// Bytes.
pub(crate) const OCTETS: c_uint = 5;
/// A pointer to a text.
pub(crate) const UTF8_POINTER: c_uint = 6;
/// What [`Param::return_size`] is before anything is written.
pub(crate) const UNMODIFIED: usize = usize::MAX;

/// A function that is given parameters: `OSSL_CALLBACK`.
pub(crate) type Callback = unsafe extern "C" fn(params: *const Param, argument: *mut c_void) -> c_int;

/// Operations that a provider may have.
pub(crate) mod operation {
    use std::ffi::c_int;
    pub(crate) const KEYMGMT: c_int = 10;
    pub(crate) const KEM: c_int = 14;
    pub(crate) const ENCODER: c_int = 20;
    pub(crate) const DECODER: c_int = 21;
}

/// Functions of OpenSSL's.
pub(crate) mod core_id {
    use std::ffi::c_int;
    pub(crate) const BIO_READ_EX: c_int = 42;
    pub(crate) const BIO_WRITE_EX: c_int = 43;
}

/// Functions of a provider.
pub(crate) mod provider_id {
    use std::ffi::c_int;
    pub(crate) const TEARDOWN: c_int = 1024;
    pub(crate) const GETTABLE_PARAMS: c_int = 1025;
    pub(crate) const GET_PARAMS: c_int = 1026;
    pub(crate) const QUERY_OPERATION: c_int = 1027;
    pub(crate) const GET_CAPABILITIES: c_int = 1030;
}

/// Functions of keys.
pub(crate) mod keymgmt_id {
    use std::ffi::c_int;
    pub(crate) const NEW: c_int = 1;
    pub(crate) const GEN_INIT: c_int = 2;
    pub(crate) const GEN_SET_PARAMS: c_int = 4;
    pub(crate) const GEN_SETTABLE_PARAMS: c_int = 5;
    pub(crate) const GEN: c_int = 6;
    pub(crate) const GEN_CLEANUP: c_int = 7;
    pub(crate) const LOAD: c_int = 8;
    pub(crate) const FREE: c_int = 10;
    pub(crate) const GET_PARAMS: c_int = 11;
    pub(crate) const GETTABLE_PARAMS: c_int = 12;
    pub(crate) const SET_PARAMS: c_int = 13;
    pub(crate) const SETTABLE_PARAMS: c_int = 14;
    pub(crate) const HAS: c_int = 21;
    pub(crate) const VALIDATE: c_int = 22;
    pub(crate) const MATCH: c_int = 23;
    pub(crate) const IMPORT: c_int = 40;
    pub(crate) const IMPORT_TYPES: c_int = 41;
    pub(crate) const EXPORT: c_int = 42;
    pub(crate) const EXPORT_TYPES: c_int = 43;
    pub(crate) const DUP: c_int = 44;
}

/// Functions of key encapsulation.
pub(crate) mod kem_id {
    use std::ffi::c_int;
    pub(crate) const NEWCTX: c_int = 1;
    pub(crate) const ENCAPSULATE_INIT: c_int = 2;
    pub(crate) const ENCAPSULATE: c_int = 3;
    pub(crate) const DECAPSULATE_INIT: c_int = 4;
    pub(crate) const DECAPSULATE: c_int = 5;
    pub(crate) const FREECTX: c_int = 6;
    pub(crate) const DUPCTX: c_int = 7;
}

/// Functions of encoders and of decoders, which have the same numbers as far as both have them.
pub(crate) mod coder_id {
    use std::ffi::c_int;
    pub(crate) const NEWCTX: c_int = 1;
    pub(crate) const FREECTX: c_int = 2;
    pub(crate) const DOES_SELECTION: c_int = 10;
    pub(crate) const ENCODE: c_int = 11;
    pub(crate) const DECODE: c_int = 11;
    pub(crate) const EXPORT_OBJECT: c_int = 20;
}

/// Which parts of a key are meant.
pub(crate) mod selection {
    use std::ffi::c_int;
    pub(crate) const PRIVATE: c_int = 1;
    pub(crate) const PUBLIC: c_int = 2;
    pub(crate) const PAIR: c_int = PRIVATE | PUBLIC;
}

/// Names of parameters.
pub(crate) mod name {
    use std::ffi::CStr;
    pub(crate) const NAME: &CStr = c"name";
    pub(crate) const VERSION: &CStr = c"version";
    pub(crate) const BUILD: &CStr = c"buildinfo";
    pub(crate) const STATUS: &CStr = c"status";
    pub(crate) const BITS: &CStr = c"bits";
    pub(crate) const SECURITY_BITS: &CStr = c"security-bits";
    pub(crate) const MAX_SIZE: &CStr = c"max-size";
    pub(crate) const ENCODED: &CStr = c"encoded-pub-key";
    pub(crate) const GROUP: &CStr = c"group";
    pub(crate) const PUBLIC: &CStr = c"pub";
    pub(crate) const PRIVATE: &CStr = c"priv";
    pub(crate) const SEED: &CStr = c"seed";
    pub(crate) const OBJECT_TYPE: &CStr = c"type";
    pub(crate) const DATA_TYPE: &CStr = c"data-type";
    pub(crate) const REFERENCE: &CStr = c"reference";
}

/// The type of an object that is a key: `OSSL_OBJECT_PKEY`.
pub(crate) const OBJECT_KEY: c_int = 2;
