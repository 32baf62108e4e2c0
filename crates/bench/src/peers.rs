//! Other libraries that a program measures in the same run, on the same operands.
//!
//! None is compiled here: a program brings its own as [`Peers`]. The project's are in the crate `peers`,
//! which is not published, and whose versions are part of the figures.

use crate::case::Case;

/// What a program measures beside ours.
#[derive(Clone, Copy)]
pub struct Peers {
    /// Each library's name and version.
    pub versions: &'static [&'static str],
    /// Everything that they offer.
    pub cases: fn() -> Vec<Case>,
}

impl Peers {
    /// None.
    pub const NONE: Peers = Peers { versions: &[], cases: Vec::new };
}

/// What the page says of a peer of the schemes, by its name without a version. The files of the crate `peers`
/// say it in full. Every build has these notes, because a page can be written from the rows of another build.
const NOTES: [(&str, &str); 6] = [
    (
        "aws-lc-rs",
        "all checks of FIPS 203; randomness from its own generator for each thread, which reads the CPU's \
         `RDRAND`, so `keygen` and `encapsulate` have that in them (see `randomness`); no prepared keys",
    ),
    (
        "libcrux-ml-kem",
        "checks are separate calls, which its manual asks for: `checked` makes them, `unchecked` does not; \
         clears no memory",
    ),
    (
        "ml-kem",
        "all checks of FIPS 203; portable code; a prepared key has no matrix, which is sampled each time; \
         clears no memory by default",
    ),
    (
        "pqcrypto-ntru",
        "PQClean's C, portable and, but for ntruhps40961229 and ntruhrss1373, the submission's for AVX2, by \
         its C functions and with our randomness; checks no keys; no prepared keys; clears no memory",
    ),
    (
        "pqcrypto-ntruprime",
        "PQClean's C, portable and the submission's for AVX2, by its C functions and with our randomness; \
         checks no keys; no prepared keys; clears no memory",
    ),
    ("sntrup", "Rust, with vector code for AVX2 and AVX-512; checks no keys; streamlined sets alone"),
];

/// The same of a peer in signatures.
const SIGNATURE_NOTES: [(&str, &str); 6] = [
    (
        "aws-lc-rs",
        "mldsa-native; hedged, with randomness of its own; reading a private key computes the public one, \
         which is left out",
    ),
    (
        "fips204",
        "portable code; reads a private key in `sign` and checks its ranges; prepared keys have transforms, \
         and no matrix; `keygen` transforms the private key back to write it",
    ),
    ("libcrux-ml-dsa", "checks nothing of private keys; no prepared keys; clears no memory"),
    (
        "ml-dsa",
        "portable code; reads a private key in `sign`, with its matrix, and checks nothing of it; prepared \
         keys have matrix and transforms",
    ),
    (
        "mldsa-native-rs",
        "mldsa-native, C and assembly, with Keccak for AVX2 and AArch64; checks private keys as it reads \
         them, which is left out; no prepared keys",
    ),
    (
        "pqcrypto-mldsa",
        "PQClean's C, portable and the submission's for AVX2, by its C functions; checks nothing of private \
         keys; its vector code takes some signatures that are none, so it is no oracle; no prepared keys; \
         clears no memory",
    ),
];

/// What is to be known of a peer in signatures, by [`Id::implementation`](crate::Id::implementation).
pub fn signature_note(implementation: &str) -> Option<&'static str> {
    find(&SIGNATURE_NOTES, implementation)
}

/// What is to be known of a peer of the schemes, by [`Id::implementation`](crate::Id::implementation).
pub fn note(implementation: &str) -> Option<&'static str> {
    find(&NOTES, implementation)
}

fn find(notes: &[(&str, &'static str)], implementation: &str) -> Option<&'static str> {
    let name = implementation.split(' ').next()?;
    notes.iter().find(|note| note.0 == name).map(|note| note.1)
}
