//! The provider as OpenSSL sees it, without OpenSSL: tables, and entry points that are given nothing, too
//! little, or what is malformed. (The suite `interop` has OpenSSL itself.)

mod loaded;

use loaded::*;
use ringsmith_ossl::Dispatch;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

type Callback = unsafe extern "C" fn(*const Param, *mut c_void) -> c_int;
type Capabilities = unsafe extern "C" fn(*mut c_void, *const c_char, Option<Callback>, *mut c_void) -> c_int;
type Has = unsafe extern "C" fn(*const c_void, c_int) -> c_int;
type Decode = unsafe extern "C" fn(
    *mut c_void,
    *mut c_void,
    c_int,
    Option<Callback>,
    *mut c_void,
    *const c_void,
    *mut c_void,
) -> c_int;
const ENCODER: c_int = 20;
const DECODER: c_int = 21;
const OPERATIONS: [c_int; 4] = [KEYMGMT, KEM, ENCODER, DECODER];

/// Protects: what there is, and that nothing claims to be validated; loading twice makes two.
#[test]
fn tables() {
    let [one, other] = [Loaded::new(&NOTHING), Loaded::new(&NOTHING)];
    assert_ne!(one.provider, other.provider);
    let names = |operation| -> Vec<String> {
        one.algorithms(operation).into_iter().map(|(names, ..)| names).collect()
    };
    let first = |name: &String| name.split(':').next().expect("a name").to_string();
    let kinds: Vec<_> = names(KEYMGMT).iter().map(first).collect();
    assert_eq!(kinds[..4], ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768"]);
    assert_eq!(kinds[4..], ["SecP256r1MLKEM768", "SecP384r1MLKEM1024", "sntrup761x25519"]);
    assert_eq!(names(KEM), names(KEYMGMT));
    assert_eq!((names(ENCODER).len(), names(DECODER).len()), (12, 6));
    for (_, properties, _) in OPERATIONS.into_iter().flat_map(|operation| one.algorithms(operation)) {
        assert!(properties.starts_with("provider=ringsmith") && !properties.contains("fips"));
    }
    assert!((1..30).filter(|id| !OPERATIONS.contains(id)).all(|id| names(id).is_empty()));
}

/// Protects: entering without places is an error.
#[test]
fn nowhere() {
    let (mut table, mut provider) = (null(), null_mut());
    // SAFETY: null pointers are what it must see.
    unsafe {
        assert_eq!(ringsmith_ossl::OSSL_provider_init(null(), null(), null_mut(), &mut provider), 0);
        assert_eq!(ringsmith_ossl::OSSL_provider_init(null(), null(), &mut table, null_mut()), 0);
        assert_eq!(ringsmith_ossl::OSSL_provider_init(null(), null(), &mut table, &mut provider), 1);
        function::<Free>(table, 1024)(provider);
        function::<Free>(table, 1024)(null_mut());
    }
}

/// Counts calls, and parameters.
///
/// # Safety
/// A list with its end, and a counter.
unsafe extern "C" fn count(params: *const Param, counter: *mut c_void) -> c_int {
    // SAFETY: the contract.
    unsafe {
        let counter = &mut *counter.cast::<[usize; 2]>();
        counter[0] += 1;
        let mut at = params;
        while !(*at).key.is_null() {
            counter[1] += 1;
            at = at.add(1);
        }
    }
    1
}

/// Protects: seven groups of ten facts each; another capability has none; no function is an error.
#[test]
fn capabilities() {
    let loaded = Loaded::new(&NOTHING);
    let mut counter = [0usize; 2];
    let to: *mut c_void = (&raw mut counter).cast();
    let name = c"TLS-GROUP".as_ptr();
    // SAFETY: the function of this number, texts, and a counter that `count` takes.
    unsafe {
        let capabilities = function::<Capabilities>(loaded.table, 1030);
        assert_eq!(capabilities(loaded.provider, name, Some(count), to), 1);
        assert_eq!(capabilities(loaded.provider, c"TLS-SIGALG".as_ptr(), Some(count), to), 1);
        assert_eq!(capabilities(loaded.provider, name, None, to), 0);
        assert_eq!(capabilities(loaded.provider, null(), Some(count), to), 0);
    }
    assert_eq!(counter, [7, 70]);
}

/// Protects: entry points that are given null pointers, and keys without halves, answer that they failed.
#[test]
fn nothing() {
    let loaded = Loaded::new(&NOTHING);
    for (names, ..) in loaded.algorithms(KEYMGMT) {
        let name = names.split(':').next().expect("a name");
        let (keys, kem) = (loaded.functions(KEYMGMT, name), loaded.functions(KEM, name));
        // SAFETY: functions by their numbers; null pointers are what they must see.
        unsafe {
            let key = function::<New>(keys, 1)(loaded.provider);
            let (has, set) = (function::<Has>(keys, 21), function::<Set>(keys, 13));
            assert_eq!([has(key, 2), has(null(), 2)], [0, 0]);
            assert_eq!(set(null_mut(), null()), 1); // nothing to set
            let mut share = [1; 5];
            let share = octets(c"encoded-pub-key", &mut share);
            assert_eq!([set(null_mut(), share.as_ptr()), set(key, share.as_ptr())], [0, 0]);
            assert!(function::<Gen>(keys, 6)(null_mut(), null_mut(), null_mut()).is_null());
            blank(kem, loaded.provider, key);
            function::<Free>(keys, 10)(key);
            function::<Free>(keys, 10)(null_mut());
        }
    }
}

/// # Safety
/// The functions of a kind, the provider, and a key of that kind without halves.
unsafe fn blank(kem: *const Dispatch, provider: *mut c_void, key: *mut c_void) {
    let (mut bytes, mut secret) = (0, 0);
    // SAFETY: functions by their numbers; null pointers are what they must see.
    unsafe {
        let operation = function::<New>(kem, 1)(provider);
        let init = function::<Init>(kem, 2);
        let (encapsulate, decapsulate) = (function::<Encapsulate>(kem, 3), function::<Decapsulate>(kem, 5));
        assert_eq!([init(operation, null_mut(), null()), init(null_mut(), key, null())], [0, 0]);
        assert_eq!(encapsulate(operation, null_mut(), &mut bytes, null_mut(), &mut secret), 0);
        assert_eq!(encapsulate(null_mut(), null_mut(), &mut bytes, null_mut(), &mut secret), 0);
        assert_eq!(init(operation, key, null()), 1);
        assert_eq!(encapsulate(operation, null_mut(), &mut bytes, null_mut(), &mut secret), 1);
        let (mut ciphertext, mut shared) = (vec![0; bytes], vec![0; secret]);
        let (to, of) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        assert_eq!(encapsulate(operation, to, &mut bytes, of, &mut secret), 0);
        assert_eq!(decapsulate(operation, of, &mut secret, to, bytes), 0);
        assert_eq!(decapsulate(operation, of, &mut secret, null(), bytes), 0);
        function::<Free>(kem, 6)(operation);
        function::<Free>(kem, 6)(null_mut());
    }
}

/// Protects: a key that an operation has is not changed under it, and outlives its handle; without the
/// operation it is changed.
#[test]
fn keys_in_use() {
    let loaded = Loaded::new(&NOTHING);
    let (keys, kem) = (loaded.functions(KEYMGMT, "X25519MLKEM768"), loaded.functions(KEM, "X25519MLKEM768"));
    // SAFETY: functions by their numbers, each handle to the functions of its kind.
    unsafe {
        let generation = function::<GenInit>(keys, 2)(loaded.provider, 3, null());
        let [one, other] = [0; 2].map(|_| function::<Gen>(keys, 6)(generation, null_mut(), null_mut()));
        function::<Free>(keys, 7)(generation);
        let mut share = vec![0; 1216];
        let mut asked = octets(c"encoded-pub-key", &mut share);
        assert_eq!(function::<Get>(keys, 11)(one, asked.as_mut_ptr()), 1);
        assert_eq!(asked[0].return_size, 1216);

        let (init, set, has) =
            (function::<Init>(kem, 2), function::<Set>(keys, 13), function::<Has>(keys, 21));
        let operation = function::<New>(kem, 1)(loaded.provider);
        assert_eq!(init(operation, other, null()), 1);
        assert_eq!(set(other, asked.as_ptr()), 0);
        assert_eq!(init(operation, one, null()), 1);
        assert_eq!(set(other, asked.as_ptr()), 1);
        assert_eq!([has(other, 2), has(other, 1)], [1, 0]); // the other side's now
        [one, other].into_iter().for_each(|key| function::<Free>(keys, 10)(key));

        let (mut bytes, mut secret) = (1120, 64);
        let (mut ciphertext, mut shared) = (vec![0; bytes], vec![0; secret]);
        let (to, of) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        assert_eq!(function::<Encapsulate>(kem, 3)(operation, to, &mut bytes, of, &mut secret), 1);
        function::<Free>(kem, 6)(operation);
    }
}

/// A stream of OpenSSL's: bytes that are left, a few at a time.
///
/// # Safety
/// The stream of the test, and a place of as many bytes.
unsafe extern "C" fn read(stream: *mut c_void, to: *mut c_void, most: usize, done: *mut usize) -> c_int {
    // SAFETY: the contract.
    unsafe {
        let left = &mut *stream.cast::<&[u8]>();
        let count = most.min(left.len()).min(7);
        to.cast::<u8>().copy_from(left.as_ptr(), count);
        *left = &left[count..];
        done.write(count);
        c_int::from(count > 0)
    }
}

/// Protects: what is cut off, spoiled or says that it is long is no key, and no failure: other decoders are
/// asked. A good file is told of, and a key that nobody takes is freed.
#[test]
fn files() {
    let read = read as unsafe extern "C" fn(_, _, _, _) -> _;
    let theirs = [Dispatch { id: 42, function: read as *const c_void }, NOTHING[0]];
    let loaded = Loaded::new(&theirs);
    let decoders = loaded.algorithms(DECODER);
    let (_, properties, private) = &decoders[1];
    assert!(properties.ends_with("PrivateKeyInfo"));
    let told = |file: &[u8]| {
        let (mut left, mut counter) = (file, [0usize; 2]);
        // SAFETY: functions by their numbers; a stream that `read` takes, a counter that `count` takes.
        unsafe {
            let decoder = function::<New>(*private, 1)(loaded.provider);
            let (stream, to) = ((&raw mut left).cast(), (&raw mut counter).cast());
            let decode = function::<Decode>(*private, 11);
            assert_eq!(decode(decoder, stream, 3, Some(count), to, null(), null_mut()), 1);
            function::<Free>(*private, 2)(decoder);
        }
        counter
    };
    // A seed of ML-KEM-512 (RFC 9935, section 6).
    let mut good = vec![0x30, 84, 2, 1, 0, 0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1];
    good.extend([4, 66, 0x80, 64]);
    good.extend([7; 64]);
    assert_eq!(told(&good), [1, 3]);
    assert!((0..good.len()).all(|length| told(&good[..length]) == [0, 0]));
    for place in 0..22 {
        let mut spoiled = good.clone();
        spoiled[place] ^= 0x10;
        assert_eq!(told(&spoiled), [0, 0], "byte {place}");
    }
    for long in [&[0x30, 0x80][..], &[0x30, 0x84, 1, 0, 0, 0], &[0x30, 0x83, 0xFF, 0xFF, 0xFF], &[0x30, 0xFF]]
    {
        assert_eq!(told(&[long, &good].concat()), [0, 0]);
    }
}
