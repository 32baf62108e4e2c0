// Products modulo x^n - 1 and q = 2^k, k <= 14, as matrix products on the tensor cores for bytes. Nothing is
// transformed. The second operand r is small, in [-128, 127], or as large as the first one, h.
//
// Exactness. A coefficient h = low + 128 high, low < 128 and high < 128, is two limbs, each a signed byte. By
// a small r a sum of n products has at most n 127 128 < 2^31 for n < 132000, so 32-bit sums are exact, and
// low + 128 high is right modulo 2^32. A large r is two limbs, too. Of the four products of limbs low by high
// and high by low are one sum, of at most 2 n 127 127 < 2^31 for n < 66000; high by high counts 2^14 times,
// is 0 modulo 2^k, and is left out.
//
// Distinct pairs. With k = 32 k1 + k0, c[k] = sum over v < n of h[k0 + v] r[32 k1 - v], indices modulo n: a
// 32 x n matrix by an n x ceil(n / 32) one. Entries of the first depend on row + column alone, those of the
// second on column - 32 row: both factors are read from arrays of n bytes and a little, one for each limb.
//
// One operand for all. c = r H, where row v of H is h shifted by v: messages are the rows of r, 32 at a time,
// and H is read from one array again.
#pragma once
#include "common.cuh"

struct CyclicParams {
  Operands of;
  u32 n, mask;

