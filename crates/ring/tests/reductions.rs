//! The reductions against their definitions: congruent, within the interval that the plans count on, and that interval no
//! wider than it must be.
//!
//! The 16-bit reductions are run on all words, on every backend, at every `cargo test`. Those of 32-bit values are run on
//! edge values there, and on all 2^32 values, on the fastest backend, by the `reductions` suite:
//! `cargo test --release -p ringsmith-ring --test reductions -- --ignored`; `RINGSMITH_EXHAUSTIVE=1` adds more moduli.

use ringsmith_ring::bound::Bound;
use ringsmith_ring::number::{centred, is_prime};
use ringsmith_ring::reduce::{barrett, k_red, montgomery, residue, sign};
use ringsmith_ring::route::k_red_form;
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd, each};
use std::ops::Range;

/// Runs a check for each modulus.
macro_rules! moduli {
    ($check:ident: $($q:literal)*) => { $($check::<$q>();)* };
}

/// Words: all of them, in ascending order.
const WORDS: Range<i64> = -(1 << 15)..1 << 15;

/// The interval of all words.
const WORD: Bound = Bound::new(WORDS.start, WORDS.end - 1);

/// The ends of a word and of a byte, and what lies beside them.
const EDGES: [i16; 12] =
    [0, 1, -1, 2, 0xff, 0x100, -0x101, 0x4000, i16::MAX, i16::MAX - 1, i16::MIN, i16::MIN + 1];

/// A generator that needs no dependency: xorshift.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn within(&mut self, bound: Bound) -> i64 {
        bound.low + ((self.next() >> 8) % (bound.high - bound.low + 1) as u64) as i64
    }
}

// ---- reductions of words ----

/// A function of words.
trait OfWords: Copy {
    fn apply<S: Simd>(self, s: S, a: S::I16) -> S::I16;
}

/// Declares functions of words: a type with its operand, if any, and what it computes.
macro_rules! of_words {
    ($($name:ident $(($field:ident: $ty:ty))?: |$s:ident, $a:ident, $q:ident| $value:expr;)*) => { $(
        #[derive(Clone, Copy)]
        struct $name<const Q: i64>$(($ty))?;
        impl<const $q: i64> OfWords for $name<$q> {
            #[inline(always)]
            fn apply<S: Simd>(self, $s: S, $a: S::I16) -> S::I16 {
                $(let $name($field): $name<$q> = self;)?
                $value
            }
        }
    )* };
}

of_words! {
    SignStep: |s, a, Q| sign::reduce::<S, Q>(s, a);
    OneWord: |s, a, Q| barrett::reduce::<S, Q>(s, a);
    Step: |s, a, Q| barrett::step::<S, Q>(s, a);
    Exact: |s, a, Q| barrett::exact::<S, Q>(s, a);
    Shrink: |s, a, Q| residue::shrink::<S, Q>(s, a);
    Finish: |s, a, Q| residue::finish::<S, Q>(s, a);
    Scale(factor: montgomery::Factor): |s, a, Q| montgomery::scale::<S, Q>(s, a, factor);
    Product(b: i16): |s, a, Q| montgomery::product::<S, Q>(s, a, s.splat(b));
    FromWide(high: i16): |s, low, Q| residue::from_wide::<S, Q>(s, low, s.splat(high));
}

/// A row of consecutive words.
#[inline(always)]
fn words_from(a: i64) -> Row {
    each(
        #[inline(always)]
        |i| (a + i as i64) as i16,
    )
}

/// The results for all words.
struct Sweep<F>(F);
impl<F: OfWords> Kernel for Sweep<F> {
    type Out = Vec<i16>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<i16> {
        let mut out = vec![0; 1 << 16];
        for (row, a) in out.as_chunks_mut().0.iter_mut().zip(WORDS.step_by(16)) {
            s.store(row, self.0.apply(s, s.load(&words_from(a))));
        }
        out
    }
}

