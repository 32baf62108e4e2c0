//! Key generation, signing and verifying: FIPS 204, section 6.
//!
//! With `A` of `K` rows and `L` columns over the ring, `t = A s1 + s2 = t1 2^d + t0`. A signature of `mu` is
//! a challenge `c`, a vector `z = y + c s1` for a mask `y`, and hints by which `A z - c t1 2^d`, that is
//! `A y - c s2 + c t0`, gives the high part of `A y`, which `c` is a hash of. An attempt is rejected where
//! `z` or the low part would tell something of the secret.

use crate::publish::{self, Test};
use crate::ring::{self, N, Poly, SecretPolys, centre};
use crate::round::{D, Rounding, exceeds, power2round};
use crate::{codec, sample};
use ctutils::CtEq;
use ringsmith_hash::Shake256;
use ringsmith_kem::scheme::InvalidKey;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::signature::TooManyAttempts;
use ringsmith_simd::{Cpu, wipe};

/// The parameters of a set: FIPS 204, table 1.
pub(crate) trait Parameters {
    /// Coefficients of a challenge that are not zero.
    const TAU: usize;
    /// Bytes of a challenge's hash: a quarter of the collision strength in bits.
    const CTILDE: usize;
    /// Bits of a coefficient of the mask: it is in `(-2^(bits-1), 2^(bits-1)]`.
    const MASK_BITS: usize;
    /// The low part of a coefficient is in `(-gamma2, gamma2]`.
    const GAMMA2: i32;
    /// Coefficients of the secret are in `[-eta, eta]`.
    const ETA: i32;
    /// Most hints of a signature.
    const OMEGA: usize;

    /// The bound of the mask.
    const GAMMA1: i32 = 1 << (Self::MASK_BITS - 1);
    /// The most that a challenge makes of the secret.
    const BETA: i32 = Self::TAU as i32 * Self::ETA;
    /// Bits of a coefficient of the secret.
    const SECRET_BITS: usize = if Self::ETA == 2 { 3 } else { 4 };
    /// Bits of the high part of a coefficient.
    const HIGH_BITS: usize = if Self::GAMMA2 == (ring::Q - 1) / 32 { 4 } else { 6 };
    /// The rounding.
    const ROUNDING: Rounding = Rounding::new(Self::GAMMA2);
}

/// Attempts at a signature: more than the 814 that FIPS 204, appendix C, asks for.
pub(crate) const ATTEMPTS: u16 = 1000;
/// Bytes of a polynomial, by the bits of a coefficient.
pub(crate) const fn bytes(bits: usize) -> usize {
    N / 8 * bits
}
/// Bits of a coefficient of `t1`.
pub(crate) const T1_BITS: usize = 10;
/// Bits of a coefficient of `t0`.
pub(crate) const T0_BITS: usize = D as usize;
/// The largest coefficient of `t0`.
const T0_TOP: i32 = 1 << (D - 1);
/// Bytes of `rho`, `K` and `tr` of a private key.
pub(crate) const HEAD: usize = 32 + 32 + 64;

/// The parts of a private key.
struct Parts<'a> {
    rho: &'a [u8; 32],
    key: &'a [u8],
    tr: &'a [u8],
    s1: &'a [u8],
    s2: &'a [u8],
    t0: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of<P: Parameters, const K: usize, const L: usize>(signing: &'a [u8]) -> Self {
        let (rho, rest) = signing.split_first_chunk().expect("a private key begins with 32 bytes of rho");
        let (key, rest) = rest.split_at(32);
        let (tr, rest) = rest.split_at(64);
        let (s1, rest) = rest.split_at(L * bytes(P::SECRET_BITS));
        let (s2, t0) = rest.split_at(K * bytes(P::SECRET_BITS));
        Parts { rho, key, tr, s1, s2, t0 }
    }
}

