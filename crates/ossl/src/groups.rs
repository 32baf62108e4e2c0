//! The capability `TLS-GROUP`: which groups there are.

use crate::abi::Callback;
use crate::params::Given;
use ringsmith_hybrid::tls::{self, Group};
use std::ffi::{CStr, c_int, c_uint, c_void};

/// What it is called.
const NAME: &CStr = c"TLS-GROUP";
/// TLS 1.3, the only version with these groups.
const TLS13: c_int = 0x0304;
/// No newest version.
const ANY: c_int = 0;
/// No version of DTLS: OpenSSL 3 has none with these groups.
const NONE: c_int = -1;

/// The groups, and the algorithms of their keys.
static GROUPS: [(&Group, &CStr, &CStr); 7] = [
    (&tls::X25519_MLKEM768, c"X25519MLKEM768", c"X25519MLKEM768"),
    (&tls::SECP256R1_MLKEM768, c"SecP256r1MLKEM768", c"SecP256r1MLKEM768"),
    (&tls::SECP384R1_MLKEM1024, c"SecP384r1MLKEM1024", c"SecP384r1MLKEM1024"),
    (&tls::MLKEM512, c"MLKEM512", c"ML-KEM-512"),
    (&tls::MLKEM768, c"MLKEM768", c"ML-KEM-768"),
    (&tls::MLKEM1024, c"MLKEM1024", c"ML-KEM-1024"),
    (&tls::SNTRUP761_X25519, c"sntrup761x25519", c"sntrup761x25519"),
];

/// Tells OpenSSL of each group; until it does not want more.
///
/// # Safety
/// The function takes the argument.
pub(crate) unsafe fn tell(capability: &CStr, callback: Callback, argument: *mut c_void) -> bool {
    // SAFETY: the contract.
    capability != NAME || GROUPS.iter().all(|group| unsafe { tell_one(group, callback, argument) })
}

/// # Safety
/// As [`tell`].
unsafe fn tell_one(
    (group, name, algorithm): &(&Group, &CStr, &CStr),
    callback: Callback,
    argument: *mut c_void,
) -> bool {
    let [id, bits, is_kem] = [c_uint::from(group.code_point), group.security_bits, 1];
    let mut given = Given::new()
        .text(c"tls-group-name", name)
        .text(c"tls-group-name-internal", name)
        .text(c"tls-group-alg", algorithm)
        .unsigned(c"tls-group-id", &id)
        .unsigned(c"tls-group-sec-bits", &bits)
        .unsigned(c"tls-group-is-kem", &is_kem)
        .integer(c"tls-min-tls", &TLS13)
        .integer(c"tls-max-tls", &ANY)
        .integer(c"tls-min-dtls", &NONE)
        .integer(c"tls-max-dtls", &NONE);
    // SAFETY: a list with its end, whose values live until the function is back.
    unsafe { callback(given.list(), argument) == 1 }
}
