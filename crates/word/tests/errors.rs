//! Parameters and operands that don't serve.

use ringsmith_word::{Form, Method, WordError, WordRing};

/// A prime of 62 bits, for every degree.
const LONG: u64 = 4_611_686_018_425_815_041;

fn error(n: usize, p: u64) -> WordError {
    WordRing::new(n, p).unwrap_err()
}

/// Protects: every wrong parameter is an error of its own, with a sentence that says what would serve.
#[test]
fn parameters() {
    let cases = [
        (error(0, 12289), WordError::Degree { n: 0 }, "the degree 0 is no power of two from 2 to 131072"),
        (error(1, 12289), WordError::Degree { n: 1 }, "the degree 1 is no power of two from 2 to 131072"),
        (
            error(100, 12289),
            WordError::Degree { n: 100 },
            "the degree 100 is no power of two from 2 to 131072",
        ),
        (
            error(1 << 18, 70_368_740_769_793),
            WordError::Degree { n: 1 << 18 },
            "the degree 262144 is no power of two from 2 to 131072",
        ),
        (
            error(1024, 1 << 62),
            WordError::TooLarge { p: 1 << 62, bits: 62 },
            "the modulus 4611686018427387904 has more than 62 bits",
        ),
        (
            error(2, u64::MAX),
            WordError::TooLarge { p: u64::MAX, bits: 62 },
            "the modulus 18446744073709551615 has more than 62 bits",
        ),
        (error(2, 0), WordError::NotPrime { p: 0 }, "the modulus 0 is no odd prime"),
        (error(2, 1), WordError::NotPrime { p: 1 }, "the modulus 1 is no odd prime"),
        (error(2, 2), WordError::NotPrime { p: 2 }, "the modulus 2 is no odd prime"),
        (
            error(1024, 12289 * 40961),
            WordError::NotPrime { p: 12289 * 40961 },
            "the modulus 503369729 is no odd prime",
        ),
        (
            error(2, (1 << 62) - 1),
            WordError::NotPrime { p: (1 << 62) - 1 },
            "the modulus 4611686018427387903 is no odd prime",
        ),
        (
            error(4096, 12289),
            WordError::Roots { p: 12289, order: 8192 },
            "the modulus 12289 has no root of unity of order 8192: it must be 1 modulo 8192",
        ),
    ];
    for (got, expected, sentence) in cases {
        assert_eq!(got, expected);
        assert_eq!(got.to_string(), sentence);
    }
    assert_eq!(WordRing::cyclic(8192, 12289).unwrap_err(), WordError::Roots { p: 12289, order: 8192 });
    assert!(WordRing::cyclic(4096, 12289).is_ok());
}

/// Protects: the last operands that serve, and the first that don't.
#[test]
fn operands() {
    for (n, p) in [2, 64].into_iter().flat_map(|n| [257, LONG].map(|p| (n, p))) {
        let ring = WordRing::new(n, p).unwrap();
        for has in [0, n - 1, n + 1] {
            assert_eq!(ring.polynomial(&vec![0; has]).unwrap_err(), WordError::Length { needs: n, has });
            let length = Some(WordError::Length { needs: n, has });
            assert_eq!(ring.transformed(&vec![0; has]).err(), length);
            assert_eq!(
                ring.coefficients(&ring.polynomial(&vec![0; n]).unwrap(), &mut vec![0; has]).err(),
                length
            );
            assert_eq!(ring.values(ring.zero().unwrap(), &mut vec![0; has]).err(), length);
        }
        for outside in [p, p + 1, 1 << 63, (1 << 63) + 5, u64::MAX - p, u64::MAX] {
            for at in [0, n - 1] {
                let mut coefficients = vec![p - 1; n];
                assert!(ring.polynomial(&coefficients).is_ok());
                coefficients[at] = outside;
                assert_eq!(ring.polynomial(&coefficients).unwrap_err(), WordError::Range { p }, "{outside}");
            }
        }
    }
    assert_eq!(WordError::Range { p: 17 }.to_string(), "a coefficient is not in [0, 17)");
    assert_eq!(WordError::Memory.to_string(), "there is not enough memory");
    let length = WordError::Length { needs: 4, has: 3 };
    assert_eq!(length.to_string(), "the ring has 4 coefficients, the operand 3");
}