/// The rows of `A v` in the domain, one after the other, each handed over with its number; `v` is in the
/// domain. The matrix is sampled eight elements at a time.
fn rows<const L: usize>(
    cpu: Cpu,
    rho: &[u8; 32],
    count: usize,
    v: &[Poly; L],
    mut each: impl FnMut(usize, &mut Poly),
) {
    let (mut elements, mut sum) = ([Poly::ZERO; 8], SecretPolys::<1>::zero());
    let (mut row, mut column) = (0, 0);
    for first in (0..count * L).step_by(8) {
        let elements = &mut elements[..8.min(count * L - first)];
        sample::matrix(cpu, rho, L, first, elements);
        for element in elements {
            ring::multiply_add(&mut sum[0], element, &v[column]);
            column += 1;
            if column == L {
                each(row, &mut sum[0]);
                sum[0] = Poly::ZERO;
                (row, column) = (row + 1, 0);
            }
        }
    }
}

/// Hands over the parts `t1` and `t0` of `t = A s1 + s2`, row after row. `s1` goes into the domain.
fn public_rows<const K: usize, const L: usize>(
    cpu: Cpu,
    rho: &[u8; 32],
    s1: &mut [Poly; L],
    s2: &[Poly; K],
    mut each: impl FnMut(usize, &Poly, &Poly),
) {
    s1.iter_mut().for_each(ring::forward);
    let (mut high, mut low) = (SecretPolys::<1>::zero(), SecretPolys::<1>::zero());
    rows(cpu, rho, K, s1, |row, t| {
        ring::inverse(t);
        for (i, (t, s2)) in t.0.iter().zip(&s2[row].0).enumerate() {
            (high[0].0[i], low[0].0[i]) = power2round(ring::add(*t, *s2));
        }
        each(row, &high[0], &low[0]);
    });
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

    let (mut s1, mut s2) = (SecretPolys::<L>::zero(), SecretPolys::<K>::zero());
    sample::small(cpu, P::ETA, &seed, s1.as_mut_slice(), s2.as_mut_slice());
    let (head, rest) = signing.split_at_mut(HEAD);
    let (secrets, t0) = rest.split_at_mut((K + L) * bytes(P::SECRET_BITS));
    let polys = s1.iter().chain(s2.iter());
    for (poly, out) in polys.zip(secrets.chunks_exact_mut(bytes(P::SECRET_BITS))) {
        codec::pack_below(P::SECRET_BITS, P::ETA, poly, out);
    }
    public_rows(cpu, &rho, &mut s1, &s2, |row, high, low| {
        codec::pack(T1_BITS, &high.0, &mut verifying[32 + row * bytes(T1_BITS)..]);
        codec::pack_below(T0_BITS, T0_TOP, low, &mut t0[row * bytes(T0_BITS)..]);
    });
    publish::public_key(verifying);
    Shake256::new_on(cpu).absorb(verifying).reader().squeeze(&mut head[64..]);
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
    let (mut s1, mut s2) = (SecretPolys::<L>::zero(), SecretPolys::<K>::zero());
    if publish::invalid(
        unpack_secrets::<P>(parts.s1, s1.as_mut_slice()) | unpack_secrets::<P>(parts.s2, s2.as_mut_slice()),
    ) {
        return Err(InvalidKey);
    }
    let mut again = SecretBytes::<{ bytes(T0_BITS) }>::zero();
    let mut other = 0;
    verifying[..32].copy_from_slice(&rho);
    public_rows(cpu, &rho, &mut s1, &s2, |row, high, low| {
        codec::pack(T1_BITS, &high.0, &mut verifying[32 + row * bytes(T1_BITS)..]);
        codec::pack_below(T0_BITS, T0_TOP, low, again.as_mut());
        let given = &parts.t0[row * bytes(T0_BITS)..][..bytes(T0_BITS)];
        other |= i32::from(given.ct_ne(again.as_slice()).to_u8());
    });
    let mut hash = SecretBytes::<64>::zero();
    Shake256::new_on(cpu).absorb(verifying).reader().squeeze(hash.as_mut());
    other |= i32::from(parts.tr.ct_ne(hash.as_slice()).to_u8());
    if publish::invalid(other) {
        verifying.fill(0);
        return Err(InvalidKey);
    }
    publish::public_key(verifying);
    Ok(())
}

