//! The operation `KEYMGMT`: making keys, giving and taking their parts.

use crate::abi::INTEGER;
use crate::abi::{Callback, Dispatch, OCTETS, Param, UTF8, keymgmt_id as id, name, selection};
use crate::handle::{borrow, change, free, free_box, give, give_box, guard};
use crate::key::Key;
use crate::kind::{Kind, OfKind};
use crate::params::{END, Given, Value, described, find, octets, put};
use std::ffi::{c_int, c_void};
use std::ptr;

/// The functions of a kind.
pub(crate) const fn functions<K: OfKind>() -> &'static [Dispatch] {
    const {
        &[
            Dispatch::new(id::NEW, new::<K> as *const ()),
            Dispatch::new(id::FREE, free_key as *const ()),
            Dispatch::new(id::GEN_INIT, gen_init::<K> as *const ()),
            Dispatch::new(id::GEN_SET_PARAMS, gen_set_params as *const ()),
            Dispatch::new(id::GEN_SETTABLE_PARAMS, gen_settable_params as *const ()),
            Dispatch::new(id::GEN, generate as *const ()),
            Dispatch::new(id::GEN_CLEANUP, gen_cleanup as *const ()),
            Dispatch::new(id::LOAD, load as *const ()),
            Dispatch::new(id::GET_PARAMS, get_params as *const ()),
            Dispatch::new(id::GETTABLE_PARAMS, gettable_params as *const ()),
            Dispatch::new(id::SET_PARAMS, set_params as *const ()),
            Dispatch::new(id::SETTABLE_PARAMS, settable_params as *const ()),
            Dispatch::new(id::HAS, has as *const ()),
            Dispatch::new(id::VALIDATE, validate as *const ()),
            Dispatch::new(id::MATCH, matches as *const ()),
            Dispatch::new(id::IMPORT, import as *const ()),
            Dispatch::new(id::IMPORT_TYPES, types as *const ()),
            Dispatch::new(id::EXPORT, export as *const ()),
            Dispatch::new(id::EXPORT_TYPES, types as *const ()),
            Dispatch::new(id::DUP, duplicate as *const ()),
            Dispatch::END,
        ]
    }
}

/// A key without halves.
extern "C" fn new<K: OfKind>(_provider: *mut c_void) -> *mut c_void {
    guard(ptr::null_mut(), || give(Key::blank(K::KIND)))
}

/// # Safety
/// The handle is null or a key's, and is not used again.
unsafe extern "C" fn free_key(key: *mut c_void) {
    // SAFETY: the contract.
    guard((), || unsafe { free(key) });
}

/// What is to be made: a kind, and which parts of a key. Without both halves it is a key without any, to
/// which the other side's share comes.
struct Generation {
    kind: &'static Kind,
    parts: c_int,
}

extern "C" fn gen_init<K: OfKind>(_: *mut c_void, parts: c_int, _: *const Param) -> *mut c_void {
    guard(ptr::null_mut(), || give_box(Generation { kind: K::KIND, parts }))
}

/// The name of the group, which is that of the kind.
///
/// # Safety
/// The list is null or one of parameters.
unsafe extern "C" fn gen_set_params(_generation: *mut c_void, _params: *const Param) -> c_int {
    1
}

extern "C" fn gen_settable_params(_: *mut c_void, _: *mut c_void) -> *const Param {
    static LIST: [Param; 2] = [described(name::GROUP, UTF8), END];
    LIST.as_ptr()
}

/// # Safety
/// The handle is one of [`gen_init`].
unsafe extern "C" fn generate(
    generation: *mut c_void,
    _callback: Option<Callback>,
    _argument: *mut c_void,
) -> *mut c_void {
    // SAFETY: null, or such a handle by the contract.
    let Some(asked) = (unsafe { generation.cast::<Generation>().as_ref() }) else { return ptr::null_mut() };
    guard(ptr::null_mut(), || match asked.parts & selection::PAIR {
        0 => give(Key::blank(asked.kind)),
        _ => Key::generate(asked.kind).map_or(ptr::null_mut(), give),
    })
}

/// # Safety
/// The handle is null or one of [`gen_init`], and is not used again.
unsafe extern "C" fn gen_cleanup(generation: *mut c_void) {
    // SAFETY: the contract.
    guard((), || unsafe { free_box::<Generation>(generation) });
}

/// A key that a decoder made: the reference is the place of its handle, which is taken from there.
///
/// # Safety
/// The reference is null or valid for reads and writes of so many bytes.
unsafe extern "C" fn load(reference: *const c_void, bytes: usize) -> *mut c_void {
    if reference.is_null() || bytes != size_of::<*mut c_void>() {
        return ptr::null_mut();
    }
    let place = reference.cast_mut().cast::<*mut c_void>();
    // SAFETY: a place of our decoder's, which is aligned and writable; see there.
    unsafe { place.replace(ptr::null_mut()) }
}

/// # Safety
/// The handle is a key's; the list is one of parameters that may be written to.
unsafe extern "C" fn get_params(key: *mut c_void, params: *mut Param) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let Some(key) = (unsafe { borrow(key) }) else { return 0 };
        let [public, ciphertext, _] = key.kind.sizes();
        let mut values = vec![
            (name::BITS, Value::Number(8 * public as u32)),
            (name::SECURITY_BITS, Value::Number(key.kind.security_bits)),
            (name::MAX_SIZE, Value::Number(ciphertext as u32)),
        ];
        if let Some(public) = key.public() {
            values.extend([name::ENCODED, name::PUBLIC].map(|key| (key, Value::Octets(public))));
        }
        if let Some((private, seed)) = key.private() {
            values.push((name::PRIVATE, Value::Octets(private)));
            values.extend(seed.map(|seed| (name::SEED, Value::Octets(seed))));
        }
        // SAFETY: the contract.
        c_int::from(values.into_iter().all(|(key, value)| unsafe { put(params, key, value) }))
    })
}

