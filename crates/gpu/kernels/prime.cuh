// The parallel schoolbook product modulo a prime p < 2^29 and x^n + 1: a block a product, eight coefficients
// next to each other a thread.
//
// The map. c[k] = sum of b[i] a[k - i], and a[j - n] = -a[j]: a stands twice in shared memory, negated and
// then as it is. Each factor is read once for eight products. 64 products and what is left of those before
// are at most 64 (p - 1)^2 + p < 2^64, so every 64 are reduced. n is a multiple of 64.
#pragma once
#include "interleaved.cuh"

struct PrimeSchool {
  static const int EACH = 8, BLOCK = 64;

  // The products by BLOCK coefficients of b. `window` has the coefficients of a that the first of them meets,
  // and `from` is where it begins.
  static __device__ __forceinline__ void block(u64 *sum, u32 *window, const u32 *from, const u32 *b) {
#pragma unroll 8
    for (i32 i = 0; i < BLOCK; i++) {
#pragma unroll
      for (int u = 0; u < EACH; u++) sum[u] += u64(window[u]) * b[i];
#pragma unroll
      for (int u = EACH - 1; u > 0; u--) window[u] = window[u - 1];
      window[0] = from[-i - 1];
    }
  }

  static __device__ __forceinline__ void run(const InterleavedParams &params, u32 *shared) {
    const Operands &of = params.of;
    const i32 n = params.n, first = EACH * threadIdx.x;
    const Modular by(params);
    u32 *twice = shared, *b = twice + 2 * n;
    const u32 *from_a = operand<u32>(of.a, of.a_step, blockIdx.x);
    const u32 *from_b = operand<u32>(of.b, of.b_step, blockIdx.x);
    for (i32 i = threadIdx.x; i < n; i += blockDim.x) {
      twice[i] = MUTANT(22, by.round(from_a[i]), from_a[i]);
      twice[n + i] = from_a[i];
      b[i] = from_b[i];
    }
    __syncthreads();
    u64 sum[EACH] = {};
    u32 window[EACH];
#pragma unroll
    for (int u = 0; u < EACH; u++) window[u] = twice[n + first + u];
    for (i32 i = 0; i < n; i += BLOCK) {
      block(sum, window, twice + n + first - i, b + i);
#pragma unroll
      for (int u = 0; u < EACH; u++) sum[u] = by.reduce(sum[u]);
    }
    u32 *to = result<u32>(of.c, of.c_step, blockIdx.x) + first;
#pragma unroll
    for (int u = 0; u < EACH; u++) to[u] = u32(sum[u]);
  }
};
