// Negacyclic products of 1024 coefficients modulo a prime q = 1 mod 2048 below 2^14, on the tensor cores for
// bytes: one warp a product, registers only.
//
// The map. With psi of order 2048, i = 32 i1 + i0 and k = k1 + 32 k0,
//   psi^((2k+1) i) = psi^(32 i1 (2 k1 + 1)) psi^((2 k1 + 1) i0) psi^(64 i0 k0),
// so the values of a at psi^(2k+1) are a 32 x 32 matrix by a (over i1), times a factor each, by a 32 x 32
// matrix (over i0). Backward the same with inverses: over k0, a factor, over k1.
//
// Places. `mma` gives a lane (g, t) = (lane / 4, lane % 4) of its result rows g, g + 8 and columns 2t, 2t +
// 1; of an operand it takes four places in a row from one lane. Which index stands at which place is free for
// the inner one of a product, so that the result of one product is an operand of the next, in the same lane:
// the tables, which the host makes, have the permutations.
//
// Exactness. Data are two bytes without a sign, constants two with one, centred. A sum s of 32 products lies
// in
// [-start, 2^32 - start), which the host checks for each row of constants; `start` is a multiple of q.
//
// Reduction. floor(q (s q^-1 mod 2^32) / 2^32) = -s / 2^32 modulo q, in [0, q), for every s below 2^32. The
// host puts the powers of -2^32 into the factors between the products.
#pragma once
#include "common.cuh"

struct TensorParams {
  Operands of;
  u32 q, inverse, start, unused;
};

struct Tensor {
  // Where the tables are: four words a lane each.
  static const int FORWARD_1 = 0, FORWARD_0 = 4, BACKWARD_0 = 8, BACKWARD_1 = 12, TWIST = 16, UNTWIST = 24;

  const TensorParams &params;
  const uint4 *table;
  int g, t;

  __device__ __forceinline__ Tensor(const TensorParams &params)
      : params(params), table(static_cast<const uint4 *>(params.of.table) + threadIdx.x), g(threadIdx.x >> 2),
        t(threadIdx.x & 3) {}

  __device__ __forceinline__ uint4 entry(int at) const { return table[32 * at]; }

  __device__ __forceinline__ u32 times(u32 x, u32 factor) const { return __umulhi(x * factor, params.q); }

  __device__ __forceinline__ u32 reduce(i32 c0, i32 c1, i32 c2) const {
    const u32 sum = u32(c0) + (u32(c1) << 8) + (u32(c2) << 16);
    const u32 out = times(sum, params.inverse);
    holds(out < params.q);
    return out;
  }

  // The low bytes of four values, and the high ones.
  static __device__ __forceinline__ void pack(const u32 *four, u32 &low, u32 &high) {
    const u32 a = __byte_perm(four[0], four[1], 0x5140), b = __byte_perm(four[2], four[3], 0x5140);
    low = __byte_perm(a, b, 0x5410);
    high = __byte_perm(a, b, 0x7632);
  }

  // Constants by data: of tile j, `out[j][m]` has rows 16 m + g, + 8 and columns 2t, 2t + 1.
  __device__ __forceinline__ void left(int at, const u32 (*low)[2], const u32 (*high)[2],
                                       u32 (*out)[2][4]) const {
#pragma unroll
    for (int m = 0; m < 2; m++) {
      const uint4 x = entry(at + 2 * m), y = entry(at + 2 * m + 1);
      const u32 a[4] = {x.x, x.y, x.z, x.w}, b[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int j = 0; j < 4; j++) {
        const i32 start = i32(MUTANT(30, params.start, 0));
        i32 c0[4] = {start, start, start, start}, c1[4] = {}, c2[4] = {};
        mma_s8u8(c0, a, low[j]);
        mma_s8u8(c1, a, high[j]);
        mma_s8u8(c1, b, low[j]);
        mma_s8u8(c2, b, high[j]);
#pragma unroll
        for (int i = 0; i < 4; i++) out[j][m][i] = reduce(c0[i], c1[i], c2[i]);
      }
    }
  }

  // The same of data, a tile of 16 rows, by constants.
  __device__ __forceinline__ void right(int at, const u32 *low, const u32 *high, u32 (*out)[4]) const {
#pragma unroll
    for (int j = 0; j < 4; j++) {
      const uint4 x = entry(at + j);
      const u32 a[2] = {x.x, x.y}, b[2] = {x.z, x.w};
      const i32 start = i32(params.start);
      i32 c0[4] = {start, start, start, start}, c1[4] = {}, c2[4] = {};
      mma_u8s8(c0, low, a);
      mma_u8s8(c1, low, b);
      mma_u8s8(c1, high, a);
      mma_u8s8(c2, high, b);
#pragma unroll
      for (int i = 0; i < 4; i++) out[j][i] = reduce(c0[i], c1[i], c2[i]);
    }
  }

  // Four coefficients, two in a word, of memory where one has 16 bits, or 32.
  static __device__ __forceinline__ uint2 four_of(const u16 *from) {
    return *reinterpret_cast<const uint2 *>(from);
  }
  static __device__ __forceinline__ uint2 four_of(const u32 *from) {
    const uint4 four = *reinterpret_cast<const uint4 *>(from);
    return make_uint2(__byte_perm(four.x, four.y, 0x5410), __byte_perm(four.z, four.w, 0x5410));
  }

