//! Every route of every ring on every CPU backend of this machine, against the oracle.

#[path = "common/operands.rs"]
mod operands;

use operands::{KINDS, expect, operand, smalls};
use ringsmith_oracle::Random;
use ringsmith_ring::{Multiplier, Poly, Ring, Route, Small};
use ringsmith_routes::rings::NtruPrime761;
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use ringsmith_simd::Cpu;

/// Holds a product against the oracle's.
fn same<R: Ring>(c: &Poly<R>, expected: &[i64], what: &str) {
    for (i, (got, want)) in c.centred().iter().zip(expected).enumerate() {
        assert_eq!(i64::from(*got), *want, "{what}, coefficient {i}");
    }
}

/// Whether a route's products are compared of few operands: words that wrap have no worst ones, and
/// `interleaved.rs` has more degrees and words.
fn is_seldom_tried(route: Route) -> bool {
    matches!(route, Route::Interleaved { .. })
}

/// Every multiplier of a ring on this machine, and its name; or all but those that are seldom tried.
fn multipliers<R: EveryRoute>(all: bool) -> impl Iterator<Item = (Multiplier<R>, String)> {
    Cpu::available().flat_map(move |cpu| {
        let tried = entries::<R>().filter(move |entry| all || !is_seldom_tried(entry.route()));
        tried.map(move |entry| {
            (Multiplier::by_on(cpu, entry), format!("{} {} {}", R::NAME, entry.route(), cpu.name()))
        })
    })
}

/// `a b` in both ways, on every CPU and by every route.
fn check<R: EveryRoute>(all: bool, a: &[i64], b: &[i64], what: &str) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Poly::<R>::new(b).unwrap());
    for (multiplier, by) in multipliers::<R>(all) {
        let mut scratch = multiplier.scratch();
        let mut c = multiplier.multiply(&a, &b, &mut scratch);
        same(&c, &expected, &format!("{by} {what}, product"));
        let prepared = multiplier.prepare(&b, &mut scratch);
        multiplier.multiply_prepared_into(&a, &prepared, &mut c, &mut scratch).unwrap();
        same(&c, &expected, &format!("{by} {what}, product-prepared"));
    }
}

/// `a b` for a small `b`, on every CPU and by every route.
fn check_small<R: EveryRoute>(all: bool, a: &[i64], small: &[i64], what: &str) {
    let expected = expect::<R>(a, small);
    let (a, small) = (Poly::<R>::new(a).unwrap(), Small::<R>::new(small).unwrap());
    for (multiplier, by) in multipliers::<R>(all) {
        let (mut c, mut scratch) = (Poly::zero(), multiplier.scratch());
        multiplier.multiply_small_into(&a, &small, &mut c, &mut scratch);
        same(&c, &expected, &format!("{by} {what}, product-small"));
    }
}

struct ProductRule;
impl Visitor for ProductRule {
    fn visit<R: EveryRoute>(&mut self) {
        let mut random = Random::new(1);
        for [x, y] in KINDS {
            let (a, b) = (operand::<R>(x, &mut random), operand::<R>(y, &mut random));
            let all = [x, y] == KINDS[KINDS.len() - 1];
            check::<R>(all, &a, &b, &format!("inputs {x} {y}"));
            for (kind, small) in smalls::<R>(&a, &mut random).iter().enumerate() {
                check_small::<R>(all, &a, small, &format!("inputs {x} small {kind}"));
            }
        }
    }
}

/// Protects: every product is the schoolbook's, whatever the route and the CPU.
#[test]
fn every_route_is_the_schoolbook_product() {
    visit_all(&mut ProductRule);
}

struct Listed;
impl Visitor for Listed {
    fn visit<R: EveryRoute>(&mut self) {
        for entry in entries::<R>() {
            let route = entry.route();
            assert_eq!(route.serves(R::Q, R::N, R::SHAPE), Ok(()), "{} lists {route}", R::NAME);
            assert_eq!(route.to_string().parse::<Route>(), Ok(route));
        }
        assert_eq!(R::NAME, format!("Z_{}[x]/({})", R::Q, R::SHAPE.display(R::N)));
    }
}

/// Protects: a ring lists no route that its own conditions refuse; ids can be read back; names follow the
/// ring.
#[test]
fn listed_routes_apply() {
    visit_all(&mut Listed);
}

/// Row `6 i + r` of an operand at `r`, `i`, the same in all lanes: with these the 17 points of row 0 leave
/// 22298, which six points took for a product by a constant.
const LARGE_ROWS: [[i64; 8]; 6] = [
    [897, 2167, 2286, -1499, -708, -2282, 2295, 2293],
    [-579, -2106, -1119, -1688, -1614, 603, -101, -1411],
    [-2171, -358, -1696, -1348, -2295, -2093, 604, -2008],
    [-780, 2295, 1804, 910, -1571, -1095, -1389, 530],
    [-1748, 795, -980, 1928, -1935, 2182, 909, -2295],
    [-336, -2295, -473, -1193, -1812, 2295, -1389, -2295],
];

/// Protects: the rows of Rader's transform that no factor shrinks before the six points.
#[test]
fn rows_without_a_factor() {
    let mut a = vec![0; NtruPrime761::N];
    for (r, row) in LARGE_ROWS.iter().enumerate() {
        for (i, x) in row.iter().enumerate() {
            a[96 * i + 16 * r] = *x;
        }
    }
    let mut one = vec![0; NtruPrime761::N];
    one[0] = 1;
    check::<NtruPrime761>(true, &a, &one, "large rows by 1");
    check::<NtruPrime761>(true, &one, &a, "1 by large rows");
}
