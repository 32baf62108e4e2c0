//! What stands in the domain of each transform: the value, the place and the factor that its page states.

use ringsmith_oracle::{self as oracle, Random};
use ringsmith_ring::algorithm::k_red::{ANALYSIS, KRedTransform, PAPER};
use ringsmith_ring::algorithm::ntt::domain_place;
use ringsmith_ring::algorithm::ordered::complete::CompleteEntry;
use ringsmith_ring::number::{bit_reverse, root_of_unity, transform_root};
use ringsmith_ring::rings::{
    Compact512, Compact1024, ML_KEM_ORDERED, MlKem, NEW_HOPE_512_ORDERED, NEW_HOPE_1024_ORDERED, NewHope256,
    NewHope512, NewHope1024,
};
use ringsmith_ring::{Coefficients, Placement, Poly, Ring, Route, Rows, Workspace};
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

fn forward<R: Ring>(cpu: Cpu, route: Route) -> R::Prepared {
    let entry = R::ROUTES.iter().find(|entry| entry.route == route).expect("a listed route");
    let transform = entry.transform.as_ref().expect("a route with a transform");
    let mut domain = R::Prepared::new();
    (transform.forward)(cpu, Poly::<R>::new(&input::<R>()).unwrap().rows(), &mut domain);
    domain
}

fn check_ntt<R: Ring>(base: usize) {
    let expected = standard::<R>(base, transform_root);
    for cpu in Cpu::available() {
        let domain = forward::<R>(cpu, Route::Ntt { base });
        let rows = R::Coeffs::zero().rows().len();
        for (row, lanes) in domain.parts().0[..rows].iter().enumerate() {
            for (lane, value) in lanes.iter().enumerate() {
                let (place, value) = (domain_place(row, lane), (*value as i64).rem_euclid(R::Q));
                assert_eq!(value, expected[place], "{} {} row {row} lane {lane}", R::NAME, cpu.name());
            }
        }
    }
}

/// Protects: the 16-bit transforms compute the transform that their page defines, in the order that it states.
#[test]
fn sixteen_bit_domains() {
    check_ntt::<NewHope1024>(1);
    check_ntt::<NewHope512>(1);
    check_ntt::<NewHope256>(1);
    check_ntt::<MlKem>(2);
    check_ntt::<Compact512>(4);
    check_ntt::<Compact1024>(8);
}

/// Whether each value is its expected one modulo `q`.
fn same(values: &[i16], expected: &[i64], q: i64) -> bool {
    values.iter().zip(expected).all(|(value, expected)| (*value as i64).rem_euclid(q) == *expected)
}

