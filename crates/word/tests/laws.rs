//! Products, on every backend of this machine, against the definition and by laws.

use ringsmith_oracle::{Random, product};
use ringsmith_simd::{Cpu, Cpu52};
use ringsmith_word::{Form, Method, Polynomial, Shape, WordError, WordRing};

/// Whether the tests run as they are: x86-64 runs 32-bit x86, whose kernels are plain Rust. Elsewhere this
/// code is emulated, and slow.
const NATIVE: bool = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
/// The logarithm of the longest degree, and of the longest that is compared with the definition.
const LONGEST: u32 = if NATIVE { 17 } else { 13 };
const DEFINED: u32 = if NATIVE { 10 } else { 7 };
/// That of the longest that go there and back alone, in many shapes: plain Rust is slow, too.
const ALONE: u32 = if cfg!(target_arch = "x86") { 15 } else { LONGEST };

/// Primes for every degree, of 30, 46, 49, 50, 51, 60 and 62 bits: lanes of 32 bits, of 64 that hold numbers
/// of 52, and such that hold numbers of 64, the latter two in all ranges of their bounds.
const OF_EVERY_KIND: [u64; 7] = [
    1_073_479_681,
    70_368_740_769_793,
    562_949_950_537_729,
    1_125_899_902_124_033,
    2_251_799_807_131_649,
    1_152_921_504_606_584_833,
    4_611_686_018_425_815_041,
];

const SHAPES: [Shape; 2] = [Shape::Negacyclic, Shape::Cyclic];
/// The pieces of longer polynomials.
const PIECES: [Shape; 3] = [Shape::Quarter, Shape::Eighth, Shape::ThreeEighths];

fn is_prime(p: u64) -> bool {
    // A number of 64 bits that passes these bases is prime.
    let power =
        |base: u64, exponent: u64| ringsmith_oracle::power(i128::from(base), exponent, i128::from(p)) as u64;
    let s = (p - 1).trailing_zeros();
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
        let x = power(base, (p - 1) >> s);
        p == base || !p.is_multiple_of(base) && (x == 1 || (0..s).any(|i| power(x, 1 << i) == p - 1))
    })
}

/// The greatest prime below `2^bits` that is 1 modulo `order`.
fn greatest_prime(bits: u32, order: u64) -> Option<u64> {
    let top = (1_u64 << bits) / order;
    (1..=top).rev().map(|k| k * order + 1).filter(|p| *p < 1 << bits).find(|p| is_prime(*p))
}

/// The least prime that is 1 modulo `order` and above a number.
fn least_prime(above: u64, order: u64) -> Option<u64> {
    (above / order..).map(|k| k * order + 1).find(|p| *p > above.max(2) && is_prime(*p))
}

/// The least prime that is 1 modulo `order`, the least above each of the powers of two where other lanes or
/// bounds begin, and the greatest below each.
fn primes(order: u64) -> Vec<u64> {
    const POWERS: [u32; 8] = [20, 30, 46, 49, 50, 51, 60, 62];
    let least = POWERS[1..7].iter().map(|bits| 1 << bits).filter_map(|above| least_prime(above, order));
    let greatest = POWERS.into_iter().filter_map(|bits| greatest_prime(bits, order));
    least_prime(0, order).into_iter().chain(least).chain(greatest).collect()
}

fn order(shape: Shape, n: usize) -> u64 {
    (n * shape.order()) as u64
}

fn random(random: &mut Random, n: usize, p: u64) -> Vec<u64> {
    (0..n).map(|_| random.word() % p).collect()
}

fn coefficients(a: &Polynomial) -> Vec<u64> {
    a.coefficients().collect()
}

/// The product of polynomials by its definition.
fn by_definition(ring: &WordRing, a: &[u64], b: &[u64]) -> Vec<u64> {
    match ring.shape() {
        Shape::Cyclic => wrapped(ring.prime(), ringsmith_oracle::Shape::Cyclic, a, b),
        Shape::Negacyclic => wrapped(ring.prime(), ringsmith_oracle::Shape::Negacyclic, a, b),
        _ => of_a_piece(ring, a, b),
    }
}