/// Reads polynomials of the secret; -1 where a coefficient is out of range, else 0.
fn unpack_secrets<P: Parameters>(bytes_of: &[u8], polys: &mut [Poly]) -> i32 {
    let encoded = bytes_of.chunks_exact(bytes(P::SECRET_BITS));
    encoded.zip(polys).fold(0, |invalid, (encoded, poly)| {
        invalid | codec::unpack_small(P::SECRET_BITS, P::ETA, encoded, poly)
    })
}

/// A private key as signing needs it, in the domain.
struct Expanded<const K: usize, const L: usize> {
    s1: SecretPolys<L>,
    s2: SecretPolys<K>,
    t0: SecretPolys<K>,
}

impl<const K: usize, const L: usize> Expanded<K, L> {
    /// Room for a key; a constant, so that no function moves it.
    const BLANK: Self =
        Expanded { s1: SecretPolys::zero(), s2: SecretPolys::zero(), t0: SecretPolys::zero() };

    fn read<P: Parameters>(&mut self, parts: &Parts<'_>) {
        unpack_secrets::<P>(parts.s1, self.s1.as_mut_slice());
        unpack_secrets::<P>(parts.s2, self.s2.as_mut_slice());
        for (encoded, t0) in parts.t0.chunks_exact(bytes(T0_BITS)).zip(self.t0.iter_mut()) {
            codec::unpack_below(T0_BITS, T0_TOP, encoded, t0);
        }
        self.s1.iter_mut().chain(self.s2.iter_mut()).chain(self.t0.iter_mut()).for_each(ring::forward);
    }
}

/// What an attempt works in.
struct Attempt<const K: usize, const L: usize> {
    /// The mask; then `z`.
    y: SecretPolys<L>,
    /// The low part of `w`; then that less `c s2`.
    low: SecretPolys<K>,
    /// The high part of `w`; then hints.
    high: [[u8; N]; K],
    c: Poly,
}

impl<const K: usize, const L: usize> Drop for Attempt<K, L> {
    fn drop(&mut self) {
        wipe(self.high.as_flattened_mut());
        wipe(&mut self.c.0);
    }
}

impl<const K: usize, const L: usize> Attempt<K, L> {
    /// Room for an attempt; a constant, so that no function moves it.
    const BLANK: Self =
        Attempt { y: SecretPolys::zero(), low: SecretPolys::zero(), high: [[0; N]; K], c: Poly::ZERO };

    /// Splits `w = A y` into its parts. The matrix is taken column by column, so that one element of `y` at a
    /// time is in the domain, and sums stand where the low parts will: that saves 8 KiB.
    fn commit<P: Parameters>(&mut self, matrix: &[[Poly; L]; K]) {
        let mut transformed = SecretPolys::<1>::zero();
        self.low.fill(Poly::ZERO);
        for (column, y) in self.y.iter().enumerate() {
            transformed[0] = *y;
            ring::forward(&mut transformed[0]);
            for (row, sum) in matrix.iter().zip(self.low.iter_mut()) {
                ring::multiply_add(sum, &row[column], &transformed[0]);
            }
        }
        for (w, high) in self.low.iter_mut().zip(&mut self.high) {
            ring::inverse(w);
            for (w, high) in w.0.iter_mut().zip(high) {
                let (h, low) = P::ROUNDING.decompose(*w);
                (*high, *w) = (h as u8, low);
            }
        }
    }

    /// Writes the challenge's hash, and makes the challenge, in the domain.
    fn challenge<P: Parameters>(&mut self, cpu: Cpu, mu: &[u8; 64], ctilde: &mut [u8]) {
        let mut hash = Shake256::new_on(cpu).absorb(mu);
        let mut encoded = SecretBytes::<{ bytes(6) }>::zero();
        for high in &self.high {
            let encoded = &mut encoded[..bytes(P::HIGH_BITS)];
            codec::pack_bytes(P::HIGH_BITS, high, encoded);
            hash.update(encoded);
        }
        hash.reader().squeeze(ctilde);
        publish::challenge(ctilde);
        sample::in_ball(cpu, P::TAU, ctilde, &mut self.c);
        ring::forward(&mut self.c);
    }

