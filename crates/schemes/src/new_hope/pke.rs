//! The encryption inside, secure against chosen plaintexts: the submission's section 1.2.1.

use super::codec::{self, COMPRESSED_ROW_BYTES, ROW_BYTES};
use super::sample::{BLOCK_ROWS, Noise, Uniform};
use crate::declassify::publish;
use ringsmith_hash::{Digest, InOrder, Lane, Shake256, run_streams};
use ringsmith_ring::Rows;
use ringsmith_ring::algorithm::ordered::complete::CompleteEntry;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A ring of NewHope: its domain in the order of the exponents.
pub(super) trait Domain<const ROWS: usize> {
    /// Its functions.
    const ENTRY: &'static CompleteEntry<ROWS>;
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

/// Room for a secret key.
pub(super) fn blank_secret<const ROWS: usize>() -> Secret<ROWS> {
    Zeroizing::new(zero())
}

/// Bytes of a public key, of `ROWS` rows.
pub(super) const fn public_bytes(rows: usize) -> usize {
    ROW_BYTES * rows + 32
}

/// Bytes of a secret key.
pub(super) const fn secret_bytes(rows: usize) -> usize {
    ROW_BYTES * rows
}

/// Bytes of a ciphertext.
pub(super) const fn ciphertext_bytes(rows: usize) -> usize {
    (ROW_BYTES + COMPRESSED_ROW_BYTES) * rows
}

impl<const ROWS: usize> Public<ROWS> {
    /// Room for a key.
    pub(super) const fn blank() -> Self {
        Public { a: zero(), b: zero() }
    }

    /// Reads a key, which any bytes are, and computes digests beside.
    pub(super) fn read(&mut self, cpu: Cpu, bytes: &[u8], beside: &mut [Digest<'_>]) {
        let (b, seed) = bytes.split_at(ROW_BYTES * ROWS);
        codec::decode(cpu, b, &mut self.b.0);
        if let Some(seed) = seed.first_chunk() {
            let (mut uniform, first) = (Uniform::new(seed, &mut self.a.0), beside.len());
            let step = |stream: usize, lane: &mut Lane<'_>| match beside.get_mut(stream) {
                Some(digest) => digest.step(lane),
                None => uniform.step(stream - first, lane),
            };
            run_streams(cpu, &mut InOrder::new(first + ROWS / BLOCK_ROWS, step));
        }
    }
}

/// Streams of `uniform`, if there is one, then of each noise.
fn sample<const ROWS: usize, const N: usize>(
    cpu: Cpu,
    mut uniform: Option<Uniform<'_>>,
    mut noises: [Noise<'_>; N],
) {
    let first = if uniform.is_some() { const { ROWS / BLOCK_ROWS } } else { 0 };
    let step = |stream: usize, lane: &mut Lane<'_>| match &mut uniform {
        Some(uniform) if stream < first => uniform.step(stream, lane),
        _ => {
            let (stream, blocks) = (stream - first, const { ROWS / BLOCK_ROWS });
            noises[stream / blocks].step(stream % blocks, lane)
        }
    };
    run_streams(cpu, &mut InOrder::new(first + N * (ROWS / BLOCK_ROWS), step));
}

/// A key pair of 32 random bytes, which are hashed behind the bytes of `prefix`; writes the public key.
pub(super) fn generate<D: Domain<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    prefix: &[u8],
    random: &[u8; 32],
    keys: (&mut Secret<ROWS>, &mut Public<ROWS>),
    out: &mut [u8],
) {
    let (mut seed, mut noise_seed) = ([0; 32], Zeroizing::new([0; 32]));
    let mut seeds = Shake256::new(cpu).absorb(prefix).absorb(random).reader();
    seeds.squeeze(&mut seed);
    seeds.squeeze(noise_seed.as_mut());
    // The seed of the public polynomial is a part of the public key.
    publish(&mut seed);
    generate_from::<D, ROWS>(cpu, [&seed, &noise_seed], keys, out);
}

