//! Whole products in lanes of 16 bits, for rings that nobody compiled.
#![cfg(all(feature = "any", any(feature = "ntru", feature = "ntruencrypt")))]

use ringsmith::Cpu;
use ringsmith::any::compiled::Table;
use ringsmith::any::{Costs, Operands, Polynomial, Ring, RingError, Route};
use ringsmith::compiled::table;
use ringsmith_oracle::Random;

fn polynomials(n: usize, q: u64, random: &mut Random) -> [Polynomial; 4] {
    let dense: Vec<u64> = (0..n).map(|_| random.word() % q).chain([1]).collect();
    [
        Polynomial::new(&[(n, 1), (1, -1), (0, -1)]).unwrap(),
        Polynomial::new(&[(n, 1), (0, 1)]).unwrap(),
        Polynomial::new(&[(n, 1), (n - 1, 2), (0, -5)]).unwrap(),
        Polynomial::dense(&dense).unwrap(),
    ]
}

/// The table of one class.
fn class(i: usize) -> Table<'static> {
    Table { products: &table().products[i..][..1], ..Table::default() }
}

/// Products, prepared ones and sums are those of the ring without a table.
fn check(cpu: Cpu, q: u64, f: &Polynomial, operands: Operands, of: Table<'_>, random: &mut Random) {
    let by_table = Ring::by_products(cpu, q, f, operands, of, &Costs::of(cpu)).unwrap();
    let plain = Ring::new_on(cpu, q, f, operands).unwrap();
    assert!(by_table.route().has_short_lanes() && !plain.route().has_short_lanes(), "{}", by_table.route());
    let n = f.degree();
    let bound = operands.bound().unwrap_or(q / 2);
    let any = |random: &mut Random| (0..n).map(|_| (random.word() % q) as u16).collect::<Vec<_>>();
    let near = bound / 2;
    let small = |random: &mut Random| {
        (0..n).map(|_| ((random.word() % (bound + 1) + q - near) % q) as u16).collect::<Vec<_>>()
    };
    let pairs: [_; 2] = [(); 2].map(|()| (any(random), small(random)));
    let (mut x, mut y) = (vec![0; n], vec![0; n]);
    let (mut room, mut other) = (by_table.room().unwrap(), plain.room().unwrap());
    for (a, b) in &pairs {
        by_table.product(a, b, &mut x, &mut room).unwrap();
        plain.product(a, b, &mut y, &mut other).unwrap();
        assert_eq!(x, y, "Z_{q}[x]/({f}), {}", by_table.route());
        x.fill(0);
        by_table.product_prepared(a, &by_table.prepare(b).unwrap(), &mut x, &mut room).unwrap();
        assert_eq!(x, y, "Z_{q}[x]/({f}), {}, prepared", by_table.route());
    }
    let sums = pairs.each_ref().map(|(a, b)| (&a[..], &b[..]));
    by_table.sum_of_products(&sums, &mut x, &mut room).unwrap();
    plain.sum_of_products(&sums, &mut y, &mut other).unwrap();
    assert_eq!(x, y, "Z_{q}[x]/({f}), {}, sums", by_table.route());
    let prepared = pairs.each_ref().map(|(_, b)| by_table.prepare(b).unwrap());
    let sums = [(&pairs[0].0[..], &prepared[0]), (&pairs[1].0[..], &prepared[1])];
    x.fill(0);
    by_table.sum_of_products_prepared(&sums, &mut x, &mut room).unwrap();
    assert_eq!(x, y, "Z_{q}[x]/({f}), {}, sums by prepared factors", by_table.route());
}

/// Protects: every class, on every backend, modulo numbers of both parities, by polynomials of every kind.
#[test]
fn products_without_a_table() {
    let mut random = Random::new(6);
    for (i, of) in table().products.iter().enumerate() {
        for (n, q) in [(17, 3), (256, 4096), (256, 4591), (479, 1000), (480, 3329), (256, 1 << 14)] {
            for operands in [Operands::any(), Operands::any().small(1)] {
                let bound = operands.bound().unwrap_or(q / 2);
                if !of.holds(q, n, bound) {
                    continue;
                }
                for f in polynomials(n, q, &mut random) {
                    for cpu in Cpu::available() {
                        check(cpu, q, &f, operands.sums(2), class(i), &mut random);
                    }
                }
            }
        }
    }
}

/// Protects: the planner takes them where they are faster, and says why they are exact.
#[test]
fn the_planner_takes_them() {
    let on = |cpu, q, f: &str| {
        Ring::with_compiled(cpu, q, &f.parse().unwrap(), Operands::any(), table()).unwrap().route()
    };
    match Cpu::available().find(|cpu| cpu.name() == "avx2") {
        None => println!("this machine has no AVX2: its choice is not checked"),
        Some(avx2) => chosen(&on(avx2, 4591, "x^761-2x-1")),
    }
    for (q, f) in [(4591, "x^16-x-1"), (12289, "x^1024+1"), (4591, "x^4096-x-1"), (1 << 20, "x^700-x-1")] {
        assert!(!on(Cpu::detect(), q, f).has_short_lanes(), "Z_{q}[x]/({f})");
    }
}