    /// `z = y + c s1`; whether it is too large.
    fn respond<P: Parameters>(&mut self, s1: &[Poly; L]) -> bool {
        let (mut product, mut exceeding) = (SecretPolys::<1>::zero(), 0);
        for (y, s1) in self.y.iter_mut().zip(s1) {
            ring::product(&mut product[0], &self.c, s1);
            for (y, product) in y.0.iter_mut().zip(&product[0].0) {
                *y += centre(*product);
                exceeding |= exceeds(*y, P::GAMMA1 - P::BETA);
            }
        }
        publish::rejected(Test::Response, exceeding)
    }

    /// Takes `c s2` off the low part; whether that is too large then.
    fn subtract<P: Parameters>(&mut self, s2: &[Poly; K]) -> bool {
        let (mut product, mut exceeding) = (SecretPolys::<1>::zero(), 0);
        for (low, s2) in self.low.iter_mut().zip(s2) {
            ring::product(&mut product[0], &self.c, s2);
            for (low, product) in low.0.iter_mut().zip(&product[0].0) {
                *low -= centre(*product);
                exceeding |= exceeds(*low, P::GAMMA2 - P::BETA);
            }
        }
        publish::rejected(Test::LowPart, exceeding)
    }

    /// Makes hints of the high part; whether `c t0` is too large, or hints are too many.
    fn hint<P: Parameters>(&mut self, t0: &[Poly; K]) -> bool {
        let (mut product, mut exceeding, mut count) = (SecretPolys::<1>::zero(), 0, 0);
        for ((low, high), t0) in self.low.iter().zip(&mut self.high).zip(t0) {
            ring::product(&mut product[0], &self.c, t0);
            for ((low, product), high) in low.0.iter().zip(&product[0].0).zip(high) {
                let product = centre(*product);
                exceeding |= exceeds(product, P::GAMMA2);
                let hint = P::ROUNDING.make_hint(low + product, (*high).into());
                count += hint;
                *high = hint as u8;
            }
        }
        publish::rejected(Test::Product, exceeding)
            | publish::rejected(Test::Hints, (P::OMEGA as i32 - count) >> 31)
    }

    /// Writes `z` and the hints of an attempt that is accepted, behind the challenge.
    fn write<P: Parameters>(&mut self, out: &mut [u8]) {
        let (z, hints) = out.split_at_mut(L * bytes(P::MASK_BITS));
        for (y, out) in self.y.iter().zip(z.chunks_exact_mut(bytes(P::MASK_BITS))) {
            codec::pack_below(P::MASK_BITS, P::GAMMA1, y, out);
        }
        publish::signature(z);
        publish::signature(self.high.as_flattened_mut());
        codec::pack_hints(P::OMEGA, &self.high, hints);
    }
}

/// Algorithm 7: signs `mu` with the randomness `rnd`, by so many attempts at most.
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
    let mut matrix = [[Poly::ZERO; L]; K];
    let mut key = Expanded::<K, L>::BLANK;
    sample::matrix(cpu, &rho, L, 0, matrix.as_flattened_mut());
    key.read::<P>(&parts);
    let mut seed = SecretBytes::<64>::zero();
    let hash = Shake256::new_on(cpu).absorb(parts.key).absorb(rnd).absorb(mu);
    hash.reader().squeeze(seed.as_mut());

    let mut attempt = Attempt::<K, L>::BLANK;
    let (ctilde, rest) = signature.split_at_mut(P::CTILDE);
    for number in 0..attempts {
        sample::masks(cpu, P::MASK_BITS, &seed, number * L as u16, attempt.y.as_mut_slice());
        attempt.commit::<P>(&matrix);
        attempt.challenge::<P>(cpu, mu, ctilde);
        let rejected =
            attempt.respond::<P>(&key.s1) || attempt.subtract::<P>(&key.s2) || attempt.hint::<P>(&key.t0);
        if !rejected {
            attempt.write::<P>(rest);
            return Ok(());
        }
    }
    signature.fill(0);
    Err(TooManyAttempts)
}

