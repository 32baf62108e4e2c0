//! The known-answer file of NIST's format of a set of signatures: what the generator of [`nist`](crate::nist)
//! makes of it.
//!
//! The generator draws a seed of 48 bytes and then a message of `33 (i + 1)` bytes for each run `i`. The
//! generator of that seed makes a key and a hedged signature with an empty context. `sm` is the signature
//! with the message behind it. Records have an empty line between them, and the file has no title.

use crate::nist::{Drbg, Hex};
use rand_core::Rng;
use ringsmith_kem::signature::{Context, SignatureSet, SigningKey, TooManyAttempts};
use ringsmith_simd::Cpu;

/// The response file of `count` runs.
///
/// # Errors
/// Where no attempt at a signature succeeds.
pub fn response_file<S: SignatureSet>(cpu: Cpu, count: usize) -> Result<String, TooManyAttempts> {
    let mut seeds = Drbg::new(&core::array::from_fn(|i| i as u8));
    let records: Result<Vec<_>, _> = (0..count).map(|i| record::<S>(cpu, &mut seeds, i)).collect();
    Ok(records?.join("\n"))
}

/// A run.
fn record<S: SignatureSet>(cpu: Cpu, seeds: &mut Drbg, i: usize) -> Result<String, TooManyAttempts> {
    let (mut seed, mut message) = ([0; 48], vec![0; 33 * (i + 1)]);
    seeds.fill_bytes(&mut seed);
    seeds.fill_bytes(&mut message);
    let mut drbg = Drbg::new(&seed);
    let key = SigningKey::<S>::generate_on(cpu, &mut drbg);
    let signature = key.sign(&mut drbg, Context::EMPTY, &message)?;
    let sm = [signature.as_ref(), &message].concat();
    let (public, private) = (key.verifying_key().to_bytes(), key.to_bytes());
    let head = format!("count = {i}\nseed = {}\nmlen = {}\n", Hex(&seed), message.len());
    let keys = format!("pk = {}\nsk = {}\n", Hex(public.as_ref()), Hex((*private).as_ref()));
    Ok(format!("{head}msg = {}\n{keys}smlen = {}\nsm = {}\n", Hex(&message), sm.len(), Hex(&sm)))
}
