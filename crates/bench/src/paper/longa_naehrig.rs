//! P. Longa, M. Naehrig, CANS 2016, table 1: the NewHope key exchange by K-RED, next to that of Alkim, Ducas,
//! Poeppelmann and Schwabe; and, for its remark on other parameters, transforms in wider lanes.

use super::{Block, Here, Library, Operations, Paper, Row};
use crate::exchange::{ANY, SUITE};
use crate::paper::Unit;
use crate::word;
use ringsmith::new_hope::{adps, longa_naehrig};

pub(super) const PAPER: Paper = Paper {
    name: "longa-naehrig",
    source: "P. Longa, M. Naehrig, CANS 2016, table 1. \
             Core i7-4770 (Haswell); C by gcc 4.9.2, AVX2 by clang 3.8.0",
    blocks,
    own_cases: word::cases,
    beside: None,
    on_gpu: false,
};

/// The routes of the ring, the planner's choice first.
const ROUTES: &[&str] = &["ntt", "k-red", "k-red-paper"];
const NO_ROUTE: &[&str] = &[ANY];

/// A line of the table: its operations and routes here; the figures of the paper's exchange and of the other,
/// in C and for AVX2.
type Item = (&'static str, &'static [&'static str], &'static [&'static str], [f64; 2], [f64; 2]);

const ITEMS: [Item; 10] = [
    ("NTT", &["ntt"], ROUTES, [30.1, 9.1], [55.4, 8.4]),
    ("inverse NTT", &["intt"], ROUTES, [31.8, 9.7], [59.9, 9.5]),
    ("generating a", &["uniform"], NO_ROUTE, [39.5, 37.8], [43.6, 36.9]),
    ("error sampling", &["error"], NO_ROUTE, [31.4, 4.8], [32.7, 5.9]),
    ("HelpRec", &["help"], NO_ROUTE, [12.9, 2.4], [14.6, 3.4]),
    ("Rec", &["reconcile"], NO_ROUTE, [7.2, 1.2], [10.1, 2.8]),
    ("key generation (server)", &["offer"], ROUTES, [170.9, 70.4], [259.0, 89.1]),
    ("key and shared key (client)", &["respond"], ROUTES, [287.6, 95.2], [385.1, 111.2]),
    ("shared key (server)", &["finish"], ROUTES, [48.8, 15.7], [86.3, 19.4]),
    ("whole exchange", &["offer", "respond", "finish"], ROUTES, [507.3, 181.3], [730.4, 219.7]),
];

fn blocks() -> Vec<Block> {
    let forms = [longa_naehrig::EXCHANGE.name, adps::EXCHANGE.name];
    let row = |form: usize, (name, names, _, ours, other): Item, route: &'static str| Row {
        subject: forms[form],
        item: name.into(),
        route,
        published: [ours, other][form].map(Some).into(),
        here: Here::Sum(Operations { suite: SUITE, subject: forms[form], names, route, by: Library::Ours }),
    };
    let rows = [0, 1].into_iter().flat_map(|form| {
        ITEMS.into_iter().flat_map(move |item| item.2.iter().map(move |route| row(form, item, route)))
    });
    let exchange = Block {
        title: "The NewHope key exchange",
        unit: Unit::Kilocycles,
        published: &["C", "AVX2"],
        rows: rows.collect(),
    };
    vec![exchange, wider()]
}

/// What the paper says of the transform of C. Aguilar-Melchor and others (2016): 13 000 cycles on a Haswell
/// of 2.9 GHz, scaled from 4.5 microseconds.
const GREATER_PUBLISHED: f64 = 13.0;

/// Transforms and products modulo greater primes, by either reduction; and the transform modulo 12289 on
/// doubles, beside that of integers.
fn wider() -> Block {
    let of = |subject: &'static str, suite: &'static str| {
        move |(item, names): (&str, &'static [&'static str]), route, published| Row {
            subject,
            item: item.into(),
            route,
            published: vec![published],
            here: Here::Sum(Operations { suite, subject, names, route, by: Library::Ours }),
        }
    };
    let [ntt, intt] = [("NTT", &[word::FORWARD] as &[_]), ("inverse NTT", &[word::INVERSE])];
    let greater = of(word::GREATER.1, word::SUITE);
    let greater = [(ntt, Some(GREATER_PUBLISHED)), (intt, None)]
        .map(|(item, published)| greater(item, word::TRANSFORM, published));
    let both = word::RINGS.into_iter().flat_map(|(_, ring)| {
        let items = [ntt, intt, ("product", &[word::PRODUCT])];
        items.into_iter().flat_map(move |item| {
            [word::TRANSFORM, word::K_RED].map(|route| of(ring, word::SUITE)(item, route, None))
        })
    });
    let integers = of(longa_naehrig::EXCHANGE.name, SUITE)(("NTT", &["ntt"]), "k-red", None);
    let doubles = of(word::ON_DOUBLES, word::SUITE)(ntt, word::DOUBLES, None);
    Block {
        title: "In wider lanes",
        unit: Unit::Kilocycles,
        published: &["published"],
        rows: greater.into_iter().chain(both).chain([integers, doubles]).collect(),
    }
}
