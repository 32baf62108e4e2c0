//! Products in rings of every kind, against the definition in big integers.

mod support;

use ringsmith_any::{Operands, Polynomial, Ring, RingError};
use ringsmith_oracle::Random;
use ringsmith_probe::Seed;
use ringsmith_simd::Cpu;
use support::{definition as expected, sparse};

/// Every form of product of some operands is the definition's, on every backend.
fn check(q: u64, f: &[u64], [a, b]: [&[u64]; 2]) {
    let (expected, polynomial) = (expected(q, f, a, b), Polynomial::dense(f).unwrap());
    for cpu in Cpu::available() {
        let ring = Ring::new_on(cpu, q, &polynomial, Operands::any()).unwrap();
        let (mut room, mut out) = (ring.room().unwrap(), vec![0; a.len()]);
        ring.product(a, b, &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} {}", ring.route());
        out.fill(0);
        let prepared = ring.prepare(b).unwrap();
        ring.product_prepared(a, &prepared, &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} prepared");
        ring.sum_of_products(&[(b, a)], &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} as a sum");
        out.fill(0);
        ring.sum_of_products_prepared(&[(a, &prepared)], &mut out, &mut room).unwrap();
        assert_eq!(out, expected, "{ring:?} as a sum, prepared");
    }
}

/// Random and greatest operands.
fn check_ring(random: &mut Random, q: u64, f: &[u64]) {
    let n = f.len() - 1;
    let [a, b] = [(); 2].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
    check(q, f, [&a, &b]);
    check(q, f, [&vec![q - 1; n], &vec![q - 1; n]]);
}

/// Moduli at the edges of every range.
const MODULI: [u64; 23] = [
    2,
    3,
    4,
    17,
    3329,
    4591,
    12289,
    (1 << 14) - 1,
    1 << 14,
    (1 << 14) + 1,
    49_201_153,
    (1 << 30) - 1,
    1 << 30,
    1_073_479_681,
    (1 << 46) + 1,
    70_368_740_769_793,
    (1 << 49) - 1,
    1 << 50,
    1_152_921_504_606_584_833,
    (1 << 61) - 1,
    1 << 61,
    (1 << 62) - 1,
    1 << 62,
];

/// Protects: every `q` at the edges of ranges, with `f` of every kind, random and greatest operands.
#[test]
fn moduli_and_polynomials() {
    let mut random = Random::new(1);
    for q in MODULI {
        for n in [1, 2, 3, 16, 17, 31, 32, 33, 64, 100] {
            let minus = q - 1;
            let dense: Vec<u64> = (0..n).map(|_| random.word() % q).chain([1]).collect();
            let forms = [
                sparse(n, q, &[(0, minus)]),
                sparse(n, q, &[(0, 1)]),
                sparse(n, q, &[(0, minus), (1 % n, minus)]),
                sparse(n, q, &[(0, 1), (n / 2, minus)]),
                sparse(n, q, &[(n - 1, minus - 1 % q), (0, minus)]),
                sparse(n, q, &[]),
                vec![minus; n].into_iter().chain([1]).collect(),
                dense,
            ];
            forms.iter().for_each(|f| check_ring(&mut random, q, f));
        }
    }
}

/// Protects: degrees at and around powers of two.
#[test]
fn degrees() {
    let mut random = Random::new(2);
    for n in [127, 128, 129, 160, 161, 192, 193, 224, 225, 255, 256, 257, 512, 761, 1024] {
        for q in [3, 12289, 1 << 32, 1_152_921_504_606_584_833, (1 << 62) - 1] {
            check_ring(&mut random, q, &sparse(n, q, &[(0, q - 1), (1, q - 1)]));
            check_ring(&mut random, q, &sparse(n, q, &[(0, 1)]));
        }
        let dense: Vec<u64> = (0..n).map(|_| random.word() % 12289).chain([1]).collect();
        check_ring(&mut random, 12289, &dense);
    }
}

