//! Rows that the tables of several papers have.

use super::count::counts;
use super::{Here, Library, Operations, Peer, Row};
use crate::kem::{self, CHECKED, DECAPSULATE, ENCAPSULATE, KEYGEN};
use crate::ring;
use ringsmith::scheme::Scheme;

/// What a product by each route takes, in a ring.
pub(super) fn counted(ring: &'static str, routes: &[&'static str]) -> Vec<Row> {
    let row = |item: String, route, counted: u64| Row {
        subject: ring,
        item,
        route,
        published: vec![None],
        here: Here::Known(counted as f64),
    };
    let rows = routes.iter().flat_map(|&route| {
        let counts = counts(ring, route);
        let small = counts.small_products.iter();
        let small = small.map(|(&size, &counted)| row(format!("products of size {size}"), route, counted));
        let mut rows: Vec<_> = small.collect();
        rows.push(row("multiplications".into(), route, counts.multiplications));
        let constants = counts.by_tables + counts.by_constants;
        if constants > 0 {
            rows.push(row("multiplications by constants".into(), route, constants));
        }
        rows
    });
    rows.collect()
}

/// A product in a ring, by a route of this library's.
pub(super) fn product(
    subject: &'static str,
    names: &'static [&'static str],
    route: &'static str,
) -> Operations {
    Operations { suite: ring::SUITE, subject, names, route, by: Library::Ours }
}

/// The operations of a scheme.
pub(super) const OPERATIONS: [(&str, &[&str]); 3] =
    [("key generation", &[KEYGEN]), ("encapsulation", &[ENCAPSULATE]), ("decapsulation", &[DECAPSULATE])];

/// Those of a scheme in a library.
pub(super) fn operations(scheme: &Scheme, names: &'static [&'static str], by: Library) -> Operations {
    Operations { suite: kem::SUITE, subject: scheme.name, names, route: CHECKED, by }
}

/// The time of a peer's operations divided by ours.
pub(super) fn faster_than(
    peer: &'static Peer,
    scheme: &'static Scheme,
    published: [Option<f64>; 3],
) -> impl Iterator<Item = Row> {
    OPERATIONS.into_iter().zip(published).map(move |((item, names), published)| Row {
        subject: scheme.name,
        item: format!("{item}, {} ({}) / here", peer.name, peer.cpu),
        route: "",
        published: vec![published],
        here: Here::Quotient(
            operations(scheme, names, Library::Peer(peer)),
            operations(scheme, names, Library::Ours),
        ),
    })
}

/// What the operations of a scheme take here, beside what was published in this order.
pub(super) fn costs(scheme: &'static Scheme, published: Option<[f64; 3]>) -> impl Iterator<Item = Row> {
    OPERATIONS.into_iter().enumerate().map(move |(i, (item, names))| Row {
        subject: scheme.name,
        item: item.into(),
        route: "",
        published: vec![published.map(|costs| costs[i])],
        here: Here::Sum(operations(scheme, names, Library::Ours)),
    })
}
