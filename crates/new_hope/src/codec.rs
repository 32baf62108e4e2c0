//! Messages as coefficients, and back: the submission's algorithms 10 and 11. Bytes of coefficients are
//! [`bits`](ringsmith_kem::bits).

use ringsmith_kem::bits::{masks, write};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Rows of a message's bits.
const MESSAGE_ROWS: usize = 16;

/// Each bit of a message, times `(q - 1) / 2`, as coefficients: copies of 256 one after the other.
struct Spread<'a, const Q: i64> {
    message: &'a [u8; 32],
    out: &'a mut [Row],
}

impl<const Q: i64> Kernel for Spread<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let half = s.splat(Q as i16 / 2);
        let mut r = 0;
        while r < self.out.len() {
            let set = masks(s, self.message, r % MESSAGE_ROWS);
            s.store(&mut self.out[r], s.and(set, half));
            r += 1;
        }
    }
}

/// The bits whose copies, coefficients in `[0, q)`, are nearer to `(q - 1) / 2` than to 0: those whose
/// distances from it have a sum below `q` times a quarter of the copies.
struct Gather<'a, const Q: i64> {
    a: &'a [Row],
    message: &'a mut [u8; 32],
}

impl<const Q: i64> Kernel for Gather<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let copies = self.a.len() / MESSAGE_ROWS;
        let (half, limit) = (s.splat(Q as i16 / 2), s.splat((copies as i64 * Q / 4) as i16));
        let mut r = 0;
        while r < MESSAGE_ROWS {
            let (mut sum, mut copy) = (s.splat(0), 0);
            while copy < copies {
                let x = s.sub(s.load(&self.a[r + MESSAGE_ROWS * copy]), half);
                // |x| = x - 2 x where x is negative.
                let negative = s.and(x, s.shift_right::<15>(x));
                sum = s.add(sum, s.sub(x, s.add(negative, negative)));
                copy += 1;
            }
            write::<S, 1>(s, s.and(s.gt(limit, sum), s.splat(1)), self.message, r);
            r += 1;
        }
    }
}

/// A message as coefficients.
pub(super) fn spread<const Q: i64>(cpu: Cpu, message: &[u8; 32], out: &mut [Row]) {
    cpu.run(Spread::<Q> { message, out });
}

/// The message of coefficients in `[0, q)`.
pub(super) fn gather<const Q: i64>(cpu: Cpu, a: &[Row], message: &mut [u8; 32]) {
    cpu.run(Gather::<Q> { a, message });
}
