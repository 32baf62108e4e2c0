//! Products modulo `x^n + 1` and a prime of 26 bits, whose prime and degree are chosen at run time: by
//! transforms, and by the methods that they are compared with.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use ringsmith_simd::Cpu;
use ringsmith_word::{Form, Method, Shape, WordRing};
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "word";
/// [`Id::operation`] of a product.
pub const PRODUCT: &str = "product";
/// [`Id::route`] of a product by transforms.
pub const TRANSFORM: &str = "transform";

/// The prime of S. Akleylek and Z. Yuece Tok, 2014.
const PRIME: u64 = 49_201_153;
/// Their degrees, and the rings' names.
pub const RINGS: [(usize, &str); 3] = [
    (1024, "Z_49201153[x]/(x^1024+1)"),
    (2048, "Z_49201153[x]/(x^2048+1)"),
    (4096, "Z_49201153[x]/(x^4096+1)"),
];

/// The methods without transforms, by the names of routes.
const METHODS: [(&str, Method); 11] = {
    const fn proposed(word: usize) -> Method {
        Method::Interleaved { word, form: Form::Proposed }
    }
    const fn original(word: usize) -> Method {
        Method::Interleaved { word, form: Form::Original }
    }
    [
        ("schoolbook", Method::Schoolbook),
        ("interleaved:1", proposed(1)),
        ("interleaved:8", proposed(8)),
        ("interleaved:16", proposed(16)),
        ("interleaved:32", proposed(32)),
        ("interleaved:64", proposed(64)),
        ("interleaved-original:1", original(1)),
        ("interleaved-original:8", original(8)),
        ("interleaved-original:16", original(16)),
        ("interleaved-original:32", original(32)),
        ("interleaved-original:64", original(64)),
    ]
};

/// Products in the three rings, by transforms and by every method without.
pub fn cases(cpus: &[Cpu]) -> Vec<Case> {
    let of = |cpu: Cpu, (n, name): (usize, &'static str)| {
        let id = move |route| Id::new(SUITE, name, PRODUCT, RINGSMITH, cpu.name(), route);
        let others = METHODS.map(|(route, method)| Case::new(id(route), move || without(cpu, n, method)));
        others.into_iter().chain([Case::new(id(TRANSFORM), move || by_transforms(cpu, n))])
    };
    cpus.iter().flat_map(|cpu| RINGS.into_iter().flat_map(move |ring| of(*cpu, ring))).collect()
}

fn ring(cpu: Cpu, n: usize) -> WordRing {
    WordRing::new_on(cpu, Shape::Negacyclic, n, PRIME).expect("a prime of the ring")
}

/// Coefficients, one for each place.
fn operand(n: usize) -> Vec<u64> {
    (1..=n as u64).map(|i| i * i * 123_457 % PRIME).collect()
}

fn without(cpu: Cpu, n: usize, method: Method) -> impl FnMut() {
    let ring = ring(cpu, n);
    let a = ring.polynomial(&operand(n)).expect("as many coefficients");
    move || {
        let a = black_box(&a);
        black_box(ring.product_by(method, a, a).expect("operands of the ring"));
    }
}

fn by_transforms(cpu: Cpu, n: usize) -> impl FnMut() {
    let ring = ring(cpu, n);
    let make = || ring.polynomial(&operand(n)).expect("as many coefficients");
    let (a, b, mut out, mut scratch) = (make(), make(), make(), ring.zero().expect("memory"));
    move || {
        let (a, b) = (black_box(&a), black_box(&b));
        ring.product_into(a, b, black_box(&mut out), &mut scratch).expect("operands of the ring");
    }
}
