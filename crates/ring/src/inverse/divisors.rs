//! Whether an element has an inverse modulo 3, without the inverse.
//!
//! # The map
//! `x^n - x - 1` is a product of distinct irreducible polynomials `P_i` modulo 3 (the compiler finds them
//! from their degrees, in `polynomial`), and `a` has an inverse where none of them divides it.
//! * Small ones: `a mod P = sum_j a_j (x^j mod P)`. The residues `x^j mod P` of all small `P` stand behind
//!   one another, 16 bits in a word, in two planes; a row of coefficients meets a row of words. A vector of
//!   coefficients is two masks, a product by it a few operations on bits, and 16 sums are added in the end.
//! * Large ones: `P` divides `a` where `a C` is 0 modulo `x^n - x - 1`, with `C` the product of the others: a
//!   product by a fixed operand.
//!
//! Both are far cheaper than division steps, which compute a greatest common divisor with the whole product.
//!
//! # Conditions
//! `x^n - x - 1` without multiple factors modulo 3, of known degrees; a modulus `q` above `4 n`, for the
//! products.
//!
//! # Bounds
//! In: coefficients -1, 0, 1. A coefficient of a product by a cofactor is a sum of at most `2 n` of these,
//! which is below `q / 2`: so it is the integer, whose residue modulo 3 counts.
//!
//! # Source
//! Ringsmith's own. The inverse that it saves: NTRU Prime's key generation (D. J. Bernstein and others, round
//! 3), which tries again where there is none.
//!
//! ```
//! use ringsmith_ring::{Multiplier, Ring, Small, Workspace, inverse::Invertible};
//! use ringsmith_routes::rings::NtruPrime761 as Field;
//!
//! let mut scratch = <Field as Ring>::Scratch::new();
//! let test = Invertible::new(Multiplier::<Field>::new(), &mut scratch);
//! let x = Small::<Field>::new(&core::array::from_fn::<i16, 761, _>(|i| (i == 1) as i16)).unwrap();
//! let zero = Small::<Field>::new(&[0i16; 761]).unwrap();
//! // x (x^760 - 1) = 1
//! assert!(test.test(x.coeffs(), &mut scratch).to_bool());
//! assert!(!test.test(zero.coeffs(), &mut scratch).to_bool());
//! ```

use super::InversesMod3;
use super::polynomial::Polynomial;
use crate::algorithm::network::Aligned;
use crate::memory::{Coefficients, Rows, Workspace, wipe};
use crate::multiplier::Multiplier;
use core::hint::black_box;
use ctutils::{Choice, CtEq};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// The greatest degree of a small factor: a residue of 5 words costs less than a product.
const SMALL: usize = 80;
/// The greatest number of small factors, and of large ones.
const MAX: [usize; 2] = [6, 3];

/// Words of the residues of all small factors of these degrees.
pub const fn words(degrees: &[usize]) -> usize {
    let (mut bits, mut k) = (0, 0);
    while k < degrees.len() {
        bits += if degrees[k] <= SMALL { degrees[k] } else { 0 };
        k += 1;
    }
    bits.div_ceil(16)
}

/// How many factors are large.
pub const fn large(degrees: &[usize]) -> usize {
    let (mut count, mut k) = (0, 0);
    while k < degrees.len() {
        count += (degrees[k] > SMALL) as usize;
        k += 1;
    }
    count
}

/// The small factors of a modulus polynomial modulo 3.
pub struct SmallFactors<const OPERAND: usize, const WORDS: usize> {
    /// Word `k` of the residues of `x^(16 i + lane)`: not 0, and -1.
    residues: Aligned<[[[Row; 2]; OPERAND]; WORDS]>,
    /// The bits of each factor.
    bits: [[u16; WORDS]; MAX[0]],
    count: usize,
}

