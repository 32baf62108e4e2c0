//! Random rings of great degrees, other ones each run: to 1024 against the definition in big integers, to
//! 65536 by what can be computed of a product in linear time.

mod support;

use ringsmith_any::Polynomial;
use ringsmith_oracle::Random;
use ringsmith_probe::Seed;
use std::iter::zip;
use support::{Form, Kind, Sum, check, check_product, definition, element, pairs, rings};

/// A modulus of any size.
fn modulus(random: &mut Random) -> u64 {
    2 + (random.word() >> (2 + random.word() % 60)) % ((1 << 62) - 1)
}

/// A degree above `2^low`, up to `2^high`: of each size as often as of any other.
fn degree(random: &mut Random, low: i64, high: i64) -> usize {
    let size = random.within(low, high - 1);
    random.within((1 << size) + 1, 2 << size) as usize
}

fn one_of<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[(random.word() % all.len() as u64) as usize]
}

/// Protects: random rings to degree 1024, against the definition.
#[test]
fn random_rings_to_1024() {
    let seed = Seed::new("cargo test --release -p ringsmith-any --test far random_rings_to_1024");
    let mut random = Random::new(seed.value());
    for turn in 0..200 {
        let (q, n) = (modulus(&mut random), degree(&mut random, 7, 10));
        let (form, kind) = (one_of(&mut random, &Form::ALL), one_of(&mut random, &Kind::ALL));
        let f = form.polynomial(&mut random, n, q);
        check(&mut random, q, &f, kind, turn);
    }
}

/// A coefficient of the product before it is reduced.
fn coefficient(q: u64, a: &[u64], b: &[u64], place: usize) -> u64 {
    let mut sum = Sum::default();
    let first = (place + 1).saturating_sub(b.len());
    (first..a.len().min(place + 1)).for_each(|i| sum.add(a[i], b[place - i]));
    sum.modulo(q)
}

/// One of the product modulo `x^n - 1`, `x^n + 1` or `x^n - x - 1`, by the definition.
fn reduced(q: u64, form: Form, a: &[u64], b: &[u64], place: usize) -> u64 {
    let n = a.len();
    let [low, high] = [place, place + n].map(|place| coefficient(q, a, b, place));
    match form {
        Form::Cyclic => (low + high) % q,
        Form::Negacyclic => (low + q - high) % q,
        // x^n = x + 1
        Form::Trinomial if place > 0 => ((low + high) % q + coefficient(q, a, b, place + n - 1)) % q,
        _ => (low + high) % q,
    }
}

/// Protects: random rings to degree 65536 whose polynomials have two terms or three: coefficients at the
/// ends, in the middle and at random, against the definition.
#[test]
fn coefficients_to_65536() {
    let seed = Seed::new("cargo test --release -p ringsmith-any --test far coefficients_to_65536");
    let mut random = Random::new(seed.value());
    for turn in 0..16 {
        let (q, n) = (modulus(&mut random), degree(&mut random, 10, 16));
        let form = one_of(&mut random, &[Form::Cyclic, Form::Negacyclic, Form::Trinomial]);
        let operands = one_of(&mut random, &Kind::ALL).operands(q);
        let f = Polynomial::dense(&form.polynomial(&mut random, n, q)).unwrap();
        for pair in pairs(&mut random, n, q, operands) {
            let (all, [a, b]) = (rings(q, &f, operands, turn).collect::<Vec<_>>(), &pair);
            let (mut product, mut room) = (vec![0; n], all[0].room().unwrap());
            all[0].product(a, b, &mut product, &mut room).unwrap();
            let some = (0..20).map(|_| (random.word() % n as u64) as usize).collect::<Vec<_>>();
            for place in [0, 1, n / 2, n - 1].into_iter().chain(some) {
                assert_eq!(product[place], reduced(q, form, a, b, place), "{:?} at {place}", all[0]);
            }
            all.iter().for_each(|ring| check_product(ring, &pair, &product));
        }
    }
}

/// The remainder of a polynomial by a monic `g`.
fn remainder(q: u64, g: &[u64], c: &[u64]) -> Vec<u64> {
    let (degree, wide) = (g.len() - 1, u128::from(q));
    let mut c = c.to_vec();
    for top in (degree..c.len()).rev() {
        let minus = u128::from(q - c[top]);
        for (x, y) in zip(&mut c[top - degree..top], g) {
            *x = ((u128::from(*x) + minus * u128::from(*y)) % wide) as u64;
        }
    }
    c.truncate(degree);
    c
}

/// A polynomial of this form, but for its lowest coefficients, which make it a multiple of `g`.
fn multiple(random: &mut Random, q: u64, g: &[u64], form: Form, n: usize) -> Vec<u64> {
    let mut f = form.polynomial(random, n, q);
    let rest = remainder(q, g, &f);
    zip(&mut f, rest).for_each(|(x, rest)| *x = (*x + q - rest) % q);
    f
}

/// Protects: random rings to degree 65536. Where `f` is a multiple of a random `g` of a few coefficients, a
/// product modulo `f` is, modulo `g`, the product of the factors modulo `g`. As `g` ends in 1, one
/// coefficient that is wrong is always seen.
#[test]
fn multiples_to_65536() {
    let seed = Seed::new("cargo test --release -p ringsmith-any --test far multiples_to_65536");
    let mut random = Random::new(seed.value());
    for turn in 0..16 {
        let (q, n, degree_of_g) = (modulus(&mut random), degree(&mut random, 10, 16), random.within(2, 9));
        let mut g = element(&mut random, degree_of_g as usize, q);
        g[0] = 1;
        g.push(1);
        let form = one_of(&mut random, &[Form::Few, Form::Growing, Form::Greatest, Form::Dense]);
        let f = multiple(&mut random, q, &g, form, n);
        let (operands, f) = (one_of(&mut random, &Kind::ALL).operands(q), Polynomial::dense(&f).unwrap());
        for pair in pairs(&mut random, n, q, operands) {
            let all = rings(q, &f, operands, turn).collect::<Vec<_>>();
            let (mut product, mut room) = (vec![0; n], all[0].room().unwrap());
            all[0].product(&pair[0], &pair[1], &mut product, &mut room).unwrap();
            let [a, b] = pair.each_ref().map(|factor| remainder(q, &g, factor));
            let expected = definition(q, &g, &a, &b);
            assert_eq!(remainder(q, &g, &product), expected, "Z_{q}, degree {n}: {}", all[0].route());
            let mut wrong = product.clone();
            wrong[n / 2] = (wrong[n / 2] + 1) % q;
            assert_ne!(remainder(q, &g, &wrong), expected, "a wrong coefficient is not seen");
            all.iter().for_each(|ring| check_product(ring, &pair, &product));
        }
    }
}
