//! Batches of products; with the feature `rayon` on several threads.

use ringsmith_any::{Operands, Ring, RingError};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// Each product by itself.
fn one_by_one(ring: &Ring, a: &[u64], b: &[u64]) -> Vec<u64> {
    let (n, mut room, mut out) = (ring.degree(), ring.room().unwrap(), vec![0; a.len()]);
    let pairs = a.chunks(n).zip(b.chunks(n));
    pairs.zip(out.chunks_mut(n)).for_each(|((a, b), out)| ring.product(a, b, out, &mut room).unwrap());
    out
}

/// Protects: the products of batches of every length, and none of an empty one.
#[test]
fn lengths() {
    let mut random = Random::new(1);
    for (q, f) in [(12289, "x^64+1"), (1 << 40, "x^100-x-1"), (17, "x^5+3x+1")] {
        let ring = Ring::new(q, &f.parse().unwrap()).unwrap();
        for count in [0, 1, 2, 3, 7, 64, 65] {
            let [a, b] =
                [(); 2].map(|()| (0..count * ring.degree()).map(|_| random.word() % q).collect::<Vec<_>>());
            let mut out = vec![0; a.len()];
            ring.products(&a, &b, &mut out).unwrap();
            assert_eq!(out, one_by_one(&ring, &a, &b), "{count} in {ring:?}");
        }
    }
}

/// Protects: a coefficient that is out of range is found in every element of a batch, and in both factors; so
/// are one beyond a bound, and integers that are too small for `q`.
#[test]
fn ranges() {
    let (n, count) = (40, 9);
    let ring = Ring::new(97, &"x^40-x-1".parse().unwrap()).unwrap();
    let (good, mut out) = (vec![96_u16; n * count], vec![0; n * count]);
    for i in 0..count {
        let mut bad = good.clone();
        bad[i * n + i] = 97;
        assert_eq!(ring.products(&bad, &good, &mut out), Err(RingError::Range));
        assert_eq!(ring.products(&good, &bad, &mut out), Err(RingError::Range));
    }
    let small = Ring::new_on(Cpu::detect(), 97, ring.polynomial(), Operands::any().small(1)).unwrap();
    assert_eq!(small.products(&good, &good, &mut out), Ok(()));
    assert_eq!(small.products(&good, &vec![2; n * count], &mut out), Err(RingError::Range));
    let wide = Ring::new(1 << 20, ring.polynomial()).unwrap();
    assert_eq!(wide.products(&good, &good, &mut out), Err(RingError::Range));
}

/// Protects: lengths that differ or are no multiple of the degree are errors that say what is needed.
#[test]
fn bad_lengths() {
    let ring = Ring::new(97, &"x^4-x-1".parse().unwrap()).unwrap();
    let (x, mut out) = ([1_u64; 12], [0; 12]);
    let length = |needs, has| Err(RingError::Length { needs, has });
    assert_eq!(ring.products(&x[..7], &x[..7], &mut out[..7]), length(8, 7));
    assert_eq!(ring.products(&x[..8], &x[..12], &mut out[..8]), length(8, 12));
    assert_eq!(ring.products(&x[..8], &x[..8], &mut out[..12]), length(8, 12));
    assert_eq!(ring.products(&x[..8], &x[..8], &mut out[..0]), length(8, 0));
    assert_eq!(ring.products(&x[..0], &x[..4], &mut out[..0]), length(0, 4));
}
