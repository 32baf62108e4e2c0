//! K-PKE, the encryption inside: FIPS 203, section 5.

use super::sample::{Matrix, Noise};
use super::{Domain, ENCODED_12, Element, Parameters, ROWS, Values, codec};
use ringsmith_hash::{Digest, InOrder, IntermittentSha3_256, Lane, Sha3_512, Streams, Work, run_streams};
use ringsmith_kem::declassify::publish;
use ringsmith_ring::{Coefficients, PairRows};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// Noise of the second error and of a ciphertext's errors: 2 in every parameter set.
const ETA2: usize = 2;

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<const K: usize> {
    /// `A` in the domain: row by row.
    matrix: [[Values; K]; K],
    /// `t` in the domain.
    t: [Values; K],
}

impl<const K: usize> Public<K> {
    /// Room for a key.
    pub(super) const fn blank() -> Self {
        Public { matrix: [[Values::ZERO; K]; K], t: [Values::ZERO; K] }
    }
}

/// A secret key: `s` in the domain, coefficients in `[0, q)`. Cleared on drop.
pub(super) type Secret<const K: usize> = Zeroizing<[Values; K]>;

/// Room for a secret key.
pub(super) fn blank_secret<const K: usize>() -> Secret<K> {
    Zeroizing::new([Values::ZERO; K])
}

/// A vector as the second operand of inner products.
fn operand<const K: usize>(domain: Domain, vector: &[Element; K]) -> Zeroizing<[PairRows<ROWS>; K]> {
    let mut out = Zeroizing::new([PairRows::ZERO; K]);
    vector.iter().zip(out.iter_mut()).for_each(|(from, to)| domain.operand(from, to));
    out
}

/// Algorithm 13: the key pair of the seed `d`; writes the encoded public key, and returns its hash.
pub(super) fn generate<P: Parameters, const K: usize>(
    cpu: Cpu,
    d: &[u8; 32],
    keys: (&mut Secret<K>, &mut Public<K>),
    ek: &mut [u8],
) -> [u8; 32] {
    let seeds: Zeroizing<[u8; 64]> =
        Zeroizing::new(Sha3_512::new_on(cpu).absorb(d).absorb(&[K as u8]).digest());
    let (mut rho, mut sigma) = ([0; 32], Zeroizing::new([0; 32]));
    rho.copy_from_slice(&seeds[..32]);
    sigma.copy_from_slice(&seeds[32..]);
    // The seed of the matrix is a part of the public key.
    publish(&mut rho);
    generate_from::<P, K>(cpu, [&rho, &sigma], keys, ek)
}

/// The rest of algorithm 13: from the seeds of the matrix and of the noise.
pub(super) fn generate_from<P: Parameters, const K: usize>(
    cpu: Cpu,
    [rho, sigma]: [&[u8; 32]; 2],
    (secret, public): (&mut Secret<K>, &mut Public<K>),
    ek: &mut [u8],
) -> [u8; 32] {
    let (mut s, mut e) = (Zeroizing::new([Element::ZERO; K]), Zeroizing::new([Element::ZERO; K]));
    ek[K * ENCODED_12..].copy_from_slice(rho);
    let mut generation = Generation {
        domain: Domain::new_on(cpu),
        matrix: Matrix::new(cpu, rho, &mut public.matrix),
        noise: [Noise::new(cpu, P::ETA1, sigma, 0, &mut s), Noise::new(cpu, P::ETA1, sigma, K as u8, &mut e)],
        secret,
        operand: Zeroizing::new([PairRows::ZERO; K]),
        transformed: false,
        t: &mut public.t,
        ek,
        hash: IntermittentSha3_256::new_on(cpu),
        started: 0,
        rows: 0,
    };
    run_streams(cpu, generation.work(), &mut generation);
    generation.hash.finish(generation.ek).digest()
}