/// A route by whole products at degree 761, and its argument.
fn chosen(route: &Route) {
    let expected = "compiled, rows of 16 bits modulo 2311, 2521 and 1471, then division by f, term by term";
    assert_eq!(route.to_string(), expected);
    let argument = "a coefficient over the integers has at most 761 products of centred numbers, of at most \
                    2295 and 2295: twice as much is 8016412050, less than 2311 2521 1471 = 8570091601";
    assert_eq!(route.argument().to_string(), argument);
    assert_eq!(route.primes().collect::<Vec<_>>(), [2311, 2521, 1471]);
}

/// Protects: products that are not exact are no method of a ring.
#[test]
fn products_that_are_not_held() {
    let by = |q, f: &str| {
        let (cpu, f) = (Cpu::detect(), f.parse().unwrap());
        Ring::by_products(cpu, q, &f, Operands::any(), class(0), &Costs::of(cpu)).err()
    };
    assert_eq!(by(4591, "x^479-x-1"), Some(RingError::Method));
    assert_eq!(by(3, "x^4096-x-1"), Some(RingError::Method));
    assert_eq!(by(3, "x^100-x-1"), None);
}

/// Protects: of a table the fastest products are taken, as predicted, and none of a table without products.
#[test]
fn the_fastest_of_a_table() {
    let (cpu, f) = (Cpu::detect(), "x^100-x-1".parse().unwrap());
    let by = |of| Ring::by_products(cpu, 1000, &f, Operands::any(), of, &Costs::of(cpu));
    let cycles = |of| by(of).ok().and_then(|ring| ring.predicted_cycles());
    let each = (0..table().products.len()).filter_map(|i| cycles(class(i)));
    assert_eq!(cycles(table()), each.reduce(f64::min));
    assert_eq!(by(Table::default()).err(), Some(RingError::Method));
}

/// Protects: a second factor beyond a bound that was promised gives numbers below `q` by whole products, and
/// the product by compiled rings, on every backend.
#[test]
fn broken_promises() {
    let mut random = Random::new(8);
    for cpu in Cpu::available() {
        for (q, n) in [(4591, 479), (1000, 256), (1 << 14, 100), (3329, 256)] {
            let f = Polynomial::new(&[(n, 1), (0, 1)]).unwrap();
            let [a, b] = [(); 2].map(|()| (0..n).map(|_| (random.word() % q) as u16).collect::<Vec<_>>());
            let product = |ring: &Ring| {
                let (mut out, mut room) = (vec![0_u16; n], ring.room().unwrap());
                ring.product(&a, &b, &mut out, &mut room).unwrap();
                out
            };
            let promised = Operands::any().small(1).promised();
            for i in 0..table().products.len() {
                if let Ok(ring) = Ring::by_products(cpu, q, &f, promised, class(i), &Costs::of(cpu)) {
                    assert!(product(&ring).iter().all(|x| u64::from(*x) < q), "Z_{q}[x]/({f}), {cpu:?}");
                }
            }
            let compiled = Ring::with_compiled(cpu, q, &f, promised, table()).unwrap();
            let is_compiled = compiled.route().compiled_name().is_some();
            assert_eq!(is_compiled, q == 3329, "{}", compiled.route());
            if is_compiled {
                assert_eq!(product(&compiled), product(&Ring::new_on(cpu, q, &f, Operands::any()).unwrap()));
            }
        }
    }
}

/// Protects: a prepared factor and a room of other kernels are refused.
#[test]
fn others_are_refused() {
    let (cpu, f) = (Cpu::detect(), "x^100-x-1".parse().unwrap());
    let ring = |i| Ring::by_products(cpu, 1000, &f, Operands::any(), class(i), &Costs::of(cpu)).unwrap();
    let [one, other] = [0, 1].map(ring);
    let (mut out, a) = ([0_u16; 100], [1_u16; 100]);
    let of_other = other.prepare(&a).unwrap();
    let error = one.product_prepared(&a, &of_other, &mut out, &mut one.room().unwrap()).unwrap_err();
    assert_eq!(error, RingError::OtherRing);
    let error = one.product(&a, &a, &mut out, &mut other.room().unwrap()).unwrap_err();
    assert_eq!(error, RingError::OtherRing);
    let error = one.product(&[1000_u16; 100], &a, &mut out, &mut one.room().unwrap()).unwrap_err();
    assert_eq!(error, RingError::Range);
}
