//! Inverses modulo 3 and `Phi_n = 1 + x + .. + x^(n-1)`, where `n` is odd, by those of symmetric elements.
//!
//! # The map
//! Modulo `x^n - 1`, and so modulo `Phi_n`, the map `a(x) -> a(1/x)` is an automorphism: coefficients `i`
//! and `n - i` change places. The product of an element and its mirror image does not change; it is
//! *symmetric*. So an inverse is that of a symmetric element, and two products:
//!
//! ```text
//! s = a(x) a(1/x),    1 / a = a(1/x) / s
//! ```
//!
//! A symmetric element is a polynomial in `y = x + 1/x` of degree less than `h = (n - 1) / 2`, modulo the
//! polynomial `Psi` of degree `h` for which `Phi_n = x^h Psi(x + 1/x)`. Its inverse modulo `Psi` takes half
//! as many division steps on half as many coefficients.
//!
//! # Powers of `y`
//! `x^k + x^-k` is `D_k(y)`, a Dickson polynomial. A symmetric element has the same coefficient `a_k` at
//! both powers; what is wanted are its coefficients at powers of `y`. Modulo 3 they come by thirds: `y^3` is
//! `x^3 + x^-3`, so the element is `B_0 + y B_1 + y^2 B_2`, each `B_i` symmetric in `x^3`. And `y^2` is
//! `x^2 - 1 + x^-2`, so
//!
//! ```text
//! a_(3j) = b0_j - b2_j,    a_(3j+1) = b1_j + b2_(j+1),    a_(3j+2) = b2_j + b1_(j+1)
//! ```
//!
//! That is the way back. The way there is
//!
//! ```text
//! b1_j = a_(3j+1) - a_(3j+5) + b1_(j+2),    b2_j = a_(3j+2) - a_(3j+4) + b2_(j+2),    b0_j = a_(3j) + b2_j
//! ```
//!
//! The first two are sums of every second term from the top down, made of pairs, then of pairs of pairs.
//! `bi_j` takes the place of `a_(3j+i)`. Each `B_i` is treated likewise, with its coefficients in steps of 3,
//! then of 9, and so on.
//!
//! # Bounds
//! In: a product of two elements with coefficients -1, 0, 1, so from `-n` to `n`. Out: -1, 0, 1. Powers are
//! found in planes of bits, where there is nothing to overflow.
//!
//! Constant time.
//!
//! # Source
//! That an inverse is one of a norm in a subfield is T. Itoh's and S. Tsujii's (Information and Computation
//! 78, 1988); for Dickson's polynomials R. Lidl, H. Niederreiter: Finite Fields, section 7.2. To take one
//! such step and to leave the rest to division steps is Ringsmith's own.
//!
//! ```
//! use ringsmith_ring::inverse::ternary::symmetric;
//! use ringsmith_simd::Cpu;
//!
//! // The inverse of x + 1/x modulo 1 + x + .. + x^10.
//! let (mut a, mut out) = ([[0; 16]; 1], [[0; 16]; 1]);
//! (a[0][1], a[0][10]) = (1, 1);
//! let exists = symmetric::inverse::<11, 1, 1>(Cpu::detect(), &a, &mut out);
//! assert!(exists.to_bool());
//! // Their product is 1 and a multiple of that polynomial.
//! let product = |i: usize| out[0][(i + 10) % 11] + out[0][(i + 1) % 11];
//! assert!((2..11).all(|i| (product(i) - product(1)) % 3 == 0));
//! assert_eq!((product(0) - product(1) - 1) % 3, 0);
//! ```

use super::super::planes::Bits;
use super::{MOST, Modulus, inverse_in, vectors};
use crate::memory::{Rows, wipe};
use crate::reduce::three;
use ctutils::Choice;
use ringsmith_simd::{Cpu, Row};
use zeroize::Zeroizing;

/// The polynomial `Psi` for which `1 + x + .. + x^(N-1)` is `x^((N-1)/2) Psi(x + 1/x)`.
pub struct Psi<const N: usize>;

impl<const N: usize> Modulus for Psi<N> {
    const DEGREE: usize = N / 2;
    const COEFFICIENTS: [i16; MOST] = {
        let (mut all, mut i) = ([0; MOST], 0);
        while i <= N / 2 {
            all[i] = 1;
            i += 1;
        }
        let mut step = 1;
        while 2 * step <= N / 2 {
            third_to_powers(&mut all, N / 2 + 1, step);
            i = 0;
            while i <= N / 2 {
                all[i] = (all[i] + 1).rem_euclid(3) - 1;
                i += 1;
            }
            step *= 3;
        }
        all
    };
}