/// A key generation: its streams, and what is computed of them as soon as it can be. So the public key is
/// hashed while the last rows of the matrix are sampled.
///
/// Streams: the first row of the matrix, the noise, the other rows; the hash comes in between whenever there
/// is a block for it.
struct Generation<'a, const K: usize> {
    domain: Domain,
    matrix: Matrix<'a, K>,
    /// Of the secret and of the error.
    noise: [Noise<'a, K>; 2],
    /// In the domain.
    secret: &'a mut [Values; K],
    /// The secret prepared for products, once it is transformed.
    operand: Zeroizing<[PairRows<ROWS>; K]>,
    transformed: bool,
    t: &'a mut [Values; K],
    ek: &'a mut [u8],
    hash: IntermittentSha3_256,
    /// Streams so far.
    started: usize,
    /// Rows of `t` so far.
    rows: usize,
}

impl<const K: usize> Generation<'_, K> {
    const NOISE: usize = 2 * K;
    const HASH: usize = Matrix::<K>::STREAMS + Self::NOISE;

    /// What all streams take; a part of the hash comes last.
    fn work(&self) -> Work {
        let [s, e] = &self.noise;
        Matrix::<K>::WORK.and(s.work()).and(e.work())
    }

    /// How much of the public key is to be hashed beside other streams. When they have ended, the hash goes
    /// on by itself: alone in its place it would be slower.
    fn hashable(&self) -> usize {
        if self.rows < K { self.rows * ENCODED_12 } else { 0 }
    }

    /// Computes what can be.
    fn advance(&mut self) {
        let [s, e] = &self.noise;
        let (Some(s), Some(e)) = (s.elements(), e.elements()) else { return };
        let domain = self.domain;
        if !self.transformed {
            transform_secret(domain, s, self.secret, &mut self.operand);
            self.transformed = true;
        }
        let mut transformed = Zeroizing::new(Values::ZERO);
        while let Some(row) = self.matrix.row(self.rows) {
            let t = &mut self.t[self.rows];
            domain.accumulate(&row.each_ref(), self.operand.as_slice(), t);
            domain.forward(&e[self.rows], &mut transformed);
            domain.add(t, &transformed);
            let encoded = &mut self.ek.as_chunks_mut().0[self.rows];
            codec::encode(domain.cpu(), t.rows(), encoded);
            // The public key is published.
            publish(encoded);
            self.rows += 1;
        }
    }
}

/// The secret into the domain; and as the second operand of products that stay there.
fn transform_secret<const K: usize>(
    domain: Domain,
    s: &[Element; K],
    secret: &mut [Values; K],
    operand: &mut [PairRows<ROWS>; K],
) {
    for ((s, secret), operand) in s.iter().zip(secret).zip(operand) {
        domain.forward(s, secret);
        domain.operand_to_stay(secret, operand);
    }
}

impl<const K: usize> Streams for Generation<'_, K> {
    fn next(&mut self) -> Option<usize> {
        self.advance();
        if self.hash.ready(self.hashable()) {
            return Some(Self::HASH);
        }
        let stream = self.started;
        self.started += (stream < Self::HASH) as usize;
        (stream < Self::HASH).then_some(stream)
    }

    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        if stream == Self::HASH {
            let hashable = self.hashable();
            return self.hash.step(&self.ek[..hashable], lane);
        }
        if stream < K {
            return self.matrix.step(stream, lane);
        }
        match stream - K {
            noise if noise < Self::NOISE => self.noise[noise / K].step(noise % K, lane),
            _ => self.matrix.step(stream - Self::NOISE, lane),
        }
    }
}

/// Reads a public key, and hashes other things beside; whether all coefficients were below the modulus.
pub(super) fn read_public<const K: usize>(
    cpu: Cpu,
    ek: &[u8],
    public: &mut Public<K>,
    beside: &mut [Digest<'_>],
) -> bool {
    let mut valid = true;
    for (i, t) in public.t.iter_mut().enumerate() {
        valid &= codec::decode(cpu, &ek[i * ENCODED_12..], t.rows_mut());
    }
    let Some(rho) = ek[K * ENCODED_12..].first_chunk() else { return false };
    if valid {
        let mut matrix = Matrix::new(cpu, rho, &mut public.matrix);
        let work = beside.iter().fold(Matrix::<K>::WORK, |work, digest| work.and(digest.work()));
        let first = beside.len();
        let step = |stream: usize, lane: &mut Lane<'_>| match beside.get_mut(stream) {
            Some(digest) => digest.step(lane),
            None => matrix.step(stream - first, lane),
        };
        run_streams(cpu, work, &mut InOrder::new(first + Matrix::<K>::STREAMS, step));
    }
    valid
}

