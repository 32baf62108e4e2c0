//! The constants of SHA-512 (FIPS 180-4, sections 4.2.3 and 5.3.5): the first 64 bits behind the point of
//! roots of the first primes.

/// Of the cube roots of the first 80 primes: a constant for each round.
#[cfg(target_arch = "x86_64")]
pub(super) static CUBE_ROOTS: [u64; 80] = roots::<80, 3>();
/// Of the square roots of the first 8: the state at first.
pub(super) const SQUARE_ROOTS: [u64; 8] = roots::<8, 2>();

const fn roots<const N: usize, const POWER: usize>() -> [u64; N] {
    let (mut out, mut candidate, mut i) = ([0; N], 2, 0);
    while i < N {
        if is_prime(candidate) {
            out[i] = fraction(candidate, POWER);
            i += 1;
        }
        candidate += 1;
    }
    out
}

const fn is_prime(n: u64) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= n {
        if n.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// `floor(2^64 r) mod 2^64` for the root `r` of `n`, which is below 2^9: bit by bit, from the top, the
/// greatest `x` with `x^power <= 2^(64 power) n`.
const fn fraction(n: u64, power: usize) -> u64 {
    let (mut x, mut bit) = (0u128, 1u128 << 69);
    while bit > 0 {
        if !exceeds(x | bit, n, power) {
            x |= bit;
        }
        bit >>= 1;
    }
    x as u64
}

/// Digits of 32 bits, the least significant first.
const DIGITS: usize = 8;

/// Whether `x^power > 2^(64 power) n`.
const fn exceeds(x: u128, n: u64, power: usize) -> bool {
    let factor = [x as u32 as u64, (x >> 32) as u32 as u64, (x >> 64) as u64];
    let (mut product, mut i) = ([0; DIGITS], 0);
    product[0] = 1;
    while i < power {
        product = times(product, factor);
        i += 1;
    }
    // What is behind the point, and what is before it.
    let (mut rest, mut i) = (0, 0);
    while i < 2 * power {
        rest |= product[i];
        i += 1;
    }
    let whole = product[2 * power] | (product[2 * power + 1] << 32);
    whole > n || (whole == n && rest > 0)
}

const fn times(a: [u64; DIGITS], b: [u64; 3]) -> [u64; DIGITS] {
    let (mut product, mut i) = ([0; DIGITS], 0);
    while i < DIGITS {
        let (mut carry, mut j) = (0, 0);
        while i + j < DIGITS {
            let term = if j < 3 { a[i] * b[j] } else { 0 };
            let sum = product[i + j] + term + carry;
            (product[i + j], carry) = (sum & 0xffff_ffff, sum >> 32);
            j += 1;
        }
        i += 1;
    }
    product
}