  // Whether coefficient 0 is that at place n of the matrix product.
  static const bool TURNED = false;
  // What r_j counts for c_k in one sum, d = k - j, where `at` is d modulo n.
  __device__ __forceinline__ u32 entry(const u16 *h, u32 at, i32) const { return h[at]; }
  __device__ __forceinline__ u32 finish(u32 sum) const { return sum & mask; }
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

// 32 places back in a cycle of at least 32: what is below 0 is more than what is not.
__device__ __forceinline__ u32 back_32(u32 at, u32 n) { return min(at - 32, at - 32 + n); }

// One warp: a 32 x (32 steps) matrix by a (32 steps) x (8 TILES) one, of limbs. Entry (i, v) of the first is
// at i + v of an array, entry (v, j) of the second at v - 32 j of another. Products of limbs x and y are
// summed for limb x + y of the result, of which there are two.
template <int TILES, int LEFT, int RIGHT, class Params> struct Matrices {
  static const int COLUMNS = 8 * TILES, STEPS = COLUMNS + Params::TURNED;
  // Words of a row of 32 bytes: four more spread rows over the banks.
  static const int ROW = 12;
  // Words of the array of one limb on the left, and between arrays: 8 more than a multiple of 32, so that
  // those of four shifts are read at once. Host and device have the same formulas.
  static const int WORDS = 8 * STEPS + 12, STRIDE = (WORDS + 31) / 32 * 32 + 8;
  // Words of the rows of one limb on the right.
  static const int RIGHT_WORDS = (STEPS + COLUMNS) * ROW;

  const Params &params;
  i32 n, lane, g, t, steps;
  u32 *left, *rows;

  __device__ __forceinline__ Matrices(const Params &params, u32 *shared, i32 steps)
      : params(params), n(params.n), lane(threadIdx.x), g(lane >> 2), t(lane & 3), steps(steps), left(shared),
        rows(shared + 4 * LEFT * STRIDE) {}

  // How many rows there are on the right: row m is that of column 0 in step m - COLUMNS + 1.
  __device__ __forceinline__ i32 count() const { return COLUMNS - 1 + steps; }
  // The arrays of a limb on the left, from a byte from 0 to 3 on.
  __device__ __forceinline__ u32 *shifted(int limb, int shift) const {
    return left + (4 * limb + shift) * STRIDE;
  }
  // This lane's byte of a row, both limbs.
  __device__ __forceinline__ void put(i32 m, u32 value) const {
    u8 *bytes = reinterpret_cast<u8 *>(rows + ROW * m) + lane;
    bytes[0] = value & 127;
    bytes[4 * RIGHT_WORDS] = value >> MUTANT(14, 7, 6);
  }

  // The arrays on the left from the second, third and fourth byte on.
  __device__ __forceinline__ void shifts() {
    for (i32 w = lane; w < 8 * steps + 11; w += 32) {
#pragma unroll
      for (int limb = 0; limb < LEFT; limb++) {
        const u32 here = shifted(limb, 0)[w], next = shifted(limb, 0)[w + 1];
#pragma unroll
        for (int s = 1; s < 4; s++) shifted(limb, s)[w] = __funnelshift_r(here, next, 8 * s);
      }
    }
  }

  // Step s, to the sums of two limbs: of tile j rows 16 m + g, + 8 and columns 8 j + 2 t, + 1. Two words of
  // each limb on the left are there.
  template <bool LAST>
  __device__ __forceinline__ void step(i32 s, u32 (*a)[6], i32 (*sum)[2][TILES][4]) {
    const u32 *from_left = left + (g & 3) * STRIDE + t + (g >> 2) + 8 * s;
    const u32 *from = rows + (COLUMNS - 1 - g + s) * ROW + t;
    // Row g + 8 i and column c are at row g and column c + 8 i: six words are two rows of fragments, of which
    // the next step has two again.
#pragma unroll
    for (int x = 0; x < LEFT; x++)
#pragma unroll
      for (int i = 2; i < 6; i++) a[x][i] = from_left[4 * x * STRIDE + 2 * i];
#pragma unroll
    for (int j = 0; j < TILES; j++)
#pragma unroll
      for (int y = 0; y < RIGHT; y++) {
        const u32 *at = from + y * RIGHT_WORDS - 8 * j * ROW;
        u32 column[2] = {at[0], at[4]};
        if (LAST) {
          const i32 end = MUTANT(11, n, 32 * steps);
          column[0] = below(column[0], 32 * s + 4 * t, end);
          column[1] = below(column[1], 32 * s + 4 * t + 16, end);
        }
#pragma unroll
        for (int x = 0; x < LEFT && x + y < 2; x++)
#pragma unroll
          for (int m = 0; m < 2; m++) mma_s8(sum[x + y][m][j], a[x] + 2 * m, column);
      }
#pragma unroll
    for (int x = 0; x < LEFT; x++) a[x][0] = a[x][4], a[x][1] = a[x][5];
  }

  __device__ __forceinline__ void sums(i32 (*sum)[2][TILES][4]) {
    const u32 *from_left = left + (g & 3) * STRIDE + t + (g >> 2);
    u32 a[LEFT][6];
#pragma unroll
    for (int x = 0; x < LEFT; x++)
#pragma unroll
      for (int i = 0; i < 2; i++) a[x][i] = from_left[4 * x * STRIDE + 2 * i];
    // In a cycle something follows on the left, and the last step takes nothing of it.
    const i32 whole = steps - !Params::TURNED;
#pragma unroll 1
    for (i32 s = 0; s < whole; s++) step<false>(s, a, sum);
    if (!Params::TURNED) step<true>(whole, a, sum);
  }

  __device__ __forceinline__ void store(const i32 (*sum)[2][TILES][4], u16 *to) {
    // A column of 32 coefficients takes 36, for the banks.
    u16 *staged = reinterpret_cast<u16 *>(left);
    __syncwarp();
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
      for (int j = 0; j < TILES; j++)
#pragma unroll
        for (int i = 0; i < 4; i++)
          staged[(8 * j + 2 * t + (i & 1)) * 36 + 16 * m + 8 * (i >> 1) + g] =
              params.finish(u32(sum[0][m][j][i]) + (u32(sum[1][m][j][i]) << MUTANT(12, 7, 6)));
    __syncwarp();
    if (Params::TURNED) {
      if (lane == 0) staged[0] = staged[(n >> 5) * 36 + (n & 31)];
      __syncwarp();
    }
    for (i32 w = lane; 2 * w < n; w += 32)
      reinterpret_cast<u32 *>(to)[w] = *reinterpret_cast<const u32 *>(staged + (w >> 4) * 36 + 2 * (w & 15));
  }
};

// One warp, one product of up to 256 TILES coefficients. R is int8_t or u16: a limb for each of its bytes.
template <int TILES, class R> struct Pair : Matrices<TILES, 2, sizeof(R), CyclicParams> {
  typedef Matrices<TILES, 2, sizeof(R), CyclicParams> Base;
  using Base::lane;
  using Base::n;
  using Base::steps;

  __device__ __forceinline__ Pair(const CyclicParams &params, u32 *shared)
      : Base(params, shared, (params.n + 31) / 32) {}

  // The limbs of h, and what follows the last one: the first ones again.
  __device__ __forceinline__ void limbs(const u16 *h) {
    u32 *low = this->shifted(0, 0), *high = this->shifted(1, 0);
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

  // Row m has r[-(32 (m - COLUMNS + 1) + j)] for j < 32: r backwards, from one row before the start of a
  // column on.
  __device__ __forceinline__ void reversed(const R *r) {
    u8 *bytes = reinterpret_cast<u8 *>(this->rows) + lane;
    u32 at = wrapped(32 * (Base::COLUMNS - 1) - lane, n);
    for (i32 m = 0; m < this->count(); m++) {
      if constexpr (sizeof(R) == 1)
        bytes[4 * Base::ROW * m] = r[at];
      else
        this->put(m, r[at]);
      at = back_32(at, n);
    }
  }

  static __device__ __forceinline__ void run(const CyclicParams &params, u32 *shared) {
    const Operands &of = params.of;
    Pair pair(params, shared);
    pair.limbs(operand<u16>(of.a, of.a_step, blockIdx.x));
    pair.shifts();
    pair.reversed(operand<R>(of.b, of.b_step, blockIdx.x));
    __syncwarp();
    i32 sum[2][2][TILES][4] = {};
    pair.sums(sum);
    pair.store(sum, result<u16>(of.c, of.c_step, blockIdx.x));
  }
};

// Four coefficients of a message, a byte each: one word of each limb.
__device__ __forceinline__ void four_bytes(const int8_t *r, u32 *limbs) {
  limbs[0] = *reinterpret_cast<const u32 *>(r);
}
__device__ __forceinline__ void four_bytes(const u16 *r, u32 *limbs) {
  const uint2 four = *reinterpret_cast<const uint2 *>(r);
  limbs[0] = low_bytes(four);
  limbs[1] = high_bytes(four);
}

// Where a sum for place k belongs; -1 is nowhere.
template <class Params> __device__ __forceinline__ i32 place(i32 k, i32 n) {
  if (Params::TURNED) return k == n ? 0 : k == 0 || k > n ? -1 : k;
  return k < n ? k : -1;
}

// 32 messages a warp by one h, 64 columns at a time, from column `begin` to `end`: all of them, or with PARTS
// an equal share of the groups of 64, where the grid has several blocks for the same messages. All warps of a
// block read the same arrays of h: byte y of the array is the entry of d = end - y for y in [0, end - begin +
// 32 steps), so that r's v by column c is at y = v + end - c.
template <class Params, class R, bool PARTS> struct OneKey {
  static const int LIMBS = sizeof(R);
  // Messages of a block, which are its threads: a warp has 32. The host has the same.
  static const u32 MESSAGES = 64;

  const Params &params;
  i32 n, steps, begin, end, words, stride, lane, g, t;
  u32 block, *key, *rows;

  __device__ __forceinline__ OneKey(const Params &params, u32 *shared)
      : params(params), n(params.n), steps((n + 31) / 32), lane(threadIdx.x & 31), g(lane >> 2), t(lane & 3) {
    // Where it is known to be 1 it costs no instruction and no register.
    const u32 parts = PARTS ? gridDim.x / ((params.of.count + MESSAGES - 1) / MESSAGES) : 1;
    const i32 all = (n + Params::TURNED + 63) / 64, each = (all + parts - 1) / parts;
    const i32 first = each * (blockIdx.x % parts);
    block = blockIdx.x / parts;
    begin = 64 * first;
    end = 64 * min(u32(all), u32(first + each));
    holds(first < all);
    words = (end - begin) / 4 + 8 * steps + 1;
    stride = (words + 31) / 32 * 32 + 8;
    key = shared;
    rows = key + 8 * stride + (threadIdx.x >> 5) * LIMBS * limb();
  }
  // Words of a message: 4 more than a multiple of 8, for the banks.
  __device__ __forceinline__ i32 row() const { return 8 * steps + 4; }
  // Words of a limb of the messages.
  __device__ __forceinline__ i32 limb() const { return 32 * row(); }

  // Four bytes of the array from place y on, by limbs.
  __device__ __forceinline__ void word(const u16 *h, i32 y, u32 &a, u32 &b) {
    a = b = 0;
    const i32 d = MUTANT(16, end, end - begin) - y;
    u32 at = wrapped(d, n);
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const u32 value = params.entry(h, at, d - i);
      a |= (value & 127) << 8 * i;
      b |= (value >> 7 & 127) << 8 * i;
      at = at == 0 ? n - 1 : at - 1;
    }
  }
  __device__ __forceinline__ void toeplitz(const u16 *h) {
    for (i32 i = threadIdx.x; i < 4 * words; i += blockDim.x) {
      const i32 s = i / words, w = i % words;
      word(h, 4 * w + s, key[s * stride + w], key[(4 + s) * stride + w]);
    }
  }
  // 32 messages from `first` on, zeroes behind their coefficients and behind the last one.
  __device__ __forceinline__ void messages(u32 first) {
    const Operands &of = params.of;
    for (i32 m = 0; m < 32; m++) {
      const bool there = first + m < of.count;
      const R *from = operand<R>(of.b, of.b_step, there ? first + m : 0);
      for (i32 w = lane; w < 8 * steps; w += 32) {
        u32 limbs[LIMBS] = {};
        if (there && 4 * w < n) four_bytes(from + 4 * w, limbs);
#pragma unroll
        for (int y = 0; y < LIMBS; y++) rows[y * limb() + m * row() + w] = below(limbs[y], 4 * w, n);
      }
    }
  }
  // 32 rows by 64 columns from c on, products of limbs by the place of their sum.
  __device__ __forceinline__ void sums(i32 (*sum)[2][8][4], i32 c) {
    // Byte y = 32 s + 4 t + end - c - 8 j - g of the column 8 j + g: its word in the copy of that shift.
    const i32 shift = -g & 3, start = (end - c) / 4 + t - ((g + 3) >> 2);
    const u32 *from_key = key + shift * stride + start;
    const u32 *from = rows + g * row() + t;
#pragma unroll 1
    for (i32 s = 0; s < steps; s++) {
      u32 a[LIMBS][2][4];
#pragma unroll
      for (int y = 0; y < LIMBS; y++)
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
          for (int i = 0; i < 4; i++)
            a[y][m][i] = from[y * limb() + (16 * m + 8 * (i & 1)) * row() + 8 * s + 4 * (i >> 1)];
#pragma unroll
      for (int x = 0; x < 2; x++) {
        u32 b[10];
#pragma unroll
        for (int u = 0; u < 10; u++) b[u] = from_key[4 * x * stride + 8 * s + 4 - 2 * u];
#pragma unroll
        for (int y = 0; y < LIMBS && x + y < 2; y++)
#pragma unroll
          for (int j = 0; j < 8; j++) {
            const u32 column[2] = {b[j + 2], b[j]};
#pragma unroll
            for (int m = 0; m < 2; m++) mma_s8(sum[MUTANT(15, x + y, x)][m][j], a[y][m], column);
          }
      }
    }
  }
  // The sum for message 16 m + 8 (i / 2) + g and column 8 j + 2 t + i % 2 of a group.
  static __device__ __forceinline__ u32 both(const i32 (*sum)[2][8][4], int m, int j, int i) {
    return u32(sum[0][m][j][i]) + (u32(sum[1][m][j][i]) << 7);
  }
  __device__ __forceinline__ void store(u32 first, i32 c, const i32 (*sum)[2][8][4]) {
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
          const u32 x = params.finish(both(sum, m, j, i)), y = params.finish(both(sum, m, j, i + 1));
          u16 *to = result<u16>(of.c, of.c_step, message) + column;
          // Coefficient 0 is that of column n, which another block may have put there.
          if (Params::TURNED && j == 0 && MUTANT(17, column == 0, false))
            to[1] = y;
          else
            *reinterpret_cast<u32 *>(to) = x | y << 16;
        }
  }
  // Column n, of the last group, is coefficient 0.
  __device__ __forceinline__ void turn(u32 first, const i32 (*sum)[2][8][4]) {
    const Operands &of = params.of;
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
      for (int i = 0; i < 4; i += 2) {
        u32 last = 0;
#pragma unroll
        for (int j = 0; j < 8; j++)
#pragma unroll
          for (int e = 0; e < 2; e++) {
            // Masks: of a choice the compiler makes an index, and memory of the registers.
            const bool here = (n >> 3 & 7) == j && (n & 1) == e;
            last |= both(sum, m, j, i + e) & -u32(here);
          }
        const u32 message = first + 16 * m + 4 * i + g;
        if (message < of.count && (n >> 1 & 3) == t)
          *result<u16>(of.c, of.c_step, message) = params.finish(last);
      }
  }
  static __device__ __forceinline__ void run(const Params &params, u32 *shared) {
    OneKey key(params, shared);
    const u32 first = key.block * MESSAGES + (threadIdx.x & -32);
    key.toeplitz(static_cast<const u16 *>(params.of.a));
    key.messages(first);
    __syncthreads();
    for (i32 c = key.begin; c < key.end; c += 64) {
      i32 sum[2][2][8][4] = {};
      key.sums(sum, c);
      key.store(first, c, sum);
      if (Params::TURNED && c + 64 > key.n) key.turn(first, sum);
    }
  }
};

