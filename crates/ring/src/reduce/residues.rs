//! Arithmetic modulo a number, as a type: what products by 32-bit sums end in.
//!
//! Products of rows come as 32-bit sums. Modulo an odd `q` ([`Odd`]) they become 16-bit residues by a
//! Montgomery step, which leaves a factor `2^-16`. Modulo a power of two ([`Wrapping`]) the low word is the
//! residue, all arithmetic wraps, and nothing ever overflows: one and the same code serves every power up to
//! `2^16`, because which it is matters at the end alone, and there it is a value.
//!
//! A kernel over `Odd<Q>` is compiled for each `Q`, with its numbers inside. Where several rings of one size
//! would compile the same kernel, it takes a [`Dynamic`] number: all of as many bits share the code.

use super::{barrett, montgomery};
use crate::bound::Bound;
use crate::number::{inverse_mod_word, power};
use crate::reduce::montgomery::Factor;
use ringsmith_simd::{Row, Simd};

/// Every word.
const WORD: Bound = Bound::new(-(1 << 15), (1 << 15) - 1);

/// What numbers are computed with, as data: bounds are computed of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Modulus {
    /// Residues modulo an odd number.
    Odd(i64),
    /// Words that wrap: residues modulo any power of two up to `2^16`.
    Wrapping,
}

impl Modulus {
    /// Of the numbers modulo `q`: none of an even one that is no power of two.
    pub const fn of(q: i64) -> Option<Modulus> {
        match q % 2 {
            0 if q > 0 && (1 << 16) % q == 0 => Some(Modulus::Wrapping),
            0 => None,
            _ => Some(Modulus::Odd(q)),
        }
    }

    /// Whether these are numbers modulo `q`.
    pub const fn serves(self, q: i64) -> bool {
        match self {
            Modulus::Odd(odd) => odd == q,
            Modulus::Wrapping => (1 << 16) % q == 0,
        }
    }

    /// The greatest number that these are numbers modulo, where the low `bits` of words are right.
    pub const fn greatest(self, bits: u32) -> i64 {
        match self {
            Modulus::Odd(q) => q,
            Modulus::Wrapping => 1 << bits,
        }
    }

    /// Whether lanes hold a sum that lies in `sum`.
    pub const fn hold(self, sum: Bound) -> bool {
        match self {
            Modulus::Odd(_) => sum.fits(16),
            Modulus::Wrapping => true,
        }
    }

    /// Where [`Arithmetic::reduce_wide`] lies for 32-bit values in `p`, or `None` where these overflow.
    pub const fn reduce_wide(self, p: Bound) -> Option<Bound> {
        match self {
            Modulus::Odd(q) if p.fits(32) => Some(montgomery::bound_wide(p, q)),
            Modulus::Odd(_) => None,
            Modulus::Wrapping => Some(WORD),
        }
    }

    /// Where [`Arithmetic::shrink`] of any word lies: centred, or one past the centre where
    /// `barrett::exact_limit` is no whole word.
    pub const fn shrunk(self) -> Bound {
        match self {
            Modulus::Odd(q) => barrett::exact_bound(WORD, q),
            Modulus::Wrapping => WORD,
        }
    }

    /// Whether [`Arithmetic::shrink`] centres all values in `a`.
    pub const fn centres(self, a: Bound) -> bool {
        match self {
            Modulus::Odd(q) => a.magnitude() <= barrett::exact_limit(q),
            Modulus::Wrapping => false,
        }
    }

    /// What [`shrunk`](Modulus::shrunk) says, and where centred coefficients lie.
    pub const fn operand(self) -> Bound {
        match self {
            Modulus::Odd(q) => self.shrunk().join(Bound::centred(q)),
            Modulus::Wrapping => WORD,
        }
    }

    /// What [`Arithmetic::scale`] multiplies by `x` with.
    pub const fn factor(self, x: i64) -> Factor {
        match self {
            Modulus::Odd(q) => Factor::new(x, q),
            Modulus::Wrapping => Factor { z: x as i16, zq: 0 },
        }
    }

    /// What multiplies by `x`, and by the factor that [`Arithmetic::reduce_wide`] leaves.
    pub const fn lazy(self, x: i64) -> Factor {
        match self {
            // Half of 1, sixteen times: the number need be no prime.
            Modulus::Odd(q) => Factor::new(x % q * power((q + 1) / 2, 16, q), q),
            Modulus::Wrapping => self.factor(x),
        }
    }

    /// Whether [`Arithmetic::finish`] is centred for every word: its product must lie where the exact
    /// reduction is exact.
    pub const fn finish_is_centred(self) -> bool {
        match self {
            Modulus::Odd(q) => self.centres(montgomery::bound_any(WORD, q)),
            Modulus::Wrapping => true,
        }
    }
}

