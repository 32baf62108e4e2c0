//! The table of the named rings, for rings that are known at run time: what an entry gives is what the ring
//! gives without it.

use ringsmith::any::{Expression, Inverses, Operands, Polynomial, Ring, RingError};
use ringsmith::compiled::table;
use ringsmith::ml_dsa::rings::MlDsa;
use ringsmith::rings::{NtruPrime761, NtruPrime1277};
use ringsmith::{Cpu, Planner, Ring as Named};
use ringsmith_oracle::{self as oracle, Random};

/// The modulus and the polynomial of every ring of the table.
fn entries() -> Vec<(u64, Polynomial)> {
    let f = |terms| Polynomial::new(terms).unwrap();
    let halves = table().rings.iter().map(|entry| (entry.modulus(), f(entry.terms())));
    halves.chain(table().words.iter().map(|entry| (entry.modulus(), f(entry.terms())))).collect()
}

/// Rings by the table and without it: every one on every backend.
fn all(operands: Operands) -> impl Iterator<Item = [Ring; 2]> {
    Cpu::available().flat_map(move |cpu| {
        entries().into_iter().map(move |(q, f)| {
            let by_table = Ring::with_compiled(cpu, q, &f, operands, table()).unwrap();
            assert!(by_table.route().to_string().starts_with("compiled, "), "{by_table:?}");
            [by_table, Ring::new_on(cpu, q, &f, operands).unwrap()]
        })
    })
}

/// What operations give: products, also prepared ones, and sums of two, likewise.
fn results(ring: &Ring, a: &[u32], b: &[u32]) -> [Vec<u32>; 4] {
    let (mut room, mut out) = (ring.room().unwrap(), [(); 4].map(|()| vec![0; a.len()]));
    let prepared = ring.prepare(b).unwrap();
    ring.product(a, b, &mut out[0], &mut room).unwrap();
    ring.product_prepared(a, &prepared, &mut out[1], &mut room).unwrap();
    ring.sum_of_products(&[(a, b), (b, b)], &mut out[2], &mut room).unwrap();
    ring.sum_of_products_prepared(&[(a, &prepared), (b, &prepared)], &mut out[3], &mut room).unwrap();
    out
}

/// Protects: every ring of the table, on every backend: random operands, and the least, the greatest and the
/// middle coefficients, where centred ones change their sign.
#[test]
fn products() {
    let mut random = Random::new(1);
    for [by_table, plain] in all(Operands::any().sums(2)) {
        let (n, q) = (plain.degree(), plain.modulus());
        let mut element = || (0..n).map(|_| (random.word() % q) as u32).collect::<Vec<_>>();
        let [a, b] = [element(), element()];
        assert_eq!(results(&by_table, &a, &b), results(&plain, &a, &b), "{by_table:?}");
        for x in [0, (q - 1) / 2, q / 2 + 1, q - 1] {
            let x = vec![x as u32; n];
            assert_eq!(results(&by_table, &a, &x), results(&plain, &a, &x), "{by_table:?}");
            assert_eq!(results(&by_table, &x, &x), results(&plain, &x, &x), "{by_table:?}");
        }
    }
}

/// Protects: small second factors, remainders, and batches.
#[test]
fn small_factors_remainders_and_batches() {
    let mut random = Random::new(2);
    for [by_table, plain] in all(Operands::any().small(1)) {
        let (n, q) = (plain.degree(), plain.modulus());
        let a: Vec<u32> = (0..2 * n).map(|_| (random.word() % q) as u32).collect();
        let small = |x: u64| ((x % 3 + q - 1) % q) as u32;
        let b: Vec<u32> = (0..2 * n).map(|_| small(random.word())).collect();
        let run = |ring: &Ring| {
            let mut out = [(); 2].map(|()| vec![0; 2 * n]);
            ring.products(&a, &b, &mut out[0]).unwrap();
            ring.remainder(&a[1..], &mut out[1][..n], &mut ring.room().unwrap()).unwrap();
            assert_eq!(ring.products(&b, &vec![2; 2 * n], &mut vec![0; 2 * n]), Err(RingError::Range));
            out
        };
        assert_eq!(run(&by_table), run(&plain), "{by_table:?}");
    }
}

