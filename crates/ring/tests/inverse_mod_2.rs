//! Inverses modulo 2 and `x^n - 1`.

use ringsmith_oracle::{Random, integer_product, inverse_modulo, remainder};
use ringsmith_ring::Rows;
use ringsmith_ring::inverse::mod_2::{self, from_rows, inverse, product, to_rows, unit_modulo_2};
use ringsmith_simd::Cpu;

/// Every backend, and those that have two kernels for products without carries once more, with the other.
fn backends() -> impl Iterator<Item = Cpu> {
    Cpu::available().chain(Cpu::available().filter_map(Cpu::without_carryless))
}

/// `x^n - 1`.
fn cyclic(n: usize) -> Vec<i128> {
    let mut f = vec![0; n + 1];
    (f[0], f[n]) = (-1, 1);
    f
}

fn bits<const WORDS: usize>(a: &[i128]) -> [u64; WORDS] {
    let mut out = [0; WORDS];
    a.iter().enumerate().for_each(|(i, x)| out[i / 64] |= (x.rem_euclid(2) as u64) << (i % 64));
    out
}

fn coefficients<const WORDS: usize>(n: usize, a: &[u64; WORDS]) -> Vec<i128> {
    assert!((n..64 * WORDS).all(|i| (a[i / 64] >> (i % 64)) & 1 == 0), "more than {n} coefficients");
    (0..n).map(|i| i128::from((a[i / 64] >> (i % 64)) & 1)).collect()
}

/// Elements of all kinds: any, constants, `x^i`, all ones, sparse ones.
fn elements(n: usize) -> Vec<Vec<i128>> {
    let mut random = Random::new(n as u64);
    let any = |random: &mut Random| (0..n).map(|_| random.within(0, 1).into()).collect::<Vec<i128>>();
    let monomials = |places: &[usize]| {
        let mut a = vec![0; n];
        places.iter().for_each(|&i| a[i] = 1);
        a
    };
    let mut all: Vec<_> = (0..6).map(|_| any(&mut random)).collect();
    all.extend([monomials(&[]), monomials(&[0]), monomials(&[1]), monomials(&[n - 1])]);
    all.extend([monomials(&[0, 1, 2]), monomials(&[0, 1, n - 1]), vec![1; n]]);
    all
}

/// What is computed is what Euclid finds, and so is whether there is an inverse; how many have one.
fn inverses<const N: usize, const WORDS: usize>() -> usize {
    inverses_of::<N, WORDS>(elements(N))
}

/// The same of a few: one that is random with an odd value at 1, which most units are, and one with an even
/// value, which has no inverse.
fn inverses_of_few<const N: usize, const WORDS: usize>() -> usize {
    let mut random = Random::new(N as u64);
    let mut a: Vec<i128> = (0..N).map(|_| random.within(0, 1).into()).collect();
    a[0] += 1 + a.iter().sum::<i128>();
    a[0] %= 2;
    let mut even = a.clone();
    even[N - 1] ^= 1;
    inverses_of::<N, WORDS>(vec![a, even])
}

/// The same of these.
fn inverses_of<const N: usize, const WORDS: usize>(elements: Vec<Vec<i128>>) -> usize {
    let mut found = 0;
    for a in elements {
        let expected = inverse_modulo(&a, &cyclic(N), 2);
        for cpu in backends() {
            let (inverse, exists) = inverse::<N, WORDS>(cpu, &bits(&a));
            assert_eq!(exists.to_bool(), expected.is_some(), "{N} on {cpu:?}");
            if let Some(expected) = &expected {
                assert_eq!(&coefficients(N, &inverse), expected, "{N} on {cpu:?}");
            }
        }
        found += expected.is_some() as usize;
    }
    found
}

/// Protects: inverses in every ring of NTRU; a third of the elements, at least, have one.
#[test]
fn inverses_of_ntru() {
    let found = [
        inverses::<509, 8>(),
        inverses::<677, 11>(),
        inverses::<821, 13>(),
        inverses::<1229, 20>(),
        inverses::<701, 11>(),
        inverses::<1373, 22>(),
    ];
    assert!(found.iter().all(|&found| found >= 5), "{found:?}");
}

/// Protects: where 2 is no generator modulo `n`, and `x^n - 1` has many factors; multiples of one of them,
/// and of `x - 1`, are told.
#[test]
fn inverses_of_ntruencrypt() {
    assert_eq!(order_of_2(439), 73);
    let found = [inverses::<439, 7>(), inverses::<443, 7>(), inverses::<401, 7>(), inverses::<743, 12>()];
    assert!(found.iter().all(|&found| found >= 5), "{found:?}");
}

/// Protects: the same in the other rings of NTRUEncrypt, with few elements; NTRU has one with 677 too.
#[test]
fn inverses_of_all_ntruencrypt() {
    let found = [
        inverses_of_few::<449, 8>(),
        inverses_of_few::<541, 9>(),
        inverses_of_few::<587, 10>(),
        inverses_of_few::<593, 10>(),
        inverses_of_few::<613, 10>(),
        inverses_of_few::<653, 11>(),
        inverses_of_few::<659, 11>(),
        inverses_of_few::<677, 11>(),
        inverses_of_few::<761, 12>(),
        inverses_of_few::<853, 14>(),
        inverses_of_few::<887, 14>(),
        inverses_of_few::<1087, 17>(),
        inverses_of_few::<1171, 19>(),
        inverses_of_few::<1499, 24>(),
    ];
    assert_eq!(found, [1; 14]);
}

