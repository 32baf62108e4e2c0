//! Inverses modulo primes and powers of primes.

use ringsmith_any::{Inverses, Operands, Polynomial, Ring, RingError};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// `x^n - x - 1`, which has no factor in common with most elements.
fn ring(q: u64, n: usize) -> Ring {
    Ring::new(q, &Polynomial::new(&[(n, 1), (1, -1), (0, -1)]).unwrap()).unwrap()
}

/// Protects: an inverse times its element is 1, for primes and powers of primes at the edges of ranges.
#[test]
fn inverse_times_element_is_one() {
    let mut random = Random::new(1);
    for q in [2, 3, 4591, 12289, 2048, 1 << 62, 3_u64.pow(39), 12289 * 12289, 70_368_740_769_793] {
        for n in [2, 3, 17, 40] {
            let (ring, mut found) = (ring(q, n), 0);
            let (mut room, mut b, mut product) = (ring.room().unwrap(), vec![0; n], vec![0; n]);
            let mut inverses = Inverses::new(&ring).unwrap();
            for _ in 0..20 {
                let a: Vec<u64> = (0..n).map(|_| random.word() % q).collect();
                if inverses.inverse(&a, &mut b).is_ok() {
                    ring.product(&a, &b, &mut product, &mut room).unwrap();
                    assert_eq!(product[0], 1, "{ring:?}");
                    assert!(product[1..].iter().all(|x| *x == 0), "{ring:?}");
                    found += 1;
                }
            }
            assert!(found > 3, "{ring:?} has few inverses: {found}");
        }
    }
}

/// Protects: what has no inverse is refused: 0, multiples of a factor of `f`, multiples of `p`.
#[test]
fn without_inverse() {
    // x^2 - 1 = (x - 1)(x + 1)
    let ring = Ring::new(9, &Polynomial::new(&[(2, 1), (0, -1)]).unwrap()).unwrap();
    let (mut inverses, mut out) = (Inverses::new(&ring).unwrap(), [0_u64; 2]);
    for a in [[0, 0], [8, 1], [1, 1], [3, 6], [4, 1]] {
        assert_eq!(inverses.inverse(&a, &mut out), Err(RingError::NoInverse), "{a:?}");
    }
    inverses.inverse(&[2, 0], &mut out).unwrap();
    assert_eq!(out, [5, 0]);
}

/// Protects: rings without inverses say so.
#[test]
fn rings_without_inverses() {
    let why = |ring: &Ring| Inverses::new(ring).unwrap_err();
    assert_eq!(why(&ring(6, 5)), RingError::Inverses { q: 6, n: 5 });
    assert_eq!(why(&ring(12289, 4097)), RingError::Inverses { q: 12289, n: 4097 });
    let f = Polynomial::new(&[(5, 1), (0, -1)]).unwrap();
    let small = Ring::new_on(Cpu::detect(), 7, &f, Operands::any().small(1)).unwrap();
    assert_eq!(why(&small), RingError::Operands);
}
