//! Where there is no memory.

use ringsmith_probe::{Refusing, with_allocations};
use ringsmith_word::{Method, RnsRing, Shape, WordError, WordRing};

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// How many allocations an operation takes; with any fewer it must be the error that says so.
fn allocations<T>(operation: impl Fn() -> Result<T, WordError>) -> usize {
    for count in 0.. {
        match with_allocations(count, &operation) {
            Ok(_) => return count,
            Err(error) => assert_eq!(error, WordError::Memory, "after {count} allocations"),
        }
    }
    unreachable!("it ends")
}

/// Primes of 62, 49, 46 and 30 bits, for every degree: lanes of 64 bits of every kind, and of 32 where the
/// CPU has them.
const PRIMES: [u64; 4] = [4_611_686_018_425_815_041, 562_949_950_537_729, 70_368_740_769_793, 1_073_479_681];

/// Makes a ring, its operands, and products.
fn check(shape: Shape, n: usize, p: u64) {
    let make = || WordRing::new_on(ringsmith_simd::Cpu::detect(), shape, n, p);
    assert!(allocations(make) > 0);
    let ring = make().unwrap();
    let mut numbers = vec![1; n];
    let polynomial = ring.polynomial(&numbers).unwrap();
    assert_eq!(allocations(|| ring.polynomial(&numbers)), 1);
    assert_eq!(allocations(|| polynomial.try_clone()), 1);
    assert_eq!(allocations(|| ring.zero()), 1);
    assert_eq!(allocations(|| ring.transformed(&numbers)), 1);
    assert_eq!(allocations(|| ring.zero()?.try_clone()), 2);
    assert_eq!(allocations(|| ring.prepare(polynomial.try_clone()?)), 2);
    let (mut sum, prepared) = (ring.zero().unwrap(), ring.prepare(polynomial.try_clone().unwrap()).unwrap());
    let none = with_allocations(0, || {
        let a = ring.forward(polynomial)?;
        ring.accumulate_prepared(&mut sum, &a, &prepared)?;
        ring.pointwise(&mut sum, &a)?;
        let mut product = ring.product_prepared(ring.inverse(sum)?, &prepared)?;
        ring.coefficients(&product, &mut numbers)?;
        let a = ring.multiply(&mut product, ring.reset_by(a, 8, &mut [0; 8], |_, _| ())?)?;
        ring.values(a, &mut numbers)
    });
    assert_eq!(none, Ok(()));
}

/// Protects: every allocation that is refused is an error and no abort, whichever of them it is; and nothing
/// but what makes a ring or an operand allocates.
#[test]
fn refused_memory_is_an_error() {
    for p in PRIMES {
        for (shape, n) in [(Shape::Negacyclic, 8), (Shape::Cyclic, 64), (Shape::Negacyclic, 1 << 17)] {
            check(shape, n, p);
        }
    }
}

/// Protects: the same of a product without transforms, which allocates.
#[test]
fn refused_memory_of_a_product_is_an_error() {
    let ring = WordRing::new(64, 257).unwrap();
    let a = ring.polynomial(&[1; 64]).unwrap();
    assert!(allocations(|| ring.product_by(Method::Schoolbook, &a, &a)) > 1);
}

/// Protects: the same of rings modulo several primes, whose operations allocate nothing either: neither for
/// limbs nor for what numbers of several words are brought to.
#[test]
#[cfg_attr(feature = "rayon", ignore = "rayon allocates for its threads")]
fn refused_memory_of_several_primes_is_an_error() {
    for n in [8, 1024] {
        let make = || RnsRing::new(n, &PRIMES[2..]);
        assert!(allocations(make) > PRIMES.len());
        let ring = make().unwrap();
        let (mut numbers, small) = (vec![1; n * ring.words()], vec![-1; n]);
        let polynomial = ring.polynomial(&numbers).unwrap();
        // The limbs, and their list.
        assert_eq!(allocations(|| ring.polynomial(&numbers)), 3);
        assert_eq!(allocations(|| ring.polynomial_of_small(&small)), 3);
        assert_eq!(allocations(|| polynomial.try_clone()), 3);
        assert_eq!(allocations(|| ring.zero()), 3);
        assert_eq!(allocations(|| ring.zero()?.try_clone()), 6);
        assert_eq!(allocations(|| ring.prepare(polynomial.try_clone()?)), 5);
        let prepared = ring.prepare(polynomial.try_clone().unwrap()).unwrap();
        let [mut sum, mut scratch] = [(); 2].map(|()| ring.zero().unwrap());
        let mut out = polynomial.try_clone().unwrap();
        let none = with_allocations(0, || {
            ring.product_into(&polynomial, &polynomial, &mut out, &mut scratch)?;
            let a = ring.forward(polynomial)?;
            ring.accumulate_prepared(&mut sum, &a, &prepared)?;
            ring.accumulate(&mut sum, &a, &a)?;
            ring.pointwise(&mut sum, &a)?;
            let product = ring.product_prepared(ring.inverse(sum)?, &prepared)?;
            ring.coefficients(&ring.product(product, out)?, &mut numbers)?;
            ring.set(&mut ring.inverse(a)?, &numbers)
        });
        assert_eq!(none, Ok(()));
    }
}
