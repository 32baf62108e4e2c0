// Products modulo x^n - 1 and q = 2^k, k <= 14, by a small operand r in [-128, 127], as matrix products on
// the tensor cores for bytes. Nothing is transformed.
//
// Exactness. A coefficient h = low + 128 high, low < 128 and high < 128, is two signed bytes. A sum of n
// products has at most n 127 128 < 2^31 for n < 132000, so 32-bit sums are exact, and low + 128 high is right
// modulo 2^32.
//
// Distinct pairs. With k = 32 k1 + k0, c[k] = sum over v < n of h[k0 + v] r[32 k1 - v], indices modulo n: a
// 32 x n matrix by an n x ceil(n / 32) one. Entries of the first depend on row + column alone, those of the
// second on column - 32 row: both factors are read from arrays of n bytes and a little.
//
// One operand for all. c = r H, where row v of H is h shifted by v: messages are the rows of r, 32 at a time,
// and H is read from one array again.
#pragma once
#include "common.cuh"

struct CyclicParams {
  Operands of;
  u32 n, mask;
};

// Four coefficients, two in a word, as their low seven bits or the others, a byte each.
__device__ __forceinline__ u32 low_bytes(uint2 four) {
  return __byte_perm(four.x & 0x007f007f, four.y & 0x007f007f, 0x6420);
}
__device__ __forceinline__ u32 high_bytes(uint2 four) {
  return __byte_perm(four.x >> 7 & 0x007f007f, four.y >> 7 & 0x007f007f, 0x6420);
}

// Bytes from the n-th on are masked out of four from `at` on.
__device__ __forceinline__ u32 below(u32 bytes, i32 at, i32 n) {
  i32 keep = n - at;
  return keep >= 4 ? bytes : keep <= 0 ? 0 : bytes & ((1u << 8 * keep) - 1);
}

__device__ __forceinline__ u32 wrapped(i32 at, i32 n) {
  at %= n;
  return at < 0 ? at + n : at;
}

