//! What stands in the domain of each transform: the value, the place and the factor that its page states.

use ringsmith_ml_kem::rings::ML_KEM_ORDERED;
use ringsmith_oracle::{self as oracle, Random};
use ringsmith_ring::algorithm::incomplete::residue_at;
use ringsmith_ring::algorithm::k_red::{ByAnalysis, ByPaper, KRedTransform};
use ringsmith_ring::algorithm::ntt::domain_place;
use ringsmith_ring::number::{bit_reverse, root_of_unity, transform_root};
use ringsmith_ring::{
    Coefficients, Domain, DomainEntry, Multiplier, Placement, PlainOrder, Poly, Ring, Route, Rows, Shape,
    Values, Workspace,
};
use ringsmith_routes::new_hope::{
    COMPACT_512_DOMAINS, COMPACT_768_DOMAINS, COMPACT_1024_DOMAINS, LONGA_NAEHRIG_DOMAINS,
    NEW_HOPE_512_DOMAINS, NEW_HOPE_1024_DOMAINS,
};
use ringsmith_routes::rings::{
    Compact512, Compact768, Compact1024, MlKem, NewHope256, NewHope512, NewHope1024,
};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use ringsmith_simd::Cpu;

/// Coefficients without a pattern, the worst ones among them.
fn input<R: Ring>() -> Vec<i64> {
    let (mut random, low) = (Random::new(1), -(R::Q / 2));
    (0..R::N).map(|i| if i % 7 == 0 { low } else { random.within(low, (R::Q - 1) / 2) }).collect()
}

/// The standard transform's output in its order: place `p` holds coefficient `p mod base` of the input modulo
/// `x^base - psi^(2 bitrev(p / base) + 1)`.
fn standard<R: Ring>(base: usize, root: fn(u64, i64) -> i64) -> Vec<i64> {
    let (q, leaves) = (R::Q as i128, R::N / base);
    let psi = root(2 * leaves as u64, R::Q) as i128;
    let a: Vec<i128> = input::<R>().iter().map(|x| *x as i128).collect();
    let residue = |leaf: usize| {
        let exponent = 2 * bit_reverse(leaf, leaves.trailing_zeros()) as u64 + 1;
        oracle::binomial_residue(&a, base, oracle::power(psi, exponent, q), q)
    };
    (0..leaves).flat_map(residue).map(|x| x as i64).collect()
}

fn forward<R: EveryRoute>(cpu: Cpu, route: Route) -> Values<R> {
    let entry = route.find(entries::<R>()).expect("a listed route");
    let domain = Multiplier::by_on(cpu, entry).domain().expect("a route with a transform");
    let mut values = Values::zero();
    domain.forward(Poly::<R>::new(&input::<R>()).unwrap().coeffs(), &mut values);
    values
}

fn check_ntt<R: EveryRoute>(base: usize) {
    let expected = standard::<R>(base, transform_root);
    for cpu in Cpu::available() {
        let domain = forward::<R>(cpu, Route::Ntt { base });
        let rows = R::Coeffs::ZERO.rows().len();
        for (row, lanes) in domain.space().parts().0[..rows].iter().enumerate() {
            for (lane, value) in lanes.iter().enumerate() {
                let (place, value) = (domain_place(row, lane), (*value as i64).rem_euclid(R::Q));
                assert_eq!(value, expected[place], "{} {} row {row} lane {lane}", R::NAME, cpu.name());
            }
        }
    }
}

/// Protects: the 16-bit transforms compute the transform that their page defines, in the order that it
/// states.
#[test]
fn sixteen_bit_domains() {
    check_ntt::<NewHope1024>(1);
    check_ntt::<NewHope512>(1);
    check_ntt::<NewHope256>(1);
    check_ntt::<MlKem>(2);
}

/// The roots of NewHope-Compact's residues in the order of its tables, as exponents of 17 or of 55.
fn compact_roots<R: Ring>() -> Vec<u64> {
    let (order, mut roots) = match R::SHAPE {
        Shape::HalfTrinomial => (384, vec![64, 320]),
        _ => (256, vec![64, 192]),
    };
    while roots.len() < 128 {
        roots = roots.into_iter().flat_map(|e| [e / 2, e / 2 + order / 2]).collect();
    }
    roots
}