/// Protects: an `f` whose second term is near the first, so that few powers are folded at once: one by one,
/// in rows of lanes that are full or are not, or by products.
#[test]
fn second_terms_near_the_first() {
    let mut random = Random::new(3);
    for q in [2, 257, 12289, (1 << 31) - 1, (1 << 61) - 1, 1 << 62] {
        for (n, gap) in [1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25].map(|gap| (70 + gap, gap)) {
            let top = n - gap;
            for low in [
                vec![(top, 1), (0, 1)],
                vec![(top, q - 1), (1, 1), (0, q - 1)],
                vec![(top, q / 2), (top - 1, 1), (3, q - 1), (0, q / 3)],
                (0..12).map(|i| (top - i, random.word() % q)).collect(),
            ] {
                check_ring(&mut random, q, &sparse(n, q, &low));
            }
        }
    }
    for (n, gap) in [(1000, 1), (1024, 3), (1500, 16)] {
        check_ring(&mut random, 257, &sparse(n, 257, &[(n - gap, 1), (0, 1)]));
    }
}

/// Protects: a thousand random rings, on every backend; greater ones are in `far.rs`.
#[test]
fn random_rings() {
    let seed = Seed::new("cargo test --release -p ringsmith-any --test products random_rings");
    let mut random = Random::new(seed.value());
    for _ in 0..1000 {
        let q = 2 + (random.word() >> (2 + random.word() % 60)) % ((1 << 62) - 1);
        let n = 1 + (random.word() % (1 << (random.word() % 8))) as usize;
        let terms = random.word() % 20;
        let low: Vec<_> =
            (0..terms).map(|_| ((random.word() % n as u64) as usize, random.word() % q)).collect();
        check_ring(&mut random, q, &sparse(n, q, &low));
    }
}

/// Protects: small second factors, which take fewer primes, at their bound; and one beyond, which is refused.
#[test]
fn small_operands() {
    for cpu in Cpu::available() {
        for (q, n, bound) in [
            (4591, 761, 1),
            (1 << 61, 100, 1),
            (12289, 64, 5),
            (3, 40, 1),
            (2, 40, 1),
            (1 << 62, 33, 1 << 45),
            // Bounds about the primes, and beyond.
            (1 << 62, 33, 70_368_740_769_792),
            (1 << 62, 33, 70_368_740_769_793),
            ((1 << 62) - 1, 64, 1 << 46),
            ((1 << 62) - 1, 64, (1 << 61) - 1),
            (1 << 62, 100, 1 << 61),
            ((1 << 47) + 1, 100, 1 << 46),
        ] {
            let f = sparse(n, q, &[(0, q - 1), (1, q - 1)]);
            let polynomial = Polynomial::dense(&f).unwrap();
            let ring = Ring::new_on(cpu, q, &polynomial, Operands::any().small(bound)).unwrap();
            let (mut room, mut out) = (ring.room().unwrap(), vec![0; n]);
            for sign in [0, 1] {
                let b: Vec<u64> = (0..n).map(|i| if i % 2 == sign { bound } else { q - bound }).collect();
                let a = vec![q - 1; n];
                ring.product(&a, &b, &mut out, &mut room).unwrap();
                assert_eq!(out, expected(q, &f, &a, &b), "{ring:?}");
            }
            if 2 * bound + 1 < q {
                let beyond = vec![bound + 1; n];
                assert_eq!(ring.product(&out.clone(), &beyond, &mut out, &mut room), Err(RingError::Range));
            }
        }
    }
}

/// Protects: remainders of polynomials longer than an element, on every backend.
#[test]
fn remainders() {
    let q = 257;
    for f in [sparse(40, q, &[(0, 3), (39, 5)]), (0..40).map(|i| i % q).chain([1]).collect()] {
        for (cpu, length) in Cpu::available().flat_map(|cpu| [40, 41, 79].map(|length| (cpu, length))) {
            let polynomial = Polynomial::dense(&f).unwrap();
            let ring = Ring::new_on(cpu, q, &polynomial, Operands::any()).unwrap();
            let (mut room, mut out) = (ring.room().unwrap(), vec![0; 40]);
            let c: Vec<u64> = (0..length).map(|i| i * i % q).collect();
            // c = x^39 (c_high) + c_low, by the definition's product
            let (low, high) = c.split_at(39);
            let mut power = vec![0; 40];
            power[39] = 1;
            let mut top = high.to_vec();
            top.resize(40, 0);
            let mut sum = expected(q, &f, &top, &power);
            sum.iter_mut().zip(low).for_each(|(x, y)| *x = (*x + y) % q);
            ring.remainder(&c, &mut out, &mut room).unwrap();
            assert_eq!(out, sum);
        }
    }
}

