//! The encryption inside, secure against chosen plaintexts: the submission's section 1.2.1.

use super::codec::Coding;
use super::parameters::Parameters;
use super::sample::{Noise, Uniform};
use super::way::{Way, zero};
use ringsmith_hash::{Digest, InOrder, Lane, Shake256, run_streams};
use ringsmith_kem::declassify::publish;
use ringsmith_ring::Rows;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

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

impl<const ROWS: usize> Public<ROWS> {
    /// Room for a key.
    pub(super) const fn blank() -> Self {
        Public { a: Rows([[0; 16]; ROWS]), b: Rows([[0; 16]; ROWS]) }
    }

    /// Reads a key, which any bytes are, and computes digests beside.
    pub(super) fn read<P: Parameters<ROWS>>(&mut self, cpu: Cpu, bytes: &[u8], beside: &mut [Digest<'_>]) {
        let (b, seed) = bytes.split_at(P::Numbers::ROW_BYTES * ROWS);
        P::Numbers::decode(cpu, b, &mut self.b);
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
    way: Way<ROWS>,
    random: &[u8; 32],
    keys: (&mut Secret<ROWS>, &mut Public<ROWS>),
    out: &mut [u8],
) {
    let (mut seed, mut noise_seed) = ([0; 32], Zeroizing::new([0; 32]));
    let mut seeds = Shake256::new_on(way.cpu).absorb(P::RULES.prefixes[0]).absorb(random).reader();
    seeds.squeeze(&mut seed);
    seeds.squeeze(noise_seed.as_mut());
    // The seed of the public polynomial is a part of the public key.
    publish(&mut seed);
    generate_from::<P, ROWS>(way, [&seed, &noise_seed], keys, out);
}

/// The same from the seeds of the public polynomial and of the noise.
pub(super) fn generate_from<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<ROWS>,
    [seed, noise_seed]: [&[u8; 32]; 2],
    (secret, public): (&mut Secret<ROWS>, &mut Public<ROWS>),
    out: &mut [u8],
) {
    let (cpu, [mut s, mut e]) = (way.cpu, [(); 2].map(|()| zero()));
    let noises = [Noise::new(cpu, noise_seed, 0, &mut s.0), Noise::new(cpu, noise_seed, 1, &mut e.0)];
    sample::<P, ROWS, 2>(cpu, Some(Uniform::new(cpu, seed, &mut public.a.0)), noises);

    way.transformed(&s, secret);
    *s = **secret;
    way.masked(&public.a, &mut s, &mut e, P::RULES.factors, &mut public.b);
    let (b, place) = out.split_at_mut(P::Numbers::ROW_BYTES * ROWS);
    P::Numbers::encode(cpu, &public.b, b);
    place.copy_from_slice(seed);
    // The public key is published.
    publish(out);
    publish(public.b.0.as_flattened_mut());
}

/// Encrypts a message with the randomness `coin`.
pub(super) fn encrypt<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<ROWS>,
    public: &Public<ROWS>,
    message: &[u8; 32],
    coin: &[u8; 32],
    out: &mut [u8],
) {
    let (Way { cpu, domain }, [mut s, mut e, mut last]) = (way, [(); 3].map(|()| zero()));
    let noises = [
        Noise::new(cpu, coin, 0, &mut s.0),
        Noise::new(cpu, coin, 1, &mut e.0),
        Noise::new(cpu, coin, 2, &mut last.0),
    ];
    sample::<P, ROWS, 3>(cpu, None, noises);

    let [mut transformed, mut product] = [(); 2].map(|()| zero());
    let (u, v) = out.split_at_mut(P::Numbers::ROW_BYTES * ROWS);
    (domain.forward)(cpu, &s, &mut transformed);
    *s = *transformed;
    way.masked(&public.a, &mut s, &mut e, P::RULES.factors, &mut product);
    P::Numbers::encode(cpu, &product, u);

    way.product(&public.b, &transformed, &mut product);
    (domain.add)(cpu, &mut product, &last);
    P::Numbers::spread(cpu, message, &mut transformed);
    (domain.add)(cpu, &mut product, &transformed);
    P::Numbers::compress(cpu, &product, v);
}

/// Decrypts to 32 bytes, whatever the ciphertext is.
pub(super) fn decrypt<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<ROWS>,
    secret: &Secret<ROWS>,
    ciphertext: &[u8],
    message: &mut [u8; 32],
) {
    let (Way { cpu, domain }, [mut x, mut product]) = (way, [(); 2].map(|()| zero()));
    let (u, v) = ciphertext.split_at(P::Numbers::ROW_BYTES * ROWS);
    P::Numbers::decode(cpu, u, &mut x);
    way.product(&x, secret, &mut product);
    P::Numbers::decompress(cpu, v, &mut x);
    (domain.subtract)(cpu, &mut product, &x);
    P::Numbers::gather(cpu, &product, message);
}

/// Reads a secret key.
pub(super) fn read_secret<P: Parameters<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    bytes: &[u8],
    secret: &mut Secret<ROWS>,
) {
    P::Numbers::decode(cpu, bytes, secret);
}

/// Writes a secret key.
pub(super) fn write_secret<P: Parameters<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    secret: &Secret<ROWS>,
    out: &mut [u8],
) {
    P::Numbers::encode(cpu, secret, out);
}