/// One level of the way to powers, of `length` coefficients: elements whose coefficients are `step` places
/// apart become three each.
const fn third_to_powers(a: &mut [i16], length: usize, step: usize) {
    let mut block = length.next_multiple_of(3 * step);
    while block > 0 {
        block -= 3 * step;
        let mut i = block + 2 * step;
        while i < block + 3 * step && i + 2 * step < length {
            a[i] -= a[i + 2 * step];
            i += 1;
        }
        i = block + step;
        while i < block + 2 * step && i + 4 * step < length {
            a[i] -= a[i + 4 * step];
            i += 1;
        }
        i = block;
        while i < block + step && i + 2 * step < length {
            a[i] += a[i + 2 * step];
            i += 1;
        }
    }
}

/// Words of a plane in order, in `V` times four.
type Plane<const V: usize> = [[u64; 4]; V];

/// The most levels: as many as powers of 3 are less than [`MOST`].
const LEVELS: usize = MOST.ilog(3) as usize + 1;

/// `(N - 1) / 2` coefficients in reverse as planes: coefficient `i` is bit `i / 4 V` of word `i mod 4 V`
/// (`planes`). A sum is the one of division steps (`ternary`).
struct Half<const N: usize, const V: usize> {
    /// Whether a coefficient is not 0, and whether it is -1.
    planes: [Plane<V>; 2],
    /// Both planes with all coefficients moved: as they are taken from the word before and from 0 on.
    moved: [[[Plane<V>; 2]; 2]; 2],
}

impl<const N: usize, const V: usize> Drop for Half<N, V> {
    fn drop(&mut self) {
        wipe(self.planes.as_flattened_mut());
        wipe(self.moved.as_flattened_mut().as_flattened_mut().as_flattened_mut());
    }
}

/// The words of a plane that was moved.
#[inline(always)]
fn words_from<const V: usize>(moved: &[Plane<V>; 2], from: usize) -> &[u64] {
    &moved.as_flattened().as_flattened()[from..from + 4 * V]
}

impl<const N: usize, const V: usize> Half<N, V> {
    /// Coefficients.
    const COUNT: usize = N / 2;

    /// Words of a plane.
    const WORDS: usize = 4 * V;

    /// Of each level, which coefficients' numbers have digit 0, 1 and 2.
    const DIGITS: [[Plane<V>; 3]; LEVELS] = {
        let (mut digits, mut i) = ([[[[0; 4]; V]; 3]; LEVELS], 0);
        while i < Self::COUNT {
            let (mut level, mut rest, word) = (0, Self::COUNT - 1 - i, i % Self::WORDS);
            while level < LEVELS {
                digits[level][rest % 3][word / 4][word % 4] |= 1 << (i / Self::WORDS);
                (level, rest) = (level + 1, rest / 3);
            }
            i += 1;
        }
        digits
    };

    /// Changes planes as vectors have them: word `w` is lane `w / V` of vector `w mod V`.
    fn within(bits: &mut Bits<V>, change: impl FnOnce(&mut Self)) {
        let zero = [[0; 4]; V];
        let mut half = Half { planes: [zero; 2], moved: [[[zero; 2]; 2]; 2] };
        for (plane, words) in half.planes.iter_mut().enumerate() {
            let words = words.as_flattened_mut().iter_mut().enumerate();
            words.for_each(|(i, word)| *word = bits[i % V][plane][i / V]);
        }
        change(&mut half);
        for (plane, words) in half.planes.iter().enumerate() {
            let words = words.as_flattened().iter().enumerate();
            words.for_each(|(i, word)| bits[i % V][plane][i / V] = *word);
        }
    }

    /// Moves coefficients by so many powers into one of two places, and tells where its words begin.
    #[inline(always)]
    fn take(&mut self, place: usize, distance: usize) -> usize {
        let (whole, rest) = (distance / Self::WORDS, distance % Self::WORDS);
        for (moved, plane) in self.moved[place].iter_mut().zip(&self.planes) {
            for (moved, by) in moved.iter_mut().zip([whole + 1, whole]) {
                let words = moved.as_flattened_mut().iter_mut().zip(plane.as_flattened());
                match by {
                    ..64 => words.for_each(|(moved, word)| *moved = *word << by),
                    _ => words.for_each(|(moved, _)| *moved = 0),
                }
            }
        }
        Self::WORDS - rest
    }

