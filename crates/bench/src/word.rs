//! Products modulo `x^n + 1` and a prime that is chosen at run time, as the degree is: by transforms, and by
//! the methods that they are compared with; and transforms, by either reduction.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use crate::doubles::{self, Transform};
use ringsmith_simd::Cpu;
use ringsmith_word::{Form, Method, Polynomial, Shape, WordRing};
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "word";
/// [`Id::operation`] of a product.
pub const PRODUCT: &str = "product";
/// That of a transform, and of one backward. Both copy their operand, which is kept.
pub const FORWARD: &str = "ntt";
/// The same.
pub const INVERSE: &str = "intt";
/// [`Id::route`] of products by transforms, and of transforms, as a ring has them: Montgomery's reduction in
/// lanes of 32 bits, or lanes of 64 where the CPU multiplies numbers of 52.
pub const TRANSFORM: &str = "transform";
/// That of a ring by K-RED.
pub const K_RED: &str = "k-red";
/// That of K-RED on doubles.
pub const DOUBLES: &str = "k-red-doubles";

/// The prime of S. Akleylek and Z. Yuece Tok, 2014.
pub(crate) const PRIME: u64 = 49_201_153;
/// Their degrees, and the rings' names.
pub const RINGS: [(usize, &str); 3] = [
    (1024, "Z_49201153[x]/(x^1024+1)"),
    (2048, "Z_49201153[x]/(x^2048+1)"),
    (4096, "Z_49201153[x]/(x^4096+1)"),
];

/// A ring whose prime has 30 bits.
pub const GREATER: (usize, &str) = (512, "Z_1073479681[x]/(x^512+1)");
const GREATER_PRIME: u64 = 1_073_479_681;
/// The ring of the transform on doubles.
pub const ON_DOUBLES: &str = "Z_12289[x]/(x^1024+1)";

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

/// Products in the three rings, by transforms of either reduction and by every method without; transforms in
/// these and in two more.
pub fn cases(cpus: &[Cpu]) -> Vec<Case> {
    let of = |cpu: Cpu, (n, name): (usize, &'static str)| {
        let id = move |route| Id::new(SUITE, name, PRODUCT, RINGSMITH, cpu.name(), route);
        let others = METHODS.map(|(route, method)| Case::new(id(route), move || without(cpu, n, method)));
        let make: [Make; 2] = [planned, by_k_red];
        let routes = [TRANSFORM, K_RED].into_iter().zip(make);
        others.into_iter().chain(routes.flat_map(move |(route, make)| {
            let product = Case::new(id(route), move || by_transforms(make(cpu, n, PRIME)));
            [product].into_iter().chain(transforms(cpu, (n, name), PRIME, (route, make)))
        }))
    };
    let on = |cpu: Cpu| {
        let greater = transforms(cpu, GREATER, GREATER_PRIME, (TRANSFORM, planned));
        let id = Id::new(SUITE, ON_DOUBLES, FORWARD, RINGSMITH, cpu.name(), DOUBLES);
        let doubles = Case::new(id, move || on_doubles(cpu));
        RINGS.into_iter().flat_map(move |ring| of(cpu, ring)).chain(greater).chain([doubles])
    };
    cpus.iter().flat_map(|cpu| on(*cpu)).collect()
}

/// Makes a ring.
type Make = fn(Cpu, usize, u64) -> WordRing;

fn planned(cpu: Cpu, n: usize, p: u64) -> WordRing {
    WordRing::new_on(cpu, Shape::Negacyclic, n, p).expect("a prime of the ring")
}

fn by_k_red(cpu: Cpu, n: usize, p: u64) -> WordRing {
    WordRing::by_k_red(cpu, Shape::Negacyclic, n, p).expect("a prime of K-RED")
}

/// Transforms in both directions.
fn transforms(
    cpu: Cpu,
    (n, name): (usize, &'static str),
    p: u64,
    (route, make): (&'static str, Make),
) -> [Case; 2] {
    let id = |operation| Id::new(SUITE, name, operation, RINGSMITH, cpu.name(), route);
    [
        Case::new(id(FORWARD), move || forward(make(cpu, n, p))),
        Case::new(id(INVERSE), move || inverse(make(cpu, n, p))),
    ]
}

/// Coefficients, one for each place.
fn operand(n: usize, p: u64) -> Vec<u64> {
    (1..=n as u64).map(|i| i * i * 123_457 % p).collect()
}

/// A polynomial of a ring.
fn polynomial(ring: &WordRing) -> Polynomial {
    ring.polynomial(&operand(ring.degree(), ring.prime())).expect("as many coefficients")
}

fn forward(ring: WordRing) -> impl FnMut() {
    let (a, mut out) = (polynomial(&ring), ring.zero().expect("memory"));
    move || ring.forward_into(black_box(&a), black_box(&mut out)).expect("operands of the ring")
}

/// Of a product, whose values are reduced.
fn inverse(ring: WordRing) -> impl FnMut() {
    let mut a = ring.forward(polynomial(&ring)).expect("an operand of the ring");
    let b = a.try_clone().expect("memory");
    ring.pointwise(&mut a, &b).expect("operands of the ring");
    let mut out = polynomial(&ring);
    move || ring.inverse_into(black_box(&a), black_box(&mut out)).expect("operands of the ring")
}

/// A transform again and again, in the same memory.
fn on_doubles(cpu: Cpu) -> impl FnMut() {
    let ring = planned(cpu, doubles::DEGREE, doubles::PRIME);
    let (transform, coefficients) = (Transform::new(&ring), operand(doubles::DEGREE, doubles::PRIME));
    let mut rows = Transform::rows(&coefficients);
    move || cpu.run(transform.forward(black_box(&mut rows)))
}

fn without(cpu: Cpu, n: usize, method: Method) -> impl FnMut() {
    let ring = planned(cpu, n, PRIME);
    let a = polynomial(&ring);
    move || {
        let a = black_box(&a);
        black_box(ring.product_by(method, a, a).expect("operands of the ring"));
    }
}

fn by_transforms(ring: WordRing) -> impl FnMut() {
    let (a, b, mut out) = (polynomial(&ring), polynomial(&ring), polynomial(&ring));
    let mut scratch = ring.zero().expect("memory");
    move || {
        let (a, b) = (black_box(&a), black_box(&b));
        ring.product_into(a, b, black_box(&mut out), &mut scratch).expect("operands of the ring");
    }
}