fn check_incomplete<R: EveryRoute>(g: i128, degree: usize) {
    let (q, a) = (R::Q as i128, input::<R>().iter().map(|x| *x as i128).collect::<Vec<_>>());
    let residue = |e: &u64| oracle::binomial_residue(&a, degree, oracle::power(g, *e, q), q);
    let expected: Vec<_> = compact_roots::<R>().iter().map(residue).collect();
    for cpu in Cpu::available() {
        for route in [Route::Ntt { base: degree }, Route::NttKaratsuba { base: degree }] {
            let domain = forward::<R>(cpu, route);
            for (row, lanes) in domain.space().parts().0[..8 * degree].iter().enumerate() {
                for (lane, value) in lanes.iter().enumerate() {
                    let expected = expected[residue_at(row % 8, lane)][row / 8];
                    let got = oracle::canonical(*value as i128, q);
                    assert_eq!(got, expected, "{} {} row {row} lane {lane}", R::NAME, cpu.name());
                }
            }
        }
    }
}

/// Protects: the incomplete transforms split their rings as NewHope-Compact does, and leave residues in the
/// slots that their page states.
#[test]
fn incomplete_domains() {
    check_incomplete::<Compact512>(17, 4);
    check_incomplete::<Compact768>(55, 6);
    check_incomplete::<Compact1024>(17, 8);
    // The reference's tables begin so.
    assert_eq!(compact_roots::<Compact768>()[..8], [1, 193, 97, 289, 49, 241, 145, 337]);
}

/// Whether each value is its expected one modulo `q`.
fn same(values: &[i16], expected: &[i64], q: i64) -> bool {
    values.iter().zip(expected).all(|(value, expected)| (*value as i64).rem_euclid(q) == *expected)
}

fn wide(a: &[i64]) -> Vec<i128> {
    a.iter().map(|x| *x as i128).collect()
}

fn narrow(a: Vec<i128>) -> Vec<i64> {
    a.into_iter().map(|x| x as i64).collect()
}

/// An array of a scheme: place `j` holds the coefficient of `x^order(j)`.
fn array<const N: usize>(a: &[i64], order: impl Fn(usize) -> usize) -> Rows<N> {
    let mut rows = Rows([[0; 16]; N]);
    rows.0.as_flattened_mut().iter_mut().enumerate().for_each(|(j, x)| *x = a[order(j)] as i16);
    rows
}

/// The domain of an entry: `values` are those of the input; arrays hold coefficients in the order `enters`
/// and leave in `leaves`.
fn check_ordered<R: Ring<Coeffs = Rows<N>>, O: PlainOrder, const N: usize>(
    entry: &'static DomainEntry<R, O>,
    values: &[i64],
    products: impl Fn(&[i64], &[i64]) -> Vec<i64>,
    [enters, leaves]: [&dyn Fn(usize) -> usize; 2],
) {
    let ring = oracle::Ring::named(R::NAME).expect("a ring of the oracle's");
    let a: Vec<i64> = input::<R>();
    let mut b = a.clone();
    b.rotate_left(5);
    let multiplied = narrow(oracle::product(ring, &wide(&a), &wide(&b)));
    let multiplied: Vec<i64> = (0..R::N).map(|j| multiplied[leaves(j)]).collect();
    let (a, b) = (array(&a, enters), array(&b, enters));
    let same = |rows: &Rows<N>, expected: &[i64]| same(rows.0.as_flattened(), expected, R::Q);
    let canonical = |rows: &Rows<N>| rows.0.as_flattened().iter().all(|x| (0..R::Q).contains(&(*x as i64)));
    for cpu in Cpu::available() {
        let (what, domain) = (format!("{} {} {cpu:?}", R::NAME, entry.route()), Domain::by_on(cpu, entry));
        let (mut x, mut y, mut product, mut out) =
            (Values::ZERO, Values::ZERO, Values::ZERO, R::Coeffs::ZERO);
        domain.forward(&a, &mut x);
        assert!(same(x.rows(), values), "{what}: forward");

        // A product that leaves the domain, and a sum of three.
        domain.forward(&b, &mut y);
        domain.pointwise(&x, &y, &mut product);
        domain.inverse(&mut product, &mut out);
        assert!(same(&out, &multiplied), "{what}: product");
        assert!(out.0.as_flattened().iter().all(|x| (*x as i64).abs() <= R::Q / 2), "{what}: centred");
        domain.accumulate(&[&x, &y, &x], &[y, x, y], &mut product);
        domain.inverse(&mut product, &mut out);
        let thrice: Vec<i64> = multiplied.iter().map(|x| 3 * x % R::Q).collect();
        assert!(same(&out, &thrice), "{what}: sum of products");

        // One that stays, and sums in [0, q).
        let mut staying = x;
        domain.scale_to_stay(&mut staying, 3);
        domain.pointwise(&x, &staying, &mut product);
        let expected: Vec<i64> = products(values, values).iter().map(|x| 3 * x % R::Q).collect();
        assert!(same(product.rows(), &expected), "{what}: staying");
        domain.add(&mut product, &x);
        assert!(canonical(product.rows()), "{what}: sum");
        domain.subtract(&mut product, &x);
        assert!(canonical(product.rows()) && same(product.rows(), &expected), "{what}: difference");
    }
}