/// Protects: in each ring where 2 is no generator modulo `n`, a multiple of a factor other than `x - 1` is no
/// unit, though its value at 1 is odd.
#[test]
fn odd_elements_without_an_inverse() {
    non_unit::<401, 7>(200);
    non_unit::<439, 7>(73);
    non_unit::<449, 8>(224);
    non_unit::<593, 10>(148);
    non_unit::<743, 12>(371);
    non_unit::<761, 12>(380);
    non_unit::<887, 14>(443);
    non_unit::<1087, 17>(543);
}

/// The least `d` for which `n` divides `2^d - 1`.
fn order_of_2(n: usize) -> usize {
    let (mut power, mut d) = (2, 1);
    while power != 1 {
        (power, d) = (2 * power % n, d + 1);
    }
    d
}

/// A multiple of a factor of degree `d`, and of no other: `a` has an odd value at 1, and is no unit.
fn non_unit<const N: usize, const WORDS: usize>(d: usize) {
    assert_eq!(order_of_2(N), d);
    let f = minimal_polynomial::<N, WORDS>(d);
    let mut wide = f.clone();
    wide.resize(N, 0);
    assert_eq!(f.iter().sum::<i128>() % 2, 1);
    assert!(inverse_modulo(&wide, &cyclic(N), 2).is_none());
    for cpu in backends() {
        assert!(!inverse::<N, WORDS>(cpu, &bits(&wide)).1.to_bool());
    }
}

/// A factor of degree `d` of `x^N - 1`, which is a greatest common divisor of it with a trace.
fn minimal_polynomial<const N: usize, const WORDS: usize>(d: usize) -> Vec<i128> {
    let cpu = Cpu::detect();
    let mut random = Random::new(3);
    loop {
        // The trace of a random element: 0 or 1 modulo each factor.
        let a: Vec<i128> = (0..N).map(|_| random.within(0, 1).into()).collect();
        let (mut power, mut trace) = (bits::<WORDS>(&a), [0; WORDS]);
        for _ in 0..d {
            trace.iter_mut().zip(&power).for_each(|(sum, x)| *sum ^= x);
            power = mod_2::square::<N, WORDS>(cpu, &power);
        }
        // Of an even degree its value at 1 is 0: with 1 added, it is 1, and 0 and 1 change places.
        trace[0] ^= u64::from(d.is_multiple_of(2));
        let divisor = common_divisor(&coefficients(N, &trace), &cyclic(N));
        if divisor.len() == d + 1 {
            return divisor;
        }
    }
}

/// Modulo 2, by Euclid.
fn common_divisor(a: &[i128], b: &[i128]) -> Vec<i128> {
    let trim = |a: &[i128]| {
        let mut a: Vec<i128> = a.iter().map(|x| x.rem_euclid(2)).collect();
        while a.last() == Some(&0) {
            a.pop();
        }
        a
    };
    let (mut a, mut b) = (trim(a), trim(b));
    while !b.is_empty() {
        let rest = if a.len() < b.len() { a } else { trim(&remainder(a, &b)) };
        (a, b) = (b, rest);
    }
    a
}

/// Protects: products and squares are the oracle's.
#[test]
fn products() {
    fn check<const N: usize, const WORDS: usize>() {
        let all = elements(N);
        for cpu in backends() {
            for (a, b) in all.iter().zip(all.iter().rev()) {
                let expected = remainder(integer_product(a, b), &cyclic(N)).into_iter().map(|x| x % 2);
                let got = product::<N, WORDS>(cpu, &bits(a), &bits(b));
                assert!(coefficients(N, &got).into_iter().eq(expected), "{N} on {cpu:?}");
                let expected = remainder(integer_product(a, a), &cyclic(N)).into_iter().map(|x| x % 2);
                let got = mod_2::square::<N, WORDS>(cpu, &bits(a));
                assert!(coefficients(N, &got).into_iter().eq(expected), "a square in {N} on {cpu:?}");
            }
        }
    }
    check::<509, 8>();
    check::<677, 11>();
    check::<1373, 22>();
    // 64 * 7 - 1: the last row of words reaches the very end.
    check::<447, 7>();
}

/// Protects: an element modulo `1 + x + .. + x^(n-1)` becomes a unit modulo `x^n - 1`, and stays itself.
#[test]
fn units() {
    for cpu in backends() {
        for a in elements(509) {
            let mut rows = Rows([[0; 16]; 32]);
            to_rows::<509, 8, 32>(cpu, &bits(&a), &mut rows);
            assert!(rows.0.as_flattened().iter().zip(&a).all(|(&x, &y)| i128::from(x) == y));
            // What is not in the lowest bit does not count.
            rows.0.as_flattened_mut()[..509].iter_mut().enumerate().for_each(|(i, x)| *x += 2 * i as i16);
            assert_eq!(from_rows::<509, 8, 32>(cpu, &rows), bits(&a));
            unit_modulo_2::<509, 32>(&mut rows);
            let zero = a.iter().all(|&x| x == a[0]);
            let (_, exists) = inverse::<509, 8>(cpu, &from_rows::<509, 8, 32>(cpu, &rows));
            assert_eq!(exists.to_bool(), !zero);
            let first = rows.0[0][0] - a[0] as i16;
            let same = rows.0.as_flattened()[..509].iter().zip(&a).enumerate();
            assert!(same.into_iter().all(|(i, (&x, &y))| i128::from(x - first) == y + 2 * i as i128));
        }
    }
}
