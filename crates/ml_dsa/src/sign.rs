//! Signing: FIPS 204, algorithm 7.
//!
//! The matrix and the masks of the first attempt are sampled side by side. An attempt tests what rejects most
//! often first: the low part, element by element, then `z` likewise; only then is `c t0` computed, in the
//! domain, while the products with the secret are [small](crate::small).

use crate::codec;
use crate::publish::{self, Test};
use crate::ring::{AddBounded, N, Ntt, Poly, Products, Secret, Values, Words, ZERO, ZERO_WORDS};
use crate::sample::{self, MaskBytes, Masks, Matrix};
use crate::scheme::{MOST_HIGH, Parameters, Parts, T0_BITS, bytes, unpack_secrets};
use crate::small::{Challenge, Prepared};
use core::slice;
use ringsmith_hash::{InOrder, Lane, Shake256, run_streams};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::signature::TooManyAttempts;
use ringsmith_simd::Cpu;

/// `s1` and `-s2`, prepared for products.
pub(crate) struct Secrets<const K: usize, const L: usize> {
    s1: Secret<[Prepared; L]>,
    s2: Secret<[Prepared; K]>,
}

impl<const K: usize, const L: usize> Secrets<K, L> {
    /// Room for them; a constant, so that no function moves it.
    pub(crate) const BLANK: Self = Secrets {
        s1: Secret::of([const { Prepared::BLANK }; L]),
        s2: Secret::of([const { Prepared::BLANK }; K]),
    };

    /// Prepares those of a private key.
    pub(crate) fn read<P: Parameters>(&mut self, cpu: Cpu, parts: &Parts<'_>) {
        let (mut words, mut scratch) = (Secret::of(ZERO_WORDS), Secret::of(ZERO_WORDS));
        let size = bytes(P::SECRET_BITS);
        let s1 = parts.s1.chunks_exact(size).zip(self.s1.iter_mut()).map(|pair| (pair, 1));
        let s2 = parts.s2.chunks_exact(size).zip(self.s2.iter_mut()).map(|pair| (pair, -1));
        for ((encoded, prepared), sign) in s1.chain(s2) {
            unpack_secrets::<P>(cpu, encoded, slice::from_mut(&mut words));
            words.0.as_flattened_mut().iter_mut().for_each(|x| *x *= sign);
            prepared.fill::<P>(cpu, &words, &mut scratch);
        }
    }
}

/// `t0`: as it is in a private key, or in the domain.
#[derive(Clone, Copy)]
pub(crate) enum T0<'a> {
    Encoded(&'a [u8]),
    Values(&'a [Values]),
}

/// What signs: a private key, expanded.
pub(crate) struct Signer<'a, const K: usize, const L: usize> {
    pub(crate) cpu: Cpu,
    pub(crate) matrix: &'a [[Values; L]; K],
    pub(crate) secrets: &'a Secrets<K, L>,
    pub(crate) t0: T0<'a>,
}

/// What an attempt works in.
struct Attempt<const K: usize, const L: usize> {
    /// An element of the mask; then of `z`, or of `c t0`.
    poly: Secret<Poly>,
    /// The mask in the domain; then the challenge and an element of `t0`.
    values: Secret<[Values; L]>,
    product: Secret<Products>,
    /// The low part of `w`; then that less `c s2`.
    low: Secret<[Poly; K]>,
    /// The high part of `w`, encoded.
    high: SecretBytes<MOST_HIGH>,
    hints: Secret<Hints<K>>,
    small: Secret<[Words; 2]>,
    c: Challenge,
}

/// Hints, 1 or 0.
struct Hints<const K: usize>([[u8; N]; K]);

impl<const K: usize> zeroize::Zeroize for Hints<K> {
    fn zeroize(&mut self) {
        ringsmith_simd::wipe(self.0.as_flattened_mut());
    }
}

impl<const K: usize, const L: usize> Attempt<K, L> {
    /// Room for an attempt; a constant, so that no function moves it.
    const BLANK: Self = Attempt {
        poly: Secret::of(ZERO),
        values: Secret::of([Values::ZERO; L]),
        product: Secret::of(Products::ZERO),
        low: Secret::of([ZERO; K]),
        high: SecretBytes::zero(),
        hints: Secret::of(Hints([[0; N]; K])),
        small: Secret::of([ZERO_WORDS; 2]),
        c: Challenge::BLANK,
    };

    /// Splits `w = A y` into its parts.
    fn commit<P: Parameters>(&mut self, by: &Signer<'_, K, L>, masks: &Masks<'_>) {
        for (i, values) in self.values.iter_mut().enumerate() {
            masks.unpack(by.cpu, P::MASK_BITS, i, &mut self.poly);
            Ntt::forward(by.cpu, &self.poly, values);
        }
        let high = self.high.chunks_exact_mut(bytes(P::HIGH_BITS));
        for ((a, w), high) in by.matrix.iter().zip(self.low.iter_mut()).zip(high) {
            Ntt::accumulate(by.cpu, a.each_ref(), self.values.each_ref(), &mut self.product);
            Ntt::inverse(by.cpu, &mut self.product, w);
            P::ROUNDING.split(by.cpu, P::HIGH_BITS, w, high);
        }
    }