/// Protects: inverses modulo a prime and modulo a power of two, whose lifting multiplies.
#[test]
fn inverses() {
    for expression in ["Z_3329[x]/(x^256+1)", "Z_2048[x]/(x^509-1)", MlDsa::NAME] {
        let Expression { q, f } = expression.parse().unwrap();
        let ring = Ring::with_compiled(Cpu::detect(), q, &f, Operands::any(), table()).unwrap();
        let n = ring.degree();
        let (mut a, mut inverse, mut one) = (vec![0_u32; n], vec![0; n], vec![0; n]);
        (a[0], a[1], a[5]) = (1, 2, 4);
        Inverses::new(&ring).unwrap().inverse(&a, &mut inverse).unwrap();
        ring.product(&a, &inverse, &mut one, &mut ring.room().unwrap()).unwrap();
        assert_eq!(one[0], 1, "{expression}");
        assert!(one[1..].iter().all(|x| *x == 0), "{expression}");
    }
}

/// Protects: the table has every named ring once, under its name, and by the planner's route.
#[test]
fn the_table() {
    let mut names: Vec<String> = entries().iter().map(|(q, f)| format!("Z_{q}[x]/({f})")).collect();
    let all = names.len();
    assert_eq!(all, 7 + 6 + 6 + 17 + 1 + 1);
    for name in [NtruPrime761::NAME, NtruPrime1277::NAME, MlDsa::NAME] {
        assert!(names.iter().any(|it| it == name), "{name}");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    for cpu in Cpu::available() {
        let Expression { q, f } = NtruPrime761::NAME.parse().unwrap();
        let ring = Ring::with_compiled(cpu, q, &f, Operands::any(), table()).unwrap();
        let planned = Planner::choose::<NtruPrime761>(cpu).route();
        assert_eq!(ring.route().to_string(), format!("compiled, {planned}"));
    }
}

/// The product by the definition: the oracle's.
fn definition(name: &str, a: &[u32], b: &[u32]) -> Vec<u32> {
    let ring = oracle::Ring::named(name).expect("a ring of the oracle");
    let [a, b] = [a, b].map(|x| x.iter().map(|x| i128::from(*x)).collect::<Vec<_>>());
    oracle::product(ring, &a, &b).into_iter().map(|x| x.rem_euclid(ring.q) as u32).collect()
}

/// Protects: ML-DSA's ring, on every backend: the oracle's products of random operands, of the greatest
/// coefficients of all signs, of powers of `x`, and of single coefficients at the ends.
#[test]
fn words_beside_the_definition() {
    let (mut random, q, n) = (Random::new(3), MlDsa::Q, MlDsa::N);
    let mut element = |of: u32| (0..n).map(|_| (random.word() % u64::from(of)) as u32).collect::<Vec<_>>();
    let power = |i: usize, c| (0..n).map(|j| if i == j { c } else { 0 }).collect::<Vec<_>>();
    let signs = element(2).into_iter().map(|x| [1, q - 1][x as usize]).collect::<Vec<_>>();
    let operands = [
        element(q),
        signs,
        vec![q - 1; n],
        vec![q / 2; n],
        vec![q / 2 + 1; n],
        vec![0; n],
        power(0, 1),
        power(1, q - 1),
        power(n - 1, q / 2),
    ];
    let products: Vec<_> =
        operands.iter().flat_map(|a| operands.iter().map(|b| definition(MlDsa::NAME, a, b))).collect();
    for cpu in Cpu::available() {
        let Expression { q, f } = MlDsa::NAME.parse().unwrap();
        let ring = Ring::with_compiled(cpu, q, &f, Operands::any().sums(2), table()).unwrap();
        assert_eq!(ring.route().to_string(), "compiled, words of 32 bits");
        let argument = ring.route().argument().to_string();
        // 256 q, where products of at most q have gone through eight layers.
        assert!(argument.ends_with("75776179 forward and 2145386752 backward, less than 2^31"), "{argument}");
        let pairs = operands.iter().flat_map(|a| operands.iter().map(move |b| (a, b)));
        for ((a, b), expected) in pairs.zip(&products) {
            let [product, prepared, ..] = results(&ring, a, b);
            assert_eq!(&product, expected, "{ring:?}");
            assert_eq!(&prepared, expected, "{ring:?}");
        }
    }
}

/// Protects: coefficients beyond the modulus, integers that do not hold them, small factors that are not,
/// and lengths, are errors in a ring of words too.
#[test]
fn words_refused() {
    let Expression { q, f } = MlDsa::NAME.parse().unwrap();
    let ring =
        |operands| Ring::with_compiled(Cpu::detect(), q, &f, operands, table()).expect("a ring of the table");
    let (any, small) = (ring(Operands::any()), ring(Operands::any().small(196)));
    let (mut out, mut room, one) = ([0_u64; 256], any.room().unwrap(), [1_u64; 256]);
    for bad in [q, q + 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 63, u64::MAX] {
        let x: [u64; 256] = core::array::from_fn(|i| if i == 200 { bad } else { 1 });
        assert_eq!(any.product(&x, &one, &mut out, &mut room), Err(RingError::Range), "{bad}");
        assert_eq!(any.product(&one, &x, &mut out, &mut room), Err(RingError::Range), "{bad}");
        assert_eq!(any.prepare(&x).err(), Some(RingError::Range), "{bad}");
        let Ok(x) = x.map(u32::try_from).into_iter().collect::<Result<Vec<_>, _>>() else { continue };
        assert_eq!(any.product(&x, &x, &mut [0; 256], &mut room), Err(RingError::Range), "{bad}");
    }
    // Numbers of 16 bits are all below q; a product of them need not have 16 bits.
    let short = [u16::MAX; 256];
    assert_eq!(any.product(&short, &short, &mut [0; 256], &mut room), Err(RingError::Range));
    let length = |has| Err(RingError::Length { needs: 256, has });
    assert_eq!(any.product(&one[1..], &one, &mut out, &mut room), length(255));
    assert_eq!(any.product(&one, &one, &mut out[1..], &mut room), length(255));
    for (x, is_small) in
        [(0, true), (196, true), (197, false), (q - 197, false), (q - 196, true), (q - 1, true)]
    {
        let x = [x; 256];
        let (mut room, refused) = (small.room().unwrap(), Err(RingError::Range));
        let expected = if is_small { Ok(()) } else { refused };
        assert_eq!(small.product(&one, &x, &mut out, &mut room), expected, "{}", x[0]);
        assert_eq!(small.prepare(&x).map(drop), expected, "{}", x[0]);
    }
}

/// Protects: a room and a prepared factor of another ring of the same degree, or of another backend, are
/// refused.
#[test]
fn other_rings() {
    let of =
        |cpu, q, f: &str| Ring::with_compiled(cpu, q, &f.parse().unwrap(), Operands::any(), table()).unwrap();
    let (ring, mut out) = (of(Cpu::detect(), 3329, "x^512+1"), [0_u16; 512]);
    let elsewhere = Cpu::available().filter(|cpu| *cpu != Cpu::detect()).map(|cpu| of(cpu, 3329, "x^512+1"));
    for other in elsewhere.chain([of(Cpu::detect(), 12289, "x^512+1")]) {
        let done = ring.product(&[1; 512], &[1; 512], &mut out, &mut other.room().unwrap());
        assert_eq!(done, Err(RingError::OtherRing), "{other:?}");
        let prepared = other.prepare(&[1_u16; 512]).unwrap();
        let done = ring.product_prepared(&[1; 512], &prepared, &mut out, &mut ring.room().unwrap());
        assert_eq!(done, Err(RingError::OtherRing), "{other:?}");
    }
}
