//! NewHope-Compact: coefficients of 12 bits, noise with `k = 2`, and transforms that stop at residues of
//! degree 4, 6 and 8.
//!
//! # Pitfalls
//! * A sampled word stands for a signed number: from `2^15` on it is `2^16` less.
//! * What is sent of products has the factor `2^-16` of the reference's Montgomery reduction.
//! * The reference writes a coefficient that is a multiple of `q` as 0 or as `q`, depending on its lazy
//!   reductions. Here all are written in `[0, q)`; `q` is read as 0, in ciphertexts too, so that what the
//!   reference emits is understood.

use super::sets::cca_set;

/// The parameters of all sets.
macro_rules! compact {
    (
        q $q:literal, rows $rows:literal, below $multiples:literal,
        compressed $compressed:literal
    ) => {
        const LIMIT: u16 = $multiples * $q;
        const SIGNED: bool = true;
        const NOISE: parameters::Noise = parameters::Noise::Two;
        const FACTORS: Option<[i64; 2]> = None;
        const WRITES_Q: bool = true;
        const PREFIXES: [&'static [u8]; 3] = [&[]; 3];
        parameters::functions!(q $q, rows $rows, bits 12, compressed $compressed);
    };
}

cca_set! {
    compact_512 NewHopeCompact512 "NewHope-Compact-512", "LATINCRYPT 2019",
    rows 32, domain COMPACT_512_ORDERED, lengths U800 U1632 U992,
    { compact!(q 3329, rows 32, below 19, compressed 3); }
}
cca_set! {
    compact_768 NewHopeCompact768 "NewHope-Compact-768", "LATINCRYPT 2019",
    rows 48, domain COMPACT_768_ORDERED, lengths U1184 U2400 U1568,
    { compact!(q 3457, rows 48, below 18, compressed 4); }
}
cca_set! {
    compact_1024 NewHopeCompact1024 "NewHope-Compact-1024", "LATINCRYPT 2019",
    rows 64, domain COMPACT_1024_ORDERED, lengths U1568 U3168 U2080,
    { compact!(q 3329, rows 64, below 19, compressed 4); }
}
