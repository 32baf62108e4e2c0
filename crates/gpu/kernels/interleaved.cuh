// Interleaved Montgomery multiplication of polynomials (S. Akleylek and Z. Yuece Tok, 2014, Algorithms 1 and
// 2), a block a product, a thread a coefficient or several.
//
// The map. M = x^n - s with s = 1 or -1, B = sum of B_i x^(w i). From C = 0 on, steps i = 0, 1, .. are
// C <- (C + A B_i + q M) / x^w, where q of degree below w makes the sum a multiple of x^w:
// q = (C + A B_i) M' mod x^w, M' = -1 / M mod x^w. After all steps C = A B x^(-w steps) modulo M. M' is s, so
// the proposed form takes q as it stands: q M moves s times the low w coefficients behind the others, and
// nothing is multiplied. The original form multiplies by M' and by M. In both the factor x^(-w steps) is
// undone at last: in the proposed form by a rotation, whose coefficients that come round change their signs
// where s = -1; in the original one by a second such product with x^(2 w steps), or it stays.
//
// Two kinds of arithmetic. Modulo 2^k, k <= 16, and x^n - 1: words that wrap. Modulo a prime p < 2^29 and x^n + 1: a
// coefficient is below p, and w <= 64 products and one coefficient more are at most 64 (p - 1)^2 + p < 2^64,
// so a step reduces once. There n is a multiple of w, so that w steps = n, and the second pass is by x^0.
#pragma once
#include "common.cuh"

struct InterleavedParams {
  Operands of;
  // Of a prime p: floor(2^64 / p).
  u64 quotient;
  // The modulus is a mask of bits, or a prime.
  u32 n, modulus, steps;
  // Of the second pass: x^(2 w steps) = x^rotation. 0xffffffff for none.
  u32 rotation;
};

// Modulo 2^k and x^n - 1.
struct Wrapping {
  typedef u16 Element;
  typedef u32 Sum;
  // The coefficient of M at x^0, and M'.
  u32 start, inverse;
  u32 mask;
  __device__ __forceinline__ Wrapping(const InterleavedParams &params)
      : start(~0u), inverse(1), mask(params.modulus) {}
  __device__ __forceinline__ u32 reduce(u32 sum) const { return sum; }
  // x + s y.
  __device__ __forceinline__ u32 fold(u32 x, u32 y) const { return x + y; }
  // s x.
  __device__ __forceinline__ u32 round(u32 x) const { return x; }
  __device__ __forceinline__ u32 finish(u32 x) const { return x & mask; }
};

// Modulo a prime and x^n + 1.
struct Modular {
  typedef u32 Element;
  typedef u64 Sum;
  u32 start, inverse, p;
  u64 quotient;
  __device__ __forceinline__ Modular(u32 p, u64 quotient)
      : start(1), inverse(p - 1), p(p), quotient(quotient) {}
  __device__ __forceinline__ Modular(const InterleavedParams &params)
      : Modular(params.modulus, params.quotient) {}
  // P. Barrett's: floor(sum quotient / 2^64) is the quotient of sum and p, or one less, since what is cut off
  // is below sum / 2^64 + 1 < 2.
  __device__ __forceinline__ u32 reduce(u64 sum) const {
    const u32 x = u32(sum) - u32(__umul64hi(sum, quotient)) * p;
    holds(x < 2 * p);
    return MUTANT(21, min(x, x - p), x);
  }
  __device__ __forceinline__ u32 fold(u32 x, u32 y) const {
    const u32 difference = x - y;
    return min(difference, difference + p);
  }
  __device__ __forceinline__ u32 round(u32 x) const { return fold(0, x); }
  __device__ __forceinline__ u32 finish(u32 x) const { return x; }
};