/// The same modulo `x^n - root^(k n)`: of the whole product.
fn of_a_piece(ring: &WordRing, a: &[u64], b: &[u64]) -> Vec<u64> {
    let (n, p) = (ring.degree(), i128::from(ring.prime()));
    let padded = |a: &[u64]| [a, &vec![0; n]].concat();
    let whole = wrapped(ring.prime(), ringsmith_oracle::Shape::Cyclic, &padded(a), &padded(b));
    let exponent = (ring.shape().exponent() * n) as u64;
    let constant = ringsmith_oracle::power(i128::from(ring.root()), exponent, p);
    let (low, high) = whole.split_at(n);
    low.iter().zip(high).map(|(x, y)| ((i128::from(*x) + i128::from(*y) * constant) % p) as u64).collect()
}

/// The product modulo `x^n - 1` or `x^n + 1`. The second factor is taken in two parts, so that sums of
/// products are no longer than the oracle's numbers.
fn wrapped(p: u64, shape: ringsmith_oracle::Shape, a: &[u64], b: &[u64]) -> Vec<u64> {
    let of = ringsmith_oracle::Ring { q: i128::from(p), n: a.len(), shape };
    let wide = |a: &[u64], part: fn(u64) -> u64| a.iter().map(|x| i128::from(part(*x))).collect::<Vec<_>>();
    let a = wide(a, |x| x);
    let low = product(of, &a, &wide(b, |x| x & u64::from(u32::MAX)));
    let high = product(of, &a, &wide(b, |x| x >> u32::BITS));
    low.into_iter().zip(high).map(|(low, high)| ((low + (high << u32::BITS)) % of.q) as u64).collect()
}

/// All products: in memory of one's own, by two transforms and by a prepared operand.
fn products(ring: &WordRing, a: &[u64], b: &[u64]) -> Result<[Vec<u64>; 3], WordError> {
    let [a, b] = [ring.polynomial(a)?, ring.polynomial(b)?];
    let (mut out, mut scratch) = (a.try_clone()?, ring.zero()?);
    ring.product_into(&a, &b, &mut out, &mut scratch)?;
    let prepared = ring.prepare(b.try_clone()?)?;
    let product = ring.product(a.try_clone()?, b)?;
    let mut written = vec![0; ring.degree()];
    ring.coefficients(&product, &mut written)?;
    Ok([coefficients(&out), written, coefficients(&ring.product_prepared(a, &prepared)?)])
}

/// Protects: products of the worst operands (all coefficients `p - 1`) and of random ones, against the
/// definition, for every degree up to 1024, the primes at the ends of ranges, and every backend.
#[test]
fn products_by_definition() {
    let mut source = Random::new(1);
    for shape in SHAPES.into_iter().chain(PIECES) {
        // Pieces have twice the definition to compute.
        let longest = if PIECES.contains(&shape) { DEFINED - 2 } else { DEFINED };
        for n in (1..=longest).map(|k| 1 << k) {
            for p in primes(order(shape, n)) {
                let worst = vec![p - 1; n];
                let mut pairs = vec![(random(&mut source, n, p), random(&mut source, n, p))];
                if n <= 256 {
                    pairs.extend([(worst.clone(), worst.clone()), (worst, random(&mut source, n, p))]);
                }
                let rings: Vec<_> =
                    Cpu::available().map(|cpu| WordRing::new_on(cpu, shape, n, p).unwrap()).collect();
                for (a, b) in pairs {
                    let expected = by_definition(&rings[0], &a, &b);
                    for ring in &rings {
                        for got in products(ring, &a, &b).unwrap() {
                            assert_eq!(got, expected, "{ring:?}");
                        }
                    }
                }
            }
        }
    }
}

/// `(p - 1) (1 + x + .. + x^(n-1))` squared: coefficient `i` is a sum of `i + 1` ones that don't wrap and
/// `n - 1 - i` that do.
fn square_of_worst(shape: Shape, n: usize, p: u64) -> Vec<u64> {
    let (n, p) = (n as i128, i128::from(p));
    let sign = if shape == Shape::Cyclic { 1 } else { -1 };
    (0..n).map(|i| (i + 1 + sign * (n - 1 - i)).rem_euclid(p) as u64).collect()
}

/// Protects: the bounds of lanes, by the worst operands in transforms from 256 coefficients on, up to the
/// longest; and the walk of those that leave the first cache. With the least and the greatest
/// primes, on every backend.
#[test]
fn long_products_of_the_worst() {
    for shape in SHAPES {
        for n in (8..=LONGEST).map(|k| 1 << k) {
            for p in primes(order(shape, n)) {
                let worst = vec![p - 1; n];
                for cpu in Cpu::available() {
                    let ring = WordRing::new_on(cpu, shape, n, p).unwrap();
                    let expected = square_of_worst(shape, n, p);
                    for got in products(&ring, &worst, &worst).unwrap() {
                        assert!(got == expected, "{ring:?}");
                    }
                }
            }
        }
    }
}