/// The large ones: `(x^n - x - 1) / P` for each.
pub const fn cofactors<const N: usize, const OPERAND: usize, const LARGE: usize>(
    factors: &[Polynomial],
) -> [Rows<OPERAND>; LARGE] {
    let (mut out, mut k) = ([Rows([[0; 16]; OPERAND]); LARGE], 0);
    while k < LARGE {
        let [cofactor, _] = Polynomial::modulus(N).divided(&factors[factors.len() - LARGE + k]);
        let mut i = 0;
        while i < N {
            out[k].0[i / 16][i % 16] = cofactor.get(i);
            i += 1;
        }
        k += 1;
    }
    out
}

impl<const OPERAND: usize, const WORDS: usize> SmallFactors<OPERAND, WORDS> {
    /// Those among the factors of `x^N - x - 1`, which have these degrees.
    pub const fn of<const N: usize>(factors: &[Polynomial], degrees: &[usize]) -> Self {
        let mut all = SmallFactors {
            residues: Aligned([[[[0; 16]; 2]; OPERAND]; WORDS]),
            bits: [[0; WORDS]; MAX[0]],
            count: degrees.len() - large(degrees),
        };
        let (mut first, mut k) = (0, 0);
        while k < all.count {
            all.push::<N>(&factors[k], degrees[k], first, k);
            first += degrees[k];
            k += 1;
        }
        all
    }

    /// Factor `k`, whose residues begin with bit `first`.
    const fn push<const N: usize>(&mut self, factor: &Polynomial, degree: usize, first: usize, k: usize) {
        let mut bit = first;
        while bit < first + degree {
            self.bits[k][bit / 16] |= 1 << (bit % 16);
            bit += 1;
        }
        // x^i mod P in two planes, as many bits as it has coefficients.
        let ([y, z], [mut one, mut minus], mut i) = (factor.planes(), [1, 0], 0);
        while i < N {
            let (mut word, mut left) = (first / 16, [one << (first % 16), minus << (first % 16)]);
            while left[0] != 0 {
                let planes = &mut self.residues.0[word][i / 16];
                planes[0][i % 16] |= left[0] as i16;
                planes[1][i % 16] |= left[1] as i16;
                (word, left) = (word + 1, [left[0] >> 16, left[1] >> 16]);
            }
            // Times x; less P or plus P, as takes the top coefficient away.
            (one, minus) = (one << 1, minus << 1);
            if one >> degree != 0 {
                let z = if (minus ^ z) >> degree == 0 { y ^ z } else { z };
                let (p, q) = (one ^ z, minus ^ y);
                (one, minus) = ((p ^ minus) | (q ^ z), p & q);
            }
            i += 1;
        }
    }

    /// Whether none of them divides `a`, of coefficients -1, 0, 1. Constant time.
    pub fn divide_not(&self, cpu: Cpu, a: &Rows<OPERAND>) -> Choice {
        let mut sums = [[[0; 16]; 2]; WORDS];
        cpu.run(Residues { a: &a.0, of: &self.residues.0, sums: &mut sums });
        let (mut not_zero, mut none) = ([0; WORDS], Choice::TRUE);
        for (word, [one, minus]) in not_zero.iter_mut().zip(&sums) {
            let lanes = one.iter().zip(minus).map(|(&x, &y)| [x, y]);
            *word = lanes.fold([0; 2], lane_sum)[0] as u16;
        }
        for bits in &self.bits[..self.count] {
            let any = bits.iter().zip(&not_zero).fold(0, |any, (bits, word)| any | (bits & word));
            none &= black_box(any).ct_ne(&0);
        }
        wipe(sums.as_flattened_mut());
        wipe(&mut not_zero);
        none
    }
}

/// `a + b` on planes.
fn lane_sum(a: [i16; 2], b: [i16; 2]) -> [i16; 2] {
    let (x, y) = (a[0] ^ b[1], a[1] ^ b[0]);
    [(x ^ a[1]) | (y ^ b[1]), x & y]
}

