//! Montgomery's reduction: of products by constants, of products of two variables, and of sums.

use crate::support::*;
use ringsmith_ring::bound::Bound;
use ringsmith_ring::montgomery;
use ringsmith_ring::number::centred;
use ringsmith_ring::residues::{Modulus, Odd};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use std::ops::Range;

/// The ends of a word and of a byte, and what lies beside them.
const EDGES: [i16; 12] =
    [0, 1, -1, 2, 0xff, 0x100, -0x101, 0x4000, i16::MAX, i16::MAX - 1, i16::MIN, i16::MIN + 1];

/// The interval of `2^16 r = p - t q` that all words `t` allow, for one high word of `p`.
fn sums_with(high: i64) -> Bound {
    Bound::new(high << 16, (high << 16) + 0xffff)
}

/// The magnitude of the high words whose 32-bit values reduce to words, whatever the low word:
/// `-limit .. limit`.
const fn high_words(q: i64) -> i64 {
    (1 << 15) - (q + 1) / 2
}

/// The factor of a constant: `z 2^16`, centred, with its quotient's constant; the product by it is congruent
/// to `a z`, the exact `(a z' - t q) / 2^16`, and within both bounds that the plans use.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn montgomery_product_by_constants() {
    fn check<const Q: i64>() {
        for z in [0, 1, -1, 2, Q / 2, Q / 2 + 1, Q - 1, 1 << 16, 17] {
            let factor = montgomery::Factor::new(z, Q);
            assert_eq!(i64::from(factor.z), centred(z << 16, Q));
            assert_eq!(factor.zq.wrapping_mul(Q as i16), factor.z);
            for cpu in Cpu::available() {
                let results = sweep(cpu, Scale::<Q>(factor));
                assert_congruent(&results, z, Q);
                for (a, r) in &results {
                    let t = (*a as i16).wrapping_mul(factor.zq);
                    assert_eq!(
                        r << 16,
                        a * i64::from(factor.z) - i64::from(t) * Q,
                        "{a} {factor:?} on {cpu:?}"
                    );
                }
                intervals(&results, |a, hull| {
                    assert!(
                        hull.within(montgomery::bound_scaled(a, factor.z, Q)),
                        "{a:?} {factor:?} on {cpu:?}"
                    );
                    assert!(hull.within(montgomery::bound_any(a, Q)), "{a:?} {factor:?} on {cpu:?}");
                });
            }
        }
    }
    moduli!(check: 3329 3457 4591 7681 12289);
}

/// The reduction of 32-bit sums, at the ends of its range and in the middle, with all low words: congruent,
/// and the bound is exactly what is attained.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn montgomery_reduction_of_edge_sums() {
    fn check<const Q: i64>() {
        let limit = high_words(Q);
        for high in [-limit, 1 - limit, -1, 0, 1, 0x1234, limit - 1] {
            for cpu in Cpu::available() {
                let results = sweep(cpu, By(Odd::<Q>, Operation::FromWide(high as i16)));
                for (low, r) in &results {
                    assert_eq!(((high << 16) + (low & 0xffff) - (r << 16)) % Q, 0, "{high} {low} on {cpu:?}");
                }
                let hull = hull(results.iter().map(|x| x.1));
                assert_eq!(
                    Some(hull),
                    Modulus::Odd(Q).reduce_wide(sums_with(high)),
                    "{high} modulo {Q} on {cpu:?}"
                );
                assert_eq!(hull, montgomery::bound_wide(sums_with(high), Q), "{high} modulo {Q} on {cpu:?}");
            }
        }
    }
    moduli!(check: 251 3329 3457 4591 7681 12289 20479);
}

/// The product of two variables: edge words by all words, on every backend.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn montgomery_product_of_edge_words() {
    fn check<const Q: i64>() {
        for b in EDGES {
            let bound = montgomery::bound_wide(WORD.scale(i64::from(b)), Q);
            for cpu in Cpu::available() {
                for (a, r) in sweep(cpu, Product::<Q>(b)) {
                    assert_eq!((a * i64::from(b) - (r << 16)) % Q, 0, "{a} times {b} modulo {Q} on {cpu:?}");
                    assert!(bound.contains(r), "{a} times {b} is {r}, modulo {Q} on {cpu:?}");
                }
            }
        }
    }
    moduli!(check: 3329 3457 4591 7681 12289 20479);
}

/// The inverse of an odd `q` modulo `2^32`, by Newton.
const fn inverse_mod_double_word(q: i32) -> i32 {
    let (mut x, mut bits) = (1i32, 1);
    while bits < 32 {
        x = x.wrapping_mul(2i32.wrapping_sub(q.wrapping_mul(x)));
        bits *= 2;
    }
    x
}

/// The verdict on many results `r` for `p`: their hull, and whether every one was congruent to `p 2^-16`.
///
/// Cheap and exact: `r` is right if and only if `p - r 2^16 = t q` for an integer `t`, which is
/// `(p - r 2^16) / q` modulo `2^32`. Where that is a word, `|p| < 2^31 - 2^15 q` makes both sides differ by
/// less than `2^32`, so they are equal; and the reduction's own `t` is a word.
#[derive(Clone, Copy)]
struct Verdict {
    least: Row,
    greatest: Row,
    wrong: [i32; 16],
}

