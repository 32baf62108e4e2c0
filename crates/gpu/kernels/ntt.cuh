// Negacyclic products modulo a prime p = 1 mod 2n below 2^31: two transforms, n products, one transform back,
// in the registers of the threads of one block.
//
// The map. x^n + 1 is split level by level: node j has x^m - r_j and w_j^2 = r_j, its children are
// x^(m/2) - w_j and x^(m/2) + w_j. Level L has the nodes 2^L .. 2^(L+1) - 1. Forward a butterfly is
// (x, y) -> (x + w y, x - w y); backward (x, y) -> (x + y, (x - y) / w), and n^-1 at last.
//
// The places. A thread has C = 2^R coefficients. First they are T = n / C apart: R levels. One exchange
// through shared memory, and they are next to each other: the other levels. Backward the same.
//
// Products by constants are V. Shoup's: with w' = floor(2^32 w / p), a w - floor(a w' / 2^32) p lies in
// [0, 2p) for every a < 2^32. It takes one high half and two low ones, where Montgomery's takes two high
// halves, which cost twice as much (counts are in docs/gpu.md). Products of two coefficients are
// Montgomery's, a b / 2^32; the 2^32 is part of the last constant.
//
// Bounds are in multiples of p: LIMIT p <= 2^32. Forward they grow by 2 a level. What would not fit is
// reduced before. LIMIT = 64 serves p < 2^26, LIMIT = 4 p < 2^30; LIMIT = 2, p < 2^31, reduces after each
// operation.
#pragma once
#include "common.cuh"

// A factor w and floor(2^32 w / p).
typedef uint2 Factor;

struct Prime {
  u32 p;
  // floor(2^32 / p).
  u32 one;
  // p^-1 modulo 2^32.
  u32 inverse;
  u32 unused;
  // 2^32 / n, and the same times 1 / w_1: the last level, of which both halves are scaled.
  Factor scale, last;
};

struct NttParams {
  Operands of;
  Prime prime;
  // w_j and 1 / w_j of the nodes below 2^R.
  Factor forward[64], backward[64];
};

template <int LOGN, int LOGC> struct Shape {
  static const int N = 1 << LOGN, R = LOGC, C = 1 << R, T = N / C, LEVELS = LOGN - R;
  // The factors of a thread after the exchange, and words of a row of shared memory.
  static const int FACTORS = C - (1 << (R - LEVELS)), ROW = C + 4;
};

__device__ __forceinline__ u32 shoup(u32 a, Factor w, u32 p) { return a * w.x - __umulhi(a, w.y) * p; }

// One subtraction of m from what is below 2 m.
__device__ __forceinline__ u32 once(u32 x, u32 m) { return min(x, x - m); }

// Arithmetic with bounds up to LIMIT p.
template <int LIMIT> struct Lazy {
  static const int PRODUCT = 2;

  static __device__ __forceinline__ void below(u32 x, int bound, const Prime &q) {
    holds(x < u64(bound) * q.p && u64(bound) * q.p <= u64(1) << 32);
  }
  static __device__ __forceinline__ void reduce(u32 &x, int &bound, const Prime &q) {
    x = bound <= 4 ? once(x, 2 * q.p) : x - __umulhi(x, q.one) * q.p;
    bound = 2;
  }
  static __device__ __forceinline__ void fit(u32 &x, int &bound, int limit, const Prime &q) {
    if (bound > limit) reduce(x, bound, q);
  }
  // One level adds 2 to the bound.
  static __device__ __forceinline__ constexpr int grown(int bound) {
    return bound + 2 > LIMIT ? 4 : bound + 2;
  }
  static __device__ __forceinline__ int after(int bound) { return MUTANT(1, grown(bound), bound + 2); }
  static __device__ __forceinline__ void forward(u32 &x, u32 &y, Factor w, int bound, const Prime &q) {
    below(x, bound, q);
    fit(x, bound, MUTANT(1, LIMIT - 2, 1000), q);
    u32 t = shoup(y, w, q.p);
    y = x + 2 * q.p - t;
    x += t;
    below(x, bound + 2, q);
  }
  static __device__ __forceinline__ void backward(u32 &x, u32 &y, int &bx, int &by, Factor w,
                                                  const Prime &q) {
    sum(x, y, bx, by, q);
    y = shoup(y, w, q.p);
    by = 2;
  }
  // (x + y, x - y).
  static __device__ __forceinline__ void sum(u32 &x, u32 &y, int &bx, int &by, const Prime &q) {
    below(x, bx, q);
    below(y, by, q);
    if (bx + by > LIMIT && bx >= by) reduce(x, bx, q);
    if (bx + by > LIMIT) reduce(y, by, q);
    if (bx + by > LIMIT) reduce(x, bx, q);
    u32 difference = x + u32(by) * q.p - y;
    x += y;
    y = difference;
    bx = by = bx + by;
    below(x, bx, q);
  }
  // Bounds A and B give A B p / 2^32 + 1 <= A B / LIMIT + 1.
  static __device__ __forceinline__ int multiply(u32 &x, u32 y, int bx, int by, const Prime &q) {
    if (LIMIT == 4) {
      fit(x, bx, 2, q);
      fit(y, by, 2, q);
    }
    x = __umulhi(x, y) + q.p - __umulhi(x * y * q.inverse, q.p);
    int out = (bx * by + LIMIT - 1) / LIMIT + 1;
    below(x, out, q);
    return out;
  }
  static __device__ __forceinline__ u32 finish(u32 x, Factor w, const Prime &q) {
    return MUTANT(2, once(shoup(x, w, q.p), q.p), shoup(x, w, q.p));
  }
};

