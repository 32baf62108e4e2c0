//! NewHope as submitted to NIST: coefficients of 14 bits modulo 12289, noise with `k = 8`.

use super::parameters::{Noise, Rules};

/// Hashes have bytes before their messages.
const CPA: Rules = Rules {
    source: "NewHope, NIST round 2",
    signed: false,
    noise: Noise::Eight,
    factors: Some([1, 1]),
    writes_q: false,
    prefixes: [&[1], &[2], &[]],
};
const CCA: Rules = Rules { prefixes: [&[1], &[4], &[8]], ..CPA };

super::sets::sets! {
    /// NewHope-CCA-512.
    cca_512 NewHopeCca512 "NewHope-CCA-512",
    cca 32 rows, NewHope512 Exponents, Numbers<12289, 14, 3>, CCA;

    /// NewHope-CCA-1024.
    cca_1024 NewHopeCca1024 "NewHope-CCA-1024",
    cca 64 rows, NewHope1024 Exponents, Numbers<12289, 14, 3>, CCA;

    /// NewHope-CPA-512: **a private key serves one ciphertext**, more tell about it.
    ///
    /// So decapsulation takes the key, and the set has none of the traits of the crate `kem`, whose keys
    /// serve many ciphertexts.
    cpa_512 NewHopeCpa512 "NewHope-CPA-512",
    cpa 32 rows, NewHope512 Exponents, Numbers<12289, 14, 3>, CPA;

    /// NewHope-CPA-1024: **a private key serves one ciphertext**, more tell about it.
    ///
    /// So decapsulation takes the key, and the set has none of the traits of the crate `kem`, whose keys
    /// serve many ciphertexts.
    cpa_1024 NewHopeCpa1024 "NewHope-CPA-1024",
    cpa 64 rows, NewHope1024 Exponents, Numbers<12289, 14, 3>, CPA;
}
