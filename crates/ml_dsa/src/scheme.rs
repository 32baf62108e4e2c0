//! Key generation: FIPS 204, section 6; and the parameters of sets.
//!
//! With `A` of `K` rows and `L` columns over the ring, `t = A s1 + s2 = t1 2^d + t0`. A signature of `mu` is
//! a challenge `c`, a vector `z = y + c s1` for a mask `y`, and hints by which `A z - c t1 2^d`, that is
//! `A y - c s2 + c t0`, gives the high part of `A y`, which `c` is a hash of. An attempt is rejected where
//! `z` or the low part would tell something of the secret.
//!
//! All streams of key generation run side by side: those of the secret, the matrix, and the hash of the
//! public key, which takes the rows of `t1` as soon as they are there. The matrix is never in memory as a
//! whole.

use crate::ring::{N, Ntt, Poly, Products, Q, Secret, Values, Widen, Words, ZERO, ZERO_WORDS};
use crate::round::{D, Power2Round, Rounding, T1_BITS};
use crate::sample::{Matrix, Small, WINDOW};
use crate::{codec, publish};
use core::array::from_fn;
use core::slice;
use ctutils::CtEq;
use ringsmith_hash::{IntermittentShake256, Lane, Shake256, Streams, run_streams, states_at_a_time};
use ringsmith_kem::scheme::InvalidKey;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::algorithm::small::Sizes;
use ringsmith_simd::Cpu;

/// The parameters of a set: FIPS 204, table 1.
pub(crate) trait Parameters: Sizes {
    /// Bytes of a challenge's hash: a quarter of the collision strength in bits.
    const CTILDE: usize;
    /// Bits of a coefficient of the mask: it is in `(-2^(bits-1), 2^(bits-1)]`.
    const MASK_BITS: usize;
    /// The low part of a coefficient is in `(-gamma2, gamma2]`.
    const GAMMA2: i32;
    /// Most hints of a signature.
    const OMEGA: usize;

    /// Coefficients of a challenge that are not zero.
    const TAU: usize = Self::WEIGHT as usize;
    /// Coefficients of the secret are in `[-eta, eta]`.
    const ETA: i32 = Self::SIZE as i32;
    /// The bound of the mask.
    const GAMMA1: i32 = 1 << (Self::MASK_BITS - 1);
    /// The most that a challenge makes of the secret.
    const BETA: i32 = Self::PRODUCT as i32;
    /// Bits of a coefficient of the secret.
    const SECRET_BITS: usize = if Self::ETA == 2 { 3 } else { 4 };
    /// Bits of the high part of a coefficient.
    const HIGH_BITS: usize = if Self::GAMMA2 == (Q - 1) / 32 { 4 } else { 6 };
    /// The rounding.
    const ROUNDING: Rounding = Rounding::new(Self::GAMMA2);
}

const MOST_ROWS: usize = 8;
/// Most bytes of the high parts of all rows.
pub(crate) const MOST_HIGH: usize = MOST_ROWS * bytes(4);

/// Attempts at a signature: more than the 814 that FIPS 204, appendix C, asks for.
pub(crate) const ATTEMPTS: u16 = 1000;
/// Bytes of a polynomial, by the bits of a coefficient.
pub(crate) const fn bytes(bits: usize) -> usize {
    N / 8 * bits
}
/// Bits of a coefficient of `t0`.
pub(crate) const T0_BITS: usize = D as usize;
/// Bytes of `rho`, `K` and `tr` of a private key.
pub(crate) const HEAD: usize = 32 + 32 + 64;

/// The parts of a private key.
pub(crate) struct Parts<'a> {
    pub(crate) rho: &'a [u8; 32],
    pub(crate) key: &'a [u8],
    pub(crate) tr: &'a [u8],
    pub(crate) s1: &'a [u8],
    pub(crate) s2: &'a [u8],
    pub(crate) t0: &'a [u8],
}

