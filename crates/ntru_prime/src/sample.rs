//! Random elements: small ones, short ones, and uniform ones from a cipher's stream.
//!
//! All take numbers of 32 bits, the least significant byte first. A small coefficient is
//! `floor(3 (x mod 2^30) / 2^30) - 1`. A short element has `w` coefficients that are 1 or -1: the first `w`
//! numbers lose their lowest bit, the others become 1 modulo 4; sorted, what is left of each modulo 4, less
//! 1, is its coefficient. A uniform one is `x mod q`.
//!
//! Source: NTRU Prime, round 3, sections 3.5 and 4. Constant time in the numbers.

use super::element::Element;
use super::stream;
use core::marker::PhantomData;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::{Draw, Failed};
use ringsmith_ring::sort::{BLOCK, ROWS, blocks, low_bits, sort};
use ringsmith_ring::{Ring, Rows32};
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd};
use zeroize::Zeroizing;

/// Coefficients of the largest ring, in whole blocks.
const MAX: usize = BLOCK * blocks(1277);

/// Numbers, cleared on drop.
struct Words(Zeroizing<Rows32<{ MAX / 8 }>>);

impl Words {
    fn zero() -> Self {
        Words(Zeroizing::new(Rows32([[0; 8]; MAX / 8])))
    }

    fn read(&mut self, bytes: &[u8]) {
        for (word, bytes) in self.all_mut().iter_mut().zip(bytes.as_chunks::<4>().0) {
            *word = i32::from_le_bytes(*bytes);
        }
    }

    fn rows(&self) -> &[Row32] {
        &self.0.0
    }

    fn blocks_mut(&mut self) -> &mut [[Row32; ROWS]] {
        self.0.0.as_chunks_mut().0
    }

    fn all_mut(&mut self) -> &mut [i32] {
        self.0.0.as_flattened_mut()
    }
}

/// Draws random elements: a generator, and memory for the bytes of an element.
pub struct Sampler<'a, 'g> {
    pub(super) draw: &'a mut Draw<'g>,
    bytes: SecretBytes<{ 4 * MAX }>,
}

impl<'a, 'g> Sampler<'a, 'g> {
    pub(super) fn new(draw: &'a mut Draw<'g>) -> Self {
        Sampler { draw, bytes: SecretBytes::zero() }
    }

    /// The `4 p` bytes of an element.
    fn element<R: Ring>(&mut self) -> Result<&[u8], Failed> {
        let bytes = &mut self.bytes[..4 * R::N];
        (self.draw)(bytes)?;
        Ok(bytes)
    }

    /// A small element.
    pub(super) fn small<R: Ring>(&mut self, cpu: Cpu, out: &mut Element<R>) -> Result<(), Failed> {
        small(cpu, self.element::<R>()?, out);
        Ok(())
    }

    /// A short element.
    pub(super) fn short<R: Ring>(
        &mut self,
        cpu: Cpu,
        weight: usize,
        out: &mut Element<R>,
    ) -> Result<(), Failed> {
        short(cpu, self.element::<R>()?, weight, out);
        Ok(())
    }
}

/// Which third of 2^30 the low 30 bits are in.
#[inline(always)]
fn third_of<S: Simd>(s: S, x: &Row32) -> S::I32 {
    let x = s.and32(s.load32(x), s.splat32((1 << 30) - 1));
    s.and32(s.shift_right32::<30>(s.add32(s.add32(x, x), x)), s.splat32(3))
}

/// Coefficients from pairs of rows of numbers.
struct SmallOf<'a> {
    words: &'a [Row32],
    out: &'a mut [Row],
}

impl Kernel for SmallOf<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (row, [a, b]) in self.out.iter_mut().zip(self.words.as_chunks().0) {
            s.store(row, s.sub(s.narrow(third_of(s, a), third_of(s, b)), s.splat(1)));
        }
    }
}

/// A small element of `4 p` bytes.
fn small<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Element<R>) {
    let mut words = Words::zero();
    words.read(bytes);
    cpu.run(SmallOf { words: words.rows(), out: out.rows_mut() });
    out.clear_tail();
}

/// Numbers ready to be sorted as signed ones, with their marks.
struct Marked<'a> {
    words: &'a mut [i32],
    weight: usize,
}

