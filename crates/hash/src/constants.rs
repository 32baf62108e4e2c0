//! The constants of Keccak-f[1600], computed: FIPS 202, section 3.2. Lane `(x, y)` is word `x + 5 y`.

/// Rounds.
pub(crate) const ROUNDS: usize = 24;

/// By how much rho rotates each lane to the left (Algorithm 2).
pub(crate) const ROTATION: [i32; 25] = {
    let (mut out, mut t, mut x, mut y) = ([0; 25], 0, 1, 0);
    while t < 24 {
        out[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    out
};

/// Which lane pi brings to each place (Algorithm 3).
pub(crate) const SOURCE: [usize; 25] = {
    let (mut out, mut to) = ([0; 25], 0);
    while to < 25 {
        let (x, y) = (to % 5, to / 5);
        out[to] = (x + 3 * y) % 5 + 5 * x;
        to += 1;
    }
    out
};

/// What iota adds to lane 0 in each round (Algorithms 5 and 6).
pub(crate) const ROUND: [u64; ROUNDS] = {
    let (mut out, mut round, mut lfsr) = ([0; ROUNDS], 0, 1u8);
    while round < ROUNDS {
        let mut j = 0;
        while j < 7 {
            out[round] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
            // x^8 + x^6 + x^5 + x^4 + 1
            lfsr = (lfsr << 1) ^ if lfsr >> 7 == 1 { 0x71 } else { 0 };
            j += 1;
        }
        round += 1;
    }
    out
};