fn check_complete<R: Ring<Coeffs = Rows<N>>, const N: usize>(entry: &CompleteEntry<N>) {
    let (q, wide) = (R::Q as i128, |a: &[i64]| a.iter().map(|x| *x as i128).collect::<Vec<_>>());
    let narrow = |a: Vec<i128>| a.into_iter().map(|x| x as i64).collect::<Vec<_>>();
    let psi = transform_root(2 * R::N as u64, R::Q) as i128;
    let expected = narrow(oracle::negacyclic_transform(&wide(&input::<R>()), psi, q));
    let a = Poly::<R>::new(&input::<R>()).unwrap();
    let mut turned = input::<R>();
    turned.rotate_left(5);
    let b = Poly::<R>::new(&turned).unwrap();
    let ring = oracle::Ring { q, n: R::N, shape: oracle::Shape::Negacyclic };
    let multiplied = narrow(oracle::product(ring, &wide(&input::<R>()), &wide(&turned)));
    let square = |values: &[i64]| values.iter().map(|x| x * x % R::Q).collect::<Vec<_>>();
    for cpu in Cpu::available() {
        let zero = || Rows([[0; 16]; N]);
        let (mut x, mut y, mut product, mut out) = (zero(), zero(), zero(), zero());
        (entry.forward)(cpu, a.rows(), &mut x);
        assert!(same(x.0.as_flattened(), &expected, R::Q), "{} {cpu:?}: forward", R::NAME);
        assert!(x.0.as_flattened().iter().all(|x| (*x as i64).abs() <= R::Q / 2), "{} {cpu:?}", R::NAME);

        let mut reversed = zero();
        for (j, coefficient) in reversed.0.as_flattened_mut().iter_mut().enumerate() {
            *coefficient = a.rows().0.as_flattened()[bit_reverse(j, R::N.trailing_zeros())];
        }
        (entry.forward_reversed)(cpu, &reversed, &mut y);
        assert!(x == y, "{} {cpu:?}: reversed", R::NAME);

        // A product that leaves the domain.
        (entry.forward)(cpu, b.rows(), &mut y);
        (entry.product)(cpu, &x, &y, &mut product);
        (entry.inverse)(cpu, &product, &mut out);
        assert!(same(out.0.as_flattened(), &multiplied, R::Q), "{} {cpu:?}: product", R::NAME);

        // One that stays, and sums in [0, q).
        let mut staying = x;
        (entry.to_stay)(cpu, &mut staying);
        (entry.product)(cpu, &x, &staying, &mut product);
        assert!(same(product.0.as_flattened(), &square(&expected), R::Q), "{} {cpu:?}: staying", R::NAME);
        (entry.add)(cpu, &mut product, &x);
        assert!(product.0.as_flattened().iter().all(|x| (0..R::Q).contains(&(*x as i64))));
        (entry.subtract)(cpu, &mut product, &x);
        assert!(product.0.as_flattened().iter().all(|x| (0..R::Q).contains(&(*x as i64))));
        assert!(same(product.0.as_flattened(), &square(&expected), R::Q), "{} {cpu:?}: sums", R::NAME);
    }
}

/// Protects: the domains that NewHope sends are in the order of the exponents of its root, and make products.
#[test]
fn complete_domains_in_order() {
    check_complete::<NewHope1024, 64>(&NEW_HOPE_1024_ORDERED);
    check_complete::<NewHope512, 32>(&NEW_HOPE_512_ORDERED);
}

/// Protects: the domain that ML-KEM sends is that of the in-place transform.
#[test]
fn pairs_in_order() {
    let (expected, mut domain) = (standard::<MlKem>(2, root_of_unity), Rows([[0; 16]; 16]));
    for cpu in Cpu::available() {
        (ML_KEM_ORDERED.forward)(cpu, Poly::<MlKem>::new(&input::<MlKem>()).unwrap().rows(), &mut domain);
        assert!(same(domain.0.as_flattened(), &expected, MlKem::Q), "{cpu:?}");
    }
}

/// Slot (row `8 t + c`, lane `l`) holds place `8 (8 t + l) + c`, times `k^exponent`.
fn check_k_red<R: Ring>(placement: Placement, k: i128, exponent: u32) {
    let (q, factor) = (R::Q as i128, oracle::power(k, exponent as u64, R::Q as i128));
    let expected = standard::<R>(1, root_of_unity);
    for cpu in Cpu::available() {
        let domain = forward::<R>(cpu, Route::KRed(placement));
        for (row, lanes) in domain.parts().1[..R::N / 8].iter().enumerate() {
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
    assert_eq!(KRedTransform::<12289, 64, 128, PAPER>::PLAN.forward_exponent(), 1);
    check_k_red::<NewHope1024>(Placement::Paper, 3, 1);
    let plan = KRedTransform::<12289, 64, 128, ANALYSIS>::PLAN;
    check_k_red::<NewHope1024>(Placement::Analysis, 3, plan.forward_exponent());
    let plan = KRedTransform::<12289, 32, 64, ANALYSIS>::PLAN;
    check_k_red::<NewHope512>(Placement::Analysis, 3, plan.forward_exponent());
    let plan = KRedTransform::<12289, 16, 32, ANALYSIS>::PLAN;
    check_k_red::<NewHope256>(Placement::Analysis, 3, plan.forward_exponent());
}
