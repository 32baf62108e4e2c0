// Products modulo x^n - 1 and q = 2^k, k <= 14, by a public ternary operand: fast convolution with a sliding
// window (S. Akleylek and Z. Yuece Tok, 2014, after M.-K. Lee, J. W. Kim, J. E. Song, K. Park, 2013; width
// and patterns are ours). A block a product. Never for a secret operand: its windows are addresses.
//
// The map. The operand is a list of windows: each is x^i times a sign and one of nine patterns
// 1 + d_1 x + d_2 x^2 with d in 0, 1, -1. The sums of h by all patterns are made first, two additions each at
// most, and stand twice in shared memory. Then a window is one addition of a rotated sum.
//
// A window is one number: i + n (pattern + 9 if the sign is -1), pattern = d_1 + 3 d_2 with 2 for -1. The
// first number 18 n ends the list. Sums wrap modulo 2^16.
#pragma once
#include "common.cuh"

struct WindowParams {
  Operands of;
  u32 n, mask;
  // The most windows of an operand.
  u32 most;
  u32 unused;
};

struct SlidingWindow {
  static const int PATTERNS = 9;
  static const u32 END = 0xffffffff;

  // The sums by all patterns.
  static __device__ __forceinline__ void sums(const u16 *h, u16 *table, u32 n) {
    for (u32 k = threadIdx.x; k < n; k += blockDim.x) {
      const u32 one = h[k >= 1 ? k - 1 : k - 1 + n];
      const u32 two = MUTANT(23, h[k >= 2 ? k - 2 : k - 2 + n], one);
      const u32 first = h[k], digits[3] = {0, 1, ~0u};
#pragma unroll
      for (int pattern = 0; pattern < PATTERNS; pattern++) {
        const u16 sum = first + digits[pattern % 3] * one + digits[pattern / 3] * two;
        table[2 * n * pattern + k] = table[2 * n * pattern + n + k] = sum;
      }
    }
  }

  // Where the rotated sum of each window begins, and in the lowest bit whether it is subtracted.
  static __device__ __forceinline__ void starts(const u16 *windows, u32 *to, u32 n, u32 most) {
    for (u32 i = threadIdx.x; i < most; i += blockDim.x) {
      const u32 window = windows[i], kind = window / n, minus = kind >= PATTERNS;
      const u32 pattern = kind - PATTERNS * minus;
      to[i] = kind < 2 * PATTERNS ? (2 * n * pattern + n - window % n) << 1 | minus : END;
    }
  }

  static __device__ __forceinline__ void run(const WindowParams &params, u32 *shared) {
    const Operands &of = params.of;
    const u32 n = params.n;
    u32 *windows = shared;
    u16 *table = reinterpret_cast<u16 *>(shared + params.most);
    sums(operand<u16>(of.a, of.a_step, blockIdx.x), table, n);
    starts(operand<u16>(of.b, of.b_step, blockIdx.x), windows, n, params.most);
    __syncthreads();
    u16 *to = result<u16>(of.c, of.c_step, blockIdx.x);
    for (u32 k = threadIdx.x; k < n; k += blockDim.x) {
      u32 sum = 0;
      for (u32 i = 0; i < params.most && windows[i] != END; i++) {
        const u32 minus = 0 - (windows[i] & 1);
        sum += (table[(windows[i] >> 1) + k] ^ minus) - minus;
      }
      to[k] = sum & params.mask;
    }
  }
};