#define ONE_KEY(name, Params, R, PARTS)            \
  KERNEL(name, Params, 64, 1) {                    \
    SHARED_MEMORY(shared);                         \
    OneKey<Params, R, PARTS>::run(params, shared); \
  }

// The same products by integers, for GPUs without these tensor cores: a block a product, eight coefficients
// next to each other a thread. Each factor is read once for eight products; the entries of h, for d from -n
// to n + 7, are in shared memory.
template <class Params, class R> struct School {
  static const int EACH = 8;
  static __device__ __forceinline__ void run(const Params &params, u32 *shared) {
    const Operands &of = params.of;
    const i32 n = params.n;
    u32 *twice = shared, *r = shared + 2 * n + EACH;
    const u16 *h = operand<u16>(of.a, of.a_step, blockIdx.x);
    const R *other = operand<R>(of.b, of.b_step, blockIdx.x);
    for (i32 i = threadIdx.x; i < 2 * n + EACH; i += blockDim.x)
      twice[i] = params.entry(h, wrapped(i, n), i - n);
    for (i32 i = threadIdx.x; i < n; i += blockDim.x) r[i] = i32(other[i]);
    __syncthreads();
    u16 *to = result<u16>(of.c, of.c_step, blockIdx.x);
    for (i32 first = EACH * threadIdx.x; first < n + Params::TURNED; first += EACH * blockDim.x) {
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
      for (int u = 0; u < EACH; u++) {
        const i32 at = place<Params>(first + u, n);
        if (at >= 0) to[at] = params.finish(sum[u]);
      }
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