impl<'a> Parts<'a> {
    pub(crate) fn of<P: Parameters, const K: usize, const L: usize>(signing: &'a [u8]) -> Self {
        let (rho, rest) = signing.split_first_chunk().expect("a private key begins with 32 bytes of rho");
        let (key, rest) = rest.split_at(32);
        let (tr, rest) = rest.split_at(64);
        let (s1, rest) = rest.split_at(L * bytes(P::SECRET_BITS));
        let (s2, t0) = rest.split_at(K * bytes(P::SECRET_BITS));
        Parts { rho, key, tr, s1, s2, t0 }
    }
}

/// The places of a matrix that is consumed row by row.
pub(crate) type Window = [Values; WINDOW];
/// Before they are sampled.
pub(crate) const WINDOW_BLANK: Window = [Values::ZERO; WINDOW];

/// The values of elements that are small.
pub(crate) fn transform_small(cpu: Cpu, small: &[Words], values: &mut [Values]) {
    let mut wide = Secret::of(ZERO);
    for (words, values) in small.iter().zip(values) {
        cpu.run(Widen { words, out: &mut wide });
        Ntt::forward(cpu, &wide, values);
    }
}

/// Where a public key and `t0` are written, row by row.
struct PublicKey<'a, const K: usize, const L: usize> {
    cpu: Cpu,
    /// In the domain.
    s1: &'a mut [Values; L],
    product: Secret<Products>,
    t: Secret<Poly>,
    verifying: &'a mut [u8],
    t0: T0<'a>,
    /// Rows so far.
    rows: usize,
}

/// What becomes of `t0`.
enum T0<'a> {
    /// It is written.
    Write(&'a mut [u8]),
    /// It is compared: not 0 where it is another one.
    Compare(&'a [u8], u8),
}

impl<'a, const K: usize, const L: usize> PublicKey<'a, K, L> {
    /// Before the first row.
    fn new(cpu: Cpu, s1: &'a mut [Values; L], verifying: &'a mut [u8], t0: T0<'a>) -> Self {
        let (product, t) = (Secret::of(Products::ZERO), Secret::of(ZERO));
        PublicKey { cpu, s1, product, t, verifying, t0, rows: 0 }
    }

    /// Bytes of the public key that are there.
    fn length(&self) -> usize {
        32 + self.rows * bytes(T1_BITS)
    }

    /// Takes the rows of the matrix that are there.
    fn advance(&mut self, matrix: &mut Matrix<'_>, s2: &[Words]) {
        while matrix.row().is_some() {
            let a = from_fn(|column| matrix.element(column));
            Ntt::accumulate::<_, L>(self.cpu, a, self.s1.each_ref(), &mut self.product);
            matrix.consume();
            Ntt::inverse(self.cpu, &mut self.product, &mut self.t);
            let high = &mut self.verifying[32 + self.rows * bytes(T1_BITS)..][..bytes(T1_BITS)];
            let (mut low, at) = (SecretBytes::<{ bytes(T0_BITS) }>::zero(), self.rows * bytes(T0_BITS));
            self.cpu.run(Power2Round { t: &self.t, s: &s2[self.rows], high, low: low.as_mut() });
            match &mut self.t0 {
                T0::Write(out) => out[at..at + bytes(T0_BITS)].copy_from_slice(low.as_ref()),
                T0::Compare(given, differs) => {
                    *differs |= given[at..at + bytes(T0_BITS)].ct_ne(low.as_slice()).to_u8();
                }
            }
            publish::public_key(high);
            self.rows += 1;
        }
    }
}

/// A key generation: its streams, and what is computed of them as soon as it can be.
struct Generation<'a, const K: usize, const L: usize> {
    secrets: Small<'a>,
    matrix: Matrix<'a>,
    key: PublicKey<'a, K, L>,
    /// Whether `s1` is in the domain, and the secrets are `s2` alone from the beginning.
    transformed: bool,
    hash: IntermittentShake256,
}

