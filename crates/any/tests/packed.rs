//! Products of packed coefficients, at the greatest degrees that a prime holds and of the worst operands.

use ringsmith_any::{Candidates, Costs, Operands, Polynomial, Ring};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// `x^n - 1`, `x^n + 1` and `x^n - x - 1`.
const FORMS: [&[(usize, i64)]; 3] = [&[(0, -1)], &[(0, 1)], &[(1, -1), (0, -1)]];

/// Coefficients `2 n - 2` of a product folded by one of the forms.
fn fold(n: usize, form: &[(usize, i64)], whole: &[i64]) -> Vec<i64> {
    let mut c = whole.to_vec();
    for i in (n..c.len()).rev() {
        form.iter().for_each(|(exponent, x)| c[i - n + exponent] -= x * c[i]);
    }
    c.truncate(n);
    c
}

/// The coefficients of the product of constant or alternating operands of absolute value 1: `1 + .. + 1` of
/// as many as meet, with the signs `s^k`.
fn worst(n: usize, sign: i64) -> Vec<i64> {
    (0..2 * n - 1).map(|k| (k + 1).min(2 * n - 1 - k) as i64 * if k % 2 == 1 { sign } else { 1 }).collect()
}

/// The rings by each method that packs.
fn packed(cpu: Cpu, q: u64, n: usize, form: &[(usize, i64)], operands: Operands) -> Vec<Ring> {
    let f = Polynomial::new(&[&[(n, 1)], form].concat()).unwrap();
    let candidates = Candidates::new(cpu, q, &f, operands, &Costs::of(cpu)).unwrap();
    let methods = candidates.iter().map(|candidate| candidate.method());
    let packs = methods.filter(|method| method.to_string().contains("two coefficients a number"));
    let rings: Vec<_> = packs.map(|method| Ring::by(cpu, q, &f, operands, &method).unwrap()).collect();
    for ring in &rings {
        assert!(ring.route().to_string().contains("two coefficients a number"), "{}", ring.route());
    }
    rings
}

/// Protects: the greatest operands, of one sign or of both in turn, at the last degrees that are packed and
/// the next ones that are not, in all forms and on all backends; every form of product.
#[test]
fn worst_operands() {
    for cpu in Cpu::available() {
        for (q, n, packs) in [
            (2, 1024, true),
            (2, 1289, true),
            (2, 32768, true),
            (2, 52020, false),
            (3, 512, true),
            (3, 645, true),
            (3, 16384, true),
            (3, 26008, false),
            (4, 8660, true),
            (4, 8680, false),
            (5, 4096, true),
            (7, 2048, true),
            (8, 1200, true),
            (17, 256, true),
            (17, 512, false),
            (31, 100, true),
        ] {
            for form in FORMS {
                let rings = packed(cpu, q, n, form, Operands::any());
                // Products whose signs differ have digits of twice the size.
                let negacyclic = form == FORMS[1] && q > 2 && n.is_power_of_two();
                assert!(rings.is_empty() != packs || negacyclic, "Z_{q}, degree {n}, {form:?}");
                rings.iter().for_each(|ring| check_worst(ring, form));
            }
        }
    }
}

/// The greatest and the least coefficients, of one sign and of both in turn.
fn check_worst(ring: &Ring, form: &[(usize, i64)]) {
    let (n, q, mut room) = (ring.degree(), ring.modulus() as i64, ring.room().unwrap());
    let ends = [q / 2, -((q - 1) / 2)];
    for (x, y, sign) in ends.into_iter().flat_map(|x| ends.map(|y| [(x, y, 1), (x, y, -1)])).flatten() {
        let operand = |x: i64| -> Vec<u16> {
            (0..n).map(|i| (if i % 2 == 1 { sign * x } else { x }).rem_euclid(q) as u16).collect()
        };
        let (a, b, mut out) = (operand(x), operand(y), vec![0; n]);
        let folded = fold(n, form, &worst(n, sign));
        let expected: Vec<u16> = folded.iter().map(|c| (c * x * y).rem_euclid(q) as u16).collect();
        ring.product(&a, &b, &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} {x} {y} {sign}");
        out.fill(0);
        let prepared = ring.prepare(&b).unwrap();
        ring.product_prepared(&a, &prepared, &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} prepared");
        out.fill(0);
        ring.sum_of_products(&[(&a[..], &b[..])], &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} as a sum");
        out.fill(0);
        ring.sum_of_products_prepared(&[(&a[..], &prepared)], &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} as a sum, prepared");
    }
}

/// Protects: random operands against the definition, around the degrees where packing begins, odd ones too;
/// sums of products, and small second factors with a greater `q`; and that there is packing at each degree.
#[test]
fn random_operands() {
    const DEGREES: [usize; 14] = [32, 33, 56, 57, 63, 64, 65, 127, 128, 129, 160, 161, 255, 256];
    let mut random = Random::new(4);
    let mut degrees = Vec::new();
    for (cpu, form) in Cpu::available().flat_map(|cpu| FORMS.map(|form| (cpu, form))) {
        for n in DEGREES {
            for (q, small) in
                [(2, None), (3, None), (4, None), (6, None), (16, None), (40, Some(1)), (9, Some(4))]
            {
                let operands = small.map_or(Operands::any(), |small| Operands::any().small(small)).sums(3);
                let rings = packed(cpu, q, n, form, operands);
                rings.iter().for_each(|ring| check_random(ring, form, small, &mut random));
                degrees.extend((!rings.is_empty()).then_some(n));
            }
        }
    }
    degrees.sort_unstable();
    degrees.dedup();
    assert_eq!(degrees, DEGREES);
}

/// A sum of three products.
fn check_random(ring: &Ring, form: &[(usize, i64)], small: Option<u64>, random: &mut Random) {
    let (n, q, mut room) = (ring.degree(), ring.modulus(), ring.room().unwrap());
    let mut any = |least: u64, values: u64| -> Vec<u64> {
        (0..n).map(|_| (random.word() % values + q - least) % q).collect()
    };
    let a: Vec<_> = (0..3).map(|_| any(0, q)).collect();
    let (least, values) = small.map_or((0, q), |x| (x, 2 * x + 1));
    let b: Vec<_> = (0..3).map(|_| any(least, values)).collect();
    let mut whole = vec![0; 2 * n - 1];
    for (a, b) in a.iter().zip(&b) {
        for (i, x) in a.iter().enumerate() {
            b.iter().enumerate().for_each(|(j, y)| whole[i + j] += (x * y) as i64);
        }
    }
    let expected: Vec<u64> = fold(n, form, &whole).iter().map(|c| c.rem_euclid(q as i64) as u64).collect();
    let (pairs, mut out): (Vec<_>, _) =
        (a.iter().zip(&b).map(|(a, b)| (&a[..], &b[..])).collect(), vec![0; n]);
    ring.sum_of_products(&pairs, &mut out, &mut room).unwrap();
    assert_eq!(out, expected, "{ring:?} {small:?} {}", ring.route());
    let prepared: Vec<_> = b.iter().map(|b| ring.prepare(b).unwrap()).collect();
    let pairs: Vec<_> = a.iter().zip(&prepared).map(|(a, b)| (&a[..], b)).collect();
    ring.sum_of_products_prepared(&pairs, &mut out, &mut room).unwrap();
    assert_eq!(out, expected, "{ring:?} {small:?} prepared");
}