/// Protects: a polynomial that was refused other coefficients is 0, not a part of them.
#[test]
fn refused_coefficients_are_not_kept() {
    for p in [257, 70_368_740_769_793, LONG] {
        let ring = WordRing::new(64, p).unwrap();
        let mut a = ring.polynomial(&[5; 64]).unwrap();
        ring.set(&mut a, &[6; 64]).unwrap();
        assert!(a.coefficients().all(|x| x == 6));
        assert_eq!(ring.set(&mut a, &[p; 64]), Err(WordError::Range { p }));
        assert!(a.coefficients().all(|x| x == 0));
        assert_eq!(ring.set(&mut a, &[7; 63]), Err(WordError::Length { needs: 64, has: 63 }));
    }
}

/// Protects: the same of chunks, whichever has the coefficient that is refused; and of the memory of a
/// transform nothing is left.
#[test]
fn refused_chunks_are_not_kept() {
    for p in [257, 70_368_740_769_793, LONG] {
        let ring = WordRing::new(64, p).unwrap();
        for bad in [0, 17, 47] {
            let fill = |first: usize, chunk: &mut [u64]| {
                (first..).zip(chunk).for_each(|(i, x)| *x = if i == bad { p } else { 7 });
            };
            let mut a = ring.polynomial(&[5; 64]).unwrap();
            assert_eq!(ring.set_by(&mut a, 48, &mut [0; 16], fill), Err(WordError::Range { p }));
            assert!(a.coefficients().all(|x| x == 0));
            let refused = ring.reset_by(ring.zero().unwrap(), 48, &mut [0; 16], fill).err();
            assert_eq!(refused, Some(WordError::Range { p }));
        }
        assert_eq!(ring.reset(ring.zero().unwrap(), &[p; 64]).err(), Some(WordError::Range { p }));
    }
}

/// Protects: lengths of chunks that don't serve, and parts that there are not.
#[test]
fn chunks_and_parts() {
    let length = |needs, has| Err(WordError::Length { needs, has });
    for n in [32, 64] {
        let ring = WordRing::new(n, 257).unwrap();
        let mut a = ring.polynomial(&vec![5; n]).unwrap();
        assert_eq!(ring.set_by(&mut a, n + 1, &mut [0; 16], |_, _| ()), length(n, n + 1));
        assert_eq!(ring.set_by(&mut a, n, &mut [0; 7], |_, _| ()), length(8, 7));
        assert!(a.coefficients().all(|x| x == 5));
        assert_eq!(ring.coefficients_part(&a, 8, &mut vec![0; n]), length(n - 8, n));
        assert_eq!(ring.coefficients_part(&a, n + 8, &mut [0; 8]), length(0, 8));
        assert_eq!(ring.coefficients_part(&a, n, &mut []), Ok(()));
    }
    let ring = WordRing::new(64, 257).unwrap();
    let a = ring.polynomial(&[5; 64]).unwrap();
    assert_eq!(ring.coefficients_part(&a, 4, &mut [0; 8]), length(60, 8));
    assert_eq!(ring.coefficients_part(&a, 8, &mut [0; 9]), length(56, 9));
}

