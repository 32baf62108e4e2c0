//! Products of a challenge and a small polynomial: the product over the integers, on every backend, by each
//! way.

use ringsmith_oracle::{Random, integer_product, remainder};
use ringsmith_ring::Rows;
use ringsmith_ring::algorithm::small::Sizes;
use ringsmith_ring::algorithm::small::rows::{Challenge, Small, SmallRows};
use ringsmith_ring::algorithm::small::sparse::{Doubled8, Doubled16, Places, Sparse8, Sparse16};
use ringsmith_simd::Cpu;

/// The sets of ML-DSA, and the greatest for lanes of 8 bits.
macro_rules! sets {
    ($($name:ident: $weight:literal, $size:literal;)*) => { $(
        #[derive(Clone, Copy)]
        struct $name;
        impl Sizes for $name {
            const WEIGHT: i64 = $weight;
            const SIZE: i64 = $size;
        }
    )* };
}
sets! {
    Set44: 39, 2;
    Set65: 49, 4;
    Set87: 60, 2;
    Full: 1, 127;
}

/// A challenge of the weight whose coefficients meet those of `s` with the same sign in coefficient `at` of
/// the product, so that it is as great as can be.
fn meeting<C: Sizes>(s: &[i128], at: usize, random: &mut Random) -> [i8; 256] {
    let mut c = [0; 256];
    let mut left = C::WEIGHT;
    while left > 0 {
        let i = random.within(0, 255) as usize;
        if c[i] == 0 {
            let term = if at >= i { s[at - i] } else { -s[256 + at - i] };
            c[i] = if term < 0 { -1 } else { 1 };
            left -= 1;
        }
    }
    c
}

fn small<C: Sizes>(random: &mut Random, kind: usize) -> Vec<i128> {
    let size = C::SIZE;
    let next = |_| match kind {
        0 => size,
        1 => -size,
        2 => [-size, size][random.within(0, 1) as usize],
        _ => random.within(-size, size),
    };
    (0..256).map(next).map(i128::from).collect()
}

/// Products of all kinds of operands, by `multiply`.
fn check<C: Sizes>(multiply: impl Fn(Cpu, &[i8; 256], &Rows<16>) -> Rows<16>) {
    let (mut random, mut greatest) = (Random::new(3), 0);
    let mut f = vec![0; 257];
    (f[0], f[256]) = (1, 1);
    for round in 0..40 {
        let s = small::<C>(&mut random, round % 5);
        let c = meeting::<C>(&s, [0, 255, 77][round % 3], &mut random);
        let expected = remainder(integer_product(&c.map(i128::from), &s), &f);
        let mut rows = Rows([[0; 16]; 16]);
        rows.0.as_flattened_mut().iter_mut().zip(&s).for_each(|(to, x)| *to = *x as i16);
        for cpu in Cpu::available() {
            let out = multiply(cpu, &c, &rows);
            let out: Vec<i128> = out.0.as_flattened().iter().map(|x| i128::from(*x)).collect();
            assert_eq!(out, expected, "on {cpu:?}");
        }
        greatest = expected.iter().map(|x| x.abs()).max().max(Some(greatest)).unwrap();
    }
    assert_eq!(greatest, C::PRODUCT.into(), "the greatest product was not among them");
}

fn by_rows<C: Sizes>() {
    check::<C>(|cpu, c, s| {
        let mut rows = Rows([[0; 16]; 16]);
        rows.0.as_flattened_mut().iter_mut().zip(c).for_each(|(to, x)| *to = (*x).into());
        let (mut challenge, mut small, mut out) = (Challenge::ZERO, Small::ZERO, Rows([[0; 16]; 16]));
        SmallRows::<C, 3329, 16>::transform(cpu, &rows, &mut challenge);
        SmallRows::<C, 3329, 16>::prepare(cpu, s, &mut small, &mut out);
        SmallRows::<C, 3329, 16>::multiply(cpu, &challenge, &small, &mut out, &mut rows);
        out
    });
}

fn by_words<C: Sizes>() {
    check::<C>(|cpu, c, s| {
        let (mut doubled, mut out) = (Doubled16::ZERO, Rows([[0; 16]; 16]));
        doubled.fill(s);
        Sparse16::<C>::multiply(cpu, &Places::new(c).unwrap(), &doubled, &mut out);
        out
    });
}

fn by_bytes<C: Sizes>() {
    check::<C>(|cpu, c, s| {
        let (mut doubled, mut out) = (Doubled8::ZERO, Rows([[0; 16]; 16]));
        doubled.fill(s);
        Sparse8::<C>::multiply(cpu, &Places::new(c).unwrap(), &doubled, &mut out);
        out
    });
}

/// Protects: products modulo 3329 are the products themselves, up to the greatest.
#[test]
fn rows_modulo_3329() {
    by_rows::<Set44>();
    by_rows::<Set65>();
    by_rows::<Set87>();
}

/// Protects: windows are at the right places, and lanes hold the greatest sums.
#[test]
fn sparse_sums() {
    by_words::<Set44>();
    by_words::<Set65>();
    by_words::<Set87>();
    by_bytes::<Set44>();
    by_bytes::<Set65>();
    by_bytes::<Set87>();
    by_bytes::<Full>();
}

/// Protects: what is no challenge is refused.
#[test]
fn no_challenges() {
    let mut c = [0; 256];
    c[9] = 2;
    assert!(Places::new(&c).is_none());
    c = [0; 256];
    c[..64].fill(-1);
    assert!(Places::new(&c).is_some());
    c[200] = 1;
    assert!(Places::new(&c).is_none());
}

/// Protects: that places in any order give the same products, and those where a coefficient is 0 are refused.
#[test]
fn places_in_any_order() {
    let mut c = [0; 256];
    let all: Vec<u8> = (0..64).map(|i| (i * 4 + 3) ^ 0x54).collect();
    all.iter().enumerate().for_each(|(i, place)| c[usize::from(*place)] = if i % 3 == 0 { -1 } else { 1 });
    let mut s = Rows([[0; 16]; 16]);
    s.0.as_flattened_mut()
        .iter_mut()
        .zip([1, 0, -1, -1, 0, 1, 1].into_iter().cycle())
        .for_each(|(to, x)| *to = x);
    let mut doubled = Doubled16::ZERO;
    doubled.fill(&s);
    for cpu in Cpu::available() {
        let product = |places: &Places| {
            let mut out = Rows([[0; 16]; 16]);
            Sparse16::<Full>::multiply(cpu, places, &doubled, &mut out);
            out
        };
        let expected = product(&Places::new(&c).unwrap());
        assert_eq!(product(&Places::of(&c, &all).unwrap()), expected);
    }
    assert!(Places::of(&c, &[3 ^ 0x54, 0]).is_none());
    assert!(Places::of(&c, &[3 ^ 0x54; 65]).is_none());
}
