//! The laws of rings that are known at run time: by every method and on every backend, as they are drawn.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use ringsmith_any::{Inverses, Operands, Ring, RingError};
use ringsmith_laws::{Drawn, holds, rings, rings_with_inverses};

/// What draws the same again.
macro_rules! command {
    ($law:literal) => {
        concat!("cargo test --release -p ringsmith-laws --test laws ", $law)
    };
}

/// A ring, for products of any elements.
fn any_of(drawn: &Drawn) -> Ring {
    drawn.ring(Operands::any())
}

/// The product.
fn product(ring: &Ring, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; ring.degree()];
    ring.product(a, b, &mut out, &mut ring.room().unwrap()).unwrap();
    out
}

/// The sum, by its definition.
fn sum(q: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(x, y)| (x + y) % q).collect()
}

/// `x^i`, for an `i` below the degree.
fn power(n: usize, i: usize) -> Vec<u64> {
    let mut power = vec![0; n];
    power[i] = 1;
    power
}

/// A ring and so many of its elements.
fn with_elements<const N: usize>() -> impl Strategy<Value = (Drawn, [Vec<u64>; N])> {
    rings().prop_flat_map(|drawn| {
        let elements = [(); N].map(|()| drawn.element());
        (Just(drawn), elements)
    })
}

/// A ring, a bound of second factors from 1 to half of the modulus, first factors, and second ones within it.
fn with_small<const N: usize>() -> impl Strategy<Value = (Drawn, u64, [Vec<u64>; N], [Vec<u64>; N])> {
    let bounded = rings().prop_flat_map(|drawn| {
        let most = drawn.modulus() / 2;
        let bound = prop_oneof![1 => Just(1), 1 => Just(most), 3 => 1..=most];
        (Just(drawn), bound)
    });
    bounded.prop_flat_map(|(drawn, bound)| {
        let first = [(); N].map(|()| drawn.element());
        let second = [(); N].map(|()| drawn.small_element(bound));
        (Just(drawn), Just(bound), first, second)
    })
}

/// Protects: `a b = b a`.
#[test]
fn commutative() {
    holds(command!("commutative"), 1000, with_elements(), |(drawn, [a, b])| {
        let ring = any_of(&drawn);
        prop_assert_eq!(product(&ring, &a, &b), product(&ring, &b, &a));
        Ok(())
    });
}

/// Protects: `(a b) c = a (b c)`.
#[test]
fn associative() {
    holds(command!("associative"), 1000, with_elements(), |(drawn, [a, b, c])| {
        let ring = any_of(&drawn);
        let [left, right] = [product(&ring, &a, &b), product(&ring, &b, &c)];
        prop_assert_eq!(product(&ring, &left, &c), product(&ring, &a, &right));
        Ok(())
    });
}

/// Protects: `(a + b) c = a c + b c`, and the same on the other side.
#[test]
fn distributive() {
    holds(command!("distributive"), 1000, with_elements(), |(drawn, [a, b, c])| {
        let (ring, q) = (any_of(&drawn), drawn.modulus());
        let whole = sum(q, &a, &b);
        let parts = sum(q, &product(&ring, &a, &c), &product(&ring, &b, &c));
        prop_assert_eq!(product(&ring, &whole, &c), &parts[..]);
        prop_assert_eq!(product(&ring, &c, &whole), parts);
        Ok(())
    });
}

/// Protects: `1 a = a = a 1`.
#[test]
fn one() {
    holds(command!("one"), 1000, with_elements(), |(drawn, [a])| {
        let (ring, one) = (any_of(&drawn), power(drawn.degree(), 0));
        prop_assert_eq!(product(&ring, &one, &a), &a[..]);
        prop_assert_eq!(product(&ring, &a, &one), a);
        Ok(())
    });
}

/// Protects: `x^i x^(n-i) = x^n = x^n - f`, and the remainder of `x^n` by `f` is the same.
#[test]
fn the_power_of_the_degree() {
    let with_place = rings().prop_flat_map(|drawn| {
        let n = drawn.degree();
        (Just(drawn), 0..n)
    });
    holds(command!("the_power_of_the_degree"), 1000, with_place, |(drawn, place)| {
        let (ring, q, n) = (any_of(&drawn), u128::from(drawn.modulus()), drawn.degree());
        let mut minus = vec![0; n];
        for (i, x) in drawn.polynomial().terms().filter(|(i, _)| *i < n) {
            minus[i] = ((q - x as u128) % q) as u64;
        }
        if place > 0 {
            prop_assert_eq!(product(&ring, &power(n, place), &power(n, n - place)), &minus[..]);
        }
        let (whole, mut rest) = (power(2 * n - 1, n.min(2 * n - 2)), vec![0; n]);
        ring.remainder(&whole, &mut rest, &mut ring.room().unwrap()).unwrap();
        prop_assert_eq!(rest, if n > 1 { minus } else { vec![1] });
        Ok(())
    });
}

