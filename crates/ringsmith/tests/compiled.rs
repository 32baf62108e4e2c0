//! The table of the named rings, for rings that are known at run time: what an entry gives is what the ring
//! gives without it.

use ringsmith::any::{Expression, Inverses, Operands, Polynomial, Ring, RingError};
use ringsmith::compiled::table;
use ringsmith::rings::{NtruPrime761, NtruPrime1277};
use ringsmith::{Cpu, Planner, Ring as Named};
use ringsmith_oracle::Random;

/// Rings by the table and without it: every one on every backend.
fn all(operands: Operands) -> impl Iterator<Item = [Ring; 2]> {
    Cpu::available().flat_map(move |cpu| {
        table().rings.iter().map(move |entry| {
            let (q, f) = (entry.modulus(), Polynomial::new(entry.terms()).unwrap());
            let by_table = Ring::with_compiled(cpu, q, &f, operands, table()).unwrap();
            assert!(by_table.route().to_string().starts_with("compiled, "), "{by_table:?}");
            [by_table, Ring::new_on(cpu, q, &f, operands).unwrap()]
        })
    })
}

/// What operations give: products, also prepared ones, and a sum of two.
fn results(ring: &Ring, a: &[u16], b: &[u16]) -> [Vec<u16>; 3] {
    let (mut room, mut out) = (ring.room().unwrap(), [(); 3].map(|()| vec![0; a.len()]));
    let prepared = ring.prepare(b).unwrap();
    ring.product(a, b, &mut out[0], &mut room).unwrap();
    ring.product_prepared(a, &prepared, &mut out[1], &mut room).unwrap();
    ring.sum_of_products(&[(a, b), (b, b)], &mut out[2], &mut room).unwrap();
    out
}

/// Protects: every ring of the table, on every backend: random operands, and the least, the greatest and the
/// middle coefficients, where centred ones change their sign.
#[test]
fn products() {
    let mut random = Random::new(1);
    for [by_table, plain] in all(Operands::any().sums(2)) {
        let (n, q) = (plain.degree(), plain.modulus());
        let mut element = || (0..n).map(|_| (random.word() % q) as u16).collect::<Vec<_>>();
        let [a, b] = [element(), element()];
        assert_eq!(results(&by_table, &a, &b), results(&plain, &a, &b), "{by_table:?}");
        for x in [0, (q - 1) / 2, q / 2 + 1, q - 1] {
            let x = vec![x as u16; n];
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
        let a: Vec<u16> = (0..2 * n).map(|_| (random.word() % q) as u16).collect();
        let small = |x: u64| ((x % 3 + q - 1) % q) as u16;
        let b: Vec<u16> = (0..2 * n).map(|_| small(random.word())).collect();
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
    for expression in ["Z_3329[x]/(x^256+1)", "Z_2048[x]/(x^509-1)"] {
        let Expression { q, f } = expression.parse().unwrap();
        let ring = Ring::with_compiled(Cpu::detect(), q, &f, Operands::any(), table()).unwrap();
        let n = ring.degree();
        let (mut a, mut inverse, mut one) = (vec![0_u16; n], vec![0; n], vec![0; n]);
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
    let mut names: Vec<String> = table()
        .rings
        .iter()
        .map(|entry| format!("Z_{}[x]/({})", entry.modulus(), Polynomial::new(entry.terms()).unwrap()))
        .collect();
    assert_eq!(names.len(), 7 + 6 + 6 + 17 + 1);
    for name in [NtruPrime761::NAME, NtruPrime1277::NAME] {
        assert!(names.iter().any(|it| it == name), "{name}");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), table().rings.len());
    for cpu in Cpu::available() {
        let Expression { q, f } = NtruPrime761::NAME.parse().unwrap();
        let ring = Ring::with_compiled(cpu, q, &f, Operands::any(), table()).unwrap();
        let planned = Planner::choose::<NtruPrime761>(cpu).route();
        assert_eq!(ring.route().to_string(), format!("compiled, {planned}"));
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
