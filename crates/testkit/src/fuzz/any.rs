//! Ring expressions, and products in the rings that they name.

use ringsmith::any::{Expression, Ring};
use ringsmith_oracle::Random;

/// Greater rings take too long by the definition.
const MAX_DEGREE: usize = 64;

/// What is read is written so that it is read again, what is not has a place in the text, and products are
/// the definition's.
pub(super) fn rings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let expression: Expression = match text.parse() {
        Ok(expression) => expression,
        Err(why) => {
            let why: ringsmith::any::ParseError = why;
            assert!(text.is_char_boundary(why.position()), "{why}");
            return;
        }
    };
    assert_eq!(expression.to_string().parse().as_ref(), Ok(&expression));
    if expression.f.degree() > MAX_DEGREE {
        return;
    }
    let Ok(ring) = Ring::of(&expression) else { return };
    let (n, q, mut random) = (ring.degree(), ring.modulus(), Random::new(bytes.len() as u64));
    let [a, b] = [(); 2].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
    let (mut product, mut room) = (vec![0; n], ring.room().expect("memory"));
    ring.product(&a, &b, &mut product, &mut room).expect("elements of the ring");
    assert_eq!(product, definition(&expression, &a, &b), "{expression}");
}

/// The product by the definition.
fn definition(Expression { q, f }: &Expression, a: &[u64], b: &[u64]) -> Vec<u64> {
    let (q, n) = (u128::from(*q), a.len());
    let mut c = vec![0_u128; 2 * n - 1];
    for (i, x) in a.iter().enumerate() {
        for (sum, y) in c[i..].iter_mut().zip(b) {
            *sum = (*sum + u128::from(*x) * u128::from(*y)) % q;
        }
    }
    for i in (n..c.len()).rev() {
        let top = c[i];
        for (exponent, coefficient) in f.terms().skip(1) {
            let sum = &mut c[i - n + exponent];
            *sum = (*sum + (q - top) * coefficient.rem_euclid(q as i128) as u128) % q;
        }
    }
    c[..n].iter().map(|x| *x as u64).collect()
}

/// Expressions of every form.
pub(super) fn expressions() -> Vec<Vec<u8>> {
    let texts = [
        "Z_3329[x]/(x^16+1)",
        "z_{2^61-1} [X] / ( x^40 - 3 * x^2 + 2x - 1 )",
        "Z_(2^62)[x]/(x^33+x^32+2x^31+3x^30+4x^29+5x^28+6x^27+7x^26+8x^25+9x^24+x^23+x^22+x^21+x^20+5)",
        "Z_12289[x]/(x^64+1)",
        "Z_2[x]/(1+x^20+x^3)",
        "Z_0[x]/(-x)",
        "Z_(2^63-2^62)[x]/(x^3+18446744073709551615x-2^63-2^62)",
        "Z_9[x]/(x^2+2^63+2^63)",
    ];
    texts.into_iter().map(|text| text.as_bytes().to_vec()).collect()
}