impl Kernel for Marked<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (first, rest) = self.words.split_at_mut(self.weight);
        for x in first {
            *x = (*x & !1) ^ i32::MIN;
        }
        for x in rest {
            *x = ((*x & !3) | 1) ^ i32::MIN;
        }
    }
}

/// Marks 0, 1 and 2 as coefficients.
struct Marks<'a>(&'a mut [Row]);

impl Kernel for Marks<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.0 {
            let mark = s.load(row);
            s.store(row, s.sub(mark, s.splat(1)));
        }
    }
}

/// A short element of `4 p` bytes: `weight` coefficients are not 0.
pub(super) fn short<R: Ring>(cpu: Cpu, bytes: &[u8], weight: usize, out: &mut Element<R>) {
    let mut words = Words::zero();
    words.read(bytes);
    let (numbers, rest) = words.all_mut().split_at_mut(R::N);
    cpu.run(Marked { words: numbers, weight });
    // Behind all numbers, none of which is 3 modulo 4.
    rest.fill(i32::MAX);
    let blocks = &mut words.blocks_mut()[..const { blocks(R::N) }];
    sort(cpu, blocks);
    low_bits(cpu, blocks, 3, out.rows_mut());
    cpu.run(Marks(out.rows_mut()));
    out.clear_tail();
}

/// A modulus between 2^12 and 2^13, in all lanes.
///
/// Of both halves of a number, `h (2^16 mod q) + l < 2^29`; its quotient by `ceil(2^43 / q) < 2^31` is exact,
/// because `2^29 q < 2^43`.
struct Modulus<S: Simd> {
    q: S::I32,
    reciprocal: S::I32,
    /// `2^16 mod q`.
    up: S::I32,
}

impl<S: Simd> Modulus<S> {
    #[inline(always)]
    fn new<R: Ring>(s: S) -> Self {
        Modulus {
            q: s.splat32(R::Q as i32),
            reciprocal: s.splat32(const { (1u64 << 43).div_ceil(R::Q as u64) } as i32),
            up: s.splat32(const { (1 << 16) % R::Q } as i32),
        }
    }

    #[inline(always)]
    fn rest(&self, s: S, x: &Row32) -> S::I32 {
        let (x, mask) = (s.load32(x), s.splat32(0xffff));
        let (low, high) = (s.and32(x, mask), s.and32(s.shift_right32::<16>(x), mask));
        let x = s.add32(s.mul_lo32(high, self.up), low);
        let quotient = s.shift_right32::<12>(s.mul_split32::<31>(x, self.reciprocal).1);
        s.sub32(x, s.mul_lo32(quotient, self.q))
    }
}

/// Numbers modulo `q`, centred.
struct Uniform<'a, R> {
    words: &'a [Row32],
    out: &'a mut [Row],
    ring: PhantomData<R>,
}

impl<R: Ring> Kernel for Uniform<'_, R> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let by = Modulus::new::<R>(s);
        let centre = s.splat(const { (R::Q - 1) / 2 } as i16);
        for (row, [a, b]) in self.out.iter_mut().zip(self.words.as_chunks().0) {
            s.store(row, s.sub(s.narrow(by.rest(s, a), by.rest(s, b)), centre));
        }
    }
}

/// The first `4 p` bytes of the stream of AES-256 in counter mode, from zero.
fn streamed<'a, R: Ring>(seed: &[u8; 32], bytes: &'a mut SecretBytes<{ 4 * MAX }>) -> &'a [u8] {
    let whole = &mut bytes[..const { (4 * R::N).next_multiple_of(stream::GROUP) }];
    stream::xor(seed, whole);
    &whole[..4 * R::N]
}

/// The uniform element of a seed.
pub(super) fn uniform<R: Ring>(cpu: Cpu, seed: &[u8; 32], out: &mut Element<R>) {
    const { assert!(R::Q > 1 << 12 && R::Q < 1 << 13, "what the reciprocal is for") };
    let (mut words, mut bytes) = (Words::zero(), SecretBytes::zero());
    words.read(streamed::<R>(seed, &mut bytes));
    cpu.run(Uniform::<R> { words: words.rows(), out: out.rows_mut(), ring: PhantomData });
    out.clear_tail();
}

/// The short element of a seed.
pub(super) fn short_of_seed<R: Ring>(cpu: Cpu, seed: &[u8; 32], weight: usize, out: &mut Element<R>) {
    let mut bytes = SecretBytes::zero();
    short(cpu, streamed::<R>(seed, &mut bytes), weight, out);
}
