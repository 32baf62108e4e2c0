//! Integers of a few bits each, packed as schemes send them.
//!
//! `D` bits a number, the least significant first: eight numbers in `D` bytes.
//! `Compress_d(x) = round(2^d x / q) mod 2^d`, `Decompress_d(y) = round(q y / 2^d)`. Compression divides by
//! multiplying by `2^32 / q` modulo `2^32`, so the reduction modulo `2^d` costs nothing. The compiler proves
//! it for every coefficient of each modulus and each `d` in use.

use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// `2^32 / q` from above.
const fn reciprocal(q: i64) -> u32 {
    ((1 << 32) / q as u64 + 1) as u32
}

/// What is added before the quotient is cut off: half of it, less half of the reciprocal's greatest error.
const fn rounding(q: i64, bits: u32) -> u32 {
    let error = reciprocal(q) as u64 * q as u64 - (1 << 32);
    (1u32 << (31 - bits)) - ((error * (q as u64 - 1) / q as u64 / 2) as u32)
}

/// Whether the rounding is exact for every coefficient in `[0, q)`.
const fn is_exact(q: i64, bits: u32) -> bool {
    let (modulus, mut x) = (q as u32, 0);
    while x < modulus {
        let exact = (((2 * x) << bits) + modulus) / (2 * modulus) % (1 << bits);
        // The quotient's bits above the lowest are not there.
        if x.wrapping_mul(reciprocal(q)).wrapping_add(rounding(q, bits)) >> (32 - bits) != exact {
            return false;
        }
        x += 1;
    }
    true
}

/// Compression to `D` bits modulo `Q`: evaluated once, however many kernels have it.
struct Exact<const Q: i64, const D: usize>;

impl<const Q: i64, const D: usize> Exact<Q, D> {
    const PROOF: () = assert!(is_exact(Q, D as u32), "the reciprocal is too coarse");
}

/// The bits of a word as masks: -1 for one that is set.
#[inline(always)]
pub fn spread<S: Simd>(s: S, word: i16) -> S::I16 {
    /// What shifts bit `i` to the sign.
    const SHIFTS: Row = {
        let (mut lanes, mut i) = ([0; 16], 0);
        while i < 16 {
            lanes[i] = (1u16 << (15 - i)) as i16;
            i += 1;
        }
        lanes
    };
    s.shift_right::<15>(s.mul_lo(s.splat(word), s.load(&SHIFTS)))
}

/// Row `r` of bits, as masks: -1 for a bit that is set.
#[inline(always)]
pub fn masks<S: Simd>(s: S, bytes: &[u8], r: usize) -> S::I16 {
    spread(s, i16::from_le_bytes([bytes[2 * r], bytes[2 * r + 1]]))
}

/// Row `r` of numbers of `D` bits. The vectors read 32 bytes, so the last rows are copied where no other
/// bytes follow.
#[inline(always)]
pub fn read<S: Simd, const D: usize>(s: S, bytes: &[u8], r: usize) -> S::I16 {
    if D == 1 {
        return s.and(masks(s, bytes, r), s.splat(1));
    }
    let at = 2 * D * r;
    if let Some(window) = bytes[at..].first_chunk() {
        return s.unpack::<D>(window);
    }
    let mut window = [0; 32];
    window[..2 * D].copy_from_slice(&bytes[at..at + 2 * D]);
    s.unpack::<D>(&window)
}

/// Writes row `r` of numbers of `D` bits. The vectors write 32 bytes, of which the next rows replace what is
/// not theirs.
#[inline(always)]
pub fn write<S: Simd, const D: usize>(s: S, numbers: S::I16, out: &mut [u8], r: usize) {
    let at = 2 * D * r;
    if let Some(window) = out[at..].first_chunk_mut() {
        return s.pack::<D>(numbers, window);
    }
    let mut window = [0; 32];
    s.pack::<D>(numbers, &mut window);
    out[at..at + 2 * D].copy_from_slice(&window[..2 * D]);
}

/// Sixteen words, the least significant byte first.
#[inline(always)]
pub fn words(bytes: &[u8; 32]) -> Row {
    // A loop, which the compiler turns into one load; it does not do that to what `each` writes out.
    let (mut words, mut i) = ([0; 16], 0);
    while i < 16 {
        words[i] = i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        i += 1;
    }
    words
}

/// Numbers of `D` bits as bytes.
struct Encode<'a, const D: usize, const ROWS: usize> {
    a: &'a [Row; ROWS],
    out: &'a mut [u8],
}

impl<const D: usize, const ROWS: usize> Kernel for Encode<'_, D, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            write::<S, D>(s, s.load(&self.a[r]), self.out, r);
            r += 1;
        }
    }
}

/// Numbers of `D` bits modulo `Q`; the result is -1 where all were below `Q`, otherwise 0.
struct Decode<'a, const Q: i64, const D: usize, const ROWS: usize> {
    bytes: &'a [u8],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const D: usize, const ROWS: usize> Kernel for Decode<'_, Q, D, ROWS> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        const { assert!(1 << D <= 2 * Q, "one subtraction is enough") };
        let q = s.splat(Q as i16);
        let (mut all, mut r) = (s.splat(-1), 0);
        while r < ROWS {
            let rest = s.sub(read::<S, D>(s, self.bytes, r), q);
            let below = s.shift_right::<15>(rest);
            all = s.and(all, below);
            s.store(&mut self.out[r], s.add(rest, s.and(below, q)));
            r += 1;
        }
        let mut lanes = [0; 16];
        s.store(&mut lanes, all);
        let (mut all, mut i) = (-1, 0);
        while i < 16 {
            all &= lanes[i];
            i += 1;
        }
        all
    }
}

