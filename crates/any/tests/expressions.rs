//! What is written of a ring is read again, up to the greatest coefficients.

use ringsmith_any::{Expression, Operands, Polynomial, Ring, RingError};
use ringsmith_simd::Cpu;

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

/// Protects: what is no ring is shown with what was expected, and where.
#[test]
fn slips() {
    let (modulus, f) = ("a modulus, as in 3329 or 2^61-1", "/ and a polynomial in parentheses");
    let (end, term) = ("a sign and a term, or )", "a term, as in x^2 or 3x");
    for (text, at, expected) in [
        ("", 0, "a ring, as in Z_3329[x]/(x^256+1)"),
        ("  ", 2, "a ring, as in "),
        ("GF(7)[x]/(x)", 0, "a ring, as in "),
        ("Z7[x]/(x)", 1, "_ and the modulus, as in Z_3329"),
        ("Z_[x]/(x)", 2, modulus),
        ("Z_", 2, modulus),
        ("Z_-7[x]/(x)", 2, "a modulus from 2 to 2^62"),
        ("Z_(3-5)[x]/(x)", 3, "a modulus from 2 to 2^62"),
        ("Z_2^[x]/(x)", 4, "an exponent"),
        ("Z_(2^61-)[x]/(x)", 8, "a number"),
        ("Z_(7[x]/(x)", 4, "a sign and a number, or the modulus's closing parenthesis"),
        ("Z_{7)[x]/(x)", 4, "a sign and a number, or the modulus's closing brace"),
        ("Z_7.5[x]/(x)", 3, "[x]"),
        ("Z_7/(x)", 3, "[x]"),
        ("Z_7[y]/(y)", 4, "x"),
        ("Z_7[x/(x)", 5, "]"),
        ("Z_7[x]", 6, f),
        ("Z_7[x](x^2+1)", 6, f),
        ("Z_7[x]/x^2+1", 7, "a polynomial in parentheses, as in "),
        ("Z_7[x]/()", 8, term),
        ("Z_7[x]/(x^2+)", 12, term),
        ("Z_7[x]/(x^2+y)", 12, term),
        ("Z_7[x]/(x^2--1)", 12, term),
        ("Z_7[x]/(x^2+3*)", 14, "x"),
        ("Z_7[x]/(x^2+1", 13, end),
        ("Z_7[x]/(x^2 1)", 12, end),
        ("Z_7[x]/(x^2+1.5)", 13, end),
        ("Z_7[x]/(x2+1)", 9, "^, a sign and a term, or )"),
        ("Z_7[x]/(x\u{b2}+1)", 9, "^, a sign and a term, or )"),
        ("Z_7[x]/(x^-2)", 10, "an exponent from 0 to 65536"),
        ("Z_7[x]/(x^65537)", 10, "an exponent from 0 to 65536"),
        ("Z_7[x]/(x^2+1))", 14, "nothing behind the ring"),
    ] {
        let why = text.parse::<Expression>().unwrap_err();
        let said = why.to_string();
        assert_eq!((why.position(), said.starts_with(&format!("expected {expected}"))), (at, true), "{said}");
        assert_eq!(why.is_name(), said.starts_with("expected a ring"), "{text}");
        let [line, mark] = why.picture(text, str::to_string);
        assert_eq!((line, mark), (format!("  {text}"), format!("  {}^ {said}", " ".repeat(at))));
    }
    assert_eq!("z_7 [ X ]/( x^3 )".parse::<Expression>().unwrap().to_string(), "Z_7[x]/(x^3)");
}

/// Protects: the same of polynomials, and of rings whose polynomial is given apart.
#[test]
fn parts() {
    for (text, at, expected) in [
        ("x2+1", 1, "expected ^, or a sign and a term"),
        ("x^2 1", 4, "expected a sign and a term"),
        ("", 0, "expected a term, as in x^2 or 3x"),
    ] {
        let why = text.parse::<Polynomial>().unwrap_err();
        assert_eq!((why.position(), why.to_string()), (at, expected.into()), "{text}");
    }
    let why = Expression::modulo("Z_7[x]/(x)", Polynomial::new(&[(1, 1)]).unwrap()).unwrap_err();
    let expected = "expected nothing behind [x], as the polynomial is given apart";
    assert_eq!((why.position(), why.to_string()), (6, expected.into()));
}

/// Protects: bounds that there are not, and why.
#[test]
fn bounds() {
    let made = |q, bound| {
        let ring = Ring::new_on(Cpu::detect(), q, &"x^5+1".parse().unwrap(), Operands::any().small(bound));
        ring.map(|ring| ring.degree()).map_err(|why| why.to_string())
    };
    let refused = |bound, which| Err(format!("the bound {bound} of small operands is not {which}"));
    assert_eq!([made(17, 8), made(2, 1)], [Ok(5), Ok(5)]);
    assert_eq!(made(17, 9), refused(9, "from 1 to 8, half of the modulus rounded down"));
    assert_eq!(made(17, 0), refused(0, "from 1 to 8, half of the modulus rounded down"));
    assert_eq!(made(3, 2), refused(2, "1, all that there is modulo 3"));
}