/// Residues of coefficients, still to be added over all lanes.
struct Residues<'a, const OPERAND: usize, const WORDS: usize> {
    a: &'a [Row; OPERAND],
    of: &'a [[[Row; 2]; OPERAND]; WORDS],
    sums: &'a mut [[Row; 2]; WORDS],
}

impl<const OPERAND: usize, const WORDS: usize> Kernel for Residues<'_, OPERAND, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (zero, mut k) = (s.splat(0), 0);
        while k < WORDS {
            let (mut one_sum, mut minus_sum, mut i) = (zero, zero, 0);
            while i < OPERAND {
                let a = s.load(&self.a[i]);
                let (plus, minus) = (s.gt(a, zero), s.gt(zero, a));
                let one = s.xor(plus, minus);
                let [t, u] = [s.load(&self.of[k][i][0]), s.load(&self.of[k][i][1])];
                // The residue times -1, 0 or 1.
                let (t, u) = (s.and(t, one), s.xor(s.and(u, one), s.and(t, minus)));
                let (x, y) = (s.xor(one_sum, u), s.xor(minus_sum, t));
                one_sum = s.or(s.xor(x, minus_sum), s.xor(y, u));
                minus_sum = s.and(x, y);
                i += 1;
            }
            s.store(&mut self.sums[k][0], one_sum);
            s.store(&mut self.sums[k][1], minus_sum);
            k += 1;
        }
    }
}

/// Which numbers are no multiples of 3, all rows together.
struct Multiples<'a> {
    rows: &'a [Row],
    others: &'a mut Row,
}

impl Kernel for Multiples<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // 1 / 3 modulo 2^16: multiples of 3, and no other numbers, become thirds, which are small.
        const THIRD: i16 = crate::number::inverse_mod_word(3);
        const MAX: i16 = i16::MAX / 3;
        let (mut others, mut i) = (s.splat(0), 0);
        while i < self.rows.len() {
            let x = s.mul_lo(s.load(&self.rows[i]), s.splat(THIRD));
            // At most 2^15 times -1.
            others = s.add(others, s.add(s.gt(x, s.splat(MAX)), s.gt(s.splat(-MAX), x)));
            i += 1;
        }
        s.store(self.others, others);
    }
}

/// A test of many elements, which keeps transforms of the large factors' products.
pub struct Invertible<R: InversesMod3> {
    by: Multiplier<R>,
    cofactors: [R::Prepared; MAX[1]],
}

impl<R: InversesMod3> Invertible<R> {
    /// A test with the products of `by`.
    pub fn new(by: Multiplier<R>, scratch: &mut R::Scratch) -> Self {
        let mut cofactors = core::array::from_fn(|_| R::Prepared::new());
        for (prepared, cofactor) in cofactors.iter_mut().zip(R::COFACTORS_MOD_3) {
            (by.entry.prepare)(by.cpu(), cofactor, prepared, scratch);
        }
        Invertible { by, cofactors }
    }

    /// Whether `a`, of coefficients -1, 0, 1, has an inverse modulo 3. Constant time.
    pub fn test(&self, a: &R::Coeffs, scratch: &mut R::Scratch) -> Choice {
        // A coefficient of a product is a sum of at most 2 n numbers -1, 0, 1.
        const { assert!(4 * (R::N as i64) < R::Q && R::COFACTORS_MOD_3.len() <= MAX[1]) };
        let (cpu, mut product) = (self.by.cpu(), R::Coeffs::ZERO);
        let mut none = R::no_small_factor_mod_3(cpu, a);
        for prepared in &self.cofactors[..R::COFACTORS_MOD_3.len()] {
            (self.by.entry.multiply_prepared)(cpu, a, prepared, &mut product, scratch);
            let mut others = [0; 16];
            cpu.run(Multiples { rows: product.rows(), others: &mut others });
            none &= black_box(others.iter().fold(0, |any, x| any | x)).ct_ne(&0);
        }
        wipe(product.rows_mut().as_flattened_mut());
        none
    }
}
