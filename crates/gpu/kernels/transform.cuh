// Products modulo x^n - 1 and a power of two by the transforms of ntt.cuh, as what tensor cores are compared
// with: no product of this library takes this way.
//
// Operands are padded to N >= 2 n coefficients, so that nothing wraps modulo x^N + 1. The first is centred, from
// -2^(k-1) to 2^(k-1) - 1, and the second is from -2 to 1: a coefficient of the product is below n 2^k in size.
// That is below p / 2, so that it is known from its residue. Two of them are one modulo x^n - 1.
#pragma once
#include "ntt.cuh"

struct TransformParams {
  NttParams ntt;
  u32 n;
  // k - 1.
  u32 half;
};

template <class S, int LIMIT> struct Transform {
  typedef Product<S, LIMIT> P;
  static const int C = S::C, T = S::T;

  // Numbers below 0 are p more. Both shifts are 0 or all ones.
  static __device__ __forceinline__ u32 first(u32 a, const TransformParams &params) {
    u32 sign = 0 - (a >> params.half);
    return a + (sign & (params.ntt.prime.p - (2u << params.half)));
  }
  static __device__ __forceinline__ u32 second(i32 b, const TransformParams &params) {
    return u32(b) + (u32(b >> 31) & params.ntt.prime.p);
  }

  static __device__ __forceinline__ void load(u32 (*x)[C], const TransformParams &params) {
    const Operands &of = params.ntt.of;
    const u16 *a = operand<u16>(of.a, of.a_step, blockIdx.x);
    const int8_t *b = operand<int8_t>(of.b, of.b_step, blockIdx.x);
    // Behind the first half all are 0, and so is what the first level adds: n is N / 2 at most.
#pragma unroll
    for (int i = C / 2; i < C; i++) x[0][i] = x[1][i] = 0;
#pragma unroll
    for (int i = 0; i < C / 2; i++) {
      u32 at = threadIdx.x + T * i;
      x[0][i] = at < params.n ? MUTANT(62, first(a[at], params), a[at]) : 0;
      x[1][i] = at < params.n ? second(b[at], params) : 0;
    }
  }

  // A number from its residue, as a word.
  static __device__ __forceinline__ u32 number(u32 z, u32 p) {
    u32 is_negative = MUTANT(63, 0 - ((p / 2 - z) >> 31), 0);
    return z - (is_negative & p);
  }

  static __device__ __forceinline__ void store(const u32 *x, const TransformParams &params, u32 *shared) {
    const Operands &of = params.ntt.of;
    // Others may still read what stood there.
    together<T>();
#pragma unroll
    for (int i = 0; i < C; i++) shared[threadIdx.x + T * i] = x[i];
    together<T>();
    u16 *to = result<u16>(of.c, of.c_step, blockIdx.x);
    const u32 p = params.ntt.prime.p, mask = (2u << params.half) - 1;
#pragma unroll
    for (int i = 0; i < C / 2; i++) {
      u32 at = threadIdx.x + T * i;
      if (at < params.n) to[at] = u16((number(shared[at], p) + number(shared[at + params.n], p)) & mask);
    }
  }

  static __device__ __forceinline__ void run(const TransformParams &params, u32 *shared) {
    u32 x[2][C], z[C];
    int bounds[C];
    load(x, params);
    P::pairs(x, z, bounds, params.ntt, shared);
    P::backward(z, bounds, params.ntt, shared);
    store(z, params, shared);
  }
};

#define TRANSFORM(name, LOGN, R, LIMIT, blocks)                \
  KERNEL(name, TransformParams, (Shape<LOGN, R>::T), blocks) { \
    SHARED_MEMORY(shared);                                     \
    Transform<Shape<LOGN, R>, LIMIT>::run(params, shared);     \
  }
