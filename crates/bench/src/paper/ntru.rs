//! H.-T. Chen, Y.-H. Chung, V. Hwang, C.-T. Liu, B.-Y. Yang, eprint 2023/541: products for NTRU by Toom and
//! Cook's product in five parts, and by Toeplitz matrices.
//!
//! The code that the paper compares with was written for its CPU. In its place stands what is measured in the
//! same run: for products the [route](EARLIER) of the kind that was there before, for the schemes the peer
//! `pqcrypto-ntru`, whose vector code multiplies by Toom and Cook's product in four parts.

use super::rows::{costs, counted, faster_than, product};
use super::{Block, Here, Paper, Peer, Row, Unit, no_cases};
use ringsmith::ntru::{
    ntruhps2048509, ntruhps2048677, ntruhps4096821, ntruhps40961229, ntruhrss701, ntruhrss1373,
};
use ringsmith::scheme::Scheme;
use ringsmith_ring::Ring;
use ringsmith_routes::rings::{NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373};

pub(super) const PAPER: Paper = Paper {
    name: "ntru",
    source: "H.-T. Chen, Y.-H. Chung, V. Hwang, C.-T. Liu, B.-Y. Yang, eprint 2023/541, abstract. \
             Cortex-A72; Neon",
    blocks,
    own_cases: no_cases,
    beside: None,
    on_gpu: false,
};

/// The paper's routes for 677, by matrices and by polynomials; one of the kind before it; by primes.
const BY_MATRICES: &str = "toeplitz:5/3/3";
const BY_POLYNOMIALS: &str = "toom-cook:5/toom-cook:3/toom-cook:3/schoolbook";
const EARLIER: &str = "toom-cook:4/karatsuba:2";
const BY_PRIMES: &str = "rns:3/rows";

/// The routes of degree 677, of which the paper has an implementation, and of 701, which has two bits less to
/// lose.
const ROUTES_OF_677: [&str; 7] = [
    BY_MATRICES,
    BY_PRIMES,
    "weimerskirch-paar:9",
    "weimerskirch-paar:5/weimerskirch-paar:3/weimerskirch-paar:3",
    BY_POLYNOMIALS,
    EARLIER,
    "schoolbook",
];
const ROUTES_OF_701: [&str; 7] = [
    "toeplitz:5/3k/3k",
    BY_PRIMES,
    "weimerskirch-paar:9",
    "weimerskirch-paar:5/weimerskirch-paar:3/weimerskirch-paar:3",
    "toom-cook:5/weimerskirch-paar:3/weimerskirch-paar:3",
    EARLIER,
    "schoolbook",
];

/// Products of 16 coefficients by the paper's routes for 677, and by those of 701 with Karatsuba's in parts
/// (eprint 2023/1637).
const SMALL_PRODUCTS: [f64; 2] = [225.0, 324.0];

/// The rings with their routes by matrices, and thousands of cycles of a product by a ternary element, the
/// least that is known to have been measured on a Zen 3: by Toom and Cook's product, or two primes for 821.
const RECORDS: [(&str, &str, Option<f64>); 6] = [
    (NtruHps509::NAME, "toeplitz:4/3/3", Some(4.84)),
    (NtruHps677::NAME, BY_MATRICES, Some(9.76)),
    (NtruHps821::NAME, "toeplitz:3/3/3/2", Some(11.6)),
    (NtruHps1229::NAME, "toeplitz:3/3/3/3", None),
    (NtruHrss701::NAME, "toeplitz:5/3k/3k", Some(9.4)),
    (NtruHrss1373::NAME, "toeplitz:3/2/2/2/2/2", None),
];

const PUBLISHED: &[&str] = &["published"];
const NEON: &[&str] = &["Neon"];
const AVX2: &[&str] = &["AVX2"];

