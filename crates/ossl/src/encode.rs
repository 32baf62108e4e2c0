//! The operation `ENCODER`: ML-KEM's keys as files.

use crate::abi::{Algorithm, Dispatch, Param, coder_id as id};
use crate::form::{Context, Form, PrivateDer, PrivatePem, PublicDer, PublicPem, Structure};
use crate::handle::{borrow, free_box, give_box, guard};
use crate::key::Key;
use crate::kind::{How, MlKem512, MlKem768, MlKem1024, OfKind};
use crate::provider::Provider;
use ringsmith_simd::Cpu;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use zeroize::Zeroizing;

const PUBLIC_DER: &CStr = c"provider=ringsmith,output=der,structure=SubjectPublicKeyInfo";
const PUBLIC_PEM: &CStr = c"provider=ringsmith,output=pem,structure=SubjectPublicKeyInfo";
const PRIVATE_DER: &CStr = c"provider=ringsmith,output=der,structure=PrivateKeyInfo";
const PRIVATE_PEM: &CStr = c"provider=ringsmith,output=pem,structure=PrivateKeyInfo";

/// The encoders of a kind.
const fn of<K: OfKind>() -> [Algorithm; 4] {
    [
        Algorithm::new(K::KIND.names, PUBLIC_DER, functions::<PublicDer>()),
        Algorithm::new(K::KIND.names, PUBLIC_PEM, functions::<PublicPem>()),
        Algorithm::new(K::KIND.names, PRIVATE_DER, functions::<PrivateDer>()),
        Algorithm::new(K::KIND.names, PRIVATE_PEM, functions::<PrivatePem>()),
    ]
}

/// All of them. What they write, the key itself says.
pub(crate) static ENCODERS: [Algorithm; 13] = {
    let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = [of::<MlKem512>(), of::<MlKem768>(), of::<MlKem1024>()];
    [a, b, c, d, e, f, g, h, i, j, k, l, Algorithm::END]
};

const fn functions<F: Form>() -> &'static [Dispatch] {
    const {
        &[
            Dispatch::new(id::NEWCTX, new as *const ()),
            Dispatch::new(id::FREECTX, free as *const ()),
            Dispatch::new(id::DOES_SELECTION, does_selection::<F> as *const ()),
            Dispatch::new(id::ENCODE, encode::<F> as *const ()),
            Dispatch::END,
        ]
    }
}

/// # Safety
/// The provider is null or ours.
pub(crate) unsafe extern "C" fn new(provider: *mut c_void) -> *mut c_void {
    guard(ptr::null_mut(), || {
        // SAFETY: the contract.
        let provider = unsafe { provider.cast::<Provider>().as_ref() };
        provider.map_or(ptr::null_mut(), |provider| give_box::<Context>(*provider))
    })
}

/// # Safety
/// The handle is null or one of [`new`], and is not used again.
pub(crate) unsafe extern "C" fn free(context: *mut c_void) {
    // SAFETY: the contract.
    guard((), || unsafe { free_box::<Context>(context) });
}

pub(crate) extern "C" fn does_selection<F: Form>(_provider: *mut c_void, parts: c_int) -> c_int {
    c_int::from(F::STRUCTURE.serves(parts))
}

/// Writes a key into a stream of OpenSSL's.
///
/// # Safety
/// The handles are null, or one of [`new`], a stream, and a key's.
unsafe extern "C" fn encode<F: Form>(
    context: *mut c_void,
    stream: *mut c_void,
    key: *const c_void,
    _other: *const Param,
    _parts: c_int,
    _passphrase: *const c_void,
    _argument: *mut c_void,
) -> c_int {
    guard(0, || {
        // SAFETY: the contract.
        let (context, key) = unsafe { (context.cast::<Context>().as_ref(), borrow(key)) };
        let (Some(context), Some(key)) = (context, key) else { return 0 };
        let Some(file) = file::<F>(key) else { return 0 };
        // SAFETY: a stream of OpenSSL's.
        c_int::from(unsafe { context.write_all(stream, &file) })
    })
}

/// A key as a file: a private one as its seed, where it has one.
fn file<F: Form>(key: &Key) -> Option<Zeroizing<Vec<u8>>> {
    let (How::Scheme(scheme), cpu) = (key.kind.how, Cpu::detect()) else { return None };
    let made = match (F::STRUCTURE, F::IS_PEM) {
        (Structure::SubjectPublicKeyInfo, false) => {
            scheme.public_key_to_der(cpu, key.public()?).ok()?.as_bytes().to_vec()
        }
        (Structure::SubjectPublicKeyInfo, true) => {
            scheme.public_key_to_pem(cpu, key.public()?).ok()?.into_bytes()
        }
        (Structure::PrivateKeyInfo, is_pem) => {
            let (long, seed) = key.private()?;
            let short = seed.unwrap_or(long);
            match is_pem {
                false => scheme.private_key_to_der(cpu, short).ok()?.as_bytes().to_vec(),
                true => scheme.private_key_to_pem(cpu, short).ok()?.as_bytes().to_vec(),
            }
        }
    };
    Some(Zeroizing::new(made))
}