// Every value below p.
template <> struct Lazy<2> {
  static const int PRODUCT = 1;
  static __device__ __forceinline__ void reduce(u32 &, int &, const Prime &) {}
  static __device__ __forceinline__ constexpr int grown(int) { return 1; }
  static __device__ __forceinline__ int after(int) { return 1; }
  static __device__ __forceinline__ void sum(u32 &x, u32 &y, int &, int &, const Prime &q) {
    u32 difference = x - y;
    x = once(x + y, q.p);
    y = min(difference, difference + q.p);
    holds(x < q.p && y < q.p);
  }
  static __device__ __forceinline__ void forward(u32 &x, u32 &y, Factor w, int bound, const Prime &q) {
    y = finish(y, w, q);
    sum(x, y, bound, bound, q);
  }
  static __device__ __forceinline__ void backward(u32 &x, u32 &y, int &bx, int &by, Factor w,
                                                  const Prime &q) {
    sum(x, y, bx, by, q);
    y = finish(y, w, q);
  }
  static __device__ __forceinline__ int multiply(u32 &x, u32 y, int, int, const Prime &q) {
    x = once(__umulhi(x, y) + q.p - __umulhi(x * y * q.inverse, q.p), q.p);
    return 1;
  }
  static __device__ __forceinline__ u32 finish(u32 x, Factor w, const Prime &q) {
    return once(shoup(x, w, q.p), q.p);
  }
};

// Threads of one product: a warp, or a block.
template <int T> __device__ __forceinline__ void together() {
  if (T == 32)
    __syncwarp();
  else
    __syncthreads();
}

// The upper of a pair of `len` places apart, the `i`-th of all pairs.
__device__ __forceinline__ constexpr int place(int i, int len) {
  return (i & ~(len - 1)) << 1 | (i & (len - 1));
}

