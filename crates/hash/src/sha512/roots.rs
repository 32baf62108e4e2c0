//! The constants of SHA-512 (FIPS 180-4, sections 4.2.3 and 5.3.5): the first 64 bits behind the point of
//! roots of the first primes.

/// Of the cube roots of the first 80 primes: a constant for each round.
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
/// greatest `x` with `x^power <= 2^(64 power) n`. A power is 2 or 3.
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

/// Whether `x^power > 2^(64 power) n`, for an `x` below 2^70. Few and plain operations: the compiler does
/// this thousands of times.
const fn exceeds(x: u128, n: u64, power: usize) -> bool {
    // Digits of 64 bits, the least significant first.
    let (low, high) = (x as u64 as u128, x >> 64);
    let first = low * low;
    let second = 2 * low * high + (first >> 64);
    let square = [first as u64, second as u64, (high * high + (second >> 64)) as u64];
    // What is behind the point, and what is before it.
    let (rest, whole) =
        if power == 2 { (square[0] | square[1], square[2]) } else { times(square, low, high) };
    whole > n || (whole == n && rest > 0)
}

/// All digits but the last one of a product, as one that is 0 where they are, and the last one.
const fn times(a: [u64; 3], low: u128, high: u128) -> (u64, u64) {
    let a = [a[0] as u128, a[1] as u128, a[2] as u128];
    let first = a[0] * low;
    let half = a[1] * low + (first >> 64);
    let second = a[0] * high + (half as u64 as u128);
    let third = a[2] * low + a[1] * high + (half >> 64) + (second >> 64);
    (first as u64 | second as u64 | third as u64, (a[2] * high + (third >> 64)) as u64)
}