/// All words with the results for them.
fn sweep(cpu: Cpu, f: impl OfWords) -> Vec<(i64, i64)> {
    WORDS.zip(cpu.run(Sweep(f)).into_iter().map(i64::from)).collect()
}

/// What a backend prefers.
struct Preferences;
impl Kernel for Preferences {
    type Out = (ringsmith_simd::Step, bool);
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Out {
        (S::STEP, S::HAS_ROUNDED_PRODUCT)
    }
}

fn hull(values: impl IntoIterator<Item = i64>) -> Bound {
    values.into_iter().map(|x| Bound::new(x, x)).reduce(Bound::join).expect("a value")
}

/// By how much a bound exceeds the hull of what it bounds, which lies inside.
fn slack(bound: Bound, hull: Bound) -> i64 {
    assert!(hull.within(bound), "{hull:?} leaves {bound:?}");
    (hull.low - bound.low).max(bound.high - hull.high)
}

/// Calls a check with each interval `[-b, b]`, `[0, b]` and `[-b, 0]`, and the hull of the results in it.
fn intervals(results: &[(i64, i64)], mut check: impl FnMut(Bound, Bound)) {
    let result = |a: i64| Bound::new(results[(a - WORD.low) as usize].1, results[(a - WORD.low) as usize].1);
    let (mut negative, mut positive) = (result(0), result(0));
    for b in 0..1 << 15 {
        (negative, positive) = (negative.join(result(-b)), positive.join(result(b)));
        check(Bound::symmetric(b), negative.join(positive));
        check(Bound::new(0, b), positive);
        check(Bound::new(-b, 0), negative);
    }
    check(WORD, negative.join(positive).join(result(WORD.low)));
}

fn assert_congruent(results: &[(i64, i64)], factor: i64, q: i64) {
    for (a, r) in results {
        assert_eq!((a * factor - r) % q, 0, "{a} becomes {r}, modulo {q}");
    }
}

/// The sign step takes `q` off the magnitude: congruent, and in every interval around zero its bound is attained, but for the
/// choice at zero.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn sign_step_of_all_words() {
    fn check<const Q: i64>() {
        for cpu in Cpu::available() {
            let results = sweep(cpu, SignStep::<Q>);
            assert_congruent(&results, 1, Q);
            intervals(&results, |a, hull| {
                let slack = slack(sign::bound(a, Q), hull);
                assert!(
                    slack <= 1 || a.low == 0 || a.high == 0,
                    "{a:?}: {slack} too wide, modulo {Q} on {cpu:?}"
                );
            });
        }
    }
    moduli!(check: 251 509 541 1279 2521 3329 3457 4591 7681 12289 20479);
}

/// The one-word Barrett reduction: congruent and within its bound in every interval. Where the CPU rounds products the bound
/// exceeds what is attained by no more than the drift over one period: the last jump lies up to `q` before the end.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn one_word_barrett_of_all_words() {
    fn check<const Q: i64>() {
        let error = (Q * (((1 << 16) / Q + 1) / 2) - (1 << 15)).abs();
        for cpu in Cpu::available() {
            let results = sweep(cpu, OneWord::<Q>);
            assert_congruent(&results, 1, Q);
            let tight = cpu.run(Preferences).1;
            intervals(&results, |a, hull| {
                let slack = slack(barrett::bound(a, Q), hull);
                let drift = ((Q * error) >> 15) + 1;
                let wide = a.low <= -Q && a.high >= Q;
                assert!(!(tight && wide) || slack <= drift, "{a:?}: {slack} too wide, modulo {Q} on {cpu:?}");
            });
        }
    }
    moduli!(check: 251 509 541 1279 2521 3329 3457 4591 7681 12289 20479);
}

