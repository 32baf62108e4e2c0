//! Products of the paper's two rings.

use super::{Effort, Job, Operands, Run, Seconds, timed};
use crate::paper::{DOUBLES, SETS, STEPS, TENSOR_CORES};
use crate::public::convolution::Method;
use crate::public::encryption::Q_BITS;
use crate::public::{self, Places};
use crate::{ring, word};
use ringsmith_gpu::{
    Cyclic, Device, Form, GpuError, Interleaved, PrimeRoute, PublicTernary, Ring, SlidingWindow, Sparse,
    Word, WordBy,
};
use ringsmith_oracle::Random;
use ringsmith_word::WordRing;

/// All of them.
pub(super) fn jobs() -> Vec<Job> {
    let sets = public::encryption::SETS.iter().zip(SETS);
    let cyclic = sets.flat_map(|(set, (_, ring, _))| {
        let (n, weight) = (set.degree(), set.weight());
        dense(n, ring).into_iter().chain(ternary((n, weight), ring)).collect::<Vec<_>>()
    });
    cyclic.chain(word::RINGS.into_iter().flat_map(modulo_a_prime)).collect()
}

/// Both forms in steps of each length, by the names of their routes.
pub(super) fn forms() -> impl Iterator<Item = (&'static str, usize, Form)> {
    STEPS.into_iter().flat_map(|(word, proposed, original)| {
        [(proposed, word, Form::Proposed), (original, word, Form::Original)]
    })
}

fn dense(n: usize, subject: &'static str) -> Vec<Job> {
    let job = |(route, word, form)| Job {
        suite: ring::SUITE,
        subject,
        operation: "product",
        route,
        run: Box::new(move |device, effort| dense_products(device, effort, (n, word, form))),
    };
    forms().map(job).collect()
}

fn dense_products(
    device: &Device,
    effort: &Effort,
    (n, word, form): (usize, usize, Form),
) -> Result<Option<Seconds>, GpuError> {
    let ring = Interleaved::new(n, Q_BITS as u32, word, form)?;
    let mut random = Random::new(1);
    let held = Operands { a: elements(n, effort, &mut random), b: elements(n, effort, &mut random) };
    let expected = cyclic(last(&held.a, n), last(&held.b, n).iter().map(|x| i64::from(*x)));
    timed(device, ring, &held, &expected, effort)
}

fn ternary(of: (usize, usize), subject: &'static str) -> [Job; 3] {
    type ByWeight = fn(&Device, &Effort, (usize, usize)) -> Result<Option<Seconds>, GpuError>;
    let job = |route, run: ByWeight| Job {
        suite: public::SUITE,
        subject,
        operation: public::PRODUCT,
        route,
        run: Box::new(move |device, effort| run(device, effort, of)),
    };
    [
        job(Method::SlidingWindow.name(), |device, effort, (n, weight)| {
            let ring = window(n, weight)?;
            by_ternaries(device, effort, (n, weight), ring, |ring, r| ring.operand(&public_of(n, r)?))
        }),
        job(Method::FastConvolution.name(), |device, effort, (n, weight)| {
            let ring = places(n, weight)?;
            by_ternaries(device, effort, (n, weight), ring, |ring, r| ring.operand(&public_of(n, r)?))
        }),
        job(TENSOR_CORES, |device, effort, (n, weight)| {
            let ring = Cyclic::new(n, Q_BITS as u32)?;
            by_ternaries(device, effort, (n, weight), ring, |_, r| Ok(bytes_of(n, r)))
        }),
    ]
}

/// The ring of products window by window.
pub(super) fn window(n: usize, weight: usize) -> Result<SlidingWindow, GpuError> {
    SlidingWindow::new(n, Q_BITS as u32, 2 * weight)
}

/// The ring of products place by place.
pub(super) fn places(n: usize, weight: usize) -> Result<Sparse, GpuError> {
    Sparse::new(n, Q_BITS as u32, weight, weight)
}

/// An operand whose windows or places are addresses.
pub(super) fn public_of(n: usize, r: &Places) -> Result<PublicTernary, GpuError> {
    PublicTernary::declare(n, r.plus.iter().copied(), r.minus.iter().copied())
}