impl<'a, const K: usize, const L: usize> Generation<'a, K, L> {
    /// The first stream of the matrix; those of secrets are before.
    const MATRIX: usize = K + L;
    /// Elements of the matrix that begin before the secrets, eight at a time, where there are places for all
    /// elements: then rows do not end all at once, and the hash of the public key goes on in between.
    const EARLY: usize = if K * L <= WINDOW { 6 } else { 0 };
    const HASH: usize = Self::MATRIX + K * L;

    /// Before its streams.
    fn new(secrets: Small<'a>, matrix: Matrix<'a>, key: PublicKey<'a, K, L>, transformed: bool) -> Self {
        let hash = IntermittentShake256::new_on(key.cpu);
        Generation { secrets, matrix, key, transformed, hash }
    }

    /// Writes the public key and its hash, and goes through `t0`.
    fn run(&mut self, hash: &mut [u8]) {
        let work = self.secrets.work().and(self.matrix.work());
        run_streams(self.key.cpu, work, self);
        self.advance();
        let sponge = core::mem::replace(&mut self.hash, IntermittentShake256::new_on(self.key.cpu));
        sponge.finish(self.key.verifying).reader().squeeze(hash);
    }

    /// How much of the public key is to be hashed beside other streams. When they have ended, the hash goes
    /// on by itself: alone in its place it would be slower.
    fn hashable(&self) -> usize {
        if self.key.rows < K { self.key.length() } else { 0 }
    }

    /// Whether the hash may begin: four at a time, the last eight elements of the matrix begin four together.
    /// Where the hash is in the place of one of them, that one is permuted alone at the end.
    fn leaves_room(&self) -> bool {
        let left = self.matrix.left();
        left > 8 || left.is_multiple_of(4) || states_at_a_time(self.key.cpu) == 8
    }

    /// Whether an element of the matrix is to begin before the secrets.
    fn is_early(&self) -> bool {
        K * L - self.matrix.left() < Self::EARLY && states_at_a_time(self.key.cpu) == 8
    }

    /// Computes what can be.
    fn advance(&mut self) {
        let Some(secrets) = self.secrets.polys() else { return };
        let (s1, s2) = secrets.split_at(secrets.len() - K);
        if !self.transformed {
            transform_small(self.key.cpu, s1, self.key.s1);
            self.transformed = true;
        }
        self.key.advance(&mut self.matrix, s2);
    }
}

impl<const K: usize, const L: usize> Streams for Generation<'_, K, L> {
    fn next(&mut self) -> Option<usize> {
        self.advance();
        if self.leaves_room() && self.hash.ready(self.hashable()) {
            return Some(Self::HASH);
        }
        let secret = if self.is_early() { None } else { self.secrets.next() };
        secret.or_else(|| self.matrix.next().map(|stream| Self::MATRIX + stream))
    }

    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        if stream == Self::HASH {
            let hashable = self.hashable();
            return self.hash.step(&self.key.verifying[..hashable], lane);
        }
        if stream < Self::MATRIX {
            return self.secrets.step(stream, lane);
        }
        self.matrix.step(stream - Self::MATRIX, lane)
    }
}

/// Algorithm 6: key generation of the seed `xi`.
pub(crate) fn expand<P: Parameters, const K: usize, const L: usize>(
    cpu: Cpu,
    xi: &[u8; 32],
    signing: &mut [u8],
    verifying: &mut [u8],
) {
    let (mut rho, mut seed) = ([0; 32], SecretBytes::<64>::zero());
    let mut reader = Shake256::new_on(cpu).absorb(xi).absorb(&[K as u8, L as u8]).reader();
    reader.squeeze(&mut rho);
    reader.squeeze(seed.as_mut());
    publish::matrix_seed(&mut rho);
    signing[..32].copy_from_slice(&rho);
    verifying[..32].copy_from_slice(&rho);
    reader.squeeze(&mut signing[32..64]);

    let (head, rest) = signing.split_at_mut(HEAD);
    let (encoded, t0) = rest.split_at_mut((K + L) * bytes(P::SECRET_BITS));
    // Places for twice K elements, of which there are no more.
    let mut secrets = Secret::of([[ZERO_WORDS; 2]; K]);
    let mut window = WINDOW_BLANK;
    let secrets = &mut secrets.as_flattened_mut()[..K + L];
    let matrix = Matrix::new(cpu, &rho, [K, L], &mut window);
    let sampled = Small::new(cpu, P::ETA, &seed, secrets);
    let mut s1 = Secret::of([Values::ZERO; L]);
    let key = PublicKey::new(cpu, &mut s1, verifying, T0::Write(t0));
    Generation::<K, L>::new(sampled, matrix, key, false).run(&mut head[64..]);
    for (s, out) in secrets.iter().zip(encoded.chunks_exact_mut(bytes(P::SECRET_BITS))) {
        codec::pack_small(cpu, P::ETA, s, out);
    }
}

