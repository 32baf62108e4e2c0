//! Bytes as hexadecimal digits, in the tests of every crate.

use alloc::{format, string::String};

/// Two digits a byte, in lower case.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of so many digits.
///
/// # Panics
/// Where there are more or fewer, or something else.
pub fn unhex<const N: usize>(text: &str) -> [u8; N] {
    assert_eq!(text.len(), 2 * N);
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("two digits"))
}