/// Protects: long transforms of values that are nowhere the same, in lanes of every kind. A product by
/// `x^(n-1)` moves coefficients one place down, and the constant term changes its sign where it wraps the
/// other way.
#[test]
fn long_products_by_a_power() {
    let mut source = Random::new(2);
    for (shape, p) in SHAPES.into_iter().flat_map(|shape| OF_EVERY_KIND.map(|p| (shape, p))) {
        for n in (1..=LONGEST).map(|k| 1 << k) {
            let a = random(&mut source, n, p);
            let mut power = vec![0; n];
            power[n - 1] = 1;
            let negated = |x: u64| if shape == Shape::Cyclic { x } else { (p - x) % p };
            let mut expected: Vec<u64> = a[1..].iter().map(|x| negated(*x)).collect();
            expected.push(a[0]);
            for cpu in Cpu::available() {
                let ring = WordRing::new_on(cpu, shape, n, p).unwrap();
                for got in products(&ring, &a, &power).unwrap() {
                    assert!(got == expected, "{ring:?}");
                }
            }
        }
    }
}

/// Protects: coefficients that come and go chunk by chunk are those that come at once, in rooms of every size
/// and in the memory of a transform; those behind the last one are 0; and the transform that a product
/// leaves of its second factor is that factor's.
#[test]
fn chunks_of_coefficients() {
    let mut source = Random::new(4);
    for (n, p) in [8, 64, 1024, 1 << 15].into_iter().flat_map(|n| OF_EVERY_KIND.map(|p| (n, p))) {
        for (count, size) in [(n, 8), (n / 2, 16), (n / 2 + 3, 64), (n - 1, 1024), (0, 8)] {
            let mut a = random(&mut source, n, p);
            a[count..].fill(0);
            let fill =
                |first: usize, chunk: &mut [u64]| chunk.copy_from_slice(&a[first..first + chunk.len()]);
            let room = &mut vec![0; size + 7];
            for cpu in Cpu::available() {
                let ring = WordRing::new_on(cpu, Shape::Cyclic, n, p).unwrap();
                let whole = ring.polynomial(&a).unwrap();
                let mut chunks = ring.polynomial(&vec![1; n]).unwrap();
                ring.set_by(&mut chunks, count, room, fill).unwrap();
                assert!(coefficients(&chunks) == a, "{ring:?}, {count} coefficients");
                let left = ring.multiply(&mut chunks, whole.try_clone().unwrap()).unwrap();
                let back = ring.inverse(left.try_clone().unwrap()).unwrap();
                assert!(coefficients(&back) == a, "{ring:?}: of a second factor");
                let again = ring.reset(left.try_clone().unwrap(), &a).unwrap();
                let by_chunks = ring.reset_by(left, count, room, fill).unwrap();
                assert!(coefficients(&again) == a && coefficients(&by_chunks) == a, "{ring:?}: in memory");
                let mut parts = vec![0; n];
                for (i, part) in parts.chunks_mut(size).enumerate() {
                    ring.coefficients_part(&whole, i * size, part).unwrap();
                }
                assert!(parts == a, "{ring:?}: in parts of {size}");
            }
        }
    }
}

/// Protects: the way there and back, without a product between, of random and of the worst polynomials.
#[test]
fn transforms_there_and_back() {
    let mut source = Random::new(3);
    for shape in SHAPES.into_iter().chain(PIECES) {
        for n in (1..=ALONE).map(|k| 1 << k) {
            for p in primes(order(shape, n)) {
                for cpu in Cpu::available() {
                    let ring = WordRing::new_on(cpu, shape, n, p).unwrap();
                    let (mut into, mut back) = (ring.zero().unwrap(), ring.polynomial(&vec![0; n]).unwrap());
                    for a in [random(&mut source, n, p), vec![p - 1; n], vec![0; n]] {
                        let polynomial = ring.polynomial(&a).unwrap();
                        ring.forward_into(&polynomial, &mut into).unwrap();
                        ring.inverse_into(&into, &mut back).unwrap();
                        assert!(coefficients(&back) == a, "{ring:?}");
                        let there = ring.forward(polynomial).unwrap();
                        assert!(coefficients(&ring.inverse(there).unwrap()) == a, "{ring:?}");
                    }
                }
            }
        }
    }
}