/// The hash of the public key in a private key.
pub(crate) fn key_hash(signing: &[u8]) -> &[u8; 64] {
    signing[64..].first_chunk().expect("a private key has it behind 64 bytes")
}

/// Checks a private key, and writes its public key: `s1` and `s2` must be in range, `t0` and `tr` must follow
/// from them.
pub(crate) fn check<P: Parameters, const K: usize, const L: usize>(
    cpu: Cpu,
    signing: &[u8],
    verifying: &mut [u8],
) -> Result<(), InvalidKey> {
    let parts = Parts::of::<P, K, L>(signing);
    let mut rho = *parts.rho;
    publish::matrix_seed(&mut rho);
    let mut s1 = Secret::of([Values::ZERO; L]);
    let (mut s2, mut words, mut hash) =
        (Secret::of([ZERO_WORDS; K]), Secret::of(ZERO_WORDS), SecretBytes::<64>::zero());
    let mut invalid = unpack_secrets::<P>(cpu, parts.s2, s2.as_mut_slice());
    for (encoded, values) in parts.s1.chunks_exact(bytes(P::SECRET_BITS)).zip(s1.iter_mut()) {
        invalid |= unpack_secrets::<P>(cpu, encoded, slice::from_mut(&mut words));
        transform_small(cpu, slice::from_ref(&words), slice::from_mut(values));
    }
    if publish::invalid(invalid) {
        return Err(InvalidKey);
    }
    verifying[..32].copy_from_slice(&rho);
    let mut window = WINDOW_BLANK;
    let matrix = Matrix::new(cpu, &rho, [K, L], &mut window);
    let given = Small::given(cpu, P::ETA, s2.as_mut_slice());
    let key = PublicKey::new(cpu, &mut s1, verifying, T0::Compare(parts.t0, 0));
    let mut generation = Generation::<K, L>::new(given, matrix, key, true);
    generation.run(hash.as_mut());
    let mut differs = parts.tr.ct_ne(hash.as_slice()).to_u8();
    if let T0::Compare(_, of_t0) = generation.key.t0 {
        differs |= of_t0;
    }
    if publish::invalid(differs.into()) {
        verifying.fill(0);
        return Err(InvalidKey);
    }
    Ok(())
}

/// Reads elements of the secret; -1 where a coefficient is out of range, else 0.
pub(crate) fn unpack_secrets<P: Parameters>(cpu: Cpu, encoded: &[u8], out: &mut [Words]) -> i32 {
    let encoded = encoded.chunks_exact(bytes(P::SECRET_BITS));
    encoded.zip(out).fold(0, |invalid, (encoded, s)| invalid | codec::unpack_small(cpu, P::ETA, encoded, s))
}

/// Bytes of a private key in its long form.
pub(crate) const fn signing_bytes<P: Parameters>(k: usize, l: usize) -> usize {
    HEAD + (k + l) * bytes(P::SECRET_BITS) + k * bytes(T0_BITS)
}

/// Bytes of a public key.
pub(crate) const fn verifying_bytes(k: usize) -> usize {
    32 + k * bytes(T1_BITS)
}

/// Bytes of a signature.
pub(crate) const fn signature_bytes<P: Parameters>(k: usize, l: usize) -> usize {
    P::CTILDE + l * bytes(P::MASK_BITS) + P::OMEGA + k
}
