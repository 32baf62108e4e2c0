//! Everything that computes on secrets, as a list.

mod any;
mod field;
#[cfg(feature = "files")]
mod files;
mod hash;
mod inverse;
mod ml_dsa;
mod ntru;
pub mod ntru_prime;
mod ntruencrypt;
mod ring;
mod rns;
mod scheme;
mod tls;
mod word;
mod words;

use ringsmith_hash::Sha3_256;
use ringsmith_probe::repeated;
use ringsmith_routes::EveryRoute;
use ringsmith_simd::Cpu;

/// An operation on secret operands.
pub struct Case {
    /// What it is, as the tables name it.
    pub name: String,
    /// Whether its instructions are counted.
    pub counted: bool,
    run: Box<dyn Fn(Cpu, u64)>,
}

impl Case {
    /// A case that keeps nothing from one secret to the next: what it allocates before it is observed is at
    /// the same addresses for each, too.
    fn new(name: String, counted: bool, run: fn(Cpu, u64)) -> Case {
        Case { name, counted, run: Box::new(move |cpu, seed| repeated(|| run(cpu, seed))) }
    }

    /// Runs it between the marks of [`observe`](crate::observe); the seed says with which secrets.
    pub fn run(&self, cpu: Cpu, seed: u64) {
        // The permutation of one stream asks for the CPU's features when it is called first: not between the
        // marks.
        let _: [u8; 32] = Sha3_256::new_on(cpu).digest();
        (self.run)(cpu, seed);
    }
}

/// Those of one ring: of no other are the tables needed.
pub fn of_ring<R: EveryRoute>() -> Vec<Case> {
    ring::of::<R>()
}

/// All cases: the rings', the fields', inverses', ML-DSA's ring's, word lanes', those of rings known at run
/// time, the hashes', the schemes', the groups of TLS'.
pub fn all() -> Vec<Case> {
    let mut cases = ring::all();
    cases.extend(field::all());
    cases.extend(inverse::all());
    cases.extend(words::all());
    cases.extend(word::all());
    cases.extend(rns::all());
    cases.extend(any::all());
    cases.extend(hash::all());
    cases.extend(scheme::all());
    cases.extend(tls::all());
    cases.extend(ml_dsa::all());
    cases.extend(ntru_prime::all());
    cases.extend(ntru::all());
    cases.extend(ntruencrypt::all());
    #[cfg(feature = "files")]
    cases.extend(files::all());
    cases
}