fn pointwise(q: i64) -> impl Fn(&[i64], &[i64]) -> Vec<i64> {
    move |a, b| a.iter().zip(b).map(|(a, b)| a * b % q).collect()
}

fn check_complete<R: Ring<Coeffs = Rows<N>>, O: PlainOrder, const N: usize>(
    entries: &[&'static DomainEntry<R, O>],
) {
    let psi = transform_root(2 * R::N as u64, R::Q) as i128;
    let expected = narrow(oracle::negacyclic_transform(&wide(&input::<R>()), psi, R::Q as i128));
    let reversed = |j| bit_reverse(j, R::N.trailing_zeros());
    for entry in entries {
        check_ordered(entry, &expected, pointwise(R::Q), [&reversed, &|j| j]);
    }
}

/// Protects: the domains that NewHope sends are in the order of the exponents of its root, and make products,
/// by every route.
#[test]
fn complete_domains_in_order() {
    check_complete(&NEW_HOPE_1024_DOMAINS);
    check_complete(&NEW_HOPE_512_DOMAINS);
}

/// Protects: the same of the domain that Longa and Naehrig send.
#[test]
fn longa_naehrig_in_order() {
    let exponents = narrow(oracle::negacyclic_transform(&wide(&input::<NewHope1024>()), 1945, 12289));
    let expected: Vec<i64> = (0..1024).map(|i| exponents[bit_reverse(i, 10)]).collect();
    for entry in LONGA_NAEHRIG_DOMAINS {
        check_ordered(entry, &expected, pointwise(12289), [&|j| j, &|j| j]);
    }
}

fn check_planar<R: Ring<Coeffs = Rows<N>>, O: PlainOrder, const N: usize>(
    entries: &[&'static DomainEntry<R, O>],
    g: i128,
) {
    let (q, degree, a) = (R::Q as i128, N / 8, wide(&input::<R>()));
    let roots: Vec<i128> = compact_roots::<R>().iter().map(|e| oracle::power(g, *e, q)).collect();
    let residues: Vec<_> = roots.iter().map(|w| oracle::binomial_residue(&a, degree, *w, q)).collect();
    let planes = |residues: &[Vec<i128>]| -> Vec<i64> {
        (0..R::N).map(|i| residues[i % 128][i / 128] as i64).collect()
    };
    let products = |a: &[i64], b: &[i64]| {
        let residue = |a: &[i64], j: usize| (0..degree).map(|k| a[128 * k + j] as i128).collect::<Vec<_>>();
        let product = |(j, w): (usize, &i128)| {
            let (a, b) = (residue(a, j), residue(b, j));
            (0..degree).fold(vec![0; degree], |mut out, i| {
                for k in 0..degree {
                    let twist = if i + k < degree { 1 } else { *w };
                    out[(i + k) % degree] = (out[(i + k) % degree] + a[i] * b[k] * twist) % q;
                }
                out
            })
        };
        planes(&roots.iter().enumerate().map(product).collect::<Vec<_>>())
    };
    let in_planes = |i: usize| degree * (i % 128) + i / 128;
    for entry in entries {
        check_ordered(entry, &planes(&residues), products, [&in_planes, &in_planes]);
    }
}

/// Protects: the same of the domains that NewHope-Compact sends.
#[test]
fn planes_in_order() {
    check_planar(&COMPACT_512_DOMAINS, 17);
    check_planar(&COMPACT_768_DOMAINS, 55);
    check_planar(&COMPACT_1024_DOMAINS, 17);
}

/// Protects: the domain that ML-KEM sends is that of the in-place transform.
#[test]
fn pairs_in_order() {
    let (expected, mut values) = (standard::<MlKem>(2, root_of_unity), Values::ZERO);
    for cpu in Cpu::available() {
        let domain = Domain::by_on(cpu, &ML_KEM_ORDERED);
        domain.forward(Poly::<MlKem>::new(&input::<MlKem>()).unwrap().coeffs(), &mut values);
        assert!(same(values.rows().0.as_flattened(), &expected, MlKem::Q), "{cpu:?}");
    }
}

/// Slot (row `8 t + c`, lane `l`) holds place `8 (8 t + l) + c`, times `k^exponent`.
fn check_k_red<R: EveryRoute>(placement: Placement, k: i128, exponent: u32) {
    let (q, factor) = (R::Q as i128, oracle::power(k, exponent as u64, R::Q as i128));
    let expected = standard::<R>(1, transform_root);
    for cpu in Cpu::available() {
        let domain = forward::<R>(cpu, Route::KRed(placement));
        for (row, lanes) in domain.space().parts().1[..R::N / 8].iter().enumerate() {
            for (lane, value) in lanes.iter().enumerate() {
                let place = 8 * (row / 8 * 8 + lane) + row % 8;
                let want = oracle::canonical(expected[place] as i128 * factor, q);
                let got = oracle::canonical(*value as i128, q);
                assert_eq!(got, want, "{} {} row {row} lane {lane}", R::NAME, cpu.name());
            }
        }
    }
}

/// Protects: the K-RED transforms leave exactly the power of k that their plan counts: 3 for the paper's.
#[test]
fn k_red_domains() {
    assert_eq!(KRedTransform::<12289, 64, 128, ByPaper>::PLAN.forward_exponent(), 1);
    check_k_red::<NewHope1024>(Placement::Paper, 3, 1);
    let plan = KRedTransform::<12289, 64, 128, ByAnalysis>::PLAN;
    check_k_red::<NewHope1024>(Placement::Analysis, 3, plan.forward_exponent());
    let plan = KRedTransform::<12289, 32, 64, ByAnalysis>::PLAN;
    check_k_red::<NewHope512>(Placement::Analysis, 3, plan.forward_exponent());
    let plan = KRedTransform::<12289, 16, 32, ByAnalysis>::PLAN;
    check_k_red::<NewHope256>(Placement::Analysis, 3, plan.forward_exponent());
}

/// Sums of products in the order of each route that has one.
struct Sums;

impl Visitor for Sums {
    fn visit<R: EveryRoute>(&mut self) {
        let ring = oracle::Ring::named(R::NAME).expect("a ring of the oracle's");
        let a: Vec<i64> = input::<R>();
        let mut b = a.clone();
        b.rotate_left(5);
        let product = narrow(oracle::product(ring, &wide(&a), &wide(&b)));
        for entry in entries::<R>() {
            for domain in Cpu::available().filter_map(|cpu| Multiplier::by_on(cpu, entry).domain()) {
                let values = |a: &[i64]| {
                    let mut values = Values::zero();
                    domain.forward(Poly::<R>::new(a).unwrap().coeffs(), &mut values);
                    values
                };
                let ((x, y), mut sum) = ((values(&a), values(&b)), Values::zero());
                let mut other = Values::zero();
                domain.accumulate(&[&x, &y, &x], &[values(&b), values(&a), values(&b)], &mut sum);
                domain.pointwise(&x, &y, &mut other);
                domain.subtract(&mut sum, &other);
                domain.add(&mut sum, &other);
                domain.add(&mut sum, &other);
                let sum = domain.inverse_to_poly(&mut sum);
                let expected: Vec<i64> = product.iter().map(|x| 4 * x % R::Q).collect();
                assert!(
                    same(sum.centred(), &expected, R::Q),
                    "{} {} {:?}",
                    R::NAME,
                    entry.route(),
                    domain.cpu()
                );
            }
        }
    }
}

/// Protects: every route that has a domain adds and takes off in it what its inverse takes, of the worst
/// coefficients.
#[test]
fn sums_in_native_order() {
    visit_all(&mut Sums);
}

/// Protects: values of one route are not taken for another's.
#[test]
#[should_panic(expected = "values of another route")]
fn native_values_remember_their_route() {
    let domain = |route| {
        let entry = Route::find(route, entries::<NewHope1024>()).expect("a listed route");
        Multiplier::by_on(Cpu::detect(), entry).domain().expect("a route with a transform")
    };
    let mut values = Values::zero();
    domain(Route::Ntt { base: 1 }).forward(&Rows([[1; 16]; 64]), &mut values);
    domain(Route::KRed(Placement::Paper)).inverse_to_poly(&mut values);
}
