//! The encryption inside, secure against chosen plaintexts: the submission's section 1.2.1.

use super::parameters::Parameters;
use super::sample::{Noise, Uniform};
use crate::declassify::publish;
use core::marker::PhantomData;
use ringsmith_hash::{Digest, InOrder, Lane, Shake256, run_streams};
use ringsmith_ring::algorithm::ordered::OrderedEntry;
use ringsmith_ring::{Route, Rows, WhyNot};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// How operations are done: on which CPU, by which route. It changes no result.
pub(super) struct Way<P, const ROWS: usize> {
    pub(super) cpu: Cpu,
    domain: &'static OrderedEntry<ROWS>,
    parameters: PhantomData<P>,
}

impl<P, const ROWS: usize> Clone for Way<P, ROWS> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const ROWS: usize> Copy for Way<P, ROWS> {}

impl<P: Parameters<ROWS>, const ROWS: usize> Way<P, ROWS> {
    /// The planner's.
    pub(super) fn new(cpu: Cpu) -> Self {
        Way { cpu, domain: &P::ENTRIES[0], parameters: PhantomData }
    }

    /// The same by a route.
    pub(super) fn by(self, route: Route) -> Result<Self, WhyNot> {
        let domain = P::ENTRIES.iter().find(|entry| entry.route == route).ok_or(WhyNot::NotCompiled)?;
        Ok(Way { domain, ..self })
    }

    /// The route.
    pub(super) fn route(&self) -> Route {
        self.domain.route
    }
}

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<const ROWS: usize> {
    /// The polynomial of the seed, in the domain.
    a: Rows<ROWS>,
    /// `a s + e`, in the domain.
    b: Rows<ROWS>,
}

/// A secret key: `s` in the domain, in `[0, q)`.
pub(super) type Secret<const ROWS: usize> = Zeroizing<Rows<ROWS>>;

const fn zero<const ROWS: usize>() -> Rows<ROWS> {
    Rows([[0; 16]; ROWS])
}

fn secret_zero<const ROWS: usize>() -> Zeroizing<Rows<ROWS>> {
    Zeroizing::new(zero())
}

/// Room for a secret key.
pub(super) fn blank_secret<const ROWS: usize>() -> Secret<ROWS> {
    secret_zero()
}

impl<const ROWS: usize> Public<ROWS> {
    /// Room for a key.
    pub(super) const fn blank() -> Self {
        Public { a: zero(), b: zero() }
    }

    /// Reads a key, which any bytes are, and computes digests beside.
    pub(super) fn read<P: Parameters<ROWS>>(&mut self, cpu: Cpu, bytes: &[u8], beside: &mut [Digest<'_>]) {
        let (b, seed) = bytes.split_at(P::ROW_BYTES * ROWS);
        P::decode(cpu, b, &mut self.b);
        if let Some(seed) = seed.first_chunk() {
            let (mut uniform, first) = (Uniform::<P>::new(cpu, seed, &mut self.a.0), beside.len());
            let step = |stream: usize, lane: &mut Lane<'_>| match beside.get_mut(stream) {
                Some(digest) => digest.step(lane),
                None => uniform.step(stream - first, lane),
            };
            run_streams(cpu, &mut InOrder::new(first + Uniform::<P>::streams(ROWS), step));
        }
    }
}

/// Streams of `uniform`, if there is one, then of each noise.
fn sample<P: Parameters<ROWS>, const ROWS: usize, const N: usize>(
    cpu: Cpu,
    mut uniform: Option<Uniform<'_, P>>,
    mut noises: [Noise<'_, P>; N],
) {
    let first = if uniform.is_some() { Uniform::<P>::streams(ROWS) } else { 0 };
    let step = |stream: usize, lane: &mut Lane<'_>| match &mut uniform {
        Some(uniform) if stream < first => uniform.step(stream, lane),
        _ => {
            // Inside, so that it is a constant that is divided by.
            let (stream, blocks) = (stream - first, const { Noise::<P>::streams::<ROWS>() });
            noises[stream / blocks].step(stream % blocks, lane)
        }
    };
    run_streams(cpu, &mut InOrder::new(first + N * const { Noise::<P>::streams::<ROWS>() }, step));
}

/// A key pair of 32 random bytes, which are hashed behind the bytes of `prefix`; writes the public key.
pub(super) fn generate<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<P, ROWS>,
    random: &[u8; 32],
    keys: (&mut Secret<ROWS>, &mut Public<ROWS>),
    out: &mut [u8],
) {
    let (mut seed, mut noise_seed) = ([0; 32], Zeroizing::new([0; 32]));
    let mut seeds = Shake256::new(way.cpu).absorb(P::PREFIXES[0]).absorb(random).reader();
    seeds.squeeze(&mut seed);
    seeds.squeeze(noise_seed.as_mut());
    // The seed of the public polynomial is a part of the public key.
    publish(&mut seed);
    generate_from(way, [&seed, &noise_seed], keys, out);
}