/// Arithmetic modulo a number that is a type or a value. Constant time.
pub trait Arithmetic: Copy {
    /// A residue of `p = high 2^16 + low`: `p 2^-16` modulo an odd number, `p` modulo a power of two.
    fn reduce_wide<S: Simd>(self, s: S, low: S::I16, high: S::I16) -> S::I16;
    /// The same of `a b`.
    #[inline(always)]
    fn product<S: Simd>(self, s: S, a: S::I16, b: S::I16) -> S::I16 {
        self.reduce_wide(s, s.mul_lo(a, b), s.mul_hi(a, b))
    }
    /// A row of an operand of [`mac`](Arithmetic::mac), as the CPU takes it.
    #[inline(always)]
    fn operand<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        s.swap_pairs(a)
    }
    /// Adds the products of a row with the words of two to sums
    /// ([`madd_windows`](ringsmith_simd::I16Lanes::madd_windows)).
    #[inline(always)]
    fn mac<S: Simd>(self, s: S, sums: &mut [S::Acc; 2], a: &Row, rows: &[Row; 2]) {
        s.madd_windows(sums, a, rows);
    }
    /// Residues of such sums, as of [`reduce_wide`](Arithmetic::reduce_wide).
    #[inline(always)]
    fn sums<S: Simd>(self, s: S, sums: [S::Acc; 2]) -> S::I16 {
        let (low, high) = s.even_odd(sums[0], sums[1]);
        self.reduce_wide(s, low, high)
    }
    /// A representative within [`Modulus::shrunk`] of a residue that need not stay lazy; factor 1.
    fn shrink<S: Simd>(self, s: S, a: S::I16) -> S::I16;
    /// `a z` for the constant of a `factor` of this arithmetic.
    fn scale<S: Simd>(self, s: S, a: S::I16, factor: Factor) -> S::I16;
    /// `a / 2^shift` for a multiple of that where words wrap, up to 3; elsewhere constants divide, and this
    /// is `a`.
    fn divide<S: Simd>(self, s: S, a: S::I16, shift: u32) -> S::I16;
    /// Takes the factor of [`reduce_wide`](Arithmetic::reduce_wide) off and returns the centred
    /// representative.
    fn finish<S: Simd>(self, s: S, a: S::I16) -> S::I16;
}

/// Arithmetic whose bounds are known where code is compiled.
pub trait Residues: Arithmetic {
    /// The same as data.
    const MODULUS: Modulus;
    /// The arithmetic but for its last step, for which alone it matters which power of two it is.
    const BY: Self;

    /// The arithmetic modulo `q`, which [`Modulus::serves`].
    fn modulo(q: i64) -> Self;
}

/// Arithmetic modulo an odd number with its lazy reductions: what transforms take. Constant time.
pub trait OddResidues: Residues {
    /// The number.
    const Q: i64;

    /// This CPU's cheapest small reduction.
    fn step<S: Simd>(s: S, a: S::I16) -> S::I16;
    /// `barrett::reduce`.
    fn barrett<S: Simd>(s: S, a: S::I16) -> S::I16;
}

/// Residues modulo an odd `Q`.
#[derive(Clone, Copy)]
pub struct Odd<const Q: i64>;

impl<const Q: i64> Residues for Odd<Q> {
    const MODULUS: Modulus = {
        assert!(Q % 2 == 1, "an even number");
        Modulus::Odd(Q)
    };
    const BY: Self = Odd;

    #[inline(always)]
    fn modulo(q: i64) -> Self {
        debug_assert!(q == Q, "another number");
        Odd
    }
}

impl<const Q: i64> Arithmetic for Odd<Q> {
    #[inline(always)]
    fn reduce_wide<S: Simd>(self, s: S, low: S::I16, high: S::I16) -> S::I16 {
        montgomery::reduce_wide::<S, Q>(s, low, high)
    }

    #[inline(always)]
    fn shrink<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        barrett::exact::<S, Q>(s, a)
    }

    #[inline(always)]
    fn scale<S: Simd>(self, s: S, a: S::I16, factor: Factor) -> S::I16 {
        montgomery::scale::<S, Q>(s, a, factor)
    }

    #[inline(always)]
    fn divide<S: Simd>(self, _: S, a: S::I16, _: u32) -> S::I16 {
        a
    }

    #[inline(always)]
    fn finish<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        const {
            assert!(
                Self::MODULUS.finish_is_centred(),
                "the product leaves the range where the reduction is exact"
            )
        };
        barrett::exact::<S, Q>(s, montgomery::scale::<S, Q>(s, a, const { Factor::new(1 << 16, Q) }))
    }
}

impl<const Q: i64> OddResidues for Odd<Q> {
    const Q: i64 = Q;

    #[inline(always)]
    fn step<S: Simd>(s: S, a: S::I16) -> S::I16 {
        barrett::step::<S, Q>(s, a)
    }

