//! The transform in 32-bit lanes: the values of the definition in the standard's order, products of the
//! oracle, and the worst values of every bound, on every backend.

use ringsmith_oracle::{Random, Ring, Shape, centred, evaluate, power, product};
use ringsmith_ring::Rows32;
use ringsmith_ring::algorithm::words::{Order, Products, Standard, TERMS, Tiled, Values, WordNtt, place};
use ringsmith_ring::bound::Bound;
use ringsmith_simd::Cpu;
use std::panic::catch_unwind;

/// The ring of ML-DSA.
const Q: i64 = 8380417;
type MlDsa = WordNtt<Q, 32>;
/// The root of FIPS 204.
const ZETA: i128 = 1753;

/// Coefficients of the least and the greatest values, and random ones, in `[low, high]`.
fn operands<const ROWS: usize>(low: i64, high: i64, random: &mut Random) -> Vec<Rows32<ROWS>> {
    let of = |mut x: Box<dyn FnMut(usize) -> i64 + '_>| {
        let mut rows = Rows32([[0; 8]; ROWS]);
        rows.0.as_flattened_mut().iter_mut().enumerate().for_each(|(i, to)| *to = x(i) as i32);
        rows
    };
    let mut all = vec![
        of(Box::new(|_| low)),
        of(Box::new(|_| high)),
        of(Box::new(|i| if i % 2 == 0 { low } else { high })),
        of(Box::new(|i| if i == 1 { 1 } else { 0 })),
        of(Box::new(|i| if i == 8 * ROWS - 1 { high } else { 0 })),
    ];
    all.push(of(Box::new(|_| if random.word() & 1 == 0 { low } else { high })));
    all.push(of(Box::new(|_| random.within(low, high))));
    all
}

fn wide<const ROWS: usize>(rows: &Rows32<ROWS>) -> Vec<i128> {
    rows.0.as_flattened().iter().map(|x| i128::from(*x)).collect()
}

/// Values at `zeta^(2 brv(p) + 1)`, place by place.
fn values_by_definition(a: &[i128], zeta: i128, q: i128) -> Vec<i128> {
    let bits = a.len().trailing_zeros();
    let at = |p: usize| 2 * (p.reverse_bits() >> (usize::BITS - bits)) as u64 + 1;
    (0..a.len()).map(|p| evaluate(a, power(zeta, at(p), q), q)).collect()
}

fn transform<const Q: i64, const ROWS: usize, O: Order>(cpu: Cpu, a: &Rows32<ROWS>) -> Values<Q, ROWS, O> {
    let mut out = Values::ZERO;
    WordNtt::<Q, ROWS>::forward(cpu, a, &mut out);
    out
}

/// Protects: values are those of FIPS 204 in its order, or in the tiled order at their places; and bounds
/// hold.
#[test]
fn values_of_the_standard() {
    assert_eq!(MlDsa::VALUES, *MlDsa::forward_bounds(MlDsa::INPUT).last().unwrap());
    for a in operands::<32>(-Q, Q, &mut Random::new(1)) {
        let expected = values_by_definition(&wide(&a), ZETA, Q.into());
        for cpu in Cpu::available() {
            let (standard, tiled) =
                (transform::<Q, 32, Standard>(cpu, &a), transform::<Q, 32, Tiled>(cpu, &a));
            for (row, lane) in (0..256).map(|i| (i / 8, i % 8)) {
                let (x, y) = (standard.rows()[row][lane], tiled.rows()[row][lane]);
                for (x, p) in [(x, 8 * row + lane), (y, place(row, lane))] {
                    assert!(MlDsa::VALUES.contains(x.into()), "{x} on {cpu:?}");
                    assert_eq!(i128::from(x).rem_euclid(Q.into()), expected[p], "value {p} on {cpu:?}");
                }
            }
            let (mut there, mut back) = (Values::ZERO, Values::ZERO);
            standard.tiled(cpu, &mut there);
            assert_eq!(there.rows(), tiled.rows());
            tiled.standard(cpu, &mut back);
            assert_eq!(back.rows(), standard.rows());
        }
    }
}

/// The oracle's product in both forms.
fn expect(q: i64, a: &[i128], b: &[i128]) -> [Vec<i128>; 2] {
    let ring = Ring { q: q.into(), n: a.len(), shape: Shape::Negacyclic };
    let residues = product(ring, a, b);
    let around = residues.iter().map(|x| centred(*x, q.into())).collect();
    [residues, around]
}

/// A product in both forms.
fn multiply<const Q: i64, const ROWS: usize, O: Order>(
    cpu: Cpu,
    a: &Rows32<ROWS>,
    b: &Rows32<ROWS>,
) -> [Vec<i128>; 2] {
    let (a, b) = (transform::<Q, ROWS, O>(cpu, a), transform::<Q, ROWS, O>(cpu, b));
    let (mut products, mut out) = (Products::ZERO, [Rows32([[0; 8]; ROWS]); 2]);
    WordNtt::<Q, ROWS>::accumulate(cpu, [&a], [&b], &mut products);
    WordNtt::<Q, ROWS>::inverse(cpu, &mut products.clone(), &mut out[0]);
    WordNtt::<Q, ROWS>::inverse_centred(cpu, &mut products, &mut out[1]);
    out.map(|x| wide(&x))
}

