// Negacyclic products modulo a prime p < 2^27 by complex transforms of doubles, exactly: what a floating
// transform takes where the result must be right. A block a product.
//
// The map. x^(n/2) = i makes Z[x]/(x^n + 1) the ring C[x]/(x^h - i), h = n / 2: coefficient j is a_j + i a_(j+h).
// Its transform is the tree of ntt.cuh with the root i above: node v has x^m - r and w^2 = r, its children are
// x^(m/2) - w and x^(m/2) + w. A butterfly is (x, y) -> (x + w y, x - w y), and back (x, y) ->
// (x + y, (x - y) conj w), 1 / h at last. All w have the modulus 1.
//
// The split. Coefficients are taken from -p/2 to p/2, |a| < 2^26, as a = a0 + 2^13 a1 with |a0| <= 2^12 and
// |a1| <= 2^13. The three products a0 b0, a0 b1 + a1 b0 and a1 b1 over the integers are transformed back, and
// rounded.
//
// Why it is exact. u = 2^-53. A product of complex doubles has an error of at most 3 u times its modulus,
// with or without fused products: in each part 2 u (1 + u) (|x y| + |x' y'|). A constant is off by at most
// 3 u / 2 (src/fourier.rs makes them by integers). Hence one level has a relative error of at most
// (1 + 3 u / 2) (1 + 3 u) (1 + u) - 1 < 6 u in the norm sqrt(sum |x|^2), which a level multiplies by sqrt(2):
// after all L = log2 h levels (1 + 6 u)^L - 1 =: e.
// The norm of an operand is at most A = sqrt(2 h) B for |a_j| <= B, and that of its transform sqrt(h) A. So
// spectra have sums |x| |y| <= h A A'. A sum of two products of spectra has an error of at most 5 u of the
// moduli. Summed over all points, and divided by h, a coefficient of the product is off by at most
// T ((1 + e)^2 (1 + 5 u) - 1), T = sum of A A' over its products. The transform back adds e times the norm
// of what it makes, at most sqrt(h) T (1 + e)^2 (1 + 5 u). Together
//     T ((1 + e)^2 (1 + 5 u) (1 + e sqrt(h)) - 1).
// n = 4096: L = 11, e < 67 u, T <= 2^12 (2^12 2^13 2) = 2^12 2^13 2^13 = 2^38 for each of the three, and the
// error is below 2^38 3200 u < 0.1 < 1/2: rounding to the nearest integer gives the product. src/fourier.rs
// computes this bound when it is compiled.
#pragma once
#include "interleaved.cuh"

struct __align__(16) Complex {
  double re, im;
};