// One warp, one product of up to 256 TILES coefficients.
template <int TILES> struct Pair {
  static const int COLUMNS = 8 * TILES;
  // Words of a row of 32 bytes of r: four more spread rows over the banks.
  static const int ROW = 12;
  // Words of one array of h, and between arrays: 8 more than a multiple of 32, so that those of four shifts
  // are read at once. Host and device have the same formulas.
  static const int STEPS = COLUMNS, WORDS = 8 * STEPS + 12, STRIDE = (WORDS + 31) / 32 * 32 + 8;
  static const int ROWS = STEPS + COLUMNS;

  i32 n, lane, g, t, steps;
  u32 *low, *high, *rows;

  __device__ __forceinline__ Pair(u32 *shared, i32 n)
      : n(n), lane(threadIdx.x), g(lane >> 2), t(lane & 3), steps((n + 31) / 32) {
    low = shared;
    high = low + 4 * STRIDE;
    rows = high + 4 * STRIDE;
  }

  // The limbs of h, and what follows the last one: the first ones again.
  __device__ __forceinline__ void limbs(const u16 *h) {
    for (i32 w = lane; 4 * w < n; w += 32) {
      uint2 four = *reinterpret_cast<const uint2 *>(h + 4 * w);
      low[w] = low_bytes(four);
      high[w] = high_bytes(four);
    }
    __syncwarp();
    u8 *bytes_low = reinterpret_cast<u8 *>(low), *bytes_high = reinterpret_cast<u8 *>(high);
    const i32 all = 4 * (8 * steps + 12);
    for (i32 at = n + lane; at < all; at += 32) {
      const u16 again = h[MUTANT(10, wrapped(at, n), at % 64)];
      bytes_low[at] = again & 127;
      bytes_high[at] = again >> 7 & 127;
    }
    __syncwarp();
  }

  // The same from the second, third and fourth byte on.
  __device__ __forceinline__ void shifts() {
    for (i32 w = lane; w < 8 * steps + 11; w += 32) {
#pragma unroll
      for (int s = 1; s < 4; s++) {
        low[s * STRIDE + w] = __funnelshift_r(low[w], low[w + 1], 8 * s);
        high[s * STRIDE + w] = __funnelshift_r(high[w], high[w + 1], 8 * s);
      }
    }
  }

  // Row m has r[-(32 (m - COLUMNS + 1) + j)] for j < 32: r backwards, from one row before the start of a
  // column on.
  __device__ __forceinline__ void reversed(const int8_t *r) {
    u8 *bytes = reinterpret_cast<u8 *>(rows);
    i32 at = wrapped(32 * (COLUMNS - 1) - lane, n);
    const i32 step = 32 % n;
    for (i32 m = 0; m < COLUMNS - 1 + steps; m++) {
      bytes[4 * ROW * m + lane] = r[at];
      at -= step;
      at += at < 0 ? n : 0;
    }
  }

  // The sums of both limbs: of tile j rows 16 m + g, + 8 and columns 8 j + 2 t, + 1.
  __device__ __forceinline__ void sums(i32 (*sum)[2][TILES][4]) {
    const u32 *from_low = low + (g & 3) * STRIDE + t + (g >> 2);
    const u32 *from_high = high + (g & 3) * STRIDE + t + (g >> 2);
    const u32 *from = rows + (COLUMNS - 1 - g) * ROW + t;
    u32 a[6], b[6];
#pragma unroll
    for (int i = 0; i < 2; i++) a[i] = from_low[2 * i], b[i] = from_high[2 * i];
#pragma unroll 1
    for (i32 s = 0; s < steps; s++) {
      // Row g + 8 i and column c are at row g and column c + 8 i: six words are two rows of fragments, of
      // which the next step has two again.
#pragma unroll
      for (int i = 2; i < 6; i++) a[i] = from_low[8 * s + 2 * i], b[i] = from_high[8 * s + 2 * i];
#pragma unroll
      for (int j = 0; j < TILES; j++) {
        u32 column[2] = {from[(s - 8 * j) * ROW], from[(s - 8 * j) * ROW + 4]};
        if (s == steps - 1) {
          const i32 end = MUTANT(11, n, 32 * steps);
          column[0] = below(column[0], 32 * s + 4 * t, end);
          column[1] = below(column[1], 32 * s + 4 * t + 16, end);
        }
        mma_s8(sum[0][0][j], a, column);
        mma_s8(sum[0][1][j], a + 2, column);
        mma_s8(sum[1][0][j], b, column);
        mma_s8(sum[1][1][j], b + 2, column);
      }
      a[0] = a[4], a[1] = a[5], b[0] = b[4], b[1] = b[5];
    }
  }

  __device__ __forceinline__ void store(const i32 (*sum)[2][TILES][4], u16 *to, u32 mask, u32 *shared) {
    // A column of 32 coefficients takes 36, for the banks.
    u16 *staged = reinterpret_cast<u16 *>(shared);
    __syncwarp();
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
      for (int j = 0; j < TILES; j++)
#pragma unroll
        for (int i = 0; i < 4; i++)
          staged[(8 * j + 2 * t + (i & 1)) * 36 + 16 * m + 8 * (i >> 1) + g] =
              (u32(sum[0][m][j][i]) + (u32(sum[1][m][j][i]) << MUTANT(12, 7, 6))) & mask;
    __syncwarp();
    for (i32 w = lane; 2 * w < n; w += 32)
      reinterpret_cast<u32 *>(to)[w] = *reinterpret_cast<const u32 *>(staged + (w >> 4) * 36 + 2 * (w & 15));
  }

  static __device__ __forceinline__ void run(const CyclicParams &params, u32 *shared) {
    const Operands &of = params.of;
    Pair pair(shared, params.n);
    pair.limbs(operand<u16>(of.a, of.a_step, blockIdx.x));
    pair.shifts();
    pair.reversed(operand<int8_t>(of.b, of.b_step, blockIdx.x));
    __syncwarp();
    i32 sum[2][2][TILES][4] = {};
    pair.sums(sum);
    pair.store(sum, result<u16>(of.c, of.c_step, blockIdx.x), params.mask, shared);
  }
};

