//! Experiments: work comes as seeds and goes back as counts.
//!
//! A seed is a number of 64 bits, and what becomes of it depends on nothing else: neither on other seeds, nor
//! on threads. Its randomness is a test generator's, and no secret.

use crate::noise::Model;
use crate::schemes::kem_by_name;
use crate::{error, threads};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use ringsmith::Cpu;
use ringsmith::any::RingError;
use ringsmith::scheme::{self, KeyExchange, PublicKeyEncryption, Scheme, SchemeError};
use ringsmith_oracle::Random;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The functions.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NoiseModel>()?;
    module.add("MODELS", Model::names().collect::<Vec<_>>())?;
    module.add_function(wrap_pyfunction!(scheme_failures, module)?)
}

/// A scheme of any kind.
enum Named {
    Kem(&'static Scheme),
    Exchange(&'static KeyExchange),
    Pke(&'static PublicKeyEncryption),
}

impl Named {
    /// The one of a name.
    fn find(name: &str) -> Option<Self> {
        let kem = kem_by_name(name).map(Named::Kem);
        let known = kem.or_else(|| scheme::exchange_by_name(name).map(Named::Exchange));
        known.or_else(|| scheme::encryption_by_name(name).map(Named::Pke))
    }

    /// Whether it fails with what a generator draws.
    fn fails(&self, cpu: Cpu, random: &mut Random) -> Result<bool, SchemeError> {
        match self {
            Named::Kem(of) => kem_fails(cpu, of, random),
            Named::Exchange(of) => exchange_fails(cpu, of, random),
            Named::Pke(of) => pke_fails(cpu, of, random),
        }
    }
}

/// Whether both sides have different keys.
fn kem_fails(cpu: Cpu, of: &Scheme, random: &mut Random) -> Result<bool, SchemeError> {
    let (mut public, mut private) = (vec![0; of.public_key], vec![0; of.private_key]);
    let (mut ciphertext, mut keys) = (vec![0; of.ciphertext], [0, 1].map(|x| vec![x; of.shared_key]));
    (of.generate)(cpu, random, &mut public, &mut private)?;
    (of.encapsulate)(cpu, &public, random, &mut ciphertext, &mut keys[0])?;
    (of.decapsulate)(cpu, &private, &ciphertext, &mut keys[1])?;
    Ok(keys[0] != keys[1])
}

/// The same of an exchange.
fn exchange_fails(cpu: Cpu, of: &KeyExchange, random: &mut Random) -> Result<bool, SchemeError> {
    let (mut secret, mut offer) = (vec![0; of.secret], vec![0; of.offer]);
    let (mut response, mut keys) = (vec![0; of.response], [0, 1].map(|x| vec![x; of.shared_key]));
    (of.make_offer)(cpu, random, &mut secret, &mut offer)?;
    (of.respond)(cpu, &offer, random, &mut response, &mut keys[0])?;
    (of.finish)(cpu, &secret, &response, &mut keys[1])?;
    Ok(keys[0] != keys[1])
}

/// Whether a message is not decrypted.
fn pke_fails(cpu: Cpu, of: &PublicKeyEncryption, random: &mut Random) -> Result<bool, SchemeError> {
    let (mut public, mut private) = (vec![0; of.public_key], vec![0; of.private_key]);
    let (mut ciphertext, mut message) = (vec![0; of.ciphertext], vec![0; of.message]);
    let mut found = vec![0; of.message];
    (of.generate)(cpu, random, &mut public, &mut private)?;
    random.fill(&mut message);
    (of.encrypt)(cpu, &public, &message, random, &mut ciphertext)?;
    match (of.decrypt)(cpu, &private, &ciphertext, &mut found) {
        Ok(length) => Ok(found[..length] != message),
        Err(SchemeError::Decryption) => Ok(true),
        Err(why) => Err(why),
    }
}

/// How many of these seeds make a scheme fail: keys that differ, or a message that is not decrypted.
#[pyfunction]
#[pyo3(signature = (scheme, seeds, threads = 1))]
fn scheme_failures(
    py: Python<'_>,
    scheme: &str,
    seeds: PyReadonlyArray1<'_, u64>,
    threads: usize,
) -> PyResult<u64> {
    let (cpu, seeds, count) = (error::cpu()?, seeds.as_array().to_vec(), AtomicU64::new(0));
    let of = Named::find(scheme).ok_or_else(|| {
        error::refused(format!("no scheme is named '{scheme}'; `ringsmith schemes` lists them"))
    })?;
    let one = |seed: u64| -> PyResult<()> {
        let failed = of.fails(cpu, &mut Random::new(seed));
        count.fetch_add(u64::from(failed.map_err(error::of_scheme)?), Ordering::Relaxed);
        Ok(())
    };
    py.detach(|| {
        threads::parts(seeds.len(), threads::count(threads), |range| {
            seeds[range].iter().try_for_each(|seed| one(*seed))
        })
    })?;
    Ok(count.into_inner())
}

/// What noise depends on, as `ringsmith.experiments.Model` has it.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct NoiseModel(Model);

#[pymethods]
impl NoiseModel {
    #[new]
    fn new(ring: &str, rank: usize, eta: [u32; 2], bits: [u32; 2], copies: usize) -> PyResult<Self> {
        let [eta, eta_ciphertext] = eta;
        let expression = ring.parse().map_err(|why| error::of_text(ring, why))?;
        let model = Model { ring: expression, rank, eta, eta_ciphertext, bits, copies };
        let n = model.ring.f.degree();
        let serves = (1..=16).contains(&rank)
            && [eta, eta_ciphertext].iter().all(|eta| *eta <= 32)
            && bits.iter().all(|bits| *bits < 62)
            && copies > 0
            && n.is_multiple_of(copies)
            && model.ring.q <= 1 << 31;
        if !serves {
            return Err(error::refused(
                "a model has a rank from 1 to 16, etas up to 32, bits below 62, copies that divide n, \
                 and a q of at most 2^31",
            ));
        }
        model.draws(error::cpu()?).map_err(error::of_ring)?;
        Ok(NoiseModel(model))
    }

    /// That of a scheme, by its name.
    #[staticmethod]
    fn named(name: &str) -> PyResult<Self> {
        let all = || Model::names().collect::<Vec<_>>().join(", ");
        let none = || error::refused(format!("no model of noise is named '{name}'; there are: {}", all()));
        Model::named(name).map(NoiseModel).ok_or_else(none)
    }

    /// The ring, the rank, both etas, the bits of u and v, and the copies.
    #[getter]
    fn parameters(&self) -> (String, usize, [u32; 2], [u32; 2], usize) {
        let Model { ring, rank, eta, eta_ciphertext, bits, copies } = &self.0;
        (ring.to_string(), *rank, [*eta, *eta_ciphertext], *bits, *copies)
    }

    /// How often each noise from -floor(q/2) on occurs in the coefficients of these seeds.
    #[pyo3(signature = (seeds, threads = 1))]
    fn histogram<'py>(
        &self,
        py: Python<'py>,
        seeds: PyReadonlyArray1<'py, u64>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        /// Each residue has a count, on each thread.
        const MOST: u64 = 1 << 24;
        if self.0.ring.q > MOST {
            return Err(error::refused("a histogram has a count for each residue, and q is at most 2^24"));
        }
        let q = self.0.ring.q as usize;
        let total = Mutex::new(vec![0_u64; q]);
        self.each(
            py,
            &seeds,
            threads,
            |counts: &mut Vec<u64>, noise, _| {
                counts.resize(q, 0);
                noise.iter().for_each(|x| counts[(x + (q / 2) as i64) as usize] += 1);
            },
            |counts| {
                let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                total.iter_mut().zip(counts).for_each(|(sum, x)| *sum += x);
            },
        )?;
        let total = total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(PyArray1::from_vec(py, total))
    }

    /// How many of these seeds have a bit that is read wrongly, and how many such bits there are.
    #[pyo3(signature = (seeds, threads = 1))]
    fn failures(
        &self,
        py: Python<'_>,
        seeds: PyReadonlyArray1<'_, u64>,
        threads: usize,
    ) -> PyResult<(u64, u64)> {
        let total = [AtomicU64::new(0), AtomicU64::new(0)];
        self.each(
            py,
            &seeds,
            threads,
            |counts: &mut [u64; 2], _, wrong| {
                *counts = [counts[0] + u64::from(wrong > 0), counts[1] + wrong];
            },
            |counts| {
                total.iter().zip(counts).for_each(|(sum, x)| _ = sum.fetch_add(x, Ordering::Relaxed));
            },
        )?;
        let [seeds, bits] = total.map(AtomicU64::into_inner);
        Ok((seeds, bits))
    }
}

impl NoiseModel {
    /// Gathers what each seed says, a part of the seeds on each thread.
    fn each<C: Default>(
        &self,
        py: Python<'_>,
        seeds: &PyReadonlyArray1<'_, u64>,
        threads: usize,
        one: impl Fn(&mut C, &[i64], u64) + Sync,
        end: impl Fn(C) + Sync,
    ) -> PyResult<()>
    where
        Self: Sync,
    {
        let (cpu, seeds, model) = (error::cpu()?, seeds.as_array().to_vec(), &self.0);
        let (one, end) = (&one, &end);
        let part = |seeds: &[u64]| -> Result<(), RingError> {
            let (mut draws, mut counts) = (model.draws(cpu)?, C::default());
            for seed in seeds {
                let (noise, wrong) = draws.noise(*seed)?;
                one(&mut counts, &noise, wrong);
            }
            end(counts);
            Ok(())
        };
        let (one, threads) = (&part, threads::count(threads));
        detach_with(py, || threads::parts(seeds.len(), threads, |range| one(&seeds[range])))
            .map_err(error::of_ring)
    }
}

/// Without Python's lock.
fn detach_with<T: Send>(py: Python<'_>, action: impl FnOnce() -> T + Send) -> T {
    py.detach(action)
}
