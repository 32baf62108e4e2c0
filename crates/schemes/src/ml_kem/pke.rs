//! K-PKE, the encryption inside: FIPS 203, section 5.

use super::{ENCODED_12, Element, N, Parameters, codec, sample};
use crate::declassify::publish;
use ringsmith_hash::{Digest, Sha3_512, Stream, run_streams};
use ringsmith_ring::Rows;
use ringsmith_ring::algorithm::ordered::{OrderedEntry, PairRows};
use ringsmith_ring::rings::ML_KEM_ORDERED;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// The functions of the domain.
const DOMAIN: &OrderedEntry<{ N / 16 }> = &ML_KEM_ORDERED;
const ZERO: Element = Rows([[0; 16]; N / 16]);
const NO_PAIRS: PairRows<{ N / 16 }> = PairRows([[[0; 16]; 2]; N / 16]);

/// Noise of the second error and of a ciphertext's errors: 2 in every parameter set.
const ETA2: usize = 2;

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<const K: usize> {
    /// `A` in the domain: row by row.
    matrix: [[Element; K]; K],
    /// `t` in the domain.
    t: [Element; K],
}

/// A secret key: `s` in the domain, coefficients in `[0, q)`.
pub(super) type Secret<const K: usize> = Zeroizing<[Element; K]>;

/// Streams of one kind, as those of several kinds run together.
fn streams<S: Stream>(streams: &mut [S]) -> impl Iterator<Item = &mut dyn Stream> {
    streams.iter_mut().map(|stream| stream as &mut dyn Stream)
}

/// Into the domain, each element.
fn forward<const K: usize>(cpu: Cpu, elements: &[Element; K]) -> Zeroizing<[Element; K]> {
    let mut out = Zeroizing::new([ZERO; K]);
    elements.iter().zip(out.iter_mut()).for_each(|(from, to)| (DOMAIN.forward)(cpu, from, to));
    out
}

/// A vector as the second operand of inner products.
fn prepared<const K: usize>(
    cpu: Cpu,
    vector: &[Element; K],
    prepare: fn(Cpu, &Element, &mut PairRows<{ N / 16 }>),
) -> Zeroizing<[PairRows<{ N / 16 }>; K]> {
    let mut out = Zeroizing::new([NO_PAIRS; K]);
    vector.iter().zip(out.iter_mut()).for_each(|(from, to)| prepare(cpu, from, to));
    out
}

/// Algorithm 13: the key pair of the seed `d`; writes the encoded public key.
pub(super) fn generate<const K: usize>(
    cpu: Cpu,
    eta1: usize,
    d: &[u8; 32],
    ek: &mut [u8],
) -> (Secret<K>, Public<K>) {
    let seeds: Zeroizing<[u8; 64]> = Zeroizing::new(Sha3_512::new().absorb(d).absorb(&[K as u8]).digest());
    let (mut rho, mut sigma) = ([0; 32], Zeroizing::new([0; 32]));
    rho.copy_from_slice(&seeds[..32]);
    sigma.copy_from_slice(&seeds[32..]);
    // The seed of the matrix is a part of the public key.
    publish(&mut rho);
    generate_from(cpu, eta1, &rho, &sigma, ek)
}

/// The rest of algorithm 13: from the seeds of the matrix and of the noise.
pub(super) fn generate_from<const K: usize>(
    cpu: Cpu,
    eta1: usize,
    rho: &[u8; 32],
    sigma: &[u8; 32],
    ek: &mut [u8],
) -> (Secret<K>, Public<K>) {
    let mut public = Public { matrix: [[ZERO; K]; K], t: [ZERO; K] };
    let (mut secret, mut error) = (Zeroizing::new([ZERO; K]), Zeroizing::new([ZERO; K]));
    let mut matrix = sample::matrix(cpu, rho, &mut public.matrix);
    let mut noise = [
        sample::noise(cpu, eta1, sigma, 0, &mut secret),
        sample::noise(cpu, eta1, sigma, K as u8, &mut error),
    ];
    run_streams(cpu, streams(matrix.as_flattened_mut()).chain(streams(noise.as_flattened_mut())));
    drop(noise);

    let (mut secret, error) = (forward(cpu, &secret), forward(cpu, &error));
    let operand = prepared(cpu, &secret, DOMAIN.prepare_to_stay);
    for ((row, t), error) in public.matrix.iter().zip(&mut public.t).zip(error.iter()) {
        (DOMAIN.inner_product[K - 1])(cpu, &row.each_ref(), operand.as_slice(), t);
        (DOMAIN.add)(cpu, t, error);
    }
    secret.iter_mut().for_each(|s| (DOMAIN.add)(cpu, s, &ZERO));
    for (t, bytes) in public.t.iter().zip(ek.chunks_exact_mut(ENCODED_12)) {
        codec::encode(t, bytes);
    }
    ek[K * ENCODED_12..].copy_from_slice(rho);
    // The public key is published.
    publish(ek);
    (secret, public)
}

