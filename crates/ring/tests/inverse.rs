//! Inverses modulo `q` and modulo 3.

use ringsmith_oracle::{Random, Ring as Slow, Shape, inverse_modulo, product};
use ringsmith_ring::inverse::{InversesMod3, Invertible};
use ringsmith_ring::{Coefficients, Multiplier, Poly, Ring, Small, Workspace};
use ringsmith_routes::ntru_prime::BySteps;
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime739, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_simd::Cpu;

/// Whether `a b` is 1 modulo `q` and `f`, by the oracle.
fn is_one<R: Ring>(q: i64, a: &[i16], b: &[i16]) -> bool {
    let ring = Slow { q: q.into(), n: R::N, shape: Shape::PrimeTrinomial };
    let wide = |x: &[i16]| x.iter().map(|&x| i128::from(x)).collect::<Vec<_>>();
    let product = product(ring, &wide(a), &wide(b));
    product[0] == 1 && product[1..].iter().all(|&x| x == 0)
}

/// `n` numbers of absolute value up to `most`.
fn numbers<R: Ring>(random: &mut Random, most: i64) -> Vec<i16> {
    (0..R::N).map(|_| random.within(-most, most) as i16).collect()
}

/// Elements of all kinds: any, small, `x^i`, constants.
fn elements<R: Ring>(most: i64) -> Vec<Vec<i16>> {
    let mut random = Random::new(R::N as u64);
    let monomial = |i: usize, x: i64| {
        let mut a = vec![0; R::N];
        a[i] = x as i16;
        a
    };
    vec![
        numbers::<R>(&mut random, most),
        numbers::<R>(&mut random, 1),
        monomial(0, 1),
        monomial(0, -most),
        monomial(R::N - 1, 1),
        vec![most as i16; R::N],
    ]
}

fn coefficients<R: Ring>(a: &R::Coeffs) -> Vec<i16> {
    a.rows().as_flattened()[..R::N].to_vec()
}

/// `1 / a` as the ring computes it, and step by step.
fn inverses<R: BySteps>(cpu: Cpu, a: &Poly<R>) -> [(Vec<i16>, bool); 2] {
    [R::inverse_into, R::inverse_by_steps].map(|way| {
        let mut out = R::Coeffs::ZERO;
        let exists = way(cpu, a.coeffs(), &mut out).to_bool();
        (coefficients::<R>(&out), exists)
    })
}

fn modulo_q<R: BySteps>() {
    let centred = -(R::Q as i16 / 2)..=R::Q as i16 / 2;
    for cpu in Cpu::available() {
        for a in elements::<R>(R::Q / 2) {
            let a = Poly::<R>::new(&a).expect("an element");
            for (inverse, exists) in inverses::<R>(cpu, &a) {
                assert!(exists, "{} is a field", R::NAME);
                assert!(is_one::<R>(R::Q, a.centred(), &inverse), "{} on {cpu:?}", R::NAME);
                assert!(inverse.iter().all(|x| centred.contains(x)), "{} on {cpu:?}", R::NAME);
            }
        }
        let none = inverses::<R>(cpu, &Poly::zero());
        assert!(none.iter().all(|(_, exists)| !exists), "an inverse of 0 in {}", R::NAME);
    }
}

fn modulo_3<R: InversesMod3>() {
    for cpu in Cpu::available() {
        let (mut found, mut scratch) = (0, R::Scratch::new());
        let test = Invertible::new(Multiplier::<R>::new_on(cpu), &mut scratch);
        for a in elements::<R>(1).into_iter().chain(R::COFACTORS_MOD_3.iter().map(coefficients::<R>)) {
            let a = Small::<R>::new(&a).expect("an element");
            let (inverse, exists) = R::inverse_mod_3(cpu, &a);
            assert_eq!(exists.to_bool(), test.test(a.coeffs(), &mut scratch).to_bool());
            assert_eq!(
                exists.to_bool(),
                is_one::<R>(3, a.centred(), inverse.centred()),
                "{} on {cpu:?}",
                R::NAME
            );
            assert!(inverse.centred().iter().all(|x| (-1..=1).contains(x)), "{} on {cpu:?}", R::NAME);
            found += exists.to_bool() as usize;
        }
        assert!(found >= 3, "{found} inverses modulo 3 in {}", R::NAME);
        let zero = Small::<R>::new(&vec![0i16; R::N]).expect("an element");
        assert!(!R::inverse_mod_3(cpu, &zero).1.to_bool(), "an inverse of 0 in {}", R::NAME);
        assert!(!test.test(zero.coeffs(), &mut scratch).to_bool());
    }
}

/// Protects: what is returned is the inverse, centred, and 0 has none, on every CPU and in both ways.
#[test]
fn inverses_modulo_q() {
    modulo_q::<NtruPrime653>();
    modulo_q::<NtruPrime739>();
    modulo_q::<NtruPrime761>();
    modulo_q::<NtruPrime857>();
    modulo_q::<NtruPrime953>();
    modulo_q::<NtruPrime1013>();
    modulo_q::<NtruPrime1277>();
}

/// Protects: division steps find what Euclid's algorithm finds, in the field of NTRUEncrypt's scheme, which
/// is that of `x^739 - x - 1` modulo 9829, on every CPU and in both ways.
#[test]
fn inverses_by_euclid() {
    type R = NtruPrime739;
    assert_eq!((R::N, R::Q), (739, 9829));
    let mut modulus = vec![0; R::N + 1];
    (modulus[0], modulus[1], modulus[R::N]) = (-1, -1, 1);
    for a in &elements::<R>(R::Q / 2)[..2] {
        let wide: Vec<i128> = a.iter().map(|&x| x.into()).collect();
        let expected = inverse_modulo(&wide, &modulus, R::Q.into()).expect("a field");
        let a = Poly::<R>::new(a).expect("an element");
        for cpu in Cpu::available() {
            for (inverse, exists) in inverses::<R>(cpu, &a) {
                let found = inverse.iter().map(|&x| i128::from(x).rem_euclid(R::Q.into()));
                assert!(exists && found.eq(expected.iter().copied()), "on {cpu:?}");
            }
        }
    }
}

/// Protects: the same modulo 3, where not every element but 0 has an inverse; and the test for it alone.
#[test]
fn inverses_modulo_3() {
    modulo_3::<NtruPrime653>();
    modulo_3::<NtruPrime761>();
    modulo_3::<NtruPrime857>();
    modulo_3::<NtruPrime953>();
    modulo_3::<NtruPrime1013>();
    modulo_3::<NtruPrime1277>();
}
