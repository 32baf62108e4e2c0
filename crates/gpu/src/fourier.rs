//! Products modulo a prime and `x^n + 1` by complex transforms of doubles, exactly. `kernels/fourier.cuh` has
//! the mathematics and the proof of exactness; this page the constants, and the numbers of that proof.

use crate::ring::{Operands, Params};

/// What a prime is below, in bits.
pub(crate) const BITS: u32 = 27;

/// Bits of the lower part of a coefficient, which is taken from `-p/2` to `p/2`.
const LOW: u32 = 13;
/// What the parts are at most: half of `2^LOW`; and the rest, of up to `BITS - 1` bits.
const PARTS: [u64; 2] = [1 << (LOW - 1), 1 << (BITS - 1 - LOW)];

/// What the kernel adds to integers so that they are not below 0: a multiple of the prime of at least this.
const OFFSET: u64 = 1 << 39;

/// At most how far a coefficient of a product of `n` coefficients is from its integer before it is rounded;
/// and what it is at most.
const fn error_and_size(n: u64) -> (f64, f64) {
    let (half, levels) = (n / 2, (n / 2).ilog2());
    // The greatest of the sums of products of parts: low by low, low by high twice, high by high.
    let [low, high] = PARTS;
    let [a, b, c] = [low * low, 2 * low * high, high * high];
    let greatest = if a > b { a } else { b };
    let size = (n * if greatest > c { greatest } else { c }) as f64;
    // In units of u = 2^-53: (1 + 6 u)^levels - 1, and what a sum of two products adds. A root rounded up.
    let (u, transform, products) = (1.0 / (1_u64 << 53) as f64, 6.0 * levels as f64, 5.0);
    let root = (half.isqrt() + 1) as f64;
    // All products of these are below 2^-80: one in a thousand is more than they add.
    (size * u * (2.0 * transform + products + transform * root) * 1.001, size)
}

// The greatest degree: the next integer is the right one, with a factor of five to spare.
const _: () = assert!(error_and_size(4096).0 < 0.1 && error_and_size(4096).1 < OFFSET as f64);

/// `struct FourierParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct FourierParams {
    of: Operands,
    quotient: u64,
    offset: u64,
    scale: f64,
    p: u32,
    levels: u32,
}

/// The structure that the kernel takes.
pub(crate) fn params(of: Operands, n: usize, p: u32) -> Params {
    let (half, p_wide) = (n / 2, u64::from(p));
    // A prime does not divide 2^64, so this is floor(2^64 / p).
    let (quotient, offset) = (u64::MAX / p_wide, OFFSET.next_multiple_of(p_wide));
    let (scale, levels) = (1.0 / half as f64, half.ilog2());
    // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
    unsafe { Params::new(FourierParams { of, quotient, offset, scale, p, levels }) }
}

/// Words of shared memory: a point, and one unused behind each four.
pub(crate) const fn shared_words(n: usize) -> usize {
    (n / 2 + n / 8) * WORDS_OF_POINT
}

/// Words of a complex number.
const WORDS_OF_POINT: usize = 4;

/// Bits behind the point of the integers that constants are made by.
const POINT: u32 = 62;

/// A complex number of modulus 1, both parts times `2^POINT`.
#[derive(Clone, Copy)]
struct Unit(i128, i128);

impl Unit {
    /// Half the angle, of one from 0 to a half turn: by `cos(x / 2)^2 = (1 + cos x) / 2` and
    /// `sin(x / 2) = sin x / (2 cos(x / 2))`.
    fn halved(self) -> Self {
        let cosine = (((1 << POINT) + self.0) << (POINT - 1)).isqrt();
        Unit(cosine, (self.1 << (POINT - 1)) / cosine)
    }

    fn times(self, by: Self) -> Self {
        let part = |x: i128| x >> POINT;
        Unit(part(self.0 * by.0 - self.1 * by.1), part(self.0 * by.1 + self.1 * by.0))
    }

    /// As doubles. An integer becomes the nearest one, and what it is divided by is a power of two.
    fn words(self) -> [u32; WORDS_OF_POINT] {
        let bits = |x: i128| (x as f64 / (1_u64 << POINT) as f64).to_bits();
        let [re, im] = [bits(self.0), bits(self.1)];
        [re as u32, (re >> 32) as u32, im as u32, (im >> 32) as u32]
    }
}

/// The constants of the nodes: `w` of node 1 is the root of `i`, and of the children of a node with `w` the
/// roots of `w` and of `-w`. There is no node 0.
///
/// A constant is a product of at most twelve others, each within `4 / 2^62` of its number, which it leaves by
/// less than `2^-56`; as doubles both parts are within `2^-54 + 2^-56`. Together that is less than the
/// `1.5 / 2^53` that the proof has.
pub(crate) fn table(n: usize) -> Vec<u32> {
    // Of angles pi, pi / 2, .. pi / n, by the logarithm of what pi is divided by.
    let mut roots = vec![Unit(-1 << POINT, 0), Unit(0, 1 << POINT)];
    while roots.len() <= n.ilog2() as usize {
        roots.push(roots[roots.len() - 1].halved());
    }
    // exp(i pi e / n), e < 2 n.
    let power = |e: usize| {
        let bits = (0..roots.len()).filter(|k| e << k & n != 0);
        bits.fold(Unit(1 << POINT, 0), |product, k| product.times(roots[k]))
    };
    let mut exponents = vec![0, n / 4];
    for node in 2..n / 2 {
        exponents.push(exponents[node / 2] / 2 + node % 2 * n / 2);
    }
    exponents.into_iter().flat_map(|e| power(e).words()).collect()
}