/// Reads a public key, and hashes other things beside; `None` where a coefficient is not below the modulus.
pub(super) fn read_public<const K: usize>(
    cpu: Cpu,
    ek: &[u8],
    beside: &mut [Digest<'_>],
) -> Option<Public<K>> {
    let (t, rho) = ek.split_at(K * ENCODED_12);
    let mut public = Public { matrix: [[ZERO; K]; K], t: [ZERO; K] };
    let mut valid = true;
    for (t, bytes) in public.t.iter_mut().zip(t.chunks_exact(ENCODED_12)) {
        valid &= codec::decode(bytes, t);
    }
    if !valid {
        return None;
    }
    let mut matrix = sample::matrix(cpu, rho.first_chunk()?, &mut public.matrix);
    run_streams(cpu, streams(beside).chain(streams(matrix.as_flattened_mut())));
    Some(public)
}

/// Reads a secret key; coefficients are taken modulo `q`.
pub(super) fn read_secret<const K: usize>(bytes: &[u8]) -> Secret<K> {
    let mut secret = Zeroizing::new([ZERO; K]);
    for (s, bytes) in secret.iter_mut().zip(bytes.chunks_exact(ENCODED_12)) {
        codec::decode(bytes, s);
    }
    secret
}

/// Writes a secret key.
pub(super) fn write_secret<const K: usize>(secret: &Secret<K>, out: &mut [u8]) {
    for (s, bytes) in secret.iter().zip(out.chunks_exact_mut(ENCODED_12)) {
        codec::encode(s, bytes);
    }
}

/// Algorithm 14: encrypts `m` with the randomness `r`.
pub(super) fn encrypt<P: Parameters, const K: usize>(
    cpu: Cpu,
    public: &Public<K>,
    m: &[u8; 32],
    r: &[u8; 32],
    out: &mut [u8],
) {
    let (mut y, mut errors, mut last) =
        (Zeroizing::new([ZERO; K]), Zeroizing::new([ZERO; K]), Zeroizing::new([ZERO]));
    let mut noise =
        [sample::noise(cpu, P::ETA1, r, 0, &mut y), sample::noise(cpu, ETA2, r, K as u8, &mut errors)];
    let mut noise_of_last = sample::noise(cpu, ETA2, r, 2 * K as u8, &mut last);
    run_streams(cpu, streams(noise.as_flattened_mut()).chain(streams(&mut noise_of_last)));
    drop((noise, noise_of_last));
    let operand = prepared(cpu, &forward(cpu, &y), DOMAIN.prepare);
    let (mut product, mut element) = (Zeroizing::new(ZERO), Zeroizing::new(ZERO));

    let (first, second) = out.split_at_mut(32 * P::DU * K);
    for (i, (error, bytes)) in errors.iter().zip(first.chunks_exact_mut(32 * P::DU)).enumerate() {
        let column: [&Element; K] = core::array::from_fn(|j| &public.matrix[j][i]);
        (DOMAIN.inner_product[K - 1])(cpu, &column, operand.as_slice(), &mut product);
        (DOMAIN.inverse)(cpu, &mut product, &mut element);
        (DOMAIN.add)(cpu, &mut element, error);
        codec::encode_compressed(cpu, P::DU, &element, bytes);
    }
    (DOMAIN.inner_product[K - 1])(cpu, &public.t.each_ref(), operand.as_slice(), &mut product);
    (DOMAIN.inverse)(cpu, &mut product, &mut element);
    codec::add_message(m, &mut last[0]);
    (DOMAIN.add)(cpu, &mut element, &last[0]);
    codec::encode_compressed(cpu, P::DV, &element, second);
}

/// Algorithm 15: decrypts to 32 bytes, whatever the ciphertext is.
pub(super) fn decrypt<P: Parameters, const K: usize>(
    cpu: Cpu,
    secret: &Secret<K>,
    ciphertext: &[u8],
    m: &mut [u8; 32],
) {
    let (first, second) = ciphertext.split_at(32 * P::DU * K);
    let mut u = [ZERO; K];
    for (u, bytes) in u.iter_mut().zip(first.chunks_exact(32 * P::DU)) {
        codec::decode_compressed(P::DU, bytes, u);
    }
    let operand = prepared(cpu, &forward(cpu, &u), DOMAIN.prepare);
    let (mut product, mut element) = (Zeroizing::new(ZERO), Zeroizing::new(ZERO));
    (DOMAIN.inner_product[K - 1])(cpu, &secret.each_ref(), operand.as_slice(), &mut product);
    (DOMAIN.inverse)(cpu, &mut product, &mut element);
    let mut v = Zeroizing::new(ZERO);
    codec::decode_compressed(P::DV, second, &mut v);
    (DOMAIN.subtract)(cpu, &mut v, &element);
    codec::message(&v, m);
}