/// Protects: the order of the values, as it is documented, and that values make a transform again.
#[test]
fn values_are_in_the_order_that_is_documented() {
    let mut source = Random::new(4);
    for shape in SHAPES.into_iter().chain(PIECES) {
        for n in (1..=9).map(|k| 1_usize << k) {
            for p in primes(order(shape, n)) {
                let a = random(&mut source, n, p);
                for cpu in Cpu::available() {
                    let ring = WordRing::new_on(cpu, shape, n, p).unwrap();
                    let mut values = vec![0; n];
                    ring.values(ring.forward(ring.polynomial(&a).unwrap()).unwrap(), &mut values).unwrap();
                    assert_eq!(values, expected_values(&ring, &a), "{ring:?}");
                    let back = ring.inverse(ring.transformed(&values).unwrap()).unwrap();
                    assert_eq!(coefficients(&back), a, "{ring:?}");
                }
            }
        }
    }
}

/// The values by Horner's rule.
fn expected_values(ring: &WordRing, a: &[u64]) -> Vec<u64> {
    let (n, p, root) = (ring.degree(), i128::from(ring.prime()), i128::from(ring.root()));
    let wide: Vec<i128> = a.iter().map(|x| i128::from(*x)).collect();
    let value = |i: usize| {
        let reversed = (i.reverse_bits() >> (usize::BITS - n.trailing_zeros())) as u64;
        let exponent = ring.shape().order() as u64 * reversed + ring.shape().exponent() as u64;
        ringsmith_oracle::evaluate(&wide, ringsmith_oracle::power(root, exponent, p), p) as u64
    };
    (0..n).map(value).collect()
}

/// Protects: sums of products, of values as a transform leaves them and of reduced ones, by both kinds of
/// second factor, many times in a row. Short ones against the definition, others against the ring's own
/// products.
#[test]
fn sums_of_products() {
    let mut source = Random::new(5);
    let every = [64, 1024].into_iter().flat_map(|n| OF_EVERY_KIND.map(|p| (n, p)));
    for (n, p) in every.chain([(8, 17), (2048, 49_201_153)]) {
        for cpu in Cpu::available() {
            let ring = WordRing::new_on(cpu, Shape::Negacyclic, n, p).unwrap();
            let (mut sum, mut expected) = (ring.zero().unwrap(), vec![0; n]);
            let b = random(&mut source, n, p);
            let transformed = ring.forward(ring.polynomial(&b).unwrap()).unwrap();
            let prepared = ring.prepare(ring.polynomial(&b).unwrap()).unwrap();
            for round in 0..40 {
                let a = if round % 2 == 0 { vec![p - 1; n] } else { random(&mut source, n, p) };
                let product = if n <= 64 {
                    by_definition(&ring, &a, &b)
                } else {
                    products(&ring, &a, &b).unwrap()[0].clone()
                };
                expected.iter_mut().zip(product).for_each(|(sum, x)| *sum = (*sum + x) % p);
                let a = ring.forward(ring.polynomial(&a).unwrap()).unwrap();
                if round % 3 == 0 {
                    ring.accumulate(&mut sum, &a, &transformed).unwrap();
                } else {
                    ring.accumulate_prepared(&mut sum, &a, &prepared).unwrap();
                }
            }
            assert_eq!(coefficients(&ring.inverse(sum).unwrap()), expected, "{ring:?}");
        }
    }
}

/// Protects: sums that begin with a transform as it is, whose values are not reduced; the greatest prime of
/// lanes of 32 bits leaves them no room.
#[test]
fn sums_that_begin_with_a_transform() {
    let (n, mut source) = (1024, Random::new(7));
    for p in OF_EVERY_KIND {
        for cpu in Cpu::available() {
            let ring = WordRing::new_on(cpu, Shape::Negacyclic, n, p).unwrap();
            let [a, b] = [(); 2].map(|()| random(&mut source, n, p));
            let product = &products(&ring, &a, &b).unwrap()[0];
            let expected: Vec<_> = a.iter().zip(product).map(|(a, product)| (a + product) % p).collect();
            let [a, b] = [a, b].map(|a| ring.polynomial(&a).unwrap());
            let prepared = ring.prepare(b.try_clone().unwrap()).unwrap();
            let [a, b] = [a, b].map(|a| ring.forward(a).unwrap());
            let [mut sum, mut other] = [(); 2].map(|()| a.try_clone().unwrap());
            ring.accumulate(&mut sum, &a, &b).unwrap();
            ring.accumulate_prepared(&mut other, &a, &prepared).unwrap();
            for sum in [sum, other] {
                assert!(coefficients(&ring.inverse(sum).unwrap()) == expected, "{ring:?}");
            }
        }
    }
}