/// The sets, and thousands of cycles of key generation, encapsulation and decapsulation by the peer's vector
/// code.
static SETS: [(&Scheme, Option<[f64; 3]>); 6] = [
    (&ntruhps2048509::SCHEME, Some([131.6, 17.9, 31.6])),
    (&ntruhps2048677::SCHEME, Some([229.4, 27.3, 51.6])),
    (&ntruhps4096821::SCHEME, Some([338.5, 32.3, 68.5])),
    (&ntruhps40961229::SCHEME, None),
    (&ntruhrss701::SCHEME, Some([229.7, 22.5, 54.6])),
    (&ntruhrss1373::SCHEME, None),
];

/// What was optimized before.
static OPTIMIZED: Peer = Peer { name: "pqcrypto-ntru", cpu: "avx2" };
/// The reference code.
static REFERENCE: Peer = Peer { name: "pqcrypto-ntru", cpu: "scalar" };

fn blocks() -> Vec<Block> {
    vec![all_counted(), products(), claimed_of_products(), claimed_of_schemes(), others(), all_costs()]
}

fn all_counted() -> Block {
    let published = |ring: &'static str, routes: [&'static str; 7], small: f64| {
        let (matrices, polynomials) = (routes[0], routes[4]);
        counted(ring, &routes).into_iter().map(move |mut row| {
            let counted = row.route == matrices || row.route == polynomials;
            row.published = vec![(counted && row.item == "products of size 16").then_some(small)];
            row
        })
    };
    let rows = published(NtruHps677::NAME, ROUTES_OF_677, SMALL_PRODUCTS[0]);
    Block {
        title: "A product of degrees 677 and 701, counted by running it; published for 701 by eprint \
                2023/1637",
        unit: Unit::Count,
        published: PUBLISHED,
        rows: rows.chain(published(NtruHrss701::NAME, ROUTES_OF_701, SMALL_PRODUCTS[1])).collect(),
    }
}

fn products() -> Block {
    let row = |subject, item: &str, names, route, published| Row {
        subject,
        item: item.into(),
        route,
        published: vec![published],
        here: Here::Sum(product(subject, names, route)),
    };
    let of = |ring, matrix, record| {
        [matrix, BY_PRIMES].map(|route| row(ring, "product, ternary", &["product-small"], route, record))
    };
    let small = RECORDS.into_iter().flat_map(|(ring, matrix, record)| of(ring, matrix, record));
    let any = |(ring, routes): (&'static str, [&'static str; 7])| {
        routes.map(|route| row(ring, "product", &["product"], route, None))
    };
    let any = [(NtruHps677::NAME, ROUTES_OF_677), (NtruHrss701::NAME, ROUTES_OF_701)].map(any);
    Block {
        title: "A product by a ternary element, and one of any two by each route. Published are records on a \
                Zen 3, of any route",
        unit: Unit::Kilocycles,
        published: AVX2,
        rows: small.chain(any.into_iter().flatten()).collect(),
    }
}

/// The paper's claim on products.
fn claimed_of_products() -> Block {
    let row = |route, names, published| Row {
        subject: NtruHps677::NAME,
        item: format!(
            "{}, {EARLIER} / {route}",
            if names == PREPARED { "prepared product" } else { "product" }
        ),
        route: "",
        published: vec![published],
        here: Here::Quotient(
            product(NtruHps677::NAME, names, EARLIER),
            product(NtruHps677::NAME, names, route),
        ),
    };
    Block {
        title: "The earlier route's time divided by that of the paper's, and of ours, in the same run",
        unit: Unit::Quotient,
        published: NEON,
        rows: vec![
            row(BY_POLYNOMIALS, PRODUCT, Some(2.18)),
            row(BY_MATRICES, PRODUCT, Some(2.18)),
            row(BY_MATRICES, PREPARED, None),
            row(BY_PRIMES, PRODUCT, None),
        ],
    }
}

const PRODUCT: &[&str] = &["product"];
const PREPARED: &[&str] = &["product-prepared"];

/// The paper's claims on schemes.
fn claimed_of_schemes() -> Block {
    let published = [7.67, 2.48, 1.77].map(Some);
    Block {
        title: "The time of other code divided by this library's, in the same run",
        unit: Unit::Quotient,
        published: NEON,
        rows: faster_than(&OPTIMIZED, &ntruhps2048677::SCHEME, published).collect(),
    }
}