/// The step that a plan takes has the bound that the plan was given for this CPU's step.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn step_of_all_words() {
    fn check<const Q: i64>() {
        for cpu in Cpu::available() {
            let (results, step) = (sweep(cpu, Step::<Q>), cpu.run(Preferences).0);
            assert_congruent(&results, 1, Q);
            intervals(&results, |a, hull| {
                assert!(hull.within(barrett::step_bound(step, a, Q)), "{a:?} {Q} {cpu:?}")
            });
        }
    }
    moduli!(check: 3329 3457 4591 7681 12289);
}

/// The exact Barrett reduction is centred up to its limit, and not one further; past it within its bound, which is attained.
/// One modulus for each length that it takes.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn exact_barrett_of_all_words() {
    fn check<const Q: i64>() {
        let limit = barrett::exact_limit(Q);
        for cpu in Cpu::available() {
            let results = sweep(cpu, Exact::<Q>);
            assert_congruent(&results, 1, Q);
            let failed = results.iter().filter(|(a, r)| *r != centred(*a, Q)).map(|(a, _)| a.abs()).min();
            assert_eq!(failed.unwrap_or((1 << 15) + 1), limit + 1, "the limit modulo {Q} on {cpu:?}");
            assert_eq!(
                hull(results.iter().map(|x| x.1)),
                barrett::exact_bound(WORD, Q),
                "modulo {Q} on {cpu:?}"
            );
        }
    }
    moduli!(check: 251 509 541 1279 2521 3329 3457 4591 7681 12289 20479);
}

/// Which moduli have every word reduced to the centre: a change of the quotient's constants shows here.
#[test]
fn limits_of_exact_barrett() {
    assert_eq!([2521, 3329, 4591, 7681].map(barrett::exact_limit), [1 << 15; 4]);
    assert_eq!(barrett::exact_limit(3457), 22470);
    assert_eq!(barrett::exact_limit(12289), 30721);
    assert_eq!(barrett::exact_bound(Bound::symmetric(30721), 12289), Bound::canonical(12289));
    assert_eq!(barrett::exact_bound(Bound::symmetric(30722), 12289), Bound::symmetric(6145));
}

/// What every route ends with: `finish` gives the centred representative of every word, with the factor `2^-16` of an odd
/// modulus taken off; `shrink` keeps to its bound.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn residues_of_all_words() {
    fn odd<const Q: i64>() {
        for cpu in Cpu::available() {
            for (a, r) in sweep(cpu, Finish::<Q>) {
                assert_eq!(r, centred(a << 16, Q), "finish({a}) modulo {Q} on {cpu:?}");
            }
            let results = sweep(cpu, Shrink::<Q>);
            assert_congruent(&results, 1, Q);
            assert!(hull(results.iter().map(|x| x.1)).within(residue::shrink_bound(Q)), "{Q} on {cpu:?}");
        }
    }
    fn power_of_two<const Q: i64>() {
        for cpu in Cpu::available() {
            for (a, r) in sweep(cpu, Finish::<Q>) {
                assert_eq!(r, centred(a, Q), "finish({a}) modulo {Q} on {cpu:?}");
            }
            assert_congruent(&sweep(cpu, Shrink::<Q>), 1, Q);
            assert_congruent(&sweep(cpu, FromWide::<Q>(0x1234)), 1, Q);
        }
    }
    moduli!(odd: 3329 3457 4591 7681 12289);
    moduli!(power_of_two: 256 1024 2048 4096 8192);
}

// ---- Montgomery ----

/// The interval of `2^16 r = p - t q` that all words `t` allow, for one high word of `p`.
fn sums_with(high: i64) -> Bound {
    Bound::new(high << 16, (high << 16) + 0xffff)
}

/// The magnitude of the high words whose 32-bit values reduce to words, whatever the low word: `-limit .. limit`.
const fn high_words(q: i64) -> i64 {
    (1 << 15) - (q + 1) / 2
}

/// The factor of a constant: `z 2^16`, centred, with its quotient's constant; the product by it is congruent to `a z`, the exact
/// `(a z' - t q) / 2^16`, and within both bounds that the plans use.
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