/// The upper `D` bits of lanes, a count of the compiler's, with the sign: `a >> (32 - D)`.
#[inline(always)]
fn upper<S: Simd, const D: usize>(s: S, a: S::I32) -> S::I32 {
    const { assert!(D >= 1 && D <= 11, "numbers of 1 to 11 bits") };
    match D {
        1 => s.shift_right32::<31>(a),
        2 => s.shift_right32::<30>(a),
        3 => s.shift_right32::<29>(a),
        4 => s.shift_right32::<28>(a),
        5 => s.shift_right32::<27>(a),
        6 => s.shift_right32::<26>(a),
        7 => s.shift_right32::<25>(a),
        8 => s.shift_right32::<24>(a),
        9 => s.shift_right32::<23>(a),
        10 => s.shift_right32::<22>(a),
        _ => s.shift_right32::<21>(a),
    }
}

/// `Compress_d` of coefficients in `[0, Q)`, as bytes.
struct Compress<'a, const Q: i64, const D: usize, const ROWS: usize> {
    a: &'a [Row; ROWS],
    out: &'a mut [u8],
}

impl<const Q: i64, const D: usize, const ROWS: usize> Kernel for Compress<'_, Q, D, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let () = Exact::<Q, D>::PROOF;
        let (reciprocal, half) =
            (s.splat32(const { reciprocal(Q) } as i32), s.splat32(const { rounding(Q, D as u32) } as i32));
        let mask = s.splat32((1 << D) - 1);
        let mut r = 0;
        while r < ROWS {
            let (low, high) = s.widen(s.load(&self.a[r]));
            let [low, high] = each(
                #[inline(always)]
                |i| {
                    let scaled = s.add32(s.mul_lo32([low, high][i], reciprocal), half);
                    s.and32(upper::<S, D>(s, scaled), mask)
                },
            );
            write::<S, D>(s, s.narrow(low, high), self.out, r);
            r += 1;
        }
    }
}

/// `Decompress_d` of bytes, centred: `round(q y / 2^d)` is the rounded high half of `q` and `2^(15 - d) y`.
struct Decompress<'a, const Q: i64, const D: usize, const ROWS: usize> {
    bytes: &'a [u8],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const D: usize, const ROWS: usize> Kernel for Decompress<'_, Q, D, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, half, scale) = (s.splat(Q as i16), s.splat(Q as i16 / 2), s.splat(const { 1 << (15 - D) }));
        let mut r = 0;
        while r < ROWS {
            let x = s.mul_hi_rounded(s.mul_lo(read::<S, D>(s, self.bytes, r), scale), q);
            s.store(&mut self.out[r], s.sub(x, s.and(s.gt(x, half), q)));
            r += 1;
        }
    }
}

/// Numbers of `D` bits.
struct DecodeAll<'a, const D: usize, const ROWS: usize> {
    bytes: &'a [u8],
    out: &'a mut [Row; ROWS],
}

impl<const D: usize, const ROWS: usize> Kernel for DecodeAll<'_, D, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            s.store(&mut self.out[r], read::<S, D>(s, self.bytes, r));
            r += 1;
        }
    }
}

/// Numbers of `D` bits, copied; what is `Q` becomes 0.
struct Canonical<'a, const Q: i64, const D: usize> {
    bytes: &'a [u8],
    out: &'a mut [u8],
}

impl<const Q: i64, const D: usize> Kernel for Canonical<'_, Q, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let q = s.splat(Q as i16);
        let mut r = 0;
        while r < self.bytes.len() / (2 * D) {
            let x = read::<S, D>(s, self.bytes, r);
            // Neither above q nor below.
            let other = s.add(s.gt(x, q), s.gt(q, x));
            write::<S, D>(s, s.sub(x, s.and(q, s.sub(s.splat(-1), other))), self.out, r);
            r += 1;
        }
    }
}

/// Numbers of `D` bits, into `2 D` bytes a row.
pub fn encode<const D: usize, const ROWS: usize>(cpu: Cpu, a: &[Row; ROWS], out: &mut [u8]) {
    cpu.run(Encode::<D, ROWS> { a, out });
}

/// Numbers of `D` bits modulo `Q`, from `2 D` bytes a row; and whether all were below `Q`. Constant time.
pub fn decode<const Q: i64, const D: usize, const ROWS: usize>(
    cpu: Cpu,
    bytes: &[u8],
    out: &mut [Row; ROWS],
) -> bool {
    cpu.run(Decode::<Q, D, ROWS> { bytes, out }) != 0
}

/// Numbers of `D` bits, from `2 D` bytes a row: all are read as they are.
pub fn decode_all<const D: usize, const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut [Row; ROWS]) {
    cpu.run(DecodeAll::<D, ROWS> { bytes, out });
}

/// Numbers of `D` bits, as they are, but those that are `Q`: they become 0. Rows of `2 D` bytes.
pub fn canonical<const Q: i64, const D: usize>(cpu: Cpu, bytes: &[u8], out: &mut [u8]) {
    cpu.run(Canonical::<Q, D> { bytes, out });
}

/// `Compress_d` of coefficients in `[0, Q)`, into `2 D` bytes a row; 1 to 11 bits.
pub fn compress<const Q: i64, const D: usize, const ROWS: usize>(cpu: Cpu, a: &[Row; ROWS], out: &mut [u8]) {
    cpu.run(Compress::<Q, D, ROWS> { a, out });
}

/// `Decompress_d` of `2 D` bytes a row, centred.
pub fn decompress<const Q: i64, const D: usize, const ROWS: usize>(
    cpu: Cpu,
    bytes: &[u8],
    out: &mut [Row; ROWS],
) {
    cpu.run(Decompress::<Q, D, ROWS> { bytes, out });
}