template <int W, bool ORIGINAL, class Arithmetic> struct Interleaved {
  typedef typename Arithmetic::Element Element;
  typedef typename Arithmetic::Sum Sum;
  const Arithmetic by;
  i32 n, steps;
  // A with W zeros on either side; B with zeros behind; C with W more; q; M and M' with zeros around, of the
  // original form alone.
  u32 *a, *b, *c, *q, *modulus, *inverse;

  __device__ __forceinline__ Interleaved(u32 *shared, const InterleavedParams &params)
      : by(params), n(params.n), steps(params.steps) {
    a = shared + W;
    b = a + n + W;
    c = b + W * steps;
    q = c + n + W;
    modulus = q + 2 * W;
    inverse = modulus + n + 2 * W + W;
  }

  __device__ __forceinline__ void load(const Element *from_a, const Element *from_b) {
    for (i32 k = threadIdx.x; k < n; k += blockDim.x) a[k] = from_a[k];
    for (i32 k = threadIdx.x; k < W * steps; k += blockDim.x) b[k] = k < n ? u32(from_b[k]) : 0;
    for (i32 k = threadIdx.x; k < n + W; k += blockDim.x) c[k] = 0;
    for (i32 k = threadIdx.x; k < W; k += blockDim.x) a[k - W] = a[n + k] = 0;
    if (ORIGINAL) {
      for (i32 k = threadIdx.x; k < W; k += blockDim.x) q[k] = 0;
      for (i32 k = i32(threadIdx.x) - W; k < n + 2 * W; k += blockDim.x)
        modulus[k] = k == 0 ? by.start : k == n ? 1 : 0;
      for (i32 k = i32(threadIdx.x) - W; k < W; k += blockDim.x) inverse[k] = k == 0 ? by.inverse : 0;
    }
    __syncthreads();
  }

  // x[0] y[0] + x[-1] y[1] + .. of W terms, and one number more.
  static __device__ __forceinline__ Sum terms(Sum sum, const u32 *x, const u32 *y) {
#pragma unroll
    for (int j = 0; j < W; j++) sum += Sum(x[-j]) * y[j];
    return sum;
  }

  // C + A B_i, of n + W coefficients. A has W zeros on either side: the upper part begins at n.
  __device__ __forceinline__ void add(i32 i) {
    for (i32 k = threadIdx.x; k < n + W; k += blockDim.x)
      c[k] = by.reduce(terms(k < n ? c[k] : 0, a + k, b + W * i));
    __syncthreads();
  }

  // A thread's new coefficients wait in registers, until all have read the old ones.
  static const int EACH = 4;
  template <class F> __device__ __forceinline__ void replace(F value) {
    u32 next[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const i32 k = threadIdx.x + i * blockDim.x;
      next[i] = k < n ? value(k) : 0;
    }
    if (MUTANT(20, true, false)) __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const i32 k = threadIdx.x + i * blockDim.x;
      if (k < n) c[k] = next[i];
    }
    __syncthreads();
  }

  __device__ __forceinline__ void proposed() {
    replace([this](i32 k) { return k + W >= n ? by.fold(c[k + W], c[k + W - n]) : c[k + W]; });
  }

  __device__ __forceinline__ void original() {
    for (i32 k = threadIdx.x; k < W; k += blockDim.x) q[k] = by.reduce(terms(0, inverse + k, c));
    __syncthreads();
    replace([this](i32 k) { return by.reduce(terms(c[k + W], modulus + k + W, q)); });
  }

  __device__ __forceinline__ void pass() {
#pragma unroll 1
    for (i32 i = 0; i < steps; i++) {
      add(i);
      if (ORIGINAL)
        original();
      else
        proposed();
    }
  }

  // The second pass of the original form: C times x^rotation.
  __device__ __forceinline__ void convert(u32 rotation) {
    for (i32 k = threadIdx.x; k < n; k += blockDim.x) {
      a[k] = c[k];
      b[k] = k == i32(rotation) ? 1 : 0;
      c[k] = 0;
    }
    __syncthreads();
    pass();
  }

  // Coefficient k of x^(w steps) C, where n <= w steps < 2 n: a coefficient comes round once, or twice.
  __device__ __forceinline__ u32 rotated(i32 k) const {
    const i32 from = k - (W * steps - n);
    const u32 once = by.round(c[from >= 0 ? from : from + n]);
    return from >= 0 ? once : by.round(once);
  }

  static __device__ __forceinline__ void run(const InterleavedParams &params, u32 *shared) {
    const Operands &of = params.of;
    Interleaved product(shared, params);
    product.load(operand<Element>(of.a, of.a_step, blockIdx.x),
                 operand<Element>(of.b, of.b_step, blockIdx.x));
    product.pass();
    if (ORIGINAL && params.rotation != 0xffffffff) product.convert(params.rotation);
    Element *to = result<Element>(of.c, of.c_step, blockIdx.x);
    for (i32 k = threadIdx.x; k < product.n; k += blockDim.x)
      to[k] = product.by.finish(ORIGINAL ? product.c[k] : product.rotated(k));
  }
};

#define INTERLEAVED(name, W, ORIGINAL, Arithmetic, THREADS)   \
  KERNEL(name, InterleavedParams, THREADS, 1) {               \
    SHARED_MEMORY(shared);                                    \
    Interleaved<W, ORIGINAL, Arithmetic>::run(params, shared); \
  }
