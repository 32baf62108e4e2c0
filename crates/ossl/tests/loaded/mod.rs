//! The provider, loaded as OpenSSL loads it, and its functions by their numbers.

use ringsmith_ossl::Dispatch;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// `OSSL_ALGORITHM`.
#[repr(C)]
pub(crate) struct Algorithm {
    pub(crate) names: *const c_char,
    pub(crate) properties: *const c_char,
    pub(crate) functions: *const Dispatch,
    pub(crate) description: *const c_char,
}

/// `OSSL_PARAM`.
#[repr(C)]
pub(crate) struct Param {
    pub(crate) key: *const c_char,
    pub(crate) data_type: c_uint,
    pub(crate) data: *mut c_void,
    pub(crate) data_size: usize,
    pub(crate) return_size: usize,
}

pub(crate) const END: Param =
    Param { key: null(), data_type: 0, data: null_mut(), data_size: 0, return_size: 0 };

/// A list with one string of bytes, or a place for one.
pub(crate) fn octets(key: &CStr, bytes: &mut [u8]) -> [Param; 2] {
    let (data, data_size) = (bytes.as_mut_ptr().cast(), bytes.len());
    [Param { key: key.as_ptr(), data_type: 5, data, data_size, return_size: usize::MAX }, END]
}

pub(crate) type Query = unsafe extern "C" fn(*mut c_void, c_int, *mut c_int) -> *const Algorithm;
pub(crate) type New = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
pub(crate) type Free = unsafe extern "C" fn(*mut c_void);
pub(crate) type Set = unsafe extern "C" fn(*mut c_void, *const Param) -> c_int;
pub(crate) type Get = unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int;
pub(crate) type GenInit = unsafe extern "C" fn(*mut c_void, c_int, *const Param) -> *mut c_void;
pub(crate) type Gen = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void) -> *mut c_void;
pub(crate) type Init = unsafe extern "C" fn(*mut c_void, *mut c_void, *const Param) -> c_int;
pub(crate) type Encapsulate =
    unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, *mut u8, *mut usize) -> c_int;
pub(crate) type Decapsulate =
    unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;

/// A function of a table by its number; without it the test fails.
///
/// # Safety
/// A table with its end, and the type that the number says.
pub(crate) unsafe fn function<F: Copy>(mut table: *const Dispatch, id: c_int) -> F {
    assert_eq!(size_of::<F>(), size_of::<*const c_void>());
    // SAFETY: the loop stops at the end.
    while unsafe { (*table).id } != id {
        // SAFETY: as above.
        assert_ne!(unsafe { (*table).id }, 0, "no function {id}");
        // SAFETY: there is at least the end behind it.
        table = unsafe { table.add(1) };
    }
    // SAFETY: of the type that the number says.
    unsafe { std::mem::transmute_copy(&(*table).function) }
}

/// A provider that is loaded.
pub(crate) struct Loaded {
    pub(crate) table: *const Dispatch,
    pub(crate) provider: *mut c_void,
}

impl Loaded {
    /// With these functions of OpenSSL's.
    pub(crate) fn new(theirs: &[Dispatch]) -> Self {
        let (mut table, mut provider) = (null(), null_mut());
        // SAFETY: a table with its end, and places for what is written.
        let done =
            unsafe { ringsmith_ossl::OSSL_provider_init(null(), theirs.as_ptr(), &mut table, &mut provider) };
        assert_eq!(done, 1);
        Loaded { table, provider }
    }

    /// What it has of an operation: names, properties, functions.
    pub(crate) fn algorithms(&self, operation: c_int) -> Vec<(String, String, *const Dispatch)> {
        let mut found = Vec::new();
        // SAFETY: the function of this number; the list has its end.
        unsafe {
            let mut at = function::<Query>(self.table, 1027)(self.provider, operation, null_mut());
            while !at.is_null() && !(*at).names.is_null() {
                let text = |text: *const c_char| CStr::from_ptr(text).to_str().expect("ASCII").to_string();
                found.push((text((*at).names), text((*at).properties), (*at).functions));
                at = at.add(1);
            }
        }
        found
    }

    /// The functions of an algorithm.
    pub(crate) fn functions(&self, operation: c_int, name: &str) -> *const Dispatch {
        let all = self.algorithms(operation);
        all.iter().find(|(names, ..)| names.split(':').any(|one| one == name)).expect("the algorithm").2
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: the function of this number, once.
        unsafe { function::<Free>(self.table, 1024)(self.provider) }
    }
}

pub(crate) const NOTHING: [Dispatch; 1] = [Dispatch { id: 0, function: null() }];
pub(crate) const KEYMGMT: c_int = 10;
pub(crate) const KEM: c_int = 14;
