//! NewHope as submitted to NIST: coefficients of 14 bits modulo 12289, noise with `k = 8`.

use super::sets::{cca_set, cpa_set};

/// The parameters of all sets; hashes have bytes before their messages.
macro_rules! nist {
    (rows $rows:literal, prefixes $prefixes:expr) => {
        const LIMIT: u16 = 5 * 12289;
        const SIGNED: bool = false;
        const NOISE: parameters::Noise = parameters::Noise::Eight;
        const FACTORS: Option<[i64; 2]> = Some([1, 1]);
        const WRITES_Q: bool = false;
        const PREFIXES: [&'static [u8]; 3] = $prefixes;
        parameters::functions!(q 12289, rows $rows, bits 14, compressed 3);
    };
}

cca_set! {
    cca_512 NewHopeCca512 "NewHope-CCA-512", "NewHope, NIST round 2",
    rows 32, domain NEW_HOPE_512_ORDERED, lengths U928 U1888 U1120,
    { nist!(rows 32, prefixes [&[1], &[4], &[8]]); }
}
cca_set! {
    cca_1024 NewHopeCca1024 "NewHope-CCA-1024", "NewHope, NIST round 2",
    rows 64, domain NEW_HOPE_1024_ORDERED, lengths U1824 U3680 U2208,
    { nist!(rows 64, prefixes [&[1], &[4], &[8]]); }
}
cpa_set! {
    cpa_512 NewHopeCpa512 "NewHope-CPA-512", "NewHope, NIST round 2",
    rows 32, domain NEW_HOPE_512_ORDERED, lengths U928 U896 U1088,
    { nist!(rows 32, prefixes [&[1], &[2], &[]]); }
}
cpa_set! {
    cpa_1024 NewHopeCpa1024 "NewHope-CPA-1024", "NewHope, NIST round 2",
    rows 64, domain NEW_HOPE_1024_ORDERED, lengths U1824 U1792 U2176,
    { nist!(rows 64, prefixes [&[1], &[2], &[]]); }
}
