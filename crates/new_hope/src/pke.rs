//! The encryption inside, secure against chosen plaintexts: the submission's section 1.2.1.

use super::codec::Coding;
use super::domain::{DomainOf, masked, no_values, product, transformed, zero};
use super::parameters::Parameters;
use super::sample::{Noise, Uniform};
use ringsmith_hash::{Digest, InOrder, Lane, Shake256, Work, run_streams};
use ringsmith_kem::declassify::publish;
use ringsmith_ring::{PlainOrder, Ring, Rows, Values};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<R: Ring, O: PlainOrder> {
    /// The polynomial of the seed.
    a: Values<R, O>,
    /// `a s + e`.
    b: Values<R, O>,
}

/// A secret key: `s`, in `[0, q)`.
pub(super) type Secret<R, O> = Zeroizing<Values<R, O>>;

/// The public key of a set.
pub(super) type PublicOf<P, const ROWS: usize> =
    Public<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;
/// The secret key of a set.
pub(super) type SecretOf<P, const ROWS: usize> =
    Secret<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;

impl<R: Ring<Coeffs = Rows<ROWS>>, O: PlainOrder, const ROWS: usize> Public<R, O> {
    /// Room for a key.
    pub(super) const fn blank() -> Self {
        Public { a: Values::ZERO, b: Values::ZERO }
    }

    /// Reads a key, which any bytes are, and computes digests beside.
    pub(super) fn read<P: Parameters<ROWS, Ring = R, Order = O>>(
        &mut self,
        cpu: Cpu,
        bytes: &[u8],
        beside: &mut [Digest<'_>],
    ) {
        let (b, seed) = bytes.split_at(P::Numbers::ROW_BYTES * ROWS);
        P::Numbers::decode(cpu, b, self.b.rows_mut());
        if let Some(seed) = seed.first_chunk() {
            let (mut uniform, first) = (Uniform::<P>::new(cpu, seed, &mut self.a.rows_mut().0), beside.len());
            let streams = Uniform::<P>::streams(ROWS);
            // A block mostly holds enough words.
            let work = beside.iter().fold(Work::new(streams, 1), |work, digest| work.and(digest.work()));
            let step = |stream: usize, lane: &mut Lane<'_>| match beside.get_mut(stream) {
                Some(digest) => digest.step(lane),
                None => uniform.step(stream - first, lane),
            };
            run_streams(cpu, work, &mut InOrder::new(first + streams, step));
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
    let streams = first + N * const { Noise::<P>::streams::<ROWS>() };
    run_streams(cpu, Work::new(streams, 1), &mut InOrder::new(streams, step));
}

/// A key pair of 32 random bytes, which are hashed behind the bytes of `prefix`; writes the public key.
pub(super) fn generate<P: Parameters<ROWS>, const ROWS: usize>(
    domain: DomainOf<P, ROWS>,
    random: &[u8; 32],
    keys: (&mut SecretOf<P, ROWS>, &mut PublicOf<P, ROWS>),
    out: &mut [u8],
) {
    let (mut seed, mut noise_seed) = ([0; 32], Zeroizing::new([0; 32]));
    let mut seeds = Shake256::new_on(domain.cpu()).absorb(P::RULES.prefixes[0]).absorb(random).reader();
    seeds.squeeze(&mut seed);
    seeds.squeeze(noise_seed.as_mut());
    // The seed of the public polynomial is a part of the public key.
    publish(&mut seed);
    generate_from::<P, ROWS>(domain, [&seed, &noise_seed], keys, out);
}

/// The same from the seeds of the public polynomial and of the noise.
pub(super) fn generate_from<P: Parameters<ROWS>, const ROWS: usize>(
    domain: DomainOf<P, ROWS>,
    [seed, noise_seed]: [&[u8; 32]; 2],
    (secret, public): (&mut SecretOf<P, ROWS>, &mut PublicOf<P, ROWS>),
    out: &mut [u8],
) {
    let (cpu, [mut s, mut e]) = (domain.cpu(), [(); 2].map(|()| zero()));
    let noises = [Noise::new(cpu, noise_seed, 0, &mut s.0), Noise::new(cpu, noise_seed, 1, &mut e.0)];
    sample::<P, ROWS, 2>(cpu, Some(Uniform::new(cpu, seed, &mut public.a.rows_mut().0)), noises);

    transformed(domain, &s, secret);
    let mut operand = secret.clone();
    masked(domain, (&public.a, &mut operand, &e), P::RULES.factors, &mut public.b);
    let (b, place) = out.split_at_mut(P::Numbers::ROW_BYTES * ROWS);
    P::Numbers::encode(cpu, public.b.rows(), b);
    place.copy_from_slice(seed);
    // The public key is published.
    publish(out);
    publish(public.b.rows_mut().0.as_flattened_mut());
}

/// Encrypts a message with the randomness `coin`.
pub(super) fn encrypt<P: Parameters<ROWS>, const ROWS: usize>(
    domain: DomainOf<P, ROWS>,
    public: &PublicOf<P, ROWS>,
    message: &[u8; 32],
    coin: &[u8; 32],
    out: &mut [u8],
) {
    let (cpu, [mut s, mut e, mut last]) = (domain.cpu(), [(); 3].map(|()| zero()));
    let noises = [
        Noise::new(cpu, coin, 0, &mut s.0),
        Noise::new(cpu, coin, 1, &mut e.0),
        Noise::new(cpu, coin, 2, &mut last.0),
    ];
    sample::<P, ROWS, 3>(cpu, None, noises);

    let [mut secret, mut sent] = [(); 2].map(|()| no_values());
    let (u, v) = out.split_at_mut(P::Numbers::ROW_BYTES * ROWS);
    domain.forward(&s, &mut secret);
    let mut operand = secret.clone();
    masked(domain, (&public.a, &mut operand, &e), P::RULES.factors, &mut sent);
    P::Numbers::encode(cpu, sent.rows(), u);

    product(domain, &public.b, &secret, &mut s);
    domain.add_coeffs(&mut s, &last);
    P::Numbers::spread(cpu, message, &mut e);
    domain.add_coeffs(&mut s, &e);
    P::Numbers::compress(cpu, &s, v);
}

/// Decrypts to 32 bytes, whatever the ciphertext is.
pub(super) fn decrypt<P: Parameters<ROWS>, const ROWS: usize>(
    domain: DomainOf<P, ROWS>,
    secret: &SecretOf<P, ROWS>,
    ciphertext: &[u8],
    message: &mut [u8; 32],
) {
    let (cpu, [mut x, mut v], mut u) = (domain.cpu(), [(); 2].map(|()| zero()), Values::ZERO);
    let (first, second) = ciphertext.split_at(P::Numbers::ROW_BYTES * ROWS);
    P::Numbers::decode(cpu, first, u.rows_mut());
    product(domain, &u, secret, &mut x);
    P::Numbers::decompress(cpu, second, &mut v);
    domain.subtract_coeffs(&mut x, &v);
    P::Numbers::gather(cpu, &x, message);
}

/// Reads a secret key.
pub(super) fn read_secret<P: Parameters<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    bytes: &[u8],
    secret: &mut SecretOf<P, ROWS>,
) {
    P::Numbers::decode(cpu, bytes, secret.rows_mut());
}

/// Writes a secret key.
pub(super) fn write_secret<P: Parameters<ROWS>, const ROWS: usize>(
    cpu: Cpu,
    secret: &SecretOf<P, ROWS>,
    out: &mut [u8],
) {
    P::Numbers::encode(cpu, secret.rows(), out);
}