/// Rings whose sums are of every kind: by the definition, wrapped, folded, whole, packed, by many primes.
fn rings_of_sums() -> [(u64, Vec<u64>); 8] {
    [
        (1 << 62, sparse(33, 1 << 62, &[(0, 1)])),
        ((1 << 62) - 1, sparse(33, (1 << 62) - 1, &[(0, 1)])),
        ((1 << 46) + 1, sparse(70, (1 << 46) + 1, &[(0, 1), (1, 1 << 46)])),
        ((1 << 60) - 93, sparse(64, (1 << 60) - 93, &[(0, 1)])),
        (12289, sparse(64, 12289, &[(0, 1)])),
        (12289, (0..70).map(|i| i * i % 12289).chain([1]).collect()),
        (3, sparse(128, 3, &[(0, 2), (1, 2)])),
        (7, sparse(9, 7, &[(1, 3)])),
    ]
}

/// A sum of products, and the same by prepared second factors.
fn sums_of(ring: &Ring, pairs: &[(&[u64], &[u64])]) -> [Vec<u64>; 2] {
    let (mut room, mut out) = (ring.room().unwrap(), [(); 2].map(|()| vec![0; ring.degree()]));
    ring.sum_of_products(pairs, &mut out[0], &mut room).unwrap();
    let prepared: Vec<_> = pairs.iter().map(|(_, b)| ring.prepare(b).unwrap()).collect();
    let pairs: Vec<_> = pairs.iter().zip(&prepared).map(|((a, _), b)| (*a, b)).collect();
    ring.sum_of_products_prepared(&pairs, &mut out[1], &mut room).unwrap();
    out
}

/// Protects: sums of as many products as a ring takes, of the greatest operands and of random ones, by second
/// factors as they are and prepared, on every backend; and no more.
#[test]
fn sums() {
    let mut random = Random::new(5);
    for (q, f) in rings_of_sums() {
        let (polynomial, n) = (Polynomial::dense(&f).unwrap(), f.len() - 1);
        let greatest = vec![q - 1; n];
        let product = expected(q, &f, &greatest, &greatest);
        let operands = [(); 6].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
        let pairs = operands.as_chunks::<2>().0;
        let products: Vec<_> = pairs.iter().map(|[a, b]| expected(q, &f, a, b)).collect();
        let add = |i: usize| products.iter().map(|product| u128::from(product[i])).sum::<u128>();
        let of_random: Vec<u64> = (0..n).map(|i| (add(i) % u128::from(q)) as u64).collect();
        for (cpu, count) in Cpu::available().flat_map(|cpu| [3, 200].map(|count| (cpu, count))) {
            let ring = Ring::new_on(cpu, q, &polynomial, Operands::any().sums(count)).unwrap();
            let times = |x: &u64| (u128::from(*x) * count as u128 % u128::from(q)) as u64;
            let of_greatest: Vec<u64> = product.iter().map(times).collect();
            let pair = (&greatest[..], &greatest[..]);
            assert_eq!(
                sums_of(&ring, &vec![pair; count]).each_ref(),
                [&of_greatest; 2],
                "{ring:?} of {count}"
            );
            let pairs: Vec<_> = pairs.iter().map(|[a, b]| (&a[..], &b[..])).collect();
            assert_eq!(sums_of(&ring, &pairs).each_ref(), [&of_random; 2], "{ring:?} of random ones");
            let (mut room, mut out) = (ring.room().unwrap(), vec![0; n]);
            let prepared = ring.prepare(&greatest).unwrap();
            for number in [0, count + 1] {
                let refused = Err(RingError::Operands);
                assert_eq!(ring.sum_of_products(&vec![pair; number], &mut out, &mut room), refused);
                let pairs = vec![(&greatest[..], &prepared); number];
                assert_eq!(ring.sum_of_products_prepared(&pairs, &mut out, &mut room), refused);
            }
        }
    }
}

