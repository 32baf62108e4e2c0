//! K-RED and K-RED-2x, of 32-bit values and of 64-bit products.

use crate::support::*;
use ringsmith_oracle::Random;
use ringsmith_ring::bound::Bound;
use ringsmith_ring::k_red;
use ringsmith_ring::k_red::k_red_form;
use ringsmith_ring::number::is_prime;
use ringsmith_simd::{Cpu, Kernel, Row32, Simd, each};
use std::ops::Range;

/// `q` of its form.
fn modulus(form: k_red::Decomposition) -> i64 {
    (form.k << form.m) + form.l
}

/// `k C0 - l C1`, with `C0 = C mod 2^m`.
#[inline(always)]
fn k_red_of(form: k_red::Decomposition, c: i64) -> i64 {
    let power = 1i64 << form.m;
    form.k * c.rem_euclid(power) - form.l * c.div_euclid(power)
}

/// `k^2 C0 - k l C1 + l^2 C2`.
#[inline(always)]
fn k_red_2x_of(form: k_red::Decomposition, c: i64) -> i64 {
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
fn corners(form: k_red::Decomposition, c: Bound) -> Vec<i64> {
    let (m, ends) = (form.m, [0, 1, (1 << form.m) - 1]);
    let tops = [c.low >> (2 * m), (c.low >> (2 * m)) + 1, -1, 0, (c.high >> (2 * m)) - 1, c.high >> (2 * m)];
    let mut values = vec![c.low, c.high];
    for top in tops {
        for middle in ends.into_iter().chain([c.low >> m & ends[2], c.high >> m & ends[2]]) {
            values.extend(ends.map(|low| (top << (2 * m)) + (middle << m) + low));
        }
    }
    let mut random = Random::new(1);
    values.extend((0..1000).map(|_| random.within(c.low, c.high)));
    values.retain(|value| c.contains(*value));
    values
}

/// Intervals of `C`: of 32 bits, of products of residues, with ends that split no block of `2^(2m)`, and
/// narrow ones.
fn k_red_intervals(form: k_red::Decomposition) -> [Bound; 7] {
    let (lane, block, q) = (i64::from(i32::MAX), 1 << (2 * form.m), modulus(form));
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

/// K-RED and K-RED-2x on every backend: the definition exactly, congruent to `k C` and `k^2 C`, within their
/// bounds; and the bounds are attained where the interval splits no block. The worst values of the bounds are
/// among the corners.
#[test]
fn k_red_of_edge_values() {
    fn check<const Q: i64>() {
        let form = k_red::Decomposition::of(Q);
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

/// K-RED of exact 64-bit products, on every backend: pairs whose product divided by `2^m` just fits 32 bits,
/// and random ones.
#[test]
fn k_red_of_products() {
    fn check<const Q: i64>() {
        let form = k_red::Decomposition::of(Q);
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

/// Operands of products: of all magnitudes, by the greatest magnitude of either sign that K-RED's result
/// leaves room for, and by a random one within.
fn product_operands(form: k_red::Decomposition) -> Vec<[Row32; 2]> {
    let mut random = Random::new(2);
    let greatest = ((1i64 << 31) - (form.k << form.m) - 1) << form.m;
    let lane = Bound::symmetric(i64::from(i32::MAX));
    let pair = |random: &mut Random, kind: usize| {
        let a = random.within(lane.low, lane.high) >> (random.word() >> 59) | 1;
        let limit = (greatest / a.abs()).min(lane.high);
        let b = [limit, -limit, random.within(-limit, limit)][kind % 3];
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
        assert_eq!(modulus(k_red::Decomposition::of(q)), q);
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

/// 0 where `r` is the definition's value for `c`, and `k c` (`k^2 c`) less a multiple of `q`: `k c - q C1`
/// and `k^2 c - q (k C1 + (k 2^m - l) C2)`. In lanes, modulo `2^32`; the definition's value fits a lane, so
/// equal is equal.
#[inline(always)]
fn error<const Q: i64, const TWICE: bool>(c: i32, r: i32) -> i32 {
    let form = const { k_red::Decomposition::of(Q) };
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
        let (form, lanes) = (k_red::Decomposition::of(Q), -(1i64 << 31)..1 << 31);
        let all = Bound::new(lanes.start, lanes.end - 1);
        assert_eq!(in_halves(lanes.clone(), KReductions::<Q, false>), form.bound(all), "K-RED modulo {Q}");
        assert_eq!(in_halves(lanes, KReductions::<Q, true>), form.bound_2x(all), "K-RED-2x modulo {Q}");
    }
    moduli!(check: 12289 20479);
    if all_moduli() {
        moduli!(check: 3329 7681 8191);
    }
}