// 32 messages a warp by one h, 64 columns at a time. All warps of a block read the same arrays of h: byte y
// of the array is h[OFF - y] for y in [0, OFF + 32 steps), where OFF = 64 ceil(n / 64), so that r's v by
// column c is at y = v + OFF - c.
struct OneKey {
  i32 n, steps, groups, words, stride, lane, g, t;
  u32 *low, *high, *rows;

  __device__ __forceinline__ OneKey(u32 *shared, i32 n)
      : n(n), steps((n + 31) / 32), groups((n + 63) / 64), lane(threadIdx.x & 31), g(lane >> 2), t(lane & 3) {
    words = 16 * groups + 8 * steps + 1;
    stride = (words + 31) / 32 * 32 + 8;
    low = shared;
    high = low + 4 * stride;
    rows = high + 4 * stride + (threadIdx.x >> 5) * 32 * row();
  }
  // Words of a message: 4 more than a multiple of 8, for the banks.
  __device__ __forceinline__ i32 row() const { return 8 * steps + 4; }

  // Four bytes of h backwards, from place y on, by limbs.
  __device__ __forceinline__ void word(const u16 *h, i32 y, u32 &a, u32 &b) {
    a = b = 0;
    u32 at = wrapped(64 * groups - y, n);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const u32 value = h[at];
      a |= (value & 127) << 8 * i;
      b |= (value >> 7 & 127) << 8 * i;
      at = at == 0 ? n - 1 : at - 1;
    }
  }
  __device__ __forceinline__ void toeplitz(const u16 *h) {
    for (i32 i = threadIdx.x; i < 4 * words; i += blockDim.x) {
      const i32 s = i / words, w = i % words;
      word(h, 4 * w + s, low[s * stride + w], high[s * stride + w]);
    }
  }
  // 32 messages from `first` on, zeroes behind their coefficients and behind the last one.
  __device__ __forceinline__ void messages(const Operands &of, u32 first) {
    for (i32 m = 0; m < 32; m++) {
      const bool there = first + m < of.count;
      const u32 *from = operand<u32>(of.b, of.b_step / 4, there ? first + m : 0);
      for (i32 w = lane; w < 8 * steps; w += 32)
        rows[m * row() + w] = there && 4 * w < n ? below(from[w], 4 * w, n) : 0;
    }
  }
  // One step: 32 rows by 64 columns, of one limb.
  __device__ __forceinline__ void limb(i32 (*sum)[8][4], const u32 (*a)[4], const u32 *from) {
    u32 b[10];
#pragma unroll
    for (int u = 0; u < 10; u++) b[u] = from[4 - 2 * u];
#pragma unroll
    for (int j = 0; j < 8; j++) {
      const u32 column[2] = {b[j + 2], b[j]};
#pragma unroll
      for (int m = 0; m < 2; m++) mma_s8(sum[m][j], a[m], column);
    }
  }
  __device__ __forceinline__ void sums(i32 (*sum)[2][8][4], i32 c) {
    // Byte y = 32 s + 4 t + OFF - c - 8 j - g of the column 8 j + g: its word in the copy of that shift.
    const i32 shift = -g & 3, start = 16 * groups + t - ((g + 3) >> 2) - c / 4;
    const u32 *from_low = low + shift * stride + start, *from_high = from_low + 4 * stride;
    const u32 *from = rows + g * row() + t;
#pragma unroll 1
    for (i32 s = 0; s < steps; s++) {
      u32 a[2][4];
#pragma unroll
      for (int m = 0; m < 2; m++)
#pragma unroll
        for (int i = 0; i < 4; i++) a[m][i] = from[(16 * m + 8 * (i & 1)) * row() + 8 * s + 4 * (i >> 1)];
      limb(sum[0], a, from_low + 8 * s);
      limb(sum[1], a, from_high + 8 * s);
    }
  }
  __device__ __forceinline__ void store(const CyclicParams &params, u32 first, i32 c,
                                        const i32 (*sum)[2][8][4]) {
    const Operands &of = params.of;
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
      for (int j = 0; j < 8; j++)
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
          const i32 column = c + 8 * j + 2 * t;
          const u32 message = first + 16 * m + 4 * i + g;
          if (message >= of.count || column >= n) continue;
          const u32 x = (u32(sum[0][m][j][i]) + (u32(sum[1][m][j][i]) << 7)) & params.mask;
          const u32 y = (u32(sum[0][m][j][i + 1]) + (u32(sum[1][m][j][i + 1]) << 7)) & params.mask;
          *reinterpret_cast<u32 *>(result<u16>(of.c, of.c_step, message) + column) = x | y << 16;
        }
  }
  static __device__ __forceinline__ void run(const CyclicParams &params, u32 *shared) {
    OneKey key(shared, params.n);
    const u32 first = (blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5)) * 32;
    key.toeplitz(static_cast<const u16 *>(params.of.a));
    key.messages(params.of, first);
    __syncthreads();
    for (i32 c = 0; c < 64 * key.groups; c += 64) {
      i32 sum[2][2][8][4] = {};
      key.sums(sum, c);
      key.store(params, first, c, sum);
    }
  }
};