/// Protects: a room or a prepared factor of another ring is refused, whatever differs, and nothing panics.
#[test]
fn rooms_of_other_rings() {
    let of = |q, terms: &[(usize, i64)]| Ring::new(q, &Polynomial::new(terms).unwrap()).unwrap();
    let dense: Vec<u64> = (0..40).map(|i| i % 17).chain([1]).collect();
    let rings = [
        of(12289, &[(40, 1), (0, 1)]),
        of(1 << 40, &[(40, 1), (0, 1)]),
        of(1 << 62, &[(40, 1), (0, 1)]),
        of(12289, &[(41, 1), (0, 1)]),
        of(12289, &[(64, 1), (0, 1)]),
        of(40961, &[(64, 1), (0, 1)]),
        of(12289, &[(4, 1), (0, 1)]),
        of(5, &[(4, 1), (0, 1)]),
        Ring::new(12289, &Polynomial::dense(&dense).unwrap()).unwrap(),
    ];
    for (ring, other) in rings.iter().flat_map(|ring| rings.iter().map(move |other| (ring, other))) {
        let (a, mut out) = (vec![1; ring.degree()], vec![0_u64; ring.degree()]);
        let (mut room, mut own) = (other.room().unwrap(), ring.room().unwrap());
        // Rooms of rings that take the same memory are interchangeable.
        if ring.product(&a, &a, &mut out, &mut room).is_ok() {
            let product = out.clone();
            ring.product(&a, &a, &mut out, &mut own).unwrap();
            assert_eq!(out, product, "{ring:?} in the room of {other:?}");
        }
        let _ = ring.sum_of_products(&[(&a[..], &a[..])], &mut out, &mut room);
        let _ = ring.remainder(&a, &mut out, &mut room);
        let prepared = other.prepare(&vec![1_u64; other.degree()]).unwrap();
        let done = ring.product_prepared(&a, &prepared, &mut out, &mut own);
        assert_eq!(done.is_ok(), std::ptr::eq(ring, other), "{ring:?}, prepared by {other:?}");
        let pair = [(&a[..], &prepared)];
        let done = ring.sum_of_products_prepared(&pair, &mut out, &mut own);
        let expected = if std::ptr::eq(ring, other) { Ok(()) } else { Err(RingError::OtherRing) };
        assert_eq!(done, expected, "a sum in {ring:?}, prepared by {other:?}");
        let own_factor = ring.prepare(&a).unwrap();
        let _ = ring.sum_of_products_prepared(&[(&a[..], &own_factor)], &mut out, &mut room);
    }
}

/// Protects: operands of another length, numbers beyond `q`, and integers too small for it are errors.
#[test]
fn operands() {
    let ring = Ring::new(70000, &"x^3-1".parse().unwrap()).unwrap();
    let (mut room, mut out) = (ring.room().unwrap(), [0_u32; 3]);
    let length = |has| Err(RingError::Length { needs: 3, has });
    assert_eq!(ring.product(&[1; 2], &[1; 3], &mut out, &mut room), length(2));
    assert_eq!(ring.product(&[1; 3], &[1; 4], &mut out, &mut room), length(4));
    assert_eq!(ring.product(&[1; 3], &[1; 3], &mut out[..2], &mut room), length(2));
    assert_eq!(ring.product(&[70000, 0, 0], &[1; 3], &mut out, &mut room), Err(RingError::Range));
    assert_eq!(ring.product(&[0; 3], &[0, 0, u32::MAX], &mut out, &mut room), Err(RingError::Range));
    assert_eq!(ring.product(&[1_u16; 3], &[1; 3], &mut [0; 3], &mut room), Err(RingError::Range));
    let mut wide = [0; 3];
    assert_eq!(ring.product(&[u64::MAX, 0, 0], &[1; 3], &mut wide, &mut room), Err(RingError::Range));
    ring.product(&[69999, 0, 1], &[2, 0, 0], &mut out, &mut room).unwrap();
    assert_eq!(out, [69998, 0, 2]);
}