/// Protects: a chain of products, each of a product and a transform that is not reduced.
#[test]
fn chains_of_products() {
    let n = 128;
    for (cpu, p) in Cpu::available().flat_map(|cpu| OF_EVERY_KIND.map(|p| (cpu, p))) {
        let ring = WordRing::new_on(cpu, Shape::Negacyclic, n, p).unwrap();
        let a = vec![p - 1; n];
        let one = ring.forward(ring.polynomial(&a).unwrap()).unwrap();
        let mut power = one.try_clone().unwrap();
        let mut expected = a.clone();
        for _ in 0..4 {
            ring.pointwise(&mut power, &one).unwrap();
            expected = by_definition(&ring, &expected, &a);
        }
        // And by itself.
        let same = power.try_clone().unwrap();
        ring.pointwise(&mut power, &same).unwrap();
        expected = by_definition(&ring, &expected, &expected);
        assert_eq!(coefficients(&ring.inverse(power).unwrap()), expected, "{ring:?}");
    }
}

/// Protects: transforms of a backend are read by another, where both have lanes of one kind; else they are
/// refused. Up to 30 bits these are of 32 bits, or of 52 where instructions multiply those; up to 49, of 52
/// there and in plain Rust, or doubles, or of 64; up to 51, of 52 there, or of 64; beyond, of 64.
#[test]
fn backends_share_operands() {
    let n = 256;
    for p in OF_EVERY_KIND {
        let a = random(&mut Random::new(6), n, p);
        let rings: Vec<_> =
            Cpu::available().map(|cpu| WordRing::new_on(cpu, Shape::Negacyclic, n, p).unwrap()).collect();
        let lanes = |ring: &WordRing| match ring.cpu() {
            cpu if p >> 30 == 0 && !cpu.multiplies_52() => "words of 32 bits",
            cpu if p >> 49 == 0 && cpu.multiplies_doubles() => "doubles",
            cpu if p >> 51 == 0 && Cpu52::new(cpu).is_some() => "words of 52 bits",
            _ => "words of 64 bits",
        };
        for one in &rings {
            for other in &rings {
                let there = one.forward(one.polynomial(&a).unwrap()).unwrap();
                let back = other.inverse(there).map(|back| coefficients(&back));
                let expected =
                    if lanes(one) == lanes(other) { Ok(a.clone()) } else { Err(WordError::OtherRing) };
                assert_eq!(back, expected, "{one:?}, {other:?}");
            }
        }
    }
}

/// Every method without transforms.
fn methods() -> impl Iterator<Item = Method> {
    let forms = [Form::Proposed, Form::Original].into_iter();
    let interleaved = forms.flat_map(|form| (0..7).map(move |k| Method::Interleaved { word: 1 << k, form }));
    interleaved.chain([Method::Schoolbook])
}

/// Protects: products without transforms are those by transforms, of random operands and of the worst, with
/// the paper's prime, the least one and the greatest that they serve, in every length of a step and every
/// backend.
#[test]
fn products_without_transforms() {
    let mut source = Random::new(9);
    for shape in SHAPES {
        for n in (6..=LONGEST.min(12)).step_by(2).map(|k| 1 << k) {
            let least = primes(order(shape, n))[0];
            for p in [least, 49_201_153, greatest_prime(26, order(shape, n)).unwrap()] {
                let (worst, some) = (vec![p - 1; n], random(&mut source, n, p));
                for cpu in Cpu::available() {
                    let ring = WordRing::new_on(cpu, shape, n, p).unwrap();
                    for (a, b) in [(&worst, &worst), (&some, &worst), (&worst, &some), (&some, &some)] {
                        let [a, b] = [a, b].map(|a| ring.polynomial(a).unwrap());
                        let expected = coefficients(
                            &ring.product(a.try_clone().unwrap(), b.try_clone().unwrap()).unwrap(),
                        );
                        for method in methods().filter(|method| n < 4096 || *method == PAPERS) {
                            let got = coefficients(&ring.product_by(method, &a, &b).unwrap());
                            assert!(got == expected, "{ring:?} {method:?}");
                        }
                    }
                }
            }
        }
    }
}

/// One of them: few, where they are long.
const PAPERS: Method = Method::Interleaved { word: 32, form: Form::Proposed };
