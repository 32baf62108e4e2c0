//! NTRU LPRime: a product and a rounded one, as in schemes on learning with rounding. Section 4 of the
//! submission.

use super::codec::{self, encode_small};
use super::element::{Element, Prepared, Second, Work};
use super::hash::{BYTES, Purpose, hash_into, public_hash};
use super::sample::{self, Sampler};
use super::set::{Hidden, Parameters, PrivateKey, PublicKey, System};
use core::marker::PhantomData;
use ringsmith_kem::bits::{masks, read, write};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{Bytes, Failed};
use ringsmith_ring::bound::Bound;
use ringsmith_ring::residues::{Arithmetic, Dynamic, Modulus, widest};
use ringsmith_ring::three;
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Rows of the coefficients that carry a message of 256 bits.
const ROWS: usize = 16;
/// Bytes of those coefficients, at four bits each.
pub(super) const TOP_BYTES: usize = 128;

/// What every public key's type has.
const BEGINNING: &str = "a public key begins with its seed";

/// What a set has beside the parameters of both systems.
pub trait Rounding: Parameters {
    /// How a coefficient becomes four bits, and back: `tau_0` to `tau_3`.
    const TAU: [i16; 4];
}

/// Numbers modulo any `q` of 13 bits. They are centred by products alone: of comparisons and signs compilers
/// make branches where there are no vectors.
type Numbers = Dynamic<{ widest(1 << 12) }>;

/// Numbers modulo the set's `q`, as a value: kernels serve all sets.
const fn numbers<P: Parameters>() -> Numbers {
    Numbers::modulo(P::Ring::Q).expect("a modulus of 13 bits")
}

/// Whether what the kernels centre is exact: four bits on their way back, and a coefficient less a product's
/// with the margin.
const fn are_centred<P: Rounding>() -> bool {
    let (q, [_, _, tau_2, tau_3]) = (P::Ring::Q, P::TAU);
    let bits = Bound::new(-(tau_2 as i64), 15 * tau_3 as i64 - tau_2 as i64);
    let sum = Bound::symmetric(q - 1 + margin::<P>() as i64);
    Modulus::Odd(q).centres(bits.join(sum))
}

/// What tells a bit of a message: half of what the noise may be, and more.
const fn margin<P: Parameters>() -> i16 {
    4 * P::WEIGHT as i16 + 1
}

/// The bits of a message, as masks.
struct Masks<'a> {
    message: &'a [u8; BYTES],
    out: &'a mut [Row; ROWS],
}

impl Kernel for Masks<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (r, row) in self.out.iter_mut().enumerate() {
            s.store(row, masks(s, self.message, r));
        }
    }
}

/// A message in the coefficients of a product, in four bits each.
struct Top<'a> {
    /// `(q - 1) / 2`: what stands for a bit that is 1.
    half: i16,
    product: &'a [Row],
    masks: &'a [Row; ROWS],
    by: Numbers,
    tau: [i16; 4],
    out: &'a mut [u8],
}

impl Kernel for Top<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let half = s.splat(self.half);
        for (r, (row, mask)) in self.product.iter().zip(self.masks).enumerate() {
            let x = s.add(s.load(row), s.and(s.load(mask), half));
            let x = s.add(self.by.shrink(s, x), s.splat(self.tau[0]));
            write::<S, 4>(s, s.mul_hi_rounded(x, s.splat(self.tau[1])), self.out, r);
        }
    }
}

/// The message of four bits a coefficient, and of a product.
struct Message<'a> {
    top: &'a [u8],
    product: &'a [Row],
    by: Numbers,
    tau: [i16; 4],
    margin: i16,
    out: &'a mut [u8; BYTES],
}

impl Kernel for Message<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [_, _, tau_2, tau_3] = self.tau;
        let mut signs = [0; 16];
        for (r, (row, bytes)) in self.product[..ROWS].iter().zip(self.out.as_chunks_mut::<2>().0).enumerate()
        {
            let right = s.sub(s.mul_lo(read::<S, 4>(s, self.top, r), s.splat(tau_3)), s.splat(tau_2));
            let x = s.add(s.sub(self.by.shrink(s, right), s.load(row)), s.splat(self.margin));
            s.store(&mut signs, s.shift_right::<15>(self.by.shrink(s, x)));
            let word = signs.iter().rev().fold(0, |word, sign| word << 1 | (sign & 1) as u16);
            *bytes = word.to_le_bytes();
        }
        // A part of the message.
        signs.zeroize();
    }
}

/// A public key, expanded: for many operations, or for one with its operands as they are.
#[derive(Clone)]
pub struct Public<P: Parameters, H = Prepared<<P as Parameters>::Ring>> {
    by: Multiplier<P::Ring>,
    /// The uniform element of the seed.
    g: H,
    /// The rounded product.
    a: H,
    hash: [u8; BYTES],
}

/// A private key without its public one, likewise.
pub struct Private<P: Parameters, H = Prepared<<P as Parameters>::Ring>> {
    /// Encoded.
    small: SecretArray<P::Small>,
    a: H,
    /// What a rejected ciphertext's key is made of.
    rho: SecretBytes<BYTES>,
}

/// Its parts clear themselves.
impl<P: Parameters, H: Second<P::Ring>> ZeroizeOnDrop for Private<P, H> {}

impl<P: Rounding<Randomness = [u8; BYTES]>, H: Second<P::Ring>> PublicKey<P> for Public<P, H> {
    fn blank(by: Multiplier<P::Ring>) -> Self {
        Public { by, g: H::zero(), a: H::zero(), hash: [0; BYTES] }
    }

