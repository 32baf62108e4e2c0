//! Products modulo primes that are chosen at run time, beside tfhe-ntt's: nanoseconds, the least of many,
//! both sides in turn. Operands are in memory of their own and stay; nothing is prepared. The last column is
//! the time that a ring takes to be made, in microseconds, the least of a few.
//!
//! `cargo run --release -p ringsmith-peers --features ring --example word`; with `ring-avx2`, and `avx2` as
//! argument, both use AVX2. Bits of primes or degrees behind it leave the others out.

use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use ringsmith_word::{Shape, WordRing};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use tfhe_ntt::{prime32, prime64};

/// The greatest primes of 26, 30, 46, 49, 50, 51, 60 and 62 bits that are 1 modulo `2^18`.
const PRIMES: [u64; 8] = [
    64_749_569,
    1_073_479_681,
    70_368_740_769_793,
    562_949_950_537_729,
    1_125_899_902_124_033,
    2_251_799_807_131_649,
    1_152_921_504_606_584_833,
    4_611_686_018_425_815_041,
];
const DEGREES: [usize; 6] = [256, 1024, 4096, 16384, 65536, 131_072];
/// How often each side is measured, and about how many coefficients a measurement takes.
const ROUNDS: usize = 200;
const COEFFICIENTS: usize = 1 << 17;
/// How often a ring is made.
const MADE: usize = 20;

/// The least time of a call so far, in nanoseconds.
struct Least(f64);

impl Least {
    fn measure(&mut self, n: usize, mut call: impl FnMut()) {
        let calls = (COEFFICIENTS / n).max(1);
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        self.0 = self.0.min(start.elapsed().as_nanos() as f64 / calls as f64);
    }
}

/// tfhe-ntt's product of `$a` and `$b`, as a closure: both are copied, transformed, multiplied and
/// transformed back.
macro_rules! product {
    ($plan:expr, $a:expr, $b:expr) => {{
        let (plan, a, b) = ($plan.ok_or("tfhe-ntt has no such plan")?, $a, $b);
        let (mut out, mut scratch) = (a.clone(), b.clone());
        Box::new(move || {
            out.copy_from_slice(black_box(&a));
            scratch.copy_from_slice(black_box(&b));
            plan.fwd(&mut out);
            plan.fwd(&mut scratch);
            plan.mul_assign_normalize(&mut out, &scratch);
            plan.inv(&mut out);
            black_box(&mut out);
        })
    }};
}

/// The least time in which a ring is made, in nanoseconds.
fn set_up(cpu: Cpu, n: usize, p: u64) -> f64 {
    let mut least = Least(f64::INFINITY);
    for _ in 0..MADE {
        // One call each.
        least.measure(COEFFICIENTS, || {
            black_box(WordRing::new_on(cpu, Shape::Negacyclic, n, black_box(p)).is_ok());
        });
    }
    least.0
}

/// The least time of tfhe-ntt's product, and of ours.
fn compare(cpu: Cpu, n: usize, p: u64) -> Result<[f64; 2], Box<dyn Error>> {
    let mut random = Random::new(1);
    let [a, b] = [(); 2].map(|()| (0..n).map(|_| random.word() % p).collect::<Vec<u64>>());
    let narrow = |a: &[u64]| a.iter().map(|x| *x as u32).collect::<Vec<u32>>();
    let mut theirs: Box<dyn FnMut()> = match u32::try_from(p) {
        Ok(p) => product!(prime32::Plan::try_new(n, p), narrow(&a), narrow(&b)),
        Err(_) => product!(prime64::Plan::try_new(n, p), a.clone(), b.clone()),
    };
    let ring = WordRing::new_on(cpu, Shape::Negacyclic, n, p)?;
    let (a, b) = (ring.polynomial(&a)?, ring.polynomial(&b)?);
    let (mut out, mut scratch) = (a.try_clone()?, ring.zero()?);
    let (mut their_least, mut our_least) = (Least(f64::INFINITY), Least(f64::INFINITY));
    for _ in 0..ROUNDS {
        their_least.measure(n, &mut theirs);
        our_least.measure(n, || {
            ring.product_into(black_box(&a), black_box(&b), &mut out, &mut scratch).expect("of this ring");
            black_box(&mut out);
        });
    }
    Ok([their_least.0, our_least.0])
}

/// What is chosen of all: a backend, bits of primes and degrees, by the arguments.
fn chosen() -> Result<(Cpu, Vec<usize>), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let name = arguments.next_if(|argument| argument.parse::<usize>().is_err());
    let cpu = name.map_or(Ok(Cpu::detect()), |name| Cpu::from_name(&name))?;
    Ok((cpu, arguments.map(|argument| argument.parse()).collect::<Result<_, _>>()?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (cpu, only) = chosen()?;
    let takes = |x: usize, all: &[usize]| only.contains(&x) || !all.iter().any(|x| only.contains(x));
    let bits = |p: u64| p.ilog2() as usize + 1;
    let all_bits = PRIMES.map(bits);
    println!(
        "{:>6} {:>4} {:>19} {:>10} {:>10} {:>6} {:>9}  on {cpu:?}",
        "n", "bits", "p", "tfhe-ntt", "ringsmith", "ratio", "made, us"
    );
    for n in DEGREES.into_iter().filter(|n| takes(*n, &DEGREES)) {
        for p in PRIMES.into_iter().filter(|p| takes(bits(*p), &all_bits)) {
            let [theirs, ours] = compare(cpu, n, p)?;
            let (ratio, made) = (ours / theirs, set_up(cpu, n, p) / 1000.0);
            println!("{n:6} {:4} {p:19} {theirs:10.0} {ours:10.0} {ratio:6.2} {made:9.1}", bits(p));
        }
    }
    Ok(())
}