    #[inline(always)]
    fn barrett<S: Simd>(s: S, a: S::I16) -> S::I16 {
        barrett::reduce::<S, Q>(s, a)
    }
}

/// Residues modulo a power of two up to `2^16`.
#[derive(Clone, Copy)]
pub struct Wrapping {
    /// The number less 1.
    mask: i16,
    /// Half of the number.
    half: i16,
}

impl Residues for Wrapping {
    const MODULUS: Modulus = Modulus::Wrapping;
    const BY: Self = Wrapping { mask: -1, half: i16::MIN };

    #[inline(always)]
    fn modulo(q: i64) -> Self {
        debug_assert!(Self::MODULUS.serves(q), "no power of two");
        Wrapping { mask: (q - 1) as i16, half: (q / 2) as i16 }
    }
}

impl Wrapping {
    /// [`finish`](Arithmetic::finish) of one word.
    #[inline]
    pub(crate) fn finish_word(self, a: i16) -> i16 {
        (a.wrapping_add(self.half) & self.mask).wrapping_sub(self.half)
    }
}

impl Arithmetic for Wrapping {
    #[inline(always)]
    fn reduce_wide<S: Simd>(self, _: S, low: S::I16, _: S::I16) -> S::I16 {
        low
    }

    #[inline(always)]
    fn operand<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        s.word_operand(a)
    }

    #[inline(always)]
    fn mac<S: Simd>(self, s: S, sums: &mut [S::Acc; 2], a: &Row, rows: &[Row; 2]) {
        s.mac_words(sums, a, rows);
    }

    #[inline(always)]
    fn sums<S: Simd>(self, s: S, sums: [S::Acc; 2]) -> S::I16 {
        s.word_sums(sums)
    }

    #[inline(always)]
    fn shrink<S: Simd>(self, _: S, a: S::I16) -> S::I16 {
        a
    }

    #[inline(always)]
    fn scale<S: Simd>(self, s: S, a: S::I16, factor: Factor) -> S::I16 {
        s.mul_lo(a, s.splat(factor.z))
    }

    #[inline(always)]
    fn divide<S: Simd>(self, s: S, a: S::I16, shift: u32) -> S::I16 {
        match shift {
            0 => a,
            1 => s.shift_right::<1>(a),
            2 => s.shift_right::<2>(a),
            _ => s.shift_right::<3>(a),
        }
    }

    /// The low bits, from `-q / 2` on.
    #[inline(always)]
    fn finish<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        let half = s.splat(self.half);
        s.sub(s.and(s.add(a, half), s.splat(self.mask)), half)
    }
}

/// Residues modulo any odd number of as many bits as `WIDEST`, which is the greatest of them, `2^bits - 1`.
#[derive(Clone, Copy)]
pub struct Dynamic<const WIDEST: i64> {
    q: i16,
    /// `q^-1 mod 2^16`.
    inverse: i16,
    /// What [`barrett::exact`] estimates quotients by.
    quotient: i16,
    /// What takes a factor `2^-16` off.
    unit: Factor,
}

impl<const WIDEST: i64> Dynamic<WIDEST> {
    /// Whether this is arithmetic modulo `q`.
    pub const fn serves(q: i64) -> bool {
        q % 2 == 1 && barrett::serves(q) && WIDEST == widest(q)
    }

    /// The arithmetic modulo `q`: `None` where it [does not serve](Dynamic::serves).
    pub const fn modulo(q: i64) -> Option<Self> {
        if !Self::serves(q) {
            return None;
        }
        let (inverse, quotient) = (inverse_mod_word(q), barrett::long_inverse(q) as i16);
        Some(Dynamic { q: q as i16, inverse, quotient, unit: Factor::new(1 << 16, q) })
    }
}

/// The greatest number of as many bits as `q`.
pub const fn widest(q: i64) -> i64 {
    (2 << q.ilog2()) - 1
}

impl<const WIDEST: i64> Arithmetic for Dynamic<WIDEST> {
    #[inline(always)]
    fn reduce_wide<S: Simd>(self, s: S, low: S::I16, high: S::I16) -> S::I16 {
        let t = s.mul_lo(low, s.splat(self.inverse));
        s.sub(high, s.mul_hi(t, s.splat(self.q)))
    }

    #[inline(always)]
    fn shrink<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        barrett::exact_by::<S, WIDEST>(s, a, self.quotient, self.q)
    }

    #[inline(always)]
    fn scale<S: Simd>(self, s: S, a: S::I16, factor: Factor) -> S::I16 {
        s.mul_mont(a, s.splat(factor.z), s.splat(factor.zq), s.splat(self.q))
    }

    #[inline(always)]
    fn divide<S: Simd>(self, _: S, a: S::I16, _: u32) -> S::I16 {
        a
    }

    #[inline(always)]
    fn finish<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        self.shrink(s, self.scale(s, a, self.unit))
    }
}