    /// A seed and a rounded product.
    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &[u8], hash: [u8; BYTES]) {
        let (seed, rounded) = bytes.split_first_chunk().expect(BEGINNING);
        self.g.fill(work, |work, g| sample::uniform(work.cpu(), seed, g));
        self.a.fill(work, |work, a| P::CODEC.decode_rounded(work, rounded, a));
        self.hash = hash;
    }

    fn hash(&self) -> &[u8; BYTES] {
        &self.hash
    }

    fn by(&self) -> Multiplier<P::Ring> {
        self.by
    }

    /// Of a message: the shared key is a hash of it.
    fn encapsulate(&self, work: &mut Work<P::Ring>, random: &[u8; BYTES], to: Hidden<'_>) {
        *to.hashed = *random;
        self.hide(work, random, to.ciphertext);
    }
}

impl<P: Rounding, H: Second<P::Ring>> Public<P, H> {
    /// Writes the ciphertext of a message.
    fn hide(&self, work: &mut Work<P::Ring>, message: &[u8; BYTES], ciphertext: &mut [u8]) {
        let cpu = self.by.cpu();
        let (body, rest) = ciphertext.split_at_mut(P::CODEC.rounded.bytes);
        let (top, tag) = rest.split_at_mut(TOP_BYTES);
        let (mut b, mut seed) = (Element::zero(), SecretBytes::zero());
        hash_into(&mut work.hash, Purpose::Seed, [message, &[]], &mut seed);
        sample::short_of_seed(cpu, &seed, P::WEIGHT, &mut b);
        let product = work.product(&b, &self.g);
        P::CODEC.encode_rounded(work, &product, body);
        let product = work.product(&b, &self.a);
        // In memory: of bits that are known to be bits, compilers make branches.
        let mut masks = Zeroizing::new([[0; 16]; ROWS]);
        cpu.run(Masks { message, out: &mut masks });
        cpu.run(Top {
            half: ((P::Ring::Q - 1) / 2) as i16,
            product: product.rows(),
            masks: &masks,
            by: const { numbers::<P>() },
            tau: P::TAU,
            out: top,
        });
        let confirmation = tag.first_chunk_mut().expect("a ciphertext ends with a hash");
        hash_into(&mut work.hash, Purpose::Confirm, [message, &self.hash], confirmation);
    }
}

impl<P: Rounding<Randomness = [u8; BYTES]>, H: Second<P::Ring>> PrivateKey<P> for Private<P, H> {
    type Public = Public<P, H>;
    const SECRET_BYTES: usize = P::Small::LEN;
    const RHO_BYTES: usize = BYTES;

    fn blank() -> Self {
        Private { small: SecretArray::zero(), a: H::zero(), rho: SecretBytes::zero() }
    }

    fn generate(
        &mut self,
        public: &mut Public<P, H>,
        work: &mut Work<P::Ring>,
        sampler: &mut Sampler<'_, '_>,
        out: &mut [u8],
    ) -> Result<(), Failed> {
        let (cpu, (seed, rounded)) = (work.cpu(), out.split_first_chunk_mut().expect(BEGINNING));
        let mut short = Element::zero();
        (sampler.draw)(seed)?;
        sampler.short(cpu, P::WEIGHT, &mut short)?;
        (sampler.draw)(self.rho.as_mut())?;
        // A part of the public key.
        publish(seed);
        encode_small(cpu, &short, (*self.small).as_mut());
        self.a.set(work, &short);
        public.g.fill(work, |work, g| sample::uniform(work.cpu(), seed, g));
        let mut a = work.product(&short, &public.g);
        P::CODEC.encode_rounded(work, &a, rounded);
        // The rest of it.
        publish(rounded);
        three::round(cpu, a.rows_mut());
        // Rounded, the product is what the bytes of the public key say; before, it tells the short element.
        publish(a.coefficients_mut());
        public.a.set(work, &a);
        public.hash = public_hash(&mut work.hash, out);
        Ok(())
    }

    fn read(&mut self, work: &mut Work<P::Ring>, secret: &[u8], rho: &[u8]) -> bool {
        let mut good = [0];
        self.a.fill(work, |work, a| good = [codec::decode_small(work.cpu(), secret, a) as u8]);
        (*self.small).as_mut().copy_from_slice(secret);
        self.rho.copy_from_slice(rho);
        // That the bytes are a key.
        publish(&mut good);
        good[0] != 0
    }

    fn write(&self, _: Cpu, secret: &mut [u8], rho: &mut [u8]) {
        secret.copy_from_slice((*self.small).as_ref());
        rho.copy_from_slice(self.rho.as_slice());
    }

    fn again(&self, work: &mut Work<P::Ring>, public: &Public<P, H>, sent: &[u8], to: Hidden<'_>) {
        let ((body, rest), mut b) = (sent.split_at(P::CODEC.rounded.bytes), Element::zero());
        P::CODEC.decode_rounded(work, body, &mut b);
        let product = work.product(&b, &self.a);
        const { assert!(are_centred::<P>(), "what is centred is too large") };
        public.by.cpu().run(Message {
            top: &rest[..TOP_BYTES],
            product: product.rows(),
            by: const { numbers::<P>() },
            tau: P::TAU,
            margin: const { margin::<P>() },
            out: &mut *to.hashed,
        });
        public.hide(work, to.hashed, to.ciphertext);
    }

    fn reject(&self, _: &mut Work<P::Ring>, out: &mut [u8; BYTES]) {
        *out = *self.rho;
    }
}

/// NTRU LPRime with these parameters.
pub struct LPrime<P>(PhantomData<P>);

impl<P: Rounding<Randomness = [u8; BYTES]>> System for LPrime<P> {
    type Parameters = P;
    type Private<H: Second<P::Ring>> = Private<P, H>;
}
