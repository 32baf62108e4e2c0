//! What is written of a ring is read again, up to the greatest coefficients.

use ringsmith_any::{Expression, Polynomial, RingError};

#[test]
fn written_expressions_are_read_again() {
    for terms in [
        vec![(3, 1), (0, i64::MAX), (0, i64::MAX)],
        vec![(3, 1), (1, i64::MIN), (1, i64::MIN + 1), (0, -1)],
        vec![(65536, 1), (65535, i64::MIN)],
        vec![(5, 1), (5, -1)],
    ] {
        let expression = Expression { q: 1 << 62, f: Polynomial::new(&terms).unwrap() };
        assert_eq!(expression.to_string().parse(), Ok(expression));
    }
    let greatest = Expression { q: 0, f: Polynomial::dense(&[u64::MAX, 0, 1]).unwrap() };
    assert_eq!(greatest.to_string(), "Z_0[x]/(x^2+18446744073709551615)");
    assert_eq!(greatest.to_string().parse(), Ok(greatest));
}

#[test]
fn greater_coefficients_are_refused() {
    assert_eq!(Polynomial::new(&[(2, 1), (0, i64::MIN), (0, i64::MIN)]), Err(RingError::Range));
    for (text, at) in [
        ("Z_9[x]/(x^2+18446744073709551616)", 12),
        ("Z_9[x]/(x^2-2^64x)", 12),
        ("Z_9[x]/( x^2+2^63+2^63)", 9),
        ("Z_9[x]/(x^2-2^63-2^63)", 8),
    ] {
        let why = text.parse::<Expression>().unwrap_err();
        assert_eq!(
            (why.position(), why.to_string()),
            (at, "expected a number of at most 64 bits".into()),
            "{text}"
        );
    }
    for (text, at) in [("Z_(2^62+1)[x]/(x)", 3), ("Z_4611686018427387905[x]/(x)", 2), ("Z_2^64[x]/(x)", 2)] {
        let why = text.parse::<Expression>().unwrap_err();
        assert_eq!(
            (why.position(), why.to_string()),
            (at, "expected a modulus from 2 to 2^62".into()),
            "{text}"
        );
    }
    assert!("Z_(2^63-2^62)[x]/(x)".parse::<Expression>().is_ok());
}