/// The same from the seeds of the public polynomial and of the noise.
pub(super) fn generate_from<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<P, ROWS>,
    [seed, noise_seed]: [&[u8; 32]; 2],
    (secret, public): (&mut Secret<ROWS>, &mut Public<ROWS>),
    out: &mut [u8],
) {
    let (Way { cpu, domain, .. }, [mut s, mut e]) = (way, [(); 2].map(|()| secret_zero::<ROWS>()));
    let noises = [Noise::new(cpu, noise_seed, 0, &mut s.0), Noise::new(cpu, noise_seed, 1, &mut e.0)];
    sample::<P, ROWS, 2>(cpu, Some(Uniform::new(cpu, seed, &mut public.a.0)), noises);

    (domain.forward)(cpu, &s, secret);
    (domain.add)(cpu, secret, &zero());
    *s = **secret;
    masked(way, &public.a, &mut s, &mut e, &mut public.b);
    let (b, place) = out.split_at_mut(P::ROW_BYTES * ROWS);
    P::encode(cpu, &public.b, b);
    place.copy_from_slice(seed);
    // The public key is published.
    publish(out);
    P::decode(cpu, &out[..P::ROW_BYTES * ROWS], &mut public.b);
}

/// `out = a s + e` in the domain, as it is sent, of `s` in the domain and noise `e`; spoils both.
fn masked<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<P, ROWS>,
    a: &Rows<ROWS>,
    s: &mut Rows<ROWS>,
    e: &mut Rows<ROWS>,
    out: &mut Rows<ROWS>,
) {
    let Way { cpu, domain, .. } = way;
    if P::EXACT {
        domain.scale_to_stay(cpu, s, 1);
    }
    (domain.product)(cpu, a, s, out);
    (domain.forward)(cpu, e, s);
    (domain.add)(cpu, out, s);
}

/// Encrypts a message with the randomness `coin`.
pub(super) fn encrypt<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<P, ROWS>,
    public: &Public<ROWS>,
    message: &[u8; 32],
    coin: &[u8; 32],
    out: &mut [u8],
) {
    let (Way { cpu, domain, .. }, [mut s, mut e, mut last]) = (way, [(); 3].map(|()| secret_zero::<ROWS>()));
    let noises = [
        Noise::new(cpu, coin, 0, &mut s.0),
        Noise::new(cpu, coin, 1, &mut e.0),
        Noise::new(cpu, coin, 2, &mut last.0),
    ];
    sample::<P, ROWS, 3>(cpu, None, noises);

    let [mut transformed, mut product] = [(); 2].map(|()| secret_zero::<ROWS>());
    let (u, v) = out.split_at_mut(P::ROW_BYTES * ROWS);
    (domain.forward)(cpu, &s, &mut transformed);
    *s = *transformed;
    masked(way, &public.a, &mut s, &mut e, &mut product);
    P::encode(cpu, &product, u);

    (domain.product)(cpu, &public.b, &transformed, &mut product);
    (domain.inverse)(cpu, &product, &mut transformed);
    (domain.add)(cpu, &mut transformed, &last);
    P::spread(cpu, message, &mut product);
    (domain.add)(cpu, &mut transformed, &product);
    P::compress(cpu, &transformed, v);
}

/// Decrypts to 32 bytes, whatever the ciphertext is.
pub(super) fn decrypt<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<P, ROWS>,
    secret: &Secret<ROWS>,
    ciphertext: &[u8],
    message: &mut [u8; 32],
) {
    let (Way { cpu, domain, .. }, [mut x, mut product]) = (way, [(); 2].map(|()| secret_zero::<ROWS>()));
    let (u, v) = ciphertext.split_at(P::ROW_BYTES * ROWS);
    P::decode(cpu, u, &mut x);
    (domain.product)(cpu, &x, secret, &mut product);
    (domain.inverse)(cpu, &product, &mut x);
    P::decompress(cpu, v, &mut product);
    (domain.subtract)(cpu, &mut x, &product);
    P::gather(cpu, &x, message);
}

/// Reads a secret key.
pub(super) fn read_secret<P: Parameters<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    bytes: &[u8],
    secret: &mut Secret<ROWS>,
) {
    P::decode(cpu, bytes, secret);
}

/// Writes a secret key.
pub(super) fn write_secret<P: Parameters<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    secret: &Secret<ROWS>,
    out: &mut [u8],
) {
    P::encode(cpu, secret, out);
}
