//! Lists of parameters, as C gives and takes them.

use crate::abi::{INTEGER, OCTETS, Param, UNMODIFIED, UNSIGNED, UTF8, UTF8_POINTER};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;

/// A parameter whose value is at `data`.
const fn param(key: &CStr, data_type: c_uint, data: *const c_void, data_size: usize) -> Param {
    Param { key: key.as_ptr(), data_type, data: data.cast_mut(), data_size, return_size: UNMODIFIED }
}

/// The end of a list.
pub(crate) const END: Param =
    Param { key: ptr::null(), data_type: 0, data: ptr::null_mut(), data_size: 0, return_size: 0 };

/// A parameter that there is, in a list that says so.
pub(crate) const fn described(key: &'static CStr, data_type: c_uint) -> Param {
    param(key, data_type, ptr::null(), 0)
}

/// Values that are given to C: the list borrows them.
pub(crate) struct Given<'a> {
    params: Vec<Param>,
    values: std::marker::PhantomData<&'a [u8]>,
}

impl<'a> Given<'a> {
    pub(crate) fn new() -> Self {
        Given { params: Vec::new(), values: std::marker::PhantomData }
    }

    pub(crate) fn octets(mut self, key: &'static CStr, value: &'a [u8]) -> Self {
        self.params.push(param(key, OCTETS, value.as_ptr().cast(), value.len()));
        self
    }

    pub(crate) fn text(mut self, key: &'static CStr, value: &'a CStr) -> Self {
        self.params.push(param(key, UTF8, value.as_ptr().cast(), value.count_bytes()));
        self
    }

    pub(crate) fn integer(mut self, key: &'static CStr, value: &'a c_int) -> Self {
        self.params.push(param(key, INTEGER, ptr::from_ref(value).cast(), size_of::<c_int>()));
        self
    }

    pub(crate) fn unsigned(mut self, key: &'static CStr, value: &'a c_uint) -> Self {
        self.params.push(param(key, UNSIGNED, ptr::from_ref(value).cast(), size_of::<c_uint>()));
        self
    }

    /// Bytes that the function may write to, at an address that is valid as long as the list.
    pub(crate) fn place(mut self, key: &'static CStr, place: *mut c_void, bytes: usize) -> Self {
        self.params.push(param(key, OCTETS, place, bytes));
        self
    }

    /// The list, with its end, as long as this lives. C does not write to it.
    pub(crate) fn list(&mut self) -> *const Param {
        self.params.push(END);
        self.params.as_ptr()
    }
}

/// The parameter of this name in a list; a null pointer is an empty list.
///
/// # Safety
/// The list is null, or valid for reads and ends with [`END`]; keys are texts.
pub(crate) unsafe fn find(list: *const Param, key: &CStr) -> Option<*const Param> {
    let mut at = list;
    // SAFETY: not null, and not behind the end: the loop stops there. Keys are texts by the contract.
    while !at.is_null() && unsafe { !(*at).key.is_null() } {
        // SAFETY: as above.
        if unsafe { CStr::from_ptr((*at).key) } == key {
            return Some(at);
        }
        // SAFETY: there is at least the end behind it.
        at = unsafe { at.add(1) };
    }
    None
}

/// The bytes of a parameter that has such. `None` where it is not there, is of another type or has none.
///
/// # Safety
/// As [`find`]; values are valid for reads of as many bytes as they say, for as long as `'a`.
pub(crate) unsafe fn octets<'a>(list: *const Param, key: &CStr) -> Option<&'a [u8]> {
    // SAFETY: the contract.
    let param = unsafe { *find(list, key)? };
    if param.data_type != OCTETS || param.data.is_null() || param.data_size > isize::MAX as usize {
        return None;
    }
    // SAFETY: not null, so valid for so many bytes by the contract, and no more than a slice may have.
    Some(unsafe { std::slice::from_raw_parts(param.data.cast(), param.data_size) })
}

/// A value that C asks for.
pub(crate) enum Value<'a> {
    /// A number that is not negative.
    Number(u32),
    /// Bytes.
    Octets(&'a [u8]),
    /// A text that stays.
    Text(&'static CStr),
}

/// Writes the value of this name where C asks for it. Whether it could, or was not asked.
///
/// # Safety
/// As [`find`], for writes too; places are valid for writes of as many bytes as they say.
pub(crate) unsafe fn put(list: *mut Param, key: &CStr, value: Value<'_>) -> bool {
    // SAFETY: the contract.
    let Some(param) = (unsafe { find(list, key) }) else { return true };
    // SAFETY: an element of the list, which may be written to; nothing else refers to it.
    let param = unsafe { &mut *param.cast_mut() };
    match (value, param.data_type) {
        // Enough for every type of C's, and each of them may ask.
        (Value::Number(number), INTEGER | UNSIGNED) => match param.data_size {
            // SAFETY: a place of as many bytes, or none.
            4 => unsafe { fill(param, &number.to_ne_bytes()) },
            // SAFETY: as above.
            8 => unsafe { fill(param, &u64::from(number).to_ne_bytes()) },
            _ => {
                param.return_size = size_of::<c_int>();
                param.data.is_null()
            }
        },
        // SAFETY: `fill` asks whether they have room.
        (Value::Octets(bytes), OCTETS) => unsafe { fill(param, bytes) },
        (Value::Text(text), UTF8_POINTER) => {
            param.return_size = text.count_bytes();
            // SAFETY: C's place is one for a pointer, by its type; unaligned as nothing says otherwise.
            unsafe { point(param.data, text.as_ptr()) }
        }
        _ => false,
    }
}

/// # Safety
/// The place is null or valid for the write of a pointer.
unsafe fn point(place: *mut c_void, text: *const c_char) -> bool {
    if !place.is_null() {
        // SAFETY: the contract.
        unsafe { place.cast::<*const c_char>().write_unaligned(text) };
    }
    true
}

/// Writes bytes where there is a place, and how many they are. Whether they had room.
///
/// # Safety
/// The place is null or valid for writes of as many bytes as it says.
unsafe fn fill(param: &mut Param, bytes: &[u8]) -> bool {
    param.return_size = bytes.len();
    if param.data.is_null() {
        return true;
    }
    if param.data_size < bytes.len() {
        return false;
    }
    // SAFETY: a place of at least so many bytes, which is C's: no slice of ours is there.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), param.data.cast(), bytes.len()) };
    true
}