/// The same from the seeds of the public polynomial and of the noise.
pub(super) fn generate_from<D: Domain<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    [seed, noise_seed]: [&[u8; 32]; 2],
    (secret, public): (&mut Secret<ROWS>, &mut Public<ROWS>),
    out: &mut [u8],
) {
    let (mut s, mut e) = (Zeroizing::new(zero::<ROWS>()), Zeroizing::new(zero::<ROWS>()));
    let noises = [Noise::new(cpu, noise_seed, 0, &mut s.0), Noise::new(cpu, noise_seed, 1, &mut e.0)];
    sample::<ROWS, 2>(cpu, Some(Uniform::new(seed, &mut public.a.0)), noises);

    let mut transformed = Zeroizing::new(zero::<ROWS>());
    (D::ENTRY.forward_reversed)(cpu, &s, secret);
    (D::ENTRY.add)(cpu, secret, &zero());
    *transformed = **secret;
    (D::ENTRY.to_stay)(cpu, &mut transformed);
    (D::ENTRY.product)(cpu, &public.a, &transformed, &mut public.b);
    (D::ENTRY.forward_reversed)(cpu, &e, &mut transformed);
    (D::ENTRY.add)(cpu, &mut public.b, &transformed);
    let (b, place) = out.split_at_mut(ROW_BYTES * ROWS);
    codec::encode(cpu, &public.b.0, b);
    place.copy_from_slice(seed);
    // The public key is published.
    publish(out);
    codec::decode(cpu, &out[..ROW_BYTES * ROWS], &mut public.b.0);
}

/// Encrypts a message with the randomness `coin`.
pub(super) fn encrypt<D: Domain<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    public: &Public<ROWS>,
    message: &[u8; 32],
    coin: &[u8; 32],
    out: &mut [u8],
) {
    let [mut s, mut e, mut last] = [(); 3].map(|()| Zeroizing::new(zero::<ROWS>()));
    let noises = [
        Noise::new(cpu, coin, 0, &mut s.0),
        Noise::new(cpu, coin, 1, &mut e.0),
        Noise::new(cpu, coin, 2, &mut last.0),
    ];
    sample::<ROWS, 3>(cpu, None, noises);

    let [mut transformed, mut staying, mut product] = [(); 3].map(|()| Zeroizing::new(zero::<ROWS>()));
    let (u, v) = out.split_at_mut(ROW_BYTES * ROWS);
    (D::ENTRY.forward_reversed)(cpu, &s, &mut transformed);
    *staying = *transformed;
    (D::ENTRY.to_stay)(cpu, &mut staying);
    (D::ENTRY.product)(cpu, &public.a, &staying, &mut product);
    (D::ENTRY.forward_reversed)(cpu, &e, &mut staying);
    (D::ENTRY.add)(cpu, &mut product, &staying);
    codec::encode(cpu, &product.0, u);

    (D::ENTRY.product)(cpu, &public.b, &transformed, &mut product);
    (D::ENTRY.inverse)(cpu, &product, &mut transformed);
    (D::ENTRY.add)(cpu, &mut transformed, &last);
    codec::spread(cpu, message, &mut product.0);
    (D::ENTRY.add)(cpu, &mut transformed, &product);
    codec::compress(cpu, &transformed.0, v);
}

/// Decrypts to 32 bytes, whatever the ciphertext is.
pub(super) fn decrypt<D: Domain<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    secret: &Secret<ROWS>,
    ciphertext: &[u8],
    message: &mut [u8; 32],
) {
    let (u, v) = ciphertext.split_at(ROW_BYTES * ROWS);
    let [mut x, mut product] = [(); 2].map(|()| Zeroizing::new(zero::<ROWS>()));
    codec::decode(cpu, u, &mut x.0);
    (D::ENTRY.product)(cpu, &x, secret, &mut product);
    (D::ENTRY.inverse)(cpu, &product, &mut x);
    codec::decompress(cpu, v, &mut product.0);
    (D::ENTRY.subtract)(cpu, &mut x, &product);
    codec::gather(cpu, &x.0, message);
}

/// Reads a secret key.
pub(super) fn read_secret<const ROWS: usize>(cpu: Cpu, bytes: &[u8], secret: &mut Secret<ROWS>) {
    codec::decode(cpu, bytes, &mut secret.0);
}

/// Writes a secret key.
pub(super) fn write_secret<const ROWS: usize>(cpu: Cpu, secret: &Secret<ROWS>, out: &mut [u8]) {
    codec::encode(cpu, &secret.0, out);
}