/// Protects: a product by a prepared factor is the product, for any second factors and for small ones, for
/// which a ring has other methods; and both rings have the same product.
#[test]
fn prepared() {
    holds(command!("prepared"), 1000, with_small(), |(drawn, bound, [a], [b])| {
        let expected = product(&any_of(&drawn), &a, &b);
        for operands in [Operands::any(), Operands::any().small(bound)] {
            let (ring, mut out) = (drawn.ring(operands), vec![0; drawn.degree()]);
            let factor = ring.prepare(&b).unwrap();
            ring.product_prepared(&a, &factor, &mut out, &mut ring.room().unwrap()).unwrap();
            prop_assert_eq!(&out, &expected);
            prop_assert_eq!(product(&ring, &a, &b), &expected[..]);
        }
        Ok(())
    });
}

/// The sum of three products, by factors as they are and prepared, is that of the products.
fn sums_are_sums(ring: &Ring, a: &[Vec<u64>], b: &[Vec<u64>]) -> TestCaseResult {
    let (q, n, mut room) = (ring.modulus(), ring.degree(), ring.room().unwrap());
    let products = a.iter().zip(b).map(|(a, b)| product(ring, a, b));
    let expected = products.fold(vec![0; n], |total, next| sum(q, &total, &next));
    let (pairs, mut out): (Vec<_>, _) =
        (a.iter().zip(b).map(|(a, b)| (&a[..], &b[..])).collect(), vec![0; n]);
    ring.sum_of_products(&pairs, &mut out, &mut room).unwrap();
    prop_assert_eq!(&out, &expected);
    let factors: Vec<_> = b.iter().map(|b| ring.prepare(b).unwrap()).collect();
    let pairs: Vec<_> = a.iter().zip(&factors).map(|(a, factor)| (&a[..], factor)).collect();
    out.fill(0);
    ring.sum_of_products_prepared(&pairs, &mut out, &mut room).unwrap();
    prop_assert_eq!(&out, &expected);
    Ok(())
}

/// Protects: a sum of products is the sum of the products, for any second factors and for small ones, and
/// where fewer are summed than might be.
#[test]
fn sums() {
    holds(command!("sums"), 1000, with_small::<3>(), |(drawn, bound, a, b)| {
        for operands in [Operands::any(), Operands::any().small(bound)] {
            sums_are_sums(&drawn.ring(operands.sums(3)), &a, &b)?;
            sums_are_sums(&drawn.ring(operands.sums(500)), &a[..2], &b[..2])?;
        }
        Ok(())
    });
}

/// Protects: an inverse times its element is 1, where it exists. Of 0 there is none; 1 is its own.
#[test]
fn inverses() {
    let with_element = rings_with_inverses().prop_flat_map(|drawn| {
        let element = drawn.element();
        (Just(drawn), element)
    });
    holds(command!("inverses"), 1000, with_element, |(drawn, a)| {
        let (ring, one) = (any_of(&drawn), power(drawn.degree(), 0));
        let (mut all, mut inverse) = (Inverses::new(&ring).unwrap(), vec![0; drawn.degree()]);
        match all.inverse(&a, &mut inverse) {
            Ok(()) => prop_assert_eq!(product(&ring, &inverse, &a), &one[..]),
            Err(why) => prop_assert_eq!(why, RingError::NoInverse),
        }
        prop_assert_eq!(all.inverse(&vec![0; drawn.degree()], &mut inverse), Err(RingError::NoInverse));
        all.inverse(&one, &mut inverse).unwrap();
        prop_assert_eq!(inverse, one);
        Ok(())
    });
}

/// Protects: a law that does not hold is seen, with the smallest case: 2 is the first number that is not
/// below 2.
#[test]
fn what_fails_is_small() {
    let fails = || {
        holds("a command", 100, 0..1000_u64, |x| {
            prop_assert!(x < 2, "{} is too great", x);
            Ok(())
        })
    };
    let said = std::panic::catch_unwind(fails).unwrap_err();
    let said = said.downcast::<String>().unwrap();
    assert!(said.contains("2 is too great") && said.ends_with("of 2"), "{said}");
}