/// The reduction of 32-bit sums, at the ends of its range and in the middle, with all low words: congruent, and the bound is
/// exactly what is attained.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn montgomery_reduction_of_edge_sums() {
    fn check<const Q: i64>() {
        let limit = high_words(Q);
        for high in [-limit, 1 - limit, -1, 0, 1, 0x1234, limit - 1] {
            for cpu in Cpu::available() {
                let results = sweep(cpu, FromWide::<Q>(high as i16));
                for (low, r) in &results {
                    assert_eq!(((high << 16) + (low & 0xffff) - (r << 16)) % Q, 0, "{high} {low} on {cpu:?}");
                }
                let hull = hull(results.iter().map(|x| x.1));
                assert_eq!(
                    hull,
                    residue::from_wide_bound(sums_with(high), Q),
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
/// Cheap and exact: `r` is right if and only if `p - r 2^16 = t q` for an integer `t`, which is `(p - r 2^16) / q` modulo
/// `2^32`. Where that is a word, `|p| < 2^31 - 2^15 q` makes both sides differ by less than `2^32`, so they are equal; and
/// the reduction's own `t` is a word.
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

/// Products of the words `a` by all words.
struct Products<const Q: i64>(Range<i64>);
impl<const Q: i64> Kernel for Products<Q> {
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

/// Products of all words by the prepared constants `z`.
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

/// Whether all moduli are asked for.
fn all_moduli() -> bool {
    std::env::var_os("RINGSMITH_EXHAUSTIVE").is_some_and(|value| value == "1")
}

/// The joined hulls of the halves of a range, in two threads, on the fastest backend.
fn in_halves<K: Kernel<Out = Bound>>(range: Range<i64>, part: fn(Range<i64>) -> K) -> Bound {
    let (cpu, middle) = (Cpu::detect(), range.start.midpoint(range.end));
    std::thread::scope(|scope| {
        let lower = scope.spawn(move || cpu.run(part(range.start..middle)));
        let upper = cpu.run(part(middle..range.end));
        lower.join().expect("a verdict on the lower half").join(upper)
    })
}

/// All 2^32 products of two words: congruent, within the bound, and the bound attained to a per cent (no
/// pair has both the worst product and the worst quotient; that the bound of sums is exact is shown below).
#[test]
#[ignore = "2^32 products: seconds, but only in release; the `reductions` suite runs it"]
fn montgomery_product_of_all_words() {
    fn check<const Q: i64>() {
        let (hull, bound) = (in_halves(WORDS, Products::<Q>), montgomery::bound_wide(WORD.mul(WORD), Q));
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

// ---- K-RED ----

/// `k C0 - l C1`, with `C0 = C mod 2^m`.
#[inline(always)]
fn k_red_of(form: k_red::Form, c: i64) -> i64 {
    let power = 1i64 << form.m;
    form.k * c.rem_euclid(power) - form.l * c.div_euclid(power)
}

/// `k^2 C0 - k l C1 + l^2 C2`.
#[inline(always)]
fn k_red_2x_of(form: k_red::Form, c: i64) -> i64 {
    let (power, upper) = (1i64 << form.m, c.div_euclid(1 << form.m));
    let (c1, c2) = (upper.rem_euclid(power), upper.div_euclid(power));
    form.k * form.k * c.rem_euclid(power) - form.k * form.l * c1 + form.l * form.l * c2
}

/// Both reductions of 32-bit values.
struct Reduced<'a, const Q: i64>(&'a [Row32]);
impl<const Q: i64> Kernel for Reduced<'_, Q> {
    type Out = Vec<[Row32; 2]>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let mut out = vec![[[0; 8]; 2]; self.0.len()];
        for (c, [once, twice]) in self.0.iter().zip(&mut out) {
            s.store32(once, k_red::KRed::<Q>::reduce(s, s.load32(c)));
            s.store32(twice, k_red::KRed::<Q>::reduce_2x(s, s.load32(c)));
        }
        out
    }
}

/// Both reductions of 64-bit products.
struct ReducedProducts<'a, const Q: i64>(&'a [[Row32; 2]]);
impl<const Q: i64> Kernel for ReducedProducts<'_, Q> {
    type Out = Vec<[Row32; 2]>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let mut out = vec![[[0; 8]; 2]; self.0.len()];
        for ([a, b], [once, twice]) in self.0.iter().zip(&mut out) {
            s.store32(once, k_red::KRed::<Q>::reduce_product(s, s.load32(a), s.load32(b)));
            s.store32(twice, k_red::KRed::<Q>::reduce_2x_product(s, s.load32(a), s.load32(b)));
        }
        out
    }
}

/// `c` and both its reductions, flat.
fn reduced<const Q: i64>(cpu: Cpu, values: &[i64]) -> Vec<(i64, [i64; 2])> {
    let mut padded: Vec<i32> = values.iter().map(|c| *c as i32).collect();
    padded.resize(values.len().next_multiple_of(8), 0);
    let results = cpu.run(Reduced::<Q>(padded.as_chunks().0));
    let flat = results.iter().flat_map(|[once, twice]| once.iter().zip(twice));
    values.iter().zip(flat).map(|(c, (once, twice))| (*c, [i64::from(*once), i64::from(*twice)])).collect()
}

/// The values of an interval where `C0`, `C1` and `C2` take their ends, and random ones.
fn corners(form: k_red::Form, c: Bound) -> Vec<i64> {
    let (m, ends) = (form.m, [0, 1, (1 << form.m) - 1]);
    let tops = [c.low >> (2 * m), (c.low >> (2 * m)) + 1, -1, 0, (c.high >> (2 * m)) - 1, c.high >> (2 * m)];
    let mut values = vec![c.low, c.high];
    for top in tops {
        for middle in ends.into_iter().chain([c.low >> m & ends[2], c.high >> m & ends[2]]) {
            values.extend(ends.map(|low| (top << (2 * m)) + (middle << m) + low));
        }
    }
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    values.extend((0..1000).map(|_| random.within(c)));
    values.retain(|value| c.contains(*value));
    values
}

/// Intervals of `C`: of 32 bits, of products of residues, with ends that split no block of `2^(2m)`, and narrow ones.
fn k_red_intervals(form: k_red::Form) -> [Bound; 7] {
    let (lane, block, q) = (i64::from(i32::MAX), 1 << (2 * form.m), form.modulus());
    [
        Bound::new(i64::from(i32::MIN), lane),
        Bound::symmetric(lane),
        Bound::symmetric(q * q / 2),
        Bound::symmetric(4 * q),
        Bound::new(-3 * block, 5 * block - 1),
        Bound::new(0, 2 * block - 1),
        Bound::new(-block, 4000),
    ]
}

/// K-RED and K-RED-2x on every backend: the definition exactly, congruent to `k C` and `k^2 C`, within their bounds; and the
/// bounds are attained where the interval splits no block. The worst values of the bounds are among the corners.
#[test]
fn k_red_of_edge_values() {
    fn check<const Q: i64>() {
        let form = k_red::Form::of(Q);
        for c in k_red_intervals(form) {
            let (values, bounds) = (corners(form, c), [form.bound(c), form.bound_2x(c)]);
            for cpu in Cpu::available() {
                let results = reduced::<Q>(cpu, &values);
                for (c, results) in &results {
                    assert_eq!(
                        *results,
                        [k_red_of(form, *c), k_red_2x_of(form, *c)],
                        "{c} modulo {Q} on {cpu:?}"
                    );
                    assert_eq!((form.k * c - results[0]) % Q, 0, "{c} modulo {Q}");
                    assert_eq!((form.k * form.k * c - results[1]) % Q, 0, "{c} modulo {Q}");
                }
                let hulls = [0, 1].map(|i| hull(results.iter().map(|(_, results)| results[i])));
                assert!(
                    hulls[0].within(bounds[0]) && hulls[1].within(bounds[1]),
                    "{c:?} modulo {Q} on {cpu:?}"
                );
                if c.low & ((1 << (2 * form.m)) - 1) == 0 && (c.high + 1) & ((1 << (2 * form.m)) - 1) == 0 {
                    assert_eq!(hulls, bounds, "{c:?} modulo {Q} on {cpu:?}");
                }
            }
        }
    }
    moduli!(check: 1279 3329 3583 5119 6143 7681 8191 12289 20479);
}

/// K-RED of exact 64-bit products, on every backend: pairs whose product divided by `2^m` just fits 32 bits, and random ones.
#[test]
fn k_red_of_products() {
    fn check<const Q: i64>() {
        let form = k_red::Form::of(Q);
        let pairs = product_operands(form);
        for cpu in Cpu::available() {
            for (operands, results) in pairs.iter().zip(cpu.run(ReducedProducts::<Q>(&pairs))) {
                for i in 0..8 {
                    let product = i64::from(operands[0][i]) * i64::from(operands[1][i]);
                    let expected = [k_red_of(form, product), k_red_2x_of(form, product)];
                    let results = results.map(|row| i64::from(row[i]));
                    assert_eq!(results, expected, "{operands:?} lane {i} modulo {Q} on {cpu:?}");
                    assert_eq!((form.k * product - results[0]) % Q, 0, "{product} modulo {Q}");
                }
            }
        }
    }
    moduli!(check: 1279 3329 3583 5119 6143 7681 8191 12289 20479);
}

/// Operands of products: of all magnitudes, by the greatest magnitude of either sign that K-RED's result leaves room for, and
/// by a random one within.
fn product_operands(form: k_red::Form) -> Vec<[Row32; 2]> {
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    let greatest = ((1i64 << 31) - (form.k << form.m) - 1) << form.m;
    let lane = Bound::symmetric(i64::from(i32::MAX));
    let pair = |random: &mut Random, kind: usize| {
        let a = random.within(lane) >> (random.next() >> 59) | 1;
        let limit = (greatest / a.abs()).min(lane.high);
        let b = [limit, -limit, random.within(Bound::symmetric(limit))][kind % 3];
        (a as i32, b as i32)
    };
    let rows = if cfg!(miri) { 4 } else { 400 };
    let drawn = (0..rows).map(|_| {
        let pairs: [(i32, i32); 8] = std::array::from_fn(|i| pair(&mut random, i));
        [pairs.map(|pair| pair.0), pairs.map(|pair| pair.1)]
    });
    drawn
        .chain([[[0, 1, -1, 0, i32::MIN, i32::MIN, i32::MAX, 1], [0, -1, -1, i32::MIN, 1, 0, 1, i32::MAX]]])
        .collect()
}

/// The definition that tables and oracles are computed with, over 64-bit values.
#[test]
fn k_red_of_integers() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for q in [1279, 3329, 7681, 8191, 12289, 20479] {
        let form = k_red::Form::of(q);
        let values = (0..1000).map(|_| random.within(Bound::symmetric(1 << 45)));
        for c in values.chain([0, -1, 1 << 45, -(1 << 45)]) {
            assert_eq!(k_red::reduce_integer(form, c), k_red_of(form, c));
            assert_eq!(k_red::reduce_2x_integer(form, c), k_red_2x_of(form, c));
        }
    }
}