/// Algorithm 8: whether a signature is one of `mu`.
pub(crate) fn verify<P: Parameters, const K: usize, const L: usize>(
    cpu: Cpu,
    verifying: &[u8],
    mu: &[u8; 64],
    signature: &[u8],
) -> bool {
    let (ctilde, rest) = signature.split_at(P::CTILDE);
    let (encoded_z, hints) = rest.split_at(L * bytes(P::MASK_BITS));
    let (mut z, mut rows_of_hints, mut c) = ([Poly::ZERO; L], [[0; N]; K], Poly::ZERO);
    if !codec::unpack_hints(P::OMEGA, hints, &mut rows_of_hints) || !unpack_response::<P>(encoded_z, &mut z) {
        return false;
    }
    let Some((rho, t1)) = verifying.split_first_chunk() else { return false };
    z.iter_mut().for_each(ring::forward);
    sample::in_ball(cpu, P::TAU, ctilde, &mut c);
    ring::forward(&mut c);
    let mut hash = Shake256::new_on(cpu).absorb(mu);
    rows(cpu, rho, K, &z, |row, w| {
        let mut t1_of_row = Poly::ZERO;
        codec::unpack(T1_BITS, &t1[row * bytes(T1_BITS)..], &mut t1_of_row);
        t1_of_row.0.iter_mut().for_each(|t| *t <<= D);
        ring::forward(&mut t1_of_row);
        ring::multiply_subtract(w, &c, &t1_of_row);
        ring::inverse(w);
        let (mut high, mut encoded) = ([0; N], [0; bytes(6)]);
        for (i, w) in w.0.iter().enumerate() {
            high[i] = P::ROUNDING.use_hint(rows_of_hints[row][i] != 0, *w) as u8;
        }
        codec::pack_bytes(P::HIGH_BITS, &high, &mut encoded);
        hash.update(&encoded[..bytes(P::HIGH_BITS)]);
    });
    let mut again = [0; 64];
    hash.reader().squeeze(&mut again[..P::CTILDE]);
    again[..P::CTILDE] == *ctilde
}

/// Reads `z`; whether all of it is small enough.
pub(crate) fn unpack_response<P: Parameters>(encoded: &[u8], z: &mut [Poly]) -> bool {
    let mut exceeding = 0;
    for (encoded, z) in encoded.chunks_exact(bytes(P::MASK_BITS)).zip(z) {
        codec::unpack_below(P::MASK_BITS, P::GAMMA1, encoded, z);
        z.0.iter().for_each(|z| exceeding |= exceeds(*z, P::GAMMA1 - P::BETA));
    }
    exceeding == 0
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MlDsa65, ml_dsa_65};

    /// Protects: that signing ends, and leaves nothing behind, where attempts are used up.
    #[test]
    fn budget() {
        let (mut signing, mut verifying) = ([0; ml_dsa_65::SIGNING_KEY_BYTES], [0; verifying_bytes(6)]);
        let (cpu, mu) = (Cpu::detect(), [3; 64]);
        expand::<MlDsa65, 6, 5>(cpu, &[1; 32], &mut signing, &mut verifying);
        let sign = |attempts| {
            let mut signature = [1; ml_dsa_65::SIGNATURE_BYTES];
            let signed = super::sign::<MlDsa65, 6, 5>(cpu, attempts, &signing, &mu, &[0; 32], &mut signature);
            (signed.is_ok(), signature)
        };
        let enough = (1..ATTEMPTS).find(|attempts| sign(*attempts).0).expect("a signature");
        assert!(enough > 1, "the case must have a rejected attempt");
        assert!(sign(enough - 1) == (false, [0; ml_dsa_65::SIGNATURE_BYTES]));
        assert!(sign(enough) == sign(ATTEMPTS));
    }
}