/// Reads a secret key; coefficients are taken modulo `q`.
pub(super) fn read_secret<const K: usize>(cpu: Cpu, bytes: &[u8], secret: &mut Secret<K>) {
    for (i, s) in secret.iter_mut().enumerate() {
        codec::decode(cpu, &bytes[i * ENCODED_12..], s.rows_mut());
    }
}

/// Writes a secret key.
pub(super) fn write_secret<const K: usize>(cpu: Cpu, secret: &Secret<K>, out: &mut [u8]) {
    for (s, bytes) in secret.iter().zip(out.as_chunks_mut().0) {
        codec::encode(cpu, s.rows(), bytes);
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
    let (mut y, mut errors, mut last) = (
        Zeroizing::new([Element::ZERO; K]),
        Zeroizing::new([Element::ZERO; K]),
        Zeroizing::new([Element::ZERO]),
    );
    let mut noise = [Noise::new(cpu, P::ETA1, r, 0, &mut y), Noise::new(cpu, ETA2, r, K as u8, &mut errors)];
    let mut noise_of_last = Noise::new(cpu, ETA2, r, 2 * K as u8, &mut last);
    let work = noise[0].work().and(noise[1].work()).and(noise_of_last.work());
    let step = |stream: usize, lane: &mut Lane<'_>| match noise.get_mut(stream / K) {
        Some(noise) => noise.step(stream % K, lane),
        None => noise_of_last.step(0, lane),
    };
    run_streams(cpu, work, &mut InOrder::new(2 * K + 1, step));

    let domain = Domain::new_on(cpu);
    let operand = operand(domain, &y);
    let (mut product, mut element) = (Zeroizing::new(Values::ZERO), Zeroizing::new(Element::ZERO));
    let (first, second) = out.split_at_mut(32 * P::DU * K);
    for (i, (error, bytes)) in errors.iter().zip(first.chunks_exact_mut(32 * P::DU)).enumerate() {
        let column: [&Values; K] = core::array::from_fn(|j| &public.matrix[j][i]);
        domain.accumulate(&column, operand.as_slice(), &mut product);
        domain.inverse(&mut product, &mut element);
        domain.add_coeffs(&mut element, error);
        codec::encode_compressed(cpu, P::DU, &element, bytes);
    }
    domain.accumulate(&public.t.each_ref(), operand.as_slice(), &mut product);
    domain.inverse(&mut product, &mut element);
    domain.add_coeffs(&mut element, &last[0]);
    let mut message = Zeroizing::new(Element::ZERO);
    codec::decode_compressed(cpu, 1, m, &mut message);
    domain.add_coeffs(&mut element, &message);
    codec::encode_compressed(cpu, P::DV, &element, second);
}

/// Algorithm 15: decrypts to 32 bytes, whatever the ciphertext is.
pub(super) fn decrypt<P: Parameters, const K: usize>(
    cpu: Cpu,
    secret: &Secret<K>,
    ciphertext: &[u8],
    m: &mut [u8; 32],
) {
    let (second, mut u) = (32 * P::DU * K, [Element::ZERO; K]);
    for (i, u) in u.iter_mut().enumerate() {
        codec::decode_compressed(cpu, P::DU, &ciphertext[i * 32 * P::DU..], u);
    }
    let domain = Domain::new_on(cpu);
    let operand = operand(domain, &u);
    let (mut product, mut element) = (Zeroizing::new(Values::ZERO), Zeroizing::new(Element::ZERO));
    domain.accumulate(&secret.each_ref(), operand.as_slice(), &mut product);
    domain.inverse(&mut product, &mut element);
    let mut message = Zeroizing::new(Element::ZERO);
    codec::decode_compressed(cpu, P::DV, &ciphertext[second..], &mut message);
    domain.subtract_coeffs(&mut message, &element);
    codec::encode_compressed(cpu, 1, &message, m);
}