    /// Writes the challenge's hash, and makes the challenge.
    fn challenge<P: Parameters>(&mut self, cpu: Cpu, mu: &[u8; 64], ctilde: &mut [u8]) {
        let hash = Shake256::new_on(cpu).absorb(mu).absorb(&self.high[..K * bytes(P::HIGH_BITS)]);
        hash.reader().squeeze(ctilde);
        publish::challenge(ctilde);
        sample::in_ball(cpu, P::TAU, ctilde, &mut self.c);
        self.c.prepare::<P>(cpu);
    }

    /// Takes `c s2` off the low part; whether that is too large then. It ends with the first element that is.
    fn subtract<P: Parameters>(&mut self, by: &Signer<'_, K, L>) -> bool {
        let [words, scratch] = &mut *self.small;
        self.low.iter_mut().zip(by.secrets.s2.iter()).any(|(sum, s2)| {
            self.c.multiply::<P>(by.cpu, s2, words, scratch);
            let exceeding = by.cpu.run(AddBounded { sum, words, bound: P::GAMMA2 - P::BETA });
            publish::rejected(Test::LowPart, exceeding)
        })
    }

    /// Writes `z = y + c s1`; whether it is too large, likewise.
    fn respond<P: Parameters>(&mut self, by: &Signer<'_, K, L>, masks: &Masks<'_>, out: &mut [u8]) -> bool {
        let ([words, scratch], sum) = (&mut *self.small, &mut *self.poly);
        let out = out.chunks_exact_mut(bytes(P::MASK_BITS));
        by.secrets.s1.iter().zip(out).enumerate().any(|(i, (s1, out))| {
            self.c.multiply::<P>(by.cpu, s1, words, scratch);
            masks.unpack(by.cpu, P::MASK_BITS, i, sum);
            let exceeding = by.cpu.run(AddBounded { sum, words, bound: P::GAMMA1 - P::BETA });
            codec::pack_mask(by.cpu, P::MASK_BITS, sum, out);
            publish::rejected(Test::Response, exceeding)
        })
    }

    /// Makes hints; whether `c t0` is too large, or hints are too many.
    fn hint<P: Parameters>(&mut self, by: &Signer<'_, K, L>) -> bool {
        let (c, rest) = self.values.split_at_mut(1);
        let (c, t0, ct0, mut total) = (&mut c[0], &mut rest[0], &mut *self.poly, 0);
        self.c.widen(ct0);
        Ntt::forward(by.cpu, ct0, c);
        let high = self.high.chunks_exact(bytes(P::HIGH_BITS));
        for (row, ((low, hints), high)) in self.low.iter().zip(&mut self.hints.0).zip(high).enumerate() {
            let t0 = match by.t0 {
                T0::Values(values) => &values[row],
                T0::Encoded(encoded) => {
                    codec::unpack_t0(by.cpu, &encoded[row * bytes(T0_BITS)..], ct0);
                    Ntt::forward(by.cpu, ct0, t0);
                    &*t0
                }
            };
            Ntt::accumulate(by.cpu, [&*c], [t0], &mut self.product);
            Ntt::inverse_centred(by.cpu, &mut self.product, ct0);
            let (exceeding, count) = P::ROUNDING.hints(by.cpu, P::HIGH_BITS, [low, ct0], high, hints);
            total += count;
            let many = (P::OMEGA as i32 - total) >> 31;
            if publish::rejected(Test::Product, exceeding) || publish::rejected(Test::Hints, many) {
                return true;
            }
        }
        false
    }

    /// Writes the hints of an attempt that is accepted, behind `z`.
    fn write<P: Parameters>(&mut self, out: &mut [u8]) {
        let (z, hints) = out.split_at_mut(L * bytes(P::MASK_BITS));
        publish::signature(z);
        publish::signature(self.hints.0.as_flattened_mut());
        codec::pack_hints(P::OMEGA, &self.hints.0, hints);
    }
}