    /// Adds to each word what is made of those of both places, and of its digits.
    #[inline(always)]
    fn add(
        &mut self,
        [zero, one, two]: &[Plane<V>; 3],
        [near, far]: [usize; 2],
        term: impl Fn([u64; 2], [u64; 2], [u64; 3]) -> [u64; 2],
    ) {
        let ([zero, one, two], [a, minus_a]) =
            ([zero.as_flattened(), one.as_flattened(), two.as_flattened()], &mut self.planes);
        let (a, minus_a) = (a.as_flattened_mut(), minus_a.as_flattened_mut());
        let [[near_0, near_1], [far_0, far_1]] = &self.moved;
        let (near_0, near_1) = (words_from(near_0, near), words_from(near_1, near));
        let (far_0, far_1) = (words_from(far_0, far), words_from(far_1, far));
        for i in 0..4 * V {
            let digits = [zero[i], one[i], two[i]];
            let [b, minus_b] = term([near_0[i], near_1[i]], [far_0[i], far_1[i]], digits);
            let differ = minus_a[i] ^ minus_b;
            (a[i], minus_a[i]) = ((a[i] ^ b) | (a[i] & !differ), minus_b ^ (a[i] & (differ ^ b)));
        }
    }

    /// Coefficients of `x^k + x^-k` become those of powers of `y`.
    fn change_to_powers(&mut self) {
        let mut step = 1;
        for digits in &Self::DIGITS {
            if 2 * step >= Self::COUNT {
                break;
            }
            // b1_j = (a_(3j+1) - a_(3j+5)) + b1_(j+2), and b2_j = (a_(3j+2) - a_(3j+4)) + b2_(j+2).
            let from = [self.take(0, 2 * step), self.take(1, 4 * step)];
            self.add(digits, from, |[near, minus_near], [far, minus_far], [_, one, two]| {
                [(near & two) | (far & one), !((minus_near & two) | (minus_far & one))]
            });
            let mut distance = 6 * step;
            while distance < Self::COUNT {
                let from = [self.take(0, distance), 0];
                self.add(digits, from, |[near, minus], _, [_, one, two]| [near & (one | two), minus]);
                distance *= 2;
            }
            // b0_j = a_(3j) + b2_j.
            let from = [self.take(0, 2 * step), 0];
            self.add(digits, from, |[near, minus], _, [zero, ..]| [near & zero, minus]);
            step *= 3;
        }
    }

    /// The inverse of that.
    fn change_from_powers(&mut self) {
        let mut step = 3_usize.pow(LEVELS as u32);
        for digits in Self::DIGITS.iter().rev() {
            step /= 3;
            if 2 * step < Self::COUNT {
                let from = [self.take(0, 2 * step), self.take(1, 4 * step)];
                self.add(digits, from, |[near, minus_near], [far, minus_far], [zero, one, two]| {
                    let minus = (minus_near & two) | (minus_far & one) | (!minus_near & zero);
                    [(near & (zero | two)) | (far & one), minus]
                });
            }
        }
    }
}

/// `out = a(1/x)` modulo `x^N - 1`, of `N` coefficients in rows.
///
/// # Panics
/// Where there are fewer.
pub fn mirror<const N: usize>(a: &[Row], out: &mut [Row]) {
    let (a, out) = (a.as_flattened(), out.as_flattened_mut());
    out[0] = a[0];
    out[1..N].iter_mut().zip(a[1..N].iter().rev()).for_each(|(out, a)| *out = *a);
    out[N..].fill(0);
}

/// `out = 1 / a` modulo 3 and `1 + x + .. + x^(N-1)`, and whether it exists, where `a` is symmetric modulo
/// `x^N - 1` and its `N` coefficients in rows are from `-N` to `N`; those of `out` are -1, 0, 1. `V` is
/// [`vectors`] of `(N - 1) / 2`, and `HALF` are rows for as many. Constant time.
///
/// # Panics
/// Where there are fewer coefficients.
pub fn inverse<const N: usize, const V: usize, const HALF: usize>(
    cpu: Cpu,
    a: &[Row],
    out: &mut [Row],
) -> Choice {
    const {
        assert!(N % 2 == 1 && 2 * N as i64 <= three::LIMIT);
        assert!(V == vectors(N / 2) && N / 2 <= 16 * HALF);
    }
    let mut half = Zeroizing::new(Rows([[0; 16]; HALF]));
    // Modulo Phi_n: less its middle coefficient times that.
    let (a, h) = (a.as_flattened(), N / 2);
    half.0.as_flattened_mut()[..h].iter_mut().zip(a).for_each(|(x, y)| *x = y - a[h]);
    three::reduce(cpu, &mut half.0);
    let change = |bits: &mut Bits<V>| Half::<N, V>::within(bits, Half::change_to_powers);
    let change_back = |bits: &mut Bits<V>| Half::<N, V>::within(bits, Half::change_from_powers);
    let exists = inverse_in::<Psi<N>, V, HALF>(cpu, &mut half, change, change_back);
    let (inverse, out) = (&half.0.as_flattened()[..h], out.as_flattened_mut());
    out.fill(0);
    out[..h].copy_from_slice(inverse);
    out[N - h + 1..N].iter_mut().zip(inverse[1..].iter().rev()).for_each(|(x, y)| *x = *y);
    exists
}