  // Coefficients 32 i1 + i0: column g of tile j is i0 = 4 g + j; place 16 h + 4 t + s is i1 = t + 4 (s + 4
  // h).
  template <class T>
  __device__ __forceinline__ void load(const T *from, u32 (*low)[2], u32 (*high)[2]) const {
#pragma unroll
    for (int h = 0; h < 2; h++) {
      u32 x[4][2];
#pragma unroll
      for (int s = 0; s < 4; s++) {
        const uint2 four = four_of(from + 32 * (t + 4 * (s + 4 * h)) + 4 * g);
        x[s][0] = four.x, x[s][1] = four.y;
      }
#pragma unroll
      for (int j = 0; j < 4; j += 2) {
        const u32 a = __byte_perm(x[0][j / 2], x[1][j / 2], 0x6240);
        const u32 b = __byte_perm(x[2][j / 2], x[3][j / 2], 0x6240);
        const u32 c = __byte_perm(x[0][j / 2], x[1][j / 2], 0x7351);
        const u32 d = __byte_perm(x[2][j / 2], x[3][j / 2], 0x7351);
        low[j][h] = __byte_perm(a, b, 0x5410), low[j + 1][h] = __byte_perm(a, b, 0x7632);
        high[j][h] = __byte_perm(c, d, 0x5410), high[j + 1][h] = __byte_perm(c, d, 0x7632);
      }
    }
  }

  // The values at k1 = g + 8 h + 16 m, k0 = 8 j + 2 t + e: z[m][j][2 h + e].
  template <class T> __device__ __forceinline__ void forward(const T *from, u32 (*z)[4][4]) const {
    u32 low[4][2], high[4][2], y[4][2][4];
    load(from, low, high);
    left(FORWARD_1, low, high, y);
#pragma unroll
    for (int m = 0; m < 2; m++) {
      u32 a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        // Row half h, columns 8 t + 4 e + j.
        const int h = i & 1, e = i >> 1;
        const uint4 w = entry(TWIST + 4 * m + 2 * h + e);
        const u32 four[4] = {times(y[0][m][2 * h + e], w.x), times(y[1][m][2 * h + e], w.y),
                             times(y[2][m][2 * h + e], w.z), times(y[3][m][2 * h + e], w.w)};
        pack(four, a[i], b[i]);
      }
      right(FORWARD_0, a, b, z[m]);
    }
  }

  // Both factors, as columns g + 8 (h + 2 m): place 16 f + 4 t + s is k0 = 8 (2 f + s / 2) + 2 t + s % 2.
  __device__ __forceinline__ void multiply(const u32 (*x)[4][4], const u32 (*y)[4][4], u32 (*low)[2],
                                           u32 (*high)[2]) const {
#pragma unroll
    for (int column = 0; column < 4; column++)
#pragma unroll
      for (int f = 0; f < 2; f++) {
        const int m = column >> 1, h = column & 1;
        u32 four[4];
#pragma unroll
        for (int s = 0; s < 4; s++) {
          const int j = 2 * f + (s >> 1), i = 2 * h + (s & 1);
          four[s] = times(x[m][j][i] * y[m][j][i], params.inverse);
        }
        pack(four, low[column][f], high[column][f]);
      }
  }

  // Times the factors, as columns i0 = 4 g + h + 2 m; the places are those of k1.
  __device__ __forceinline__ void untwist(const u32 (*u)[2][4], u32 (*low)[2], u32 (*high)[2]) const {
#pragma unroll
    for (int column = 0; column < 4; column++)
#pragma unroll
      for (int f = 0; f < 2; f++) {
        const int m = column >> 1, h = column & 1;
        const uint4 w = entry(UNTWIST + 2 * column + f);
        const u32 four[4] = {times(u[2 * f][m][2 * h], w.x), times(u[2 * f][m][2 * h + 1], w.y),
                             times(u[2 * f + 1][m][2 * h], w.z),
                             times(u[2 * f + 1][m][2 * h + 1], MUTANT(31, w.w, w.z))};
        pack(four, low[column][f], high[column][f]);
      }
  }

  // Row i1 = g + 8 h + 16 m, and columns i0 = 8 t + 4 e + j: eight coefficients next to each other.
  __device__ __forceinline__ void store(const u32 (*u)[2][4], u16 *to) const {
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
      for (int h = 0; h < 2; h++) {
        const int i = 2 * h;
        *reinterpret_cast<uint4 *>(to + 32 * (g + 8 * h + 16 * m) + 8 * t) =
            make_uint4(u[0][m][i] | u[1][m][i] << 16, u[2][m][i] | u[3][m][i] << 16,
                       u[0][m][i + 1] | u[1][m][i + 1] << 16, u[2][m][i + 1] | u[3][m][i + 1] << 16);
      }
  }

  // The same in words.
  __device__ __forceinline__ void store(const u32 (*u)[2][4], u32 *to) const {
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
      for (int i = 0; i < 4; i++) {
        u32 *four = to + 32 * (g + 8 * (i >> 1) + 16 * m) + 8 * t + 4 * (i & 1);
        *reinterpret_cast<uint4 *>(four) =
            make_uint4(u[0][m][i], u[1][m][i], MUTANT(32, u[2][m][i], u[1][m][i]), u[3][m][i]);
      }
  }

  // T is what coefficients are in memory.
  template <class T> static __device__ __forceinline__ void run(const TensorParams &params) {
    const Operands &of = params.of;
    const Tensor product(params);
    u32 x[2][4][4], y[2][4][4], u[4][2][4], low[4][2], high[4][2];
    product.forward(operand<T>(of.a, of.a_step, blockIdx.x), x);
    product.forward(operand<T>(of.b, of.b_step, blockIdx.x), y);
    product.multiply(x, y, low, high);
    product.left(BACKWARD_0, low, high, u);
    product.untwist(u, low, high);
    product.left(BACKWARD_1, low, high, u);
    product.store(u, result<T>(of.c, of.c_step, blockIdx.x));
  }
};