// The same product by integers, for GPUs without these tensor cores: a block a product, eight coefficients
// next to each other a thread. Each factor is read once for eight products; h is twice in shared memory.
struct School {
  static const int EACH = 8;
  static __device__ __forceinline__ void run(const CyclicParams &params, u32 *shared) {
    const Operands &of = params.of;
    const i32 n = params.n;
    u32 *twice = shared, *r = shared + 2 * n + EACH;
    const u16 *h = operand<u16>(of.a, of.a_step, blockIdx.x);
    const int8_t *small = operand<int8_t>(of.b, of.b_step, blockIdx.x);
    for (i32 i = threadIdx.x; i < 2 * n + EACH; i += blockDim.x) twice[i] = h[wrapped(i, n)];
    for (i32 i = threadIdx.x; i < n; i += blockDim.x) r[i] = i32(small[i]);
    __syncthreads();
    u16 *to = result<u16>(of.c, of.c_step, blockIdx.x);
    for (i32 first = EACH * threadIdx.x; first < n; first += EACH * blockDim.x) {
      u32 sum[EACH] = {}, window[EACH];
#pragma unroll
      for (int u = 0; u < EACH; u++) window[u] = twice[n + first + u];
      for (i32 i = 0; i < n; i++) {
#pragma unroll
        for (int u = 0; u < EACH; u++) sum[u] += window[u] * r[i];
#pragma unroll
        for (int u = EACH - 1; u > 0; u--) window[u] = window[u - 1];
        window[0] = twice[n + first - i - 1];
      }
#pragma unroll
      for (int u = 0; u < EACH; u++)
        if (first + u < n) to[first + u] = sum[u] & params.mask;
    }
  }
};

// A product by a public operand with few coefficients 1 and -1: their places, `plus` of them and then
// `minus`, are addresses (fast convolution; S. Akleylek and Z. Yuece Tok, 2014). Never for a secret operand.
struct SparseParams {
  Operands of;
  u32 n, mask, plus, minus;
};

struct Sparse {
  static __device__ __forceinline__ void run(const SparseParams &params, u32 *shared) {
    const Operands &of = params.of;
    const i32 n = params.n, all = params.plus + params.minus;
    u32 *twice = shared, *places = shared + 2 * n;
    const u16 *h = operand<u16>(of.a, of.a_step, blockIdx.x);
    const u16 *from = operand<u16>(of.b, of.b_step, blockIdx.x);
    for (i32 i = threadIdx.x; i < 2 * n; i += blockDim.x) twice[i] = h[i < n ? i : i - n];
    for (i32 i = threadIdx.x; i < all; i += blockDim.x) places[i] = min(u32(from[i]), u32(n - 1));
    __syncthreads();
    u16 *to = result<u16>(of.c, of.c_step, blockIdx.x);
    for (i32 k = threadIdx.x; k < n; k += blockDim.x) {
      u32 sum = 0;
      for (i32 i = 0; i < i32(params.plus); i++) sum += twice[n + k - places[i]];
      for (i32 i = params.plus; i < all; i++) sum -= twice[n + k - MUTANT(13, places[i], places[i] ^ 1)];
      to[k] = sum & params.mask;
    }
  }
};