impl<const K: usize, const L: usize> Signer<'_, K, L> {
    /// Signs `mu` by so many attempts at most.
    #[inline(never)]
    fn sign<P: Parameters>(
        &self,
        attempts: u16,
        masks: &mut Masks<'_>,
        mu: &[u8; 64],
        signature: &mut [u8],
    ) -> Result<(), TooManyAttempts> {
        let mut attempt = Attempt::<K, L>::BLANK;
        let (ctilde, rest) = signature.split_at_mut(P::CTILDE);
        for _ in 0..attempts {
            masks.ensure(self.cpu, L);
            attempt.commit::<P>(self, masks);
            attempt.challenge::<P>(self.cpu, mu, ctilde);
            let rejected = attempt.subtract::<P>(self)
                || attempt.respond::<P>(self, masks, rest)
                || attempt.hint::<P>(self);
            if !rejected {
                attempt.write::<P>(rest);
                return Ok(());
            }
            masks.consume(L);
        }
        signature.fill(0);
        Err(TooManyAttempts)
    }
}

/// The seed of the masks: `rho''`.
fn mask_seed(cpu: Cpu, key: &[u8], rnd: &[u8; 32], mu: &[u8; 64], seed: &mut SecretBytes<64>) {
    Shake256::new_on(cpu).absorb(key).absorb(rnd).absorb(mu).reader().squeeze(seed.as_mut());
}

/// Signs `mu` with the randomness `rnd`, by so many attempts at most.
pub(crate) fn sign<P: Parameters, const K: usize, const L: usize>(
    cpu: Cpu,
    attempts: u16,
    signing: &[u8],
    mu: &[u8; 64],
    rnd: &[u8; 32],
    signature: &mut [u8],
) -> Result<(), TooManyAttempts> {
    let parts = Parts::of::<P, K, L>(signing);
    let mut rho = *parts.rho;
    publish::matrix_seed(&mut rho);
    let (mut seed, mut bytes) = (SecretBytes::<64>::zero(), MaskBytes::zero());
    mask_seed(cpu, parts.key, rnd, mu, &mut seed);
    let mut masks = Masks::new(&seed, &mut bytes);
    let mut matrix = [[Values::ZERO; L]; K];
    sample_both(cpu, &rho, [K, L], matrix.as_flattened_mut(), Some(&mut masks));
    let mut secrets = Secrets::<K, L>::BLANK;
    secrets.read::<P>(cpu, &parts);
    let signer = Signer { cpu, matrix: &matrix, secrets: &secrets, t0: T0::Encoded(parts.t0) };
    signer.sign::<P>(attempts, &mut masks, mu, signature)
}

/// A private key with the matrix, its secrets prepared, and `t0` in the domain. It clears what is secret on
/// drop.
pub struct Expanded<const K: usize, const L: usize> {
    matrix: [[Values; L]; K],
    secrets: Secrets<K, L>,
    t0: Secret<[Values; K]>,
    key: SecretBytes<32>,
}

impl<const K: usize, const L: usize> Expanded<K, L> {
    /// Room for one; a constant, so that no function moves it.
    pub(crate) const BLANK: Self = Expanded {
        matrix: [[Values::ZERO; L]; K],
        secrets: Secrets::BLANK,
        t0: Secret::of([Values::ZERO; K]),
        key: SecretBytes::zero(),
    };

    /// Expands a private key.
    pub(crate) fn fill<P: Parameters>(&mut self, cpu: Cpu, signing: &[u8]) {
        let parts = Parts::of::<P, K, L>(signing);
        let (mut rho, mut poly) = (*parts.rho, Secret::of(ZERO));
        publish::matrix_seed(&mut rho);
        sample_both(cpu, &rho, [K, L], self.matrix.as_flattened_mut(), None);
        self.secrets.read::<P>(cpu, &parts);
        for (encoded, t0) in parts.t0.chunks_exact(bytes(T0_BITS)).zip(self.t0.iter_mut()) {
            codec::unpack_t0(cpu, encoded, &mut poly);
            Ntt::forward(cpu, &poly, t0);
        }
        self.key.copy_from_slice(parts.key);
    }

    /// Signs `mu` with the randomness `rnd`, by so many attempts at most, on the CPU that expanded it.
    pub(crate) fn sign_by<P: Parameters>(
        &self,
        cpu: Cpu,
        attempts: u16,
        mu: &[u8; 64],
        rnd: &[u8; 32],
        signature: &mut [u8],
    ) -> Result<(), TooManyAttempts> {
        let (mut seed, mut bytes) = (SecretBytes::<64>::zero(), MaskBytes::zero());
        mask_seed(cpu, self.key.as_slice(), rnd, mu, &mut seed);
        let (matrix, secrets, t0) = (&self.matrix, &self.secrets, T0::Values(self.t0.as_slice()));
        let mut masks = Masks::new(&seed, &mut bytes);
        Signer { cpu, matrix, secrets, t0 }.sign::<P>(attempts, &mut masks, mu, signature)
    }
}