/// Protects: operands of another ring are refused by every operation; those of an equal one are taken.
#[test]
fn operands_of_another_ring() {
    let ring = WordRing::new(64, 257).unwrap();
    let others =
        [WordRing::new(32, 257), WordRing::new(64, 641), WordRing::cyclic(64, 257), WordRing::new(64, LONG)]
            .map(Result::unwrap);
    let wrong = Some(WordError::OtherRing);
    for other in others {
        let polynomial = |ring: &WordRing| ring.polynomial(&vec![1; ring.degree()]).unwrap();
        let transformed = |ring: &WordRing| ring.forward(polynomial(ring)).unwrap();
        let prepared = |ring: &WordRing| ring.prepare(polynomial(ring)).unwrap();
        assert_eq!(ring.set(&mut polynomial(&other), &[1; 64]).err(), wrong);
        assert_eq!(ring.forward(polynomial(&other)).err(), wrong);
        assert_eq!(ring.inverse(transformed(&other)).err(), wrong);
        assert_eq!(ring.prepare(polynomial(&other)).err(), wrong);
        assert_eq!(ring.set_by(&mut polynomial(&other), 8, &mut [0; 8], |_, _| ()).err(), wrong);
        assert_eq!(ring.reset(transformed(&other), &[1; 64]).err(), wrong);
        assert_eq!(ring.reset_by(transformed(&other), 8, &mut [0; 8], |_, _| ()).err(), wrong);
        assert_eq!(ring.coefficients_part(&polynomial(&other), 0, &mut [0; 8]).err(), wrong);
        assert_eq!(ring.multiply(&mut polynomial(&ring), polynomial(&other)).err(), wrong);
        assert_eq!(ring.multiply(&mut polynomial(&other), polynomial(&ring)).err(), wrong);
        assert_eq!(ring.multiply_prepared(&mut polynomial(&other), &prepared(&ring)).err(), wrong);
        assert_eq!(ring.multiply_prepared(&mut polynomial(&ring), &prepared(&other)).err(), wrong);
        assert_eq!(ring.product(polynomial(&ring), polynomial(&other)).err(), wrong);
        assert_eq!(ring.product(polynomial(&other), polynomial(&ring)).err(), wrong);
        assert_eq!(ring.product_prepared(polynomial(&ring), &prepared(&other)).err(), wrong);
        assert_eq!(ring.pointwise(&mut transformed(&ring), &transformed(&other)).err(), wrong);
        assert_eq!(ring.pointwise(&mut transformed(&other), &transformed(&ring)).err(), wrong);
        assert_eq!(ring.pointwise_prepared(&mut transformed(&ring), &prepared(&other)).err(), wrong);
        let (mine, theirs) = (transformed(&ring), transformed(&other));
        assert_eq!(ring.accumulate(&mut ring.zero().unwrap(), &mine, &theirs).err(), wrong);
        assert_eq!(ring.accumulate(&mut ring.zero().unwrap(), &theirs, &mine).err(), wrong);
        assert_eq!(ring.accumulate(&mut other.zero().unwrap(), &mine, &mine).err(), wrong);
        let second = prepared(&other);
        assert_eq!(ring.accumulate_prepared(&mut ring.zero().unwrap(), &mine, &second).err(), wrong);
        for which in 0..2 {
            let of = |i: usize| if i == which { &other } else { &ring };
            let (mut values, mut coefficients) = (of(1).zero().unwrap(), polynomial(of(1)));
            assert_eq!(ring.forward_into(&polynomial(of(0)), &mut values).err(), wrong);
            assert_eq!(ring.inverse_into(&transformed(of(0)), &mut coefficients).err(), wrong);
        }
        for which in 0..4 {
            let of = |i: usize| if i == which { &other } else { &ring };
            let (a, b, mut out) = (polynomial(of(0)), polynomial(of(1)), polynomial(of(2)));
            let mut scratch = of(3).zero().unwrap();
            assert_eq!(ring.product_into(&a, &b, &mut out, &mut scratch).err(), wrong);
        }
        assert_eq!(ring.coefficients(&polynomial(&other), &mut [0; 64]).err(), wrong);
        assert_eq!(ring.values(theirs, &mut [0; 64]).err(), wrong);
    }
    let equal = WordRing::new(64, 257).unwrap();
    assert!(ring.forward(equal.polynomial(&[1; 64]).unwrap()).is_ok());
}

/// Protects: what is printed says nothing of coefficients.
#[test]
fn nothing_secret_is_printed() {
    let ring = WordRing::new(64, 257).unwrap();
    let text = format!("{:?}", ring.polynomial(&[42; 64]).unwrap());
    assert_eq!(text, "Polynomial of 64 coefficients modulo 257");
    assert!(format!("{ring:?}").starts_with("Z_257[x]/(x^64+1) on "));
}

/// Protects: what no product without transforms serves is an error that says so, and no wrong product.
#[test]
fn without_transforms() {
    let method = |word| Method::Interleaved { word, form: Form::Original };
    let error = |n: usize, p: u64, method| {
        let ring = WordRing::new(n, p).unwrap();
        let a = ring.polynomial(&vec![1; n]).unwrap();
        ring.product_by(method, &a, &a).err()
    };
    for (n, p) in [(32, 49_201_153), (8192, 1_073_479_681), (1024, 1_073_479_681)] {
        let expected = WordError::Quadratic { n, p };
        assert_eq!(error(n, p, Method::Schoolbook), Some(expected));
        assert!(expected.to_string().contains("64 to 4096 coefficients and a modulus of at most 26 bits"));
    }
    for word in [0, 3, 128, usize::MAX] {
        assert_eq!(error(64, 257, method(word)), Some(WordError::Step { word }));
    }
    assert_eq!(WordError::Step { word: 3 }.to_string(), "a step takes 1, 2, 4, .. 64 coefficients, not 3");
    assert_eq!(error(64, 257, method(64)), None);
    let (one, other) = (WordRing::new(64, 257).unwrap(), WordRing::new(64, 641).unwrap());
    let [a, b] = [&one, &other].map(|ring| ring.polynomial(&[1; 64]).unwrap());
    assert_eq!(one.product_by(method(8), &a, &b).err(), Some(WordError::OtherRing));
}