__device__ __forceinline__ Complex operator+(Complex x, Complex y) { return {x.re + y.re, x.im + y.im}; }
__device__ __forceinline__ Complex operator-(Complex x, Complex y) { return {x.re - y.re, x.im - y.im}; }
__device__ __forceinline__ Complex operator*(Complex x, Complex y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
__device__ __forceinline__ Complex conjugate(Complex x) { return {x.re, -x.im}; }

struct FourierParams {
  Operands of;
  // floor(2^64 / p), and a multiple of p that is at least 2^39.
  u64 quotient, offset;
  // 1 / h.
  double scale;
  u32 p;
  // h = 2^levels.
  u32 levels;
};

struct Fourier {
  // Points of a thread, and bits of a lower part.
  static const int POINTS = 4, LOW = 13;
  const Modular by;
  const FourierParams &params;
  // A point, and one unused behind each four, for the banks.
  Complex *points;
  // The constants of the nodes; there is no node 0.
  const Complex *nodes;

  __device__ __forceinline__ Fourier(const FourierParams &params, u32 *shared)
      : by(params.p, params.quotient), params(params), points(reinterpret_cast<Complex *>(shared)),
        nodes(static_cast<const Complex *>(params.of.table)) {}

  // The place of this thread's point i, where its points are 2^log apart.
  __device__ __forceinline__ Complex &at(u32 log, u32 i) const {
    const u32 t = threadIdx.x, place = (t >> log << (log + 2)) + (t & ((1u << log) - 1)) + (i << log);
    return points[place + place / 4];
  }

  // From points 2^from apart to points 2^to apart. A thread writes where it alone has read.
  __device__ __forceinline__ void exchange(Complex *x, u32 from, u32 to) const {
#pragma unroll
    for (int i = 0; i < POINTS; i++) at(from, i) = x[i];
    if (MUTANT(24, true, false)) __syncthreads();
#pragma unroll
    for (int i = 0; i < POINTS; i++) x[i] = at(to, i);
  }

  static __device__ __forceinline__ void forward(Complex &x, Complex &y, Complex w) {
    const Complex product = w * y;
    y = x - product;
    x = x + product;
  }
  static __device__ __forceinline__ void backward(Complex &x, Complex &y, Complex w) {
    const Complex difference = x - y;
    x = x + y;
    y = difference * conjugate(w);
  }

  // The node of this thread's points, of a block of four times 2^log.
  __device__ __forceinline__ u32 node(u32 log) const {
    return (1u << (params.levels - 2 - log)) + (threadIdx.x >> log);
  }

  // Two levels of points 2^log apart.
  __device__ __forceinline__ void forward(Complex *x, u32 log) const {
    const u32 above = node(log);
    forward(x[0], x[2], nodes[above]);
    forward(x[1], x[3], nodes[above]);
    forward(x[0], x[1], nodes[2 * above]);
    forward(x[2], x[3], nodes[2 * above + 1]);
  }
  __device__ __forceinline__ void backward(Complex *x, u32 log) const {
    const u32 above = node(log);
    backward(x[0], x[1], nodes[2 * above]);
    backward(x[2], x[3], nodes[2 * above + 1]);
    backward(x[0], x[2], nodes[above]);
    backward(x[1], x[3], nodes[above]);
  }

  // From points h / 4 apart to points next to each other. Where the number of levels is odd the first is
  // done alone.
  __device__ __forceinline__ void transform(Complex *x) const {
    u32 log = params.levels - 2;
    // All have read what they needed of the transform before.
    __syncthreads();
    if (params.levels % 2 != 0) {
      forward(x[0], x[2], nodes[1]);
      forward(x[1], x[3], nodes[1]);
      exchange(x, log, log - 1);
      log -= 1;
    }
    forward(x, log);
#pragma unroll 1
    while (log != 0) {
      exchange(x, log, log - 2);
      log -= 2;
      forward(x, log);
    }
  }

  // And back, times h.
  __device__ __forceinline__ void inverse(Complex *x) const {
    const u32 last = params.levels - 2 - params.levels % 2;
    u32 log = 0;
    __syncthreads();
    backward(x, log);
#pragma unroll 1
    while (log + 2 <= last) {
      exchange(x, log, log + 2);
      log += 2;
      backward(x, log);
    }
    if (params.levels % 2 != 0) {
      exchange(x, log, log + 1);
      backward(x[0], x[2], nodes[1]);
      backward(x[1], x[3], nodes[1]);
    }
  }

  // A coefficient from -p/2 to p/2, its lower or upper part.
  __device__ __forceinline__ double part(u32 coefficient, bool upper) const {
    const i32 half = 1 << (LOW - 1), p = params.p, a = coefficient;
    const i32 x = a - (a > p / 2 ? p : 0), low = ((x + half) & (2 * half - 1)) - half;
    return upper ? (x - low) >> LOW : low;
  }

  // The transform of a part of an operand.
  __device__ __forceinline__ void spectrum(Complex *x, const u32 *from, bool upper) const {
    const u32 h = 1u << params.levels;
#pragma unroll
    for (int i = 0; i < POINTS; i++) {
      const u32 j = threadIdx.x + i * h / POINTS;
      x[i] = {part(from[j], upper), part(from[j + h], upper)};
    }
    transform(x);
  }

  // The integer next to a number, which is near it, above 0 by a multiple of p.
  __device__ __forceinline__ u64 nearest(double x) const {
    const double scaled = x * params.scale, whole = rint(scaled);
    holds(fabs(scaled - whole) < 0.1 && fabs(whole) <= 0x1p38);
    return u64(int64_t(whole)) + params.offset;
  }

  // sum 2^13 + what a spectrum is of, modulo p: the real parts first.
  __device__ __forceinline__ void add(u32 *sum, Complex *x) const {
    inverse(x);
#pragma unroll
    for (int i = 0; i < POINTS; i++) {
      sum[i] = by.reduce((u64(sum[i]) << LOW) + nearest(x[i].re));
      sum[POINTS + i] = by.reduce((u64(sum[POINTS + i]) << LOW) + nearest(x[i].im));
    }
  }

  static __device__ __forceinline__ void run(const FourierParams &params, u32 *shared) {
    const Operands &of = params.of;
    const Fourier product(params, shared);
    const u32 *from_a = operand<u32>(of.a, of.a_step, blockIdx.x);
    const u32 *from_b = operand<u32>(of.b, of.b_step, blockIdx.x);
    Complex low_a[POINTS], high_a[POINTS], low_b[POINTS], high_b[POINTS], both[POINTS];
    product.spectrum(low_a, from_a, false);
    product.spectrum(high_a, from_a, true);
    product.spectrum(low_b, from_b, false);
    product.spectrum(high_b, from_b, true);
#pragma unroll
    for (int i = 0; i < POINTS; i++) {
      both[i] = low_a[i] * high_b[i] + high_a[i] * low_b[i];
      low_a[i] = low_a[i] * low_b[i];
      high_a[i] = MUTANT(25, high_a[i] * high_b[i], both[i]);
    }
    u32 sum[2 * POINTS] = {};
    product.add(sum, high_a);
    product.add(sum, both);
    product.add(sum, low_a);
    const u32 h = 1u << params.levels;
    u32 *to = result<u32>(of.c, of.c_step, blockIdx.x) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < POINTS; i++) {
      to[i * h / POINTS] = sum[i];
      to[i * h / POINTS + h] = sum[POINTS + i];
    }
  }
};
