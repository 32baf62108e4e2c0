//! Every scheme on every CPU backend: both sides agree, spoiled ciphertexts are rejected, and all backends
//! compute the same bytes.

use super::{backends, check_backends, measure, wrong};
use crate::error::Error;
use crate::output::print;
use crate::progress::Progress;
use crate::table::{Table, time};
use ringsmith::Cpu;
use ringsmith::scheme::{ALL, Scheme, SchemeError};
use ringsmith_oracle::Random;
use std::hint::black_box;

/// Key pairs of a scheme that are tried on a backend.
const TRIES: usize = 10;

/// Runs this part of the tour.
pub(super) fn run(cpus: &[Cpu]) -> Result<(), Error> {
    let progress = Progress::new();
    let headings = ["scheme", "status", "cpu", "keygen", "encapsulate", "decapsulate"];
    let (mut table, mut checked) = (Table::new(3, headings), 0);
    for &scheme in ALL {
        progress.show(scheme.name);
        // Agreement and rejection.
        let checks = check_backends(scheme.name, cpus, 2 * TRIES, |cpu| transcript(cpu, scheme));
        progress.clear();
        checked += checks?;
        for cpu in cpus {
            let row = [scheme.name, &scheme.status.to_string(), cpu.name()].map(String::from);
            table.push(row.into_iter().chain(times(*cpu, scheme)?.map(time)).collect());
        }
    }
    let backends = backends(cpus.len());
    print(format!("\n{}\n{checked} checks of schemes on {backends}: all right\n", table.render()).as_bytes())
}

/// Every byte of a number of exchanges, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, scheme: &Scheme) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    for _ in 0..TRIES {
        let mut exchange = Exchange::new(cpu, scheme, &mut rng)?;
        let recovered = exchange.decapsulate()?;
        if recovered != exchange.shared {
            return Err(wrong(scheme.name, cpu, "does not recover a shared key"));
        }
        let at = usize::from(recovered[0]) % exchange.ciphertext.len();
        exchange.ciphertext[at] ^= 1;
        let rejected = exchange.decapsulate()?;
        if scheme.cca && rejected == exchange.shared {
            return Err(wrong(scheme.name, cpu, "takes a spoiled ciphertext"));
        }
        let Exchange { public, private, ciphertext, shared, .. } = exchange;
        [public, private, ciphertext, shared, rejected].iter().for_each(|part| all.extend(part));
    }
    Ok(all)
}

/// A key pair, and a ciphertext for it.
struct Exchange<'a> {
    cpu: Cpu,
    scheme: &'a Scheme,
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

impl<'a> Exchange<'a> {
    fn new(cpu: Cpu, scheme: &'a Scheme, rng: &mut Random) -> Result<Self, SchemeError> {
        let mut exchange = Exchange {
            cpu,
            scheme,
            public: vec![0; scheme.public_key],
            private: vec![0; scheme.private_key],
            ciphertext: vec![0; scheme.ciphertext],
            shared: vec![0; scheme.shared_key],
        };
        exchange.generate(rng)?;
        exchange.encapsulate(rng)?;
        Ok(exchange)
    }

    fn generate(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        (self.scheme.generate)(self.cpu, rng, &mut self.public, &mut self.private)
    }

    fn encapsulate(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        (self.scheme.encapsulate)(self.cpu, &self.public, rng, &mut self.ciphertext, &mut self.shared)
    }

    fn decapsulate(&self) -> Result<Vec<u8>, SchemeError> {
        let mut shared = vec![0; self.scheme.shared_key];
        (self.scheme.decapsulate)(self.cpu, &self.private, &self.ciphertext, &mut shared)?;
        Ok(shared)
    }
}

/// Nanoseconds of the three operations, on encoded bytes.
fn times(cpu: Cpu, scheme: &Scheme) -> Result<[f64; 3], Error> {
    let mut rng = Random::new(2);
    let exchange = Exchange::new(cpu, scheme, &mut rng)?;
    let mut spare = Exchange::new(cpu, scheme, &mut rng)?;
    // The operations have succeeded on the same arguments.
    let keygen = measure(|| _ = black_box(spare.generate(&mut rng)));
    let encapsulate = measure(|| _ = black_box(spare.encapsulate(&mut rng)));
    let decapsulate = measure(|| _ = black_box(exchange.decapsulate()));
    Ok([keygen, encapsulate, decapsulate])
}