/// All pairs of operands.
fn products<const Q: i64, const ROWS: usize>() {
    let all = operands::<ROWS>(-Q, Q, &mut Random::new(2));
    for (i, a) in all.iter().enumerate() {
        for b in &all[i..] {
            let expected = expect(Q, &wide(a), &wide(b));
            for cpu in Cpu::available() {
                assert_eq!(multiply::<Q, ROWS, Standard>(cpu, a, b), expected, "on {cpu:?}");
                assert_eq!(multiply::<Q, ROWS, Tiled>(cpu, a, b), expected, "on {cpu:?}");
            }
        }
    }
}

/// Protects: products in ML-DSA's ring.
#[test]
fn products_of_ml_dsa() {
    products::<Q, 32>();
}

/// Protects: what is written for any modulus and 64 rows is right for them: small primes, and the greatest
/// that serves 512 coefficients.
#[test]
fn products_modulo_others() {
    products::<7681, 32>();
    products::<12289, 64>();
    products::<4191233, 64>();
}

/// Protects: each term of a sum is the product of its two operands, as a row of a matrix times a vector has
/// them.
#[test]
fn sums_of_products() {
    fn sum<O: Order>(cpu: Cpu, a: &[Rows32<32>; 5], b: &[Rows32<32>; 5]) -> Vec<i128> {
        let (x, y) = (a.each_ref().map(|a| transform::<Q, 32, O>(cpu, a)), b.each_ref());
        let y = y.map(|b| transform::<Q, 32, O>(cpu, b));
        let (mut products, mut out) = (Products::ZERO, Rows32([[0; 8]; 32]));
        MlDsa::accumulate(cpu, x.each_ref(), y.each_ref(), &mut products);
        MlDsa::inverse(cpu, &mut products, &mut out);
        wide(&out)
    }
    let mut random = Random::new(4);
    let [a, b] = [0, 1].map(|_| [0; 5].map(|_| *operands::<32>(-Q, Q, &mut random).last().unwrap()));
    let mut expected = vec![0; 256];
    for (a, b) in a.iter().zip(&b) {
        let [product, _] = expect(Q, &wide(a), &wide(b));
        expected.iter_mut().zip(product).for_each(|(sum, x)| *sum = (*sum + x) % i128::from(Q));
    }
    for cpu in Cpu::available() {
        assert_eq!(sum::<Standard>(cpu, &a, &b), expected, "on {cpu:?}");
        assert_eq!(sum::<Tiled>(cpu, &a, &b), expected, "on {cpu:?}");
    }
}

/// Values of one size.
fn constant(x: i64) -> Values<Q, 32> {
    let mut values = Values::ZERO;
    values.rows_mut().as_flattened_mut().fill(x as i32);
    values
}

/// Protects: sums of up to eight products of the greatest values, of all signs, are right, and at most `q`.
#[test]
fn greatest_sums_of_products() {
    fn sum<const K: usize>(cpu: Cpu) {
        let greatest = MlDsa::VALUES.magnitude();
        for (x, y) in [(greatest, greatest), (-greatest, greatest), (greatest, Q - 1), (1, 1)] {
            let (a, b) = (constant(x), constant(y));
            let (mut products, mut out) = (Products::ZERO, Rows32([[0; 8]; 32]));
            MlDsa::accumulate(cpu, [&a; K], [&b; K], &mut products);
            MlDsa::inverse(cpu, &mut products, &mut out);
            // The polynomial whose values are all the same is constant.
            let expected = (K as i128 * i128::from(x) * i128::from(y)).rem_euclid(Q.into());
            let mut all = vec![0; 256];
            all[0] = expected;
            assert_eq!(wide(&out), all, "{K} of {x} and {y} on {cpu:?}");
        }
    }
    for cpu in Cpu::available() {
        sum::<1>(cpu);
        sum::<2>(cpu);
        sum::<3>(cpu);
        sum::<4>(cpu);
        sum::<5>(cpu);
        sum::<6>(cpu);
        sum::<7>(cpu);
        sum::<TERMS>(cpu);
    }
}

/// Protects: the compiler's bounds. Forward each layer adds at most `q` and a little; backward lanes double,
/// and `256 q` just fits.
#[test]
fn bounds() {
    let forward = MlDsa::forward_bounds(MlDsa::INPUT).map(Bound::magnitude);
    assert!(forward.is_sorted() && forward[5] < 10 * Q, "{forward:?}");
    let backward = MlDsa::inverse_bounds(MlDsa::PRODUCTS).map(Bound::magnitude);
    assert_eq!(backward[8], 256 * Q);
    assert!(backward[8] < 1 << 31 && 2 * backward[8] >= 1 << 31);
    let overflows = |input| catch_unwind(|| MlDsa::inverse_bounds(Bound::symmetric(input))).is_err();
    assert!(!overflows((1 << 23) - 1) && overflows(1 << 23));
    assert!(catch_unwind(|| MlDsa::prove_inverse(Bound::symmetric(Q + 1))).is_err());
    MlDsa::prove_inverse(Bound::symmetric(Q));
}
