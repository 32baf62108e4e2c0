//! NewHope-Compact: coefficients of 12 bits, noise with `k = 2`, and transforms that stop at residues of
//! degree 4, 6 and 8.
//!
//! # Pitfalls
//! * A sampled word is a signed number: a word `w` from `2^15` on means `w - 2^16`.
//! * Products are sent with the factor `2^-16` that the Montgomery reduction of the reference code leaves.
//! * The reference writes a coefficient that is a multiple of `q` as 0 or as `q`, depending on its lazy
//!   reductions. Here all are written in `[0, q)`; `q` is read as 0, in ciphertexts too, so that what the
//!   reference emits is understood.

use super::parameters::{Noise, Rules};

const RULES: Rules = Rules {
    source: "LATINCRYPT 2019",
    signed: true,
    noise: Noise::Two,
    factors: None,
    writes_q: true,
    prefixes: [&[]; 3],
};

super::sets::sets! {
    /// NewHope-Compact-512.
    compact_512 NewHopeCompact512 "NewHope-Compact-512",
    cca 32 rows, Compact512 InPlanes<4>, Numbers<3329, 12, 3>, RULES;

    /// NewHope-Compact-768.
    compact_768 NewHopeCompact768 "NewHope-Compact-768",
    cca 48 rows, Compact768 InPlanes<6>, Numbers<3457, 12, 4>, RULES;

    /// NewHope-Compact-1024.
    compact_1024 NewHopeCompact1024 "NewHope-Compact-1024",
    cca 64 rows, Compact1024 InPlanes<8>, Numbers<3329, 12, 4>, RULES;
}