extern "C" fn gettable_params(_provider: *mut c_void) -> *const Param {
    static LIST: [Param; 8] = [
        described(name::BITS, INTEGER),
        described(name::SECURITY_BITS, INTEGER),
        described(name::MAX_SIZE, INTEGER),
        described(name::ENCODED, OCTETS),
        described(name::PUBLIC, OCTETS),
        described(name::PRIVATE, OCTETS),
        described(name::SEED, OCTETS),
        END,
    ];
    LIST.as_ptr()
}

/// Takes the other side's share.
///
/// # Safety
/// The handle is a key's, which nobody else looks at; the list is one of parameters.
unsafe extern "C" fn set_params(key: *mut c_void, params: *const Param) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        if unsafe { find(params, name::ENCODED) }.is_none() {
            return 1;
        }
        // SAFETY: the contract.
        let Some(share) = (unsafe { octets(params, name::ENCODED) }) else { return 0 };
        // SAFETY: the contract.
        c_int::from(unsafe { change(key, |key| key.set_public(share)) } == Some(true))
    })
}

extern "C" fn settable_params(_provider: *mut c_void) -> *const Param {
    static LIST: [Param; 2] = [described(name::ENCODED, OCTETS), END];
    LIST.as_ptr()
}

/// # Safety
/// The handle is null or a key's.
unsafe extern "C" fn has(key: *const c_void, parts: c_int) -> c_int {
    // SAFETY: the contract.
    guard(0, || c_int::from(unsafe { borrow(key) }.is_some_and(|key| key.has(parts))))
}

/// Whether it has these parts: they were checked when they came.
///
/// # Safety
/// The handle is null or a key's.
unsafe extern "C" fn validate(key: *const c_void, parts: c_int, _how: c_int) -> c_int {
    // SAFETY: the contract.
    unsafe { has(key, parts) }
}

/// Whether two keys are the same: a public half tells its private one.
///
/// # Safety
/// The handles are null or keys'.
unsafe extern "C" fn matches(one: *const c_void, other: *const c_void, parts: c_int) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let (Some(one), Some(other)) = (unsafe { (borrow(one), borrow(other)) }) else { return 0 };
        let same = parts & selection::PAIR == 0 || one.public().is_some() && one.public() == other.public();
        c_int::from(ptr::eq(one.kind, other.kind) && same)
    })
}

/// Takes the halves of a key: a private one with or without the public one, or that alone.
///
/// # Safety
/// The handle is a key's, which nobody else looks at; the list is one of parameters.
unsafe extern "C" fn import(key: *mut c_void, parts: c_int, params: *const Param) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let [public, private, seed] =
            unsafe { [name::PUBLIC, name::PRIVATE, name::SEED].map(|name| octets(params, name)) };
        let private = seed.or(private).filter(|_| parts & selection::PRIVATE != 0);
        // SAFETY: the contract.
        c_int::from(unsafe { change(key, |key| take(key, public, private)) } == Some(true))
    })
}

fn take(key: &mut Key, public: Option<&[u8]>, private: Option<&[u8]>) -> bool {
    match (public, private) {
        (Some(public), None) => key.set_public(public),
        (None, Some(private)) => key.set_private(private),
        (Some(public), Some(private)) => {
            let mut made = Key::blank(key.kind);
            let fits = made.set_private(private) && made.public() == Some(public);
            if fits {
                *key = made;
            }
            fits
        }
        (None, None) => false,
    }
}

/// Gives the halves of a key: the private one of a scheme alone.
///
/// # Safety
/// The handle is a key's; the function takes the argument.
pub(crate) unsafe extern "C" fn export(
    key: *mut c_void,
    parts: c_int,
    callback: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let (Some(key), Some(callback)) = (unsafe { borrow(key) }, callback) else { return 0 };
        let mut given = Given::new();
        if let (true, Some(public)) = (parts & selection::PAIR != 0, key.public()) {
            given = given.octets(name::PUBLIC, public);
        }
        if parts & selection::PRIVATE != 0 {
            let Some((private, seed)) = key.private() else { return 0 };
            given = given.octets(name::PRIVATE, private);
            given = seed.into_iter().fold(given, |given, seed| given.octets(name::SEED, seed));
        }
        // SAFETY: a list with its end, whose values live until the function is back.
        unsafe { callback(given.list(), argument) }
    })
}

/// What import takes and export gives.
extern "C" fn types(parts: c_int) -> *const Param {
    static LIST: [Param; 4] = [
        described(name::PUBLIC, OCTETS),
        described(name::PRIVATE, OCTETS),
        described(name::SEED, OCTETS),
        END,
    ];
    if parts & selection::PAIR != 0 { LIST.as_ptr() } else { ptr::null() }
}

/// # Safety
/// The handle is null or a key's.
unsafe extern "C" fn duplicate(key: *const c_void, parts: c_int) -> *mut c_void {
    // SAFETY: the contract.
    guard(ptr::null_mut(), || unsafe { borrow(key) }.map_or(ptr::null_mut(), |key| give(key.copy(parts))))
}