/// The decomposition of a modulus, of either sign; and none where the power of two is too small.
#[test]
fn k_red_forms() {
    assert_eq!(k_red_form(12289), Some((3, 12, 1)));
    assert_eq!(k_red_form(7681), Some((15, 9, 1)));
    assert_eq!(k_red_form(3329), Some((13, 8, 1)));
    assert_eq!(k_red_form(20479), Some((5, 12, -1)));
    assert_eq!(k_red_form(8191), Some((1, 13, -1)));
    assert_eq!([3457, 4591].map(k_red_form), [None; 2]);
    for q in [1279, 3329, 3583, 5119, 6143, 7681, 8191, 12289, 20479] {
        assert!(is_prime(q), "{q}");
        assert_eq!(k_red::Form::of(q).modulus(), q);
    }
}

/// K-RED, or with `TWICE` K-RED-2x, of the 32-bit values of a range.
struct KReductions<const Q: i64, const TWICE: bool>(Range<i64>);
impl<const Q: i64, const TWICE: bool> Kernel for KReductions<Q, TWICE> {
    type Out = Bound;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Bound {
        let (mut least, mut greatest, mut wrong) = ([i32::MAX; 8], [i32::MIN; 8], [0; 8]);
        let mut start = self.0.start;
        while start < self.0.end {
            let (c, mut r): (Row32, _) = (
                each(
                    #[inline(always)]
                    |i| (start + i as i64) as i32,
                ),
                [0; 8],
            );
            let row = s.load32(&c);
            let reduced =
                if TWICE { k_red::KRed::<Q>::reduce_2x(s, row) } else { k_red::KRed::<Q>::reduce(s, row) };
            s.store32(&mut r, reduced);
            let mut i = 0;
            while i < 8 {
                wrong[i] |= error::<Q, TWICE>(c[i], r[i]);
                (least[i], greatest[i]) = (least[i].min(r[i]), greatest[i].max(r[i]));
                i += 1;
            }
            start += 8;
        }
        assert_eq!(wrong, [0; 8], "results that differ from the definition, or are not congruent");
        hull(least.into_iter().chain(greatest).map(i64::from))
    }
}