/// The coefficients of an operand.
pub(super) fn bytes_of(n: usize, r: &Places) -> Vec<i8> {
    let mut bytes = vec![0; n];
    r.plus.iter().for_each(|place| bytes[*place] = 1);
    r.minus.iter().for_each(|place| bytes[*place] = -1);
    bytes
}

/// Products by ternary elements of a weight, as a ring takes them.
fn by_ternaries<R: Ring<A = u16, C = u16>>(
    device: &Device,
    effort: &Effort,
    (n, weight): (usize, usize),
    ring: R,
    encode: impl Fn(&R, &Places) -> Result<Vec<R::B>, GpuError>,
) -> Result<Option<Seconds>, GpuError> {
    let mut random = Random::new(1);
    let a = elements(n, effort, &mut random);
    let operands: Vec<Places> = (0..a.len() / n).map(|_| distinct(n, weight, &mut random)).collect();
    let mut b = Vec::new();
    for r in &operands {
        b.extend(encode(&ring, r)?);
    }
    let Some(r) = operands.last() else { return Ok(None) };
    let expected = cyclic(last(&a, n), bytes_of(n, r).into_iter().map(i64::from));
    timed(device, ring, &Operands { a, b }, &expected, effort)
}

/// Distinct places, as many of 1 as of -1.
fn distinct(n: usize, weight: usize, random: &mut Random) -> Places {
    let mut all: Vec<usize> = (0..n).collect();
    for at in 0..2 * weight {
        all.swap(at, random.within(at as i64, n as i64 - 1) as usize);
    }
    Places { plus: all[..weight].to_vec(), minus: all[weight..2 * weight].to_vec() }
}

/// Random elements modulo the power of two.
fn elements(n: usize, effort: &Effort, random: &mut Random) -> Vec<u16> {
    let mask = (1 << Q_BITS) - 1;
    (0..count(n, effort) * n).map(|_| random.word() as u16 & mask).collect()
}

/// How many products a batch has.
fn count(n: usize, effort: &Effort) -> usize {
    (effort.coefficients / n).max(1)
}

fn last<T>(all: &[T], n: usize) -> &[T] {
    &all[all.len() - n..]
}

/// A product modulo `x^n - 1` by the definition.
fn cyclic(a: &[u16], b: impl Iterator<Item = i64>) -> Vec<u16> {
    let (n, mut sums) = (a.len(), vec![0i64; a.len()]);
    for (i, y) in b.enumerate() {
        a.iter().enumerate().for_each(|(j, x)| sums[(i + j) % n] += i64::from(*x) * y);
    }
    sums.into_iter().map(|sum| (sum & ((1 << Q_BITS) - 1)) as u16).collect()
}

fn modulo_a_prime((n, subject): (usize, &'static str)) -> Vec<Job> {
    let job = |route, run: Run| Job { suite: word::SUITE, subject, operation: word::PRODUCT, route, run };
    let by = |(name, route)| {
        let run: Run =
            Box::new(move |device, effort| words(device, effort, n, WordBy::new(n, word::PRIME, route)?));
        job(name, run)
    };
    let forms = forms().map(|(name, word, form)| (name, PrimeRoute::Interleaved { word, form }));
    let others = [("schoolbook", PrimeRoute::Schoolbook), (DOUBLES, PrimeRoute::Doubles)];
    let transform: Run = Box::new(move |device, effort| words(device, effort, n, Word::new(n, word::PRIME)?));
    forms.chain(others).map(by).chain([job(word::TRANSFORM, transform)]).collect()
}

fn words<R: Ring<A = u32, B = u32, C = u32>>(
    device: &Device,
    effort: &Effort,
    n: usize,
    ring: R,
) -> Result<Option<Seconds>, GpuError> {
    let mut random = Random::new(1);
    let mut operand = || (0..count(n, effort) * n).map(|_| (random.word() % word::PRIME) as u32).collect();
    let held: Operands<R> = Operands { a: operand(), b: operand() };
    let on_cpu = WordRing::new(n, word::PRIME)?;
    let polynomial = |all: &[u32]| {
        let coefficients: Vec<u64> = last(all, n).iter().map(|x| u64::from(*x)).collect();
        on_cpu.polynomial(&coefficients)
    };
    let product = on_cpu.product(polynomial(&held.a)?, polynomial(&held.b)?)?;
    let expected: Vec<u32> = product.coefficients().map(|x| x as u32).collect();
    timed(device, ring, &held, &expected, effort)
}