/// The whole matrix, and the masks of the first attempt.
#[inline(never)]
pub(crate) fn sample_both(
    cpu: Cpu,
    rho: &[u8; 32],
    [k, l]: [usize; 2],
    places: &mut [Values],
    masks: Option<&mut Masks<'_>>,
) {
    let mut matrix = Matrix::new(cpu, rho, [k, l], places);
    let Some(masks) = masks else {
        let step = |stream: usize, lane: &mut Lane<'_>| matrix.step(stream, lane);
        return run_streams(cpu, Matrix::work_of(k * l), &mut InOrder::new(k * l, step));
    };
    let more = masks.more(cpu, l, k * l);
    let work = matrix.work().and(Masks::work(more));
    let step = |stream: usize, lane: &mut Lane<'_>| match stream.checked_sub(k * l) {
        Some(mask) => masks.step(mask, lane),
        None => matrix.step(stream, lane),
    };
    run_streams(cpu, work, &mut InOrder::new(k * l + more, step));
    masks.sampled(more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::{ATTEMPTS, expand};
    use crate::{MlDsa65, PreparedSet};
    use ringsmith_kem::set::Bytes;

    /// Protects: that signing ends where attempts are used up; and that what rejected attempts wrote to the
    /// caller's memory, which is `z` as far as they came, is gone when signing returns or fails. With keys of
    /// both forms, whatever the memory had.
    #[test]
    fn rejected_attempts_leave_nothing() {
        fn check<S: PreparedSet + Parameters, const K: usize, const L: usize>(cpu: Cpu) {
            let (mut signing, mut verifying) = (S::SigningBytes::ZERO, S::VerifyingBytes::ZERO);
            expand::<S, K, L>(cpu, &[1; 32], signing.as_mut(), verifying.as_mut());
            let mut prepared = Expanded::<K, L>::BLANK;
            prepared.fill::<S>(cpu, signing.as_ref());
            let sign = |message, attempts, memory| {
                let (mut signature, mut other) = (S::SignatureBytes::ZERO, S::SignatureBytes::ZERO);
                let (mu, [signature, other]) = ([message; 64], [signature.as_mut(), other.as_mut()]);
                signature.fill(memory);
                other.fill(!memory);
                let signed =
                    super::sign::<S, K, L>(cpu, attempts, signing.as_ref(), &mu, &[0; 32], signature);
                let again = prepared.sign_by::<S>(cpu, attempts, &mu, &[0; 32], other);
                assert!(signed == again && signature == other, "{} on {cpu:?}", S::NAME);
                signed.map(|()| signature.to_vec()).map_err(|_| signature.iter().any(|byte| *byte != 0))
            };
            let mut rejected = 0;
            for message in 0..6 {
                let enough = (1..ATTEMPTS).find(|attempts| sign(message, *attempts, 1).is_ok());
                let enough = enough.expect("a signature");
                rejected += enough - 1;
                for attempts in 0..enough {
                    assert_eq!(sign(message, attempts, 0xa5), Err(false), "{} on {cpu:?}", S::NAME);
                }
                assert_eq!(sign(message, enough, 0), sign(message, ATTEMPTS, 0xa5));
            }
            assert!(rejected > 6, "the cases must have rejected attempts");
        }
        for cpu in Cpu::available() {
            check::<crate::MlDsa44, 4, 4>(cpu);
            check::<MlDsa65, 6, 5>(cpu);
            check::<crate::MlDsa87, 8, 7>(cpu);
        }
    }

    /// Protects: that keys which are prepared sign and verify as others do, and in the place of others.
    #[test]
    fn prepared() {
        use crate::{Context, VerificationError};
        use ringsmith_kem::signature::{PreparedSigningKey, PreparedVerifyingKey, SigningKey};
        fn check<S: PreparedSet>(cpu: Cpu) {
            let key = SigningKey::<S>::from_seed_on(cpu, &[1; 32]);
            let other = Cpu::available().last().expect("a backend");
            let mut signer = PreparedSigningKey::new(&SigningKey::<S>::from_seed_on(other, &[2; 32]));
            signer.prepare_into(&key);
            assert!(signer.verifying_key() == key.verifying_key());
            let verifier = PreparedVerifyingKey::new(key.verifying_key());
            for message in [b"a", b"b", b"c"] {
                let signature = signer.sign_deterministic(Context::EMPTY, message).expect("a signature");
                let other = key.sign_deterministic(Context::EMPTY, message).expect("a signature");
                assert_eq!(signature, other, "{} on {cpu:?}", S::NAME);
                let signature = signature.as_ref();
                assert!(verifier.verify(Context::EMPTY, message, signature).is_ok());
                assert!(key.verifying_key().verify(Context::EMPTY, message, signature).is_ok());
                assert_eq!(verifier.verify(Context::EMPTY, b"d", signature), Err(VerificationError));
            }
        }
        for cpu in Cpu::available() {
            check::<crate::MlDsa44>(cpu);
            check::<MlDsa65>(cpu);
            check::<crate::MlDsa87>(cpu);
        }
    }
}