/// 0 where `r` is the definition's value for `c`, and `k c` (`k^2 c`) less a multiple of `q`: `k c - q C1` and
/// `k^2 c - q (k C1 + (k 2^m - l) C2)`. In lanes, modulo `2^32`; the definition's value fits a lane, so equal is equal.
#[inline(always)]
fn error<const Q: i64, const TWICE: bool>(c: i32, r: i32) -> i32 {
    let form = const { k_red::Form::of(Q) };
    let (k, l, power) = (form.k as i32, form.l as i32, 1 << form.m);
    let (c0, c1) = (c & (power - 1), c >> form.m);
    if TWICE {
        let (c1, c2) = (c1 & (power - 1), c1 >> form.m);
        let multiple = (k * c1 + (k * power - l) * c2).wrapping_mul(Q as i32);
        (r ^ (k * k * c0 - k * l * c1 + l * l * c2)) | (r ^ c.wrapping_mul(k * k).wrapping_sub(multiple))
    } else {
        (r ^ (k * c0 - l * c1)) | (r ^ c.wrapping_mul(k).wrapping_sub(c1.wrapping_mul(Q as i32)))
    }
}

/// All 2^32 values of a lane: the definition exactly, congruent, and the bounds are exactly what is attained.
#[test]
#[ignore = "2^33 reductions: seconds, but only in release; the `reductions` suite runs it"]
fn k_red_of_all_values() {
    fn check<const Q: i64>() {
        let (form, lanes) = (k_red::Form::of(Q), -(1i64 << 31)..1 << 31);
        let all = Bound::new(lanes.start, lanes.end - 1);
        assert_eq!(in_halves(lanes.clone(), KReductions::<Q, false>), form.bound(all), "K-RED modulo {Q}");
        assert_eq!(in_halves(lanes, KReductions::<Q, true>), form.bound_2x(all), "K-RED-2x modulo {Q}");
    }
    moduli!(check: 12289 20479);
    if all_moduli() {
        moduli!(check: 3329 7681 8191);
    }
}
