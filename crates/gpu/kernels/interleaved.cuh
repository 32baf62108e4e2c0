// Interleaved Montgomery multiplication of polynomials (S. Akleylek and Z. Yuece Tok, 2014, Algorithms 1 and
// 2), a block a product, a thread a coefficient or several.
//
// The map. M = x^n - 1, B = sum of B_i x^(w i). From C = 0 on, steps i = 0, 1, .. are C <- (C + A B_i + q M)
// / x^w, where q of degree below w makes the sum a multiple of x^w: q = (C + A B_i) M' mod x^w, M' = -1 / M
// mod x^w. After s steps C = A B x^(-w s) modulo M. M' is 1, so the proposed form takes q as it stands: q M
// moves the low w coefficients behind the others, and nothing is multiplied. The original form multiplies by
// M' and by M. In both the factor x^(-w s) is undone at last: in the proposed form by a rotation; in the
// original one by a second such product with x^(2 w s), or it stays.
//
// Coefficients are modulo 2^k, k <= 16, in words that wrap.
#pragma once
#include "common.cuh"

struct InterleavedParams {
  Operands of;
  u32 n, mask, steps;
  // Of the second pass: x^(2 w s) = x^rotation. 0xffffffff for none.
  u32 rotation;
};

template <int W, bool ORIGINAL> struct Interleaved {
  i32 n, steps;
  // A with W zeros on either side; B with zeros behind; C with W more; q; M and M' with zeros around.
  u32 *a, *b, *c, *q, *modulus, *inverse;

  __device__ __forceinline__ Interleaved(u32 *shared, const InterleavedParams &params)
      : n(params.n), steps(params.steps) {
    a = shared + W;
    b = a + n + W;
    c = b + W * steps;
    q = c + n + W;
    modulus = q + 2 * W;
    inverse = modulus + n + 2 * W + W;
  }

  __device__ __forceinline__ void load(const u16 *from_a, const u16 *from_b) {
    for (i32 k = threadIdx.x; k < n; k += blockDim.x) a[k] = from_a[k];
    for (i32 k = threadIdx.x; k < W * steps; k += blockDim.x) b[k] = k < n ? u32(from_b[k]) : 0;
    for (i32 k = threadIdx.x; k < n + W; k += blockDim.x) c[k] = 0;
    for (i32 k = threadIdx.x; k < W; k += blockDim.x) a[k - W] = a[n + k] = q[k] = 0;
    if (ORIGINAL) {
      for (i32 k = i32(threadIdx.x) - W; k < n + 2 * W; k += blockDim.x)
        modulus[k] = k == 0 ? ~0u : k == n ? 1 : 0;
      for (i32 k = i32(threadIdx.x) - W; k < W; k += blockDim.x) inverse[k] = k == 0 ? 1 : 0;
    }
    __syncthreads();
  }

  // Coefficient k of A B_i.
  __device__ __forceinline__ u32 term(i32 k, i32 i) const {
    u32 sum = 0;
    const u32 *x = a + k, *y = b + W * i;
    // A has W zeros on either side only: the upper part of the product begins at n.
#pragma unroll
    for (int j = 0; j < W; j++) sum += x[-j] * y[j];
    return sum;
  }

  // C + A B_i, of n + W coefficients.
  __device__ __forceinline__ void add(i32 i) {
    for (i32 k = threadIdx.x; k < n + W; k += blockDim.x) c[k] = (k < n ? c[k] : 0) + term(k, i);
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
    replace([this](i32 k) { return c[k + W] + (k + W >= n ? c[k + W - n] : 0); });
  }

  __device__ __forceinline__ void original() {
    for (i32 k = threadIdx.x; k < W; k += blockDim.x) {
      u32 sum = 0;
#pragma unroll
      for (int j = 0; j < W; j++) sum += c[j] * inverse[k - j];
      q[k] = sum;
    }
    __syncthreads();
    replace([this](i32 k) {
      u32 sum = c[k + W];
#pragma unroll
      for (int j = 0; j < W; j++) sum += q[j] * modulus[k + W - j];
      return sum;
    });
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

  static __device__ __forceinline__ void run(const InterleavedParams &params, u32 *shared) {
    const Operands &of = params.of;
    Interleaved product(shared, params);
    const i32 n = params.n;
    product.load(operand<u16>(of.a, of.a_step, blockIdx.x), operand<u16>(of.b, of.b_step, blockIdx.x));
    product.pass();
    if (ORIGINAL && params.rotation != 0xffffffff) product.convert(params.rotation);
    // The proposed form's rotation is an index.
    const i32 turn = ORIGINAL ? 0 : W * params.steps % params.n;
    u16 *to = result<u16>(of.c, of.c_step, blockIdx.x);
    for (i32 k = threadIdx.x; k < n; k += blockDim.x)
      to[k] = product.c[k >= turn ? k - turn : k - turn + n] & params.mask;
  }
};
