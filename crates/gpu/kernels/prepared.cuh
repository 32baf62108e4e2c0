// Products by operands that are prepared: their transforms stay on the device. A product takes one transform
// forward and one back.
//
// A transform is stored as it lies in registers: coefficient `i` of a thread at T i, its threads next to each
// other. Its values are below p, so that one kernel prepares for primes of every size, and the product has the
// least bound.
#pragma once
#include "ntt.cuh"

template <class S> struct Forward {
  // Every value below p.
  typedef Product<S, 2> P;

  static __device__ __forceinline__ void run(const NttParams &params, u32 *shared) {
    const Operands &of = params.of;
    u32 x[1][S::C];
    P::load(x[0], P::mine(of.a, of.a_step));
    const int bound = P::template strided<0>(x[0], 1, params);
    P::gather(x[0], shared);
    P::template adjacent<0, 1>(x, bound, P::factors(params), params.prime);
    u32 *to = result<u32>(of.c, of.c_step, blockIdx.x) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < S::C; i++) to[S::T * i] = x[0][MUTANT(60, i, i ^ 1)];
  }
};

template <class S, int LIMIT> struct ByPrepared {
  typedef Product<S, LIMIT> P;

  static __device__ __forceinline__ void run(const NttParams &params, u32 *shared) {
    const Operands &of = params.of;
    u32 x[1][S::C];
    int bounds[S::C];
    P::load(x[0], P::mine(of.a, of.a_step));
    int bound = P::template strided<0>(x[0], 1, params);
    P::gather(x[0], shared);
    bound = P::template adjacent<0, 1>(x, bound, P::factors(params), params.prime);
    const u32 *prepared = P::mine(of.b, of.b_step);
#pragma unroll
    for (int i = 0; i < S::C; i++)
      bounds[i] = Lazy<LIMIT>::multiply(x[0][i], prepared[S::T * i], bound, MUTANT(61, 1, 0), params.prime);
    P::back(x[0], bounds, params, shared);
  }
};

#define FORWARD(name, LOGN, R, blocks)                   \
  KERNEL(name, NttParams, (Shape<LOGN, R>::T), blocks) { \
    SHARED_MEMORY(shared);                               \
    Forward<Shape<LOGN, R>>::run(params, shared);        \
  }
#define BY_PREPARED(name, LOGN, R, LIMIT, blocks)           \
  KERNEL(name, NttParams, (Shape<LOGN, R>::T), blocks) {    \
    SHARED_MEMORY(shared);                                  \
    ByPrepared<Shape<LOGN, R>, LIMIT>::run(params, shared); \
  }
