//! Every route of every ring on every CPU backend of this machine, against the oracle.

use ringsmith_oracle::{self as oracle, Random};
use ringsmith_ring::rings::{Visitor, visit_all};
use ringsmith_ring::{Multiplier, Poly, Ring, Route, Shape, Small};
use ringsmith_simd::Cpu;

fn oracle_ring<R: Ring>() -> oracle::Ring {
    let shape = match R::SHAPE {
        Shape::Cyclic => oracle::Shape::Cyclic,
        Shape::Negacyclic => oracle::Shape::Negacyclic,
        Shape::HalfTrinomial => oracle::Shape::HalfTrinomial,
        Shape::PrimeTrinomial => oracle::Shape::PrimeTrinomial,
    };
    oracle::Ring { q: R::Q as i128, n: R::N, shape }
}

/// The inputs of a kind: worst cases of the bound first, then structure, then random ones.
fn operand<R: Ring>(kind: usize, random: &mut Random) -> Vec<i64> {
    let (low, high) = (-(R::Q / 2), (R::Q - 1) / 2);
    (0..R::N)
        .map(|i| match kind {
            0 => high,
            1 => low,
            2 => [low, high][i % 2],
            3 => [low, high][random.within(0, 1) as usize],
            4 => [low, high][(i / 16) % 2],
            5 => 0,
            6 => (i == R::N - 1) as i64,
            7 => random.within(-1, 1),
            _ => random.within(low, high),
        })
        .collect()
}

struct Products;
impl Visitor for Products {
    fn visit<R: Ring>(&mut self) {
        let mut random = Random::new(1);
        for (x, y) in [(0, 0), (0, 1), (2, 2), (3, 3), (4, 1), (5, 8), (6, 6), (7, 8), (3, 8), (8, 8), (8, 9)]
        {
            let (a, b) = (operand::<R>(x, &mut random), operand::<R>(y, &mut random));
            let small: Vec<i64> =
                (0..R::N).map(|_| random.within(-(R::SMALL as i64), R::SMALL as i64)).collect();
            let expect = |b: &[i64]| -> Vec<i64> {
                let wide = |v: &[i64]| v.iter().map(|x| *x as i128).collect::<Vec<_>>();
                let c = oracle::product(oracle_ring::<R>(), &wide(&a), &wide(b));
                c.into_iter().map(|x| oracle::centred(x, R::Q as i128) as i64).collect()
            };
            let (expected, expected_small) = (expect(&b), expect(&small));
            let (a, b) = (Poly::<R>::new(&a).unwrap(), Poly::<R>::new(&b).unwrap());
            let small = Small::<R>::new(&small).unwrap();
            for cpu in Cpu::available() {
                for entry in R::ROUTES {
                    let what = format!("{} {} {} inputs {x} {y}", R::NAME, entry.route, cpu.name());
                    let multiplier = Multiplier::<R>::with_route(cpu, entry.route).unwrap();
                    let mut scratch = multiplier.scratch();
                    let same = |c: &Poly<R>, expected: &[i64], operation: &str| {
                        for (i, (got, want)) in c.centred().iter().zip(expected).enumerate() {
                            assert_eq!(*got as i64, *want, "{what}, {operation}, coefficient {i}");
                        }
                    };
                    let c = multiplier.multiply(&a, &b, &mut scratch);
                    same(&c, &expected, "product");
                    let mut c = Poly::zero();
                    let prepared = multiplier.prepare(&b, &mut scratch);
                    multiplier.multiply_prepared_into(&a, &prepared, &mut c, &mut scratch).unwrap();
                    same(&c, &expected, "product-prepared");
                    multiplier.multiply_small_into(&a, &small, &mut c, &mut scratch);
                    same(&c, &expected_small, "product-small");
                }
            }
        }
    }
}

/// Protects: every product is the schoolbook's, whatever the route and the CPU.
#[test]
fn every_route_is_the_schoolbook_product() {
    visit_all(&mut Products);
}

struct Listed;
impl Visitor for Listed {
    fn visit<R: Ring>(&mut self) {
        for entry in R::ROUTES {
            let route = entry.route;
            assert_eq!(route.serves(R::Q, R::N, R::SHAPE), Ok(()), "{} lists {route}", R::NAME);
            assert_eq!(route.to_string().parse::<Route>(), Ok(route));
        }
        assert_eq!(R::NAME, format!("Z_{}[x]/({})", R::Q, R::SHAPE.display(R::N)));
    }
}

/// Protects: a ring lists no route that its own conditions refuse; ids can be read back; names follow the ring.
#[test]
fn listed_routes_apply() {
    visit_all(&mut Listed);
}