/// The same of the other sets: vector code where there is some, and portable code.
fn others() -> Block {
    let of = |&(scheme, published): &(&'static Scheme, Option<[f64; 3]>)| {
        let peer = if published.is_some() { &OPTIMIZED } else { &REFERENCE };
        faster_than(peer, scheme, [None; 3])
    };
    let named = |set: &&(&'static Scheme, _)| set.0.name != ntruhps2048677::SCHEME.name;
    Block {
        title: "The same of other sets, for which the paper claims nothing",
        unit: Unit::Quotient,
        published: NEON,
        rows: SETS.iter().filter(named).flat_map(of).collect(),
    }
}

fn all_costs() -> Block {
    Block {
        title: "Key encapsulation from bytes to bytes. Published: pqcrypto-ntru on a Zen 3",
        unit: Unit::Kilocycles,
        published: AVX2,
        rows: SETS.iter().flat_map(|(scheme, published)| costs(scheme, *published)).collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::paper::count::counts;
    use crate::paper::count::tests::{Counted, counts_of};
    use ringsmith_cyclic::class::{ByMatrix, ByPrimes, Length, UpTo};
    use ringsmith_ring::{ByProduct, Route};
    use ringsmith_routes::entries;
    use ringsmith_routes::ntru::{Class, Others};

    /// The routes of a ring of 45 rows.
    macro_rules! counted {
        ($ring:ty, $bits:literal, $names:ident) => {{
            type Of = Class<45, $bits>;
            let counts: [fn(&'static str) -> Counted; 7] = [
                counts_of::<$ring, <Length<45, 45, $bits> as ByMatrix>::Of>,
                counts_of::<$ring, <UpTo<45, $bits> as ByPrimes>::Of>,
                counts_of::<$ring, ByProduct<<Of as Others>::Safe>>,
                counts_of::<$ring, ByProduct<<Of as Others>::Parts>>,
                counts_of::<$ring, ByProduct<<Of as Others>::Most>>,
                counts_of::<$ring, ByProduct<<Of as Others>::Fewer>>,
                counts_of::<$ring, ByProduct<<Of as Others>::Every>>,
            ];
            $names.into_iter().zip(counts).map(|(route, counts)| counts(route))
        }};
    }

    /// All routes of both rings.
    pub(in crate::paper) fn counted() -> Vec<Counted> {
        let first = counted!(NtruHps677, 11, ROUTES_OF_677);
        first.chain(counted!(NtruHrss701, 13, ROUTES_OF_701)).collect()
    }

    /// Protects: what is counted are the routes of both rings, under their names.
    #[test]
    fn all_routes_are_counted() {
        // Both have other papers' routes, those modulo 2048 behind these.
        let names: Vec<_> = entries::<NtruHps677>().map(|entry| entry.route().to_string()).take(7).collect();
        assert_eq!(names, ROUTES_OF_677);
        let others = entries::<NtruHrss701>().filter(|entry| entry.route() != Route::Signed);
        let names: Vec<_> = others.map(|entry| entry.route().to_string()).collect();
        assert_eq!(names, ROUTES_OF_701);
    }

    /// Protects: small products are as many as published, and where the multiplications are.
    #[test]
    fn as_published() {
        let (first, second) = (NtruHps677::NAME, NtruHrss701::NAME);
        // A whole product of two rows is two windows, one with a matrix is one.
        for (ring, route, small, windows) in [
            (first, ROUTES_OF_677[4], 225, 2),
            (first, ROUTES_OF_677[0], 225, 1),
            (second, ROUTES_OF_701[4], 324, 2),
            (second, ROUTES_OF_701[0], 324, 1),
        ] {
            let counts = counts(ring, route);
            assert_eq!(counts.small_products, [(16, small)].into());
            assert_eq!(counts.multiplications, windows * 256 * small);
        }
    }
}