impl Verdict {
    const NONE: Verdict = Verdict { least: [i16::MAX; 16], greatest: [i16::MIN; 16], wrong: [0; 16] };

    #[inline(always)]
    fn add<const Q: i64>(&mut self, p: &[i32; 16], r: &Row) {
        let mut i = 0;
        while i < 16 {
            let multiple = p[i].wrapping_sub((r[i] as i32) << 16);
            let t = multiple.wrapping_mul(const { inverse_mod_double_word(Q as i32) });
            self.wrong[i] |= t ^ (t as i16 as i32);
            self.least[i] = self.least[i].min(r[i]);
            self.greatest[i] = self.greatest[i].max(r[i]);
            i += 1;
        }
    }

    /// The hull of the results.
    fn hull(self) -> Bound {
        assert_eq!(self.wrong, [0; 16], "results that are not congruent");
        hull(self.least.into_iter().chain(self.greatest).map(i64::from))
    }
}

/// ProductRule of the words `a` by all words.
struct ProductRule<const Q: i64>(Range<i64>);
impl<const Q: i64> Kernel for ProductRule<Q> {
    type Out = Bound;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Bound {
        let mut verdict = Verdict::NONE;
        for a in self.0 {
            for b in WORDS.step_by(16) {
                let (b, mut r) = (words_from(b), [0; 16]);
                s.store(&mut r, montgomery::product::<S, Q>(s, s.splat(a as i16), s.load(&b)));
                verdict.add::<Q>(
                    &each(
                        #[inline(always)]
                        |i| a as i32 * b[i] as i32,
                    ),
                    &r,
                );
            }
        }
        verdict.hull()
    }
}

/// ProductRule of all words by the prepared constants `z`.
struct Scaled<const Q: i64>(Range<i64>);
impl<const Q: i64> Kernel for Scaled<Q> {
    type Out = Bound;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Bound {
        let mut verdict = Verdict::NONE;
        for z in self.0 {
            let factor = montgomery::Factor::new(z, Q);
            for a in WORDS.step_by(16) {
                let (a, mut r) = (words_from(a), [0; 16]);
                s.store(&mut r, montgomery::scale::<S, Q>(s, s.load(&a), factor));
                verdict.add::<Q>(
                    &each(
                        #[inline(always)]
                        |i| a[i] as i32 * factor.z as i32,
                    ),
                    &r,
                );
            }
        }
        verdict.hull()
    }
}

/// Reductions of the sums with the high words `high` and all low words.
struct Sums<const Q: i64>(Range<i64>);
impl<const Q: i64> Kernel for Sums<Q> {
    type Out = Bound;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Bound {
        let mut verdict = Verdict::NONE;
        for high in self.0 {
            for low in WORDS.step_by(16) {
                let (low, mut r) = (words_from(low), [0; 16]);
                let reduced = montgomery::reduce_wide::<S, Q>(s, s.load(&low), s.splat(high as i16));
                s.store(&mut r, reduced);
                verdict.add::<Q>(
                    &each(
                        #[inline(always)]
                        |i| (high as i32) << 16 | low[i] as u16 as i32,
                    ),
                    &r,
                );
            }
        }
        verdict.hull()
    }
}

/// All 2^32 products of two words: congruent, within the bound, and the bound attained to a per cent (no
/// pair has both the worst product and the worst quotient; that the bound of sums is exact is shown below).
#[test]
#[ignore = "2^32 products: seconds, but only in release; the `reductions` suite runs it"]
fn montgomery_product_of_all_words() {
    fn check<const Q: i64>() {
        let (hull, bound) = (in_halves(WORDS, ProductRule::<Q>), montgomery::bound_wide(WORD.mul(WORD), Q));
        assert!(100 * slack(bound, hull) < bound.magnitude(), "{hull:?} in {bound:?} modulo {Q}");
    }
    moduli!(check: 12289);
    if all_moduli() {
        moduli!(check: 3329 3457 4591 7681);
    }
}

/// All words by all constants: congruent, within the bound, and the bound attained to a per cent (no
/// pair has both the worst product and the worst quotient; that the bound of sums is exact is shown below).
#[test]
#[ignore = "2^16 q products: seconds, but only in release; the `reductions` suite runs it"]
fn montgomery_product_by_all_constants() {
    fn check<const Q: i64>() {
        let (hull, bound) = (in_halves(0..Q, Scaled::<Q>), montgomery::bound_any(WORD, Q));
        assert!(100 * slack(bound, hull) < bound.magnitude(), "{hull:?} in {bound:?} modulo {Q}");
    }
    moduli!(check: 12289);
    if all_moduli() {
        moduli!(check: 3329 3457 4591 7681);
    }
}

/// All 32-bit sums whose residue is a word: congruent, and the bound is exactly what is attained.
#[test]
#[ignore = "up to 2^32 sums: seconds, but only in release; the `reductions` suite runs it"]
fn montgomery_reduction_of_all_sums() {
    fn check<const Q: i64>() {
        let limit = high_words(Q);
        let sums = sums_with(-limit).join(sums_with(limit - 1));
        assert_eq!(in_halves(-limit..limit, Sums::<Q>), montgomery::bound_wide(sums, Q), "modulo {Q}");
    }
    moduli!(check: 12289);
    if all_moduli() {
        moduli!(check: 3329 3457 4591 7681);
    }
}