template <class S, int LIMIT> struct Product {
  typedef Lazy<LIMIT> A;
  static const int C = S::C, R = S::R, T = S::T, ROW = S::ROW;

  // The levels before the exchange, from LEVEL on. All threads have the same factors.
  template <int LEVEL>
  static __device__ __forceinline__ int strided(u32 *x, int bound, const NttParams &params) {
    if constexpr (LEVEL == R) {
      return bound;
    } else {
      const int len = C >> (LEVEL + 1);
#pragma unroll
      for (int i = 0; i < C / 2; i++) {
        const int at = place(i, len);
        A::forward(x[at], x[at + len], params.forward[(1 << LEVEL) + i / len], bound, params.prime);
      }
      return strided<LEVEL + 1>(x, A::after(bound), params);
    }
  }

  // Where a level's factors stand among those of a thread.
  static __device__ __forceinline__ constexpr int first(int level) {
    return (1 << (level + R - S::LEVELS)) - (1 << (R - S::LEVELS));
  }

  // The levels after it, of one operand, or of both, which have the same factors.
  template <int LEVEL, int OPERANDS>
  static __device__ __forceinline__ int adjacent(u32 (*x)[C], int bound, const Factor *table,
                                                 const Prime &q) {
    if constexpr (LEVEL == S::LEVELS) {
      return bound;
    } else {
      const int len = 1 << (S::LEVELS - 1 - LEVEL);
#pragma unroll
      for (int i = 0; i < C / 2; i++) {
        const int at = place(i, len);
        const Factor w = table[(first(LEVEL) + i / len) * T];
#pragma unroll
        for (int k = 0; k < OPERANDS; k++) A::forward(x[k][at], x[k][at + len], w, bound, q);
      }
      return adjacent<LEVEL + 1, OPERANDS>(x, A::after(bound), table, q);
    }
  }

  template <int LEVEL>
  static __device__ __forceinline__ void adjacent_back(u32 *x, int *bounds, const Factor *table,
                                                       const Prime &q) {
    if constexpr (LEVEL >= 0) {
      const int len = 1 << (S::LEVELS - 1 - LEVEL);
#pragma unroll
      for (int i = 0; i < C / 2; i++) {
        const int at = place(i, len);
        const Factor w = table[(first(LEVEL) + i / len) * T];
        A::backward(x[at], x[at + len], bounds[at], bounds[at + len], w, q);
      }
      adjacent_back<LEVEL - 1>(x, bounds, table, q);
    }
  }

  // All levels but the first one, which `scaled` does.
  template <int LEVEL>
  static __device__ __forceinline__ void strided_back(u32 *x, int *bounds, const NttParams &params) {
    if constexpr (LEVEL > 0) {
      const int len = C >> (LEVEL + 1);
#pragma unroll
      for (int i = 0; i < C / 2; i++) {
        const int at = place(i, len);
        const Factor w = params.backward[(1 << LEVEL) + i / len];
        A::backward(x[at], x[at + len], bounds[at], bounds[at + len], w, params.prime);
      }
      strided_back<LEVEL - 1>(x, bounds, params);
    }
  }

  static __device__ __forceinline__ void scaled(u32 *x, int *bounds, const Prime &q) {
#pragma unroll
    for (int i = 0; i < C / 2; i++) {
      A::sum(x[i], x[i + C / 2], bounds[i], bounds[i + C / 2], q);
      x[i] = A::finish(x[i], q.scale, q);
      x[i + C / 2] = A::finish(x[i + C / 2], q.last, q);
    }
  }

  static __device__ __forceinline__ int word(int i) {
    int position = threadIdx.x + T * i;
    return (position >> R) * ROW + (position & (C - 1));
  }

  // From places T apart to places next to each other. A row is a thread's; four words more spread them over
  // the banks.
  static __device__ __forceinline__ void gather(u32 *x, u32 *shared) {
#pragma unroll
    for (int i = 0; i < C; i++) shared[word(i)] = x[i];
    if (MUTANT(3, true, false)) together<T>();
#pragma unroll
    for (int i = 0; i < C; i += 4) {
      uint4 four = *reinterpret_cast<const uint4 *>(shared + threadIdx.x * ROW + i);
      x[i] = four.x, x[i + 1] = four.y, x[i + 2] = four.z, x[i + 3] = four.w;
    }
    together<T>();
  }

  static __device__ __forceinline__ void scatter(u32 *x, u32 *shared) {
#pragma unroll
    for (int i = 0; i < C; i += 4)
      *reinterpret_cast<uint4 *>(shared + threadIdx.x * ROW + i) =
          make_uint4(x[i], x[i + 1], x[i + 2], x[i + 3]);
    together<T>();
#pragma unroll
    for (int i = 0; i < C; i++) x[i] = shared[word(i)];
  }

  // The greatest bound, after what is beyond an eighth of the limit is reduced: three levels of sums more
  // are free then.
  static __device__ __forceinline__ void level_bounds(u32 *x, int *bounds, const Prime &q) {
    const int threshold = LIMIT / 8 > A::PRODUCT ? LIMIT / 8 : A::PRODUCT;
    int greatest = 0;
#pragma unroll
    for (int i = 0; i < C; i++) {
      if (bounds[i] > threshold) A::reduce(x[i], bounds[i], q);
      greatest = bounds[i] > greatest ? bounds[i] : greatest;
    }
#pragma unroll
    for (int i = 0; i < C; i++) bounds[i] = greatest;
  }

  static __device__ __forceinline__ const u32 *mine(const void *all, u32 step) {
    return operand<u32>(all, step, blockIdx.x) + threadIdx.x;
  }

  static __device__ __forceinline__ void load(u32 *x, const u32 *from) {
#pragma unroll
    for (int i = 0; i < C; i++) x[i] = from[T * i];
  }

  // The factors of this thread: T from one to the next.
  static __device__ __forceinline__ const Factor *factors(const NttParams &params) {
    return static_cast<const Factor *>(params.of.table) + threadIdx.x;
  }

  // Forward, up to the products: both operands in registers, where they are below p.
  static __device__ __forceinline__ void pairs(u32 (*x)[C], u32 *z, int *bounds, const NttParams &params,
                                               u32 *shared) {
    int bound = strided<0>(x[0], 1, params);
    strided<0>(x[1], 1, params);
    gather(x[0], shared);
    gather(x[1], shared);
    bound = adjacent<0, 2>(x, bound, factors(params), params.prime);
#pragma unroll
    for (int i = 0; i < C; i++) {
      z[i] = x[0][i];
      bounds[i] = A::multiply(z[i], x[1][i], bound, bound, params.prime);
    }
  }

  static __device__ __forceinline__ void both(u32 *z, int *bounds, const NttParams &params, u32 *shared) {
    const Operands &of = params.of;
    u32 x[2][C];
    load(x[0], mine(of.a, of.a_step));
    load(x[1], mine(of.b, of.b_step));
    pairs(x, z, bounds, params, shared);
  }

  // The same, one after the other: the first waits in shared memory, where a thread has words of its own.
  // More reductions need more registers, which there are not for both.
  static __device__ __forceinline__ void in_turn(u32 *z, int *bounds, const NttParams &params, u32 *shared) {
    const Operands &of = params.of;
    u32 x[1][C], *waiting = shared + T * ROW + threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 2; k++) {
      load(x[0], k == 0 ? mine(of.a, of.a_step) : mine(of.b, of.b_step));
      const int bound = strided<0>(x[0], 1, params);
      gather(x[0], shared);
      adjacent<0, 1>(x, bound, factors(params), params.prime);
      if (k == 0) {
#pragma unroll
        for (int i = 0; i < C; i++) waiting[T * i] = x[0][i];
      }
    }
    constexpr int bound = bound_after();
#pragma unroll
    for (int i = 0; i < C; i++) {
      z[i] = x[0][i];
      bounds[i] = A::multiply(z[i], waiting[T * i], bound, bound, params.prime);
    }
  }

  // The bound after all levels.
  static __device__ __forceinline__ constexpr int bound_after() {
    int bound = 1;
    for (int level = 0; level < R + S::LEVELS; level++) bound = A::grown(bound);
    return bound;
  }

  // Backward, from the products to coefficients below p in registers.
  static __device__ __forceinline__ void backward(u32 *x, int *bounds, const NttParams &params, u32 *shared) {
    adjacent_back<S::LEVELS - 1>(x, bounds, factors(params) + S::FACTORS * T, params.prime);
    level_bounds(x, bounds, params.prime);
    scatter(x, shared);
    strided_back<R - 1>(x, bounds, params);
    scaled(x, bounds, params.prime);
  }

  // The same, to where the product belongs.
  static __device__ __forceinline__ void back(u32 *x, int *bounds, const NttParams &params, u32 *shared) {
    const Operands &of = params.of;
    backward(x, bounds, params, shared);
    u32 *to = result<u32>(of.c, of.c_step, blockIdx.x) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < C; i++) to[T * i] = x[i];
  }

  static __device__ __forceinline__ void run(const NttParams &params, u32 *shared) {
    u32 x[C];
    int bounds[C];
    if (LIMIT == 64)
      both(x, bounds, params, shared);
    else
      in_turn(x, bounds, params, shared);
    back(x, bounds, params, shared);
  }
};

#define NTT(name, LOGN, R, LIMIT, blocks)                \
  KERNEL(name, NttParams, (Shape<LOGN, R>::T), blocks) { \
    SHARED_MEMORY(shared);                               \
    Product<Shape<LOGN, R>, LIMIT>::run(params, shared); \
  }
