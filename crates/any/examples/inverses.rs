//! How long an inverse takes: milliseconds, the least of three, by the degree.
//!
//! `cargo run --release -p ringsmith-any --example inverses`
use ringsmith_any::{Inverses, Polynomial, Ring, RingError};
use ringsmith_oracle::Random;
use std::time::Instant;

/// A prime, a power of two, a power of another prime, and the greatest prime of 61 bits.
const MODULI: [(&str, u64); 4] =
    [("12289", 12289), ("2^32", 1 << 32), ("4591^2", 4591 * 4591), ("2^61-1", (1 << 61) - 1)];
/// The last one is the greatest that has inverses.
const DEGREES: [usize; 4] = [256, 761, 1024, 4096];
/// How often each is measured.
const TURNS: usize = 3;

/// Milliseconds of an inverse modulo `x^n - x - 1`. Elements that have none are passed over.
fn milliseconds(q: u64, n: usize) -> Result<f64, RingError> {
    let ring = Ring::new(q, &Polynomial::new(&[(n, 1), (1, -1), (0, -1)])?)?;
    let (mut inverses, mut out, mut random) = (Inverses::new(&ring)?, vec![0; n], Random::new(1));
    let (mut least, mut turns) = (f64::INFINITY, 0);
    while turns < TURNS {
        let a: Vec<u64> = (0..n).map(|_| random.word() % q).collect();
        let start = Instant::now();
        match inverses.inverse(&a, &mut out) {
            Ok(()) => (least, turns) = (least.min(1e3 * start.elapsed().as_secs_f64()), turns + 1),
            Err(RingError::NoInverse) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(least)
}

fn main() -> Result<(), RingError> {
    let head: String = MODULI.iter().map(|(name, _)| format!("{name:>10}")).collect();
    println!("{:>6}{head}", "degree");
    for n in DEGREES {
        print!("{n:>6}");
        for (_, q) in MODULI {
            print!("{:>10.1}", milliseconds(q, n)?);
        }
        println!();
    }
    Ok(())
}
