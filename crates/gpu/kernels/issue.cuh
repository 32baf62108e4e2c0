// How fast a GPU issues instructions: loops of one kind, and of two kinds that take turns. What a loop computes
// is known, so that it can be checked, and depends on the operands, so that no compiler leaves it out.
//
// A thread has CHAINS values. A step makes one new value of each; only the next step needs it.
#pragma once
#include "common.cuh"

struct IssueParams {
  Operands of;
  u32 steps;
  // 1, which no compiler knows.
  u32 one;
};

const int CHAINS = 8;
// Threads of a block; each has an operand `a`, another one `b`, and a result.
const int THREADS = 256;

// What all kinds start with.
struct Start {
  u32 a, b, one;
};

// Words: of a value, the one before it, and the operands, `Step` makes the next.
template <class Step> struct Words {
  u32 x[CHAINS];
  Start from;
  __device__ __forceinline__ explicit Words(Start from) : from(from) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++) x[k] = from.a + k;
  }
  __device__ __forceinline__ void step(int k) { x[k] = Step::of(x[k], x[(k + 1) % CHAINS], from); }
  __device__ __forceinline__ u32 end() const {
    u32 all = 0;
#pragma unroll
    for (int k = 0; k < CHAINS; k++) all += x[k];
    return all;
  }
};

struct Multiply {
  static __device__ __forceinline__ u32 of(u32 x, u32, Start from) {
    return MUTANT(50, x * from.b + from.a, x * from.b - from.a);
  }
};
struct High {
  static __device__ __forceinline__ u32 of(u32 x, u32, Start from) { return __umulhi(x, from.b) + from.a; }
};
struct Add {
  static __device__ __forceinline__ u32 of(u32 x, u32 next, Start) { return x + next; }
};
struct Logic {
  static __device__ __forceinline__ u32 of(u32 x, u32 next, Start from) { return (x & from.b) ^ next; }
};

// Products of 64 bits. All bits of one are needed for the next.
struct Wide {
  u64 x[CHAINS];
  Start from;
  __device__ __forceinline__ explicit Wide(Start from) : from(from) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++) x[k] = u64(from.a) << 32 | k;
  }
  __device__ __forceinline__ void step(int k) { x[k] += (x[k] >> 32) * from.b; }
  __device__ __forceinline__ u32 end() const {
    u64 all = 0;
#pragma unroll
    for (int k = 0; k < CHAINS; k++) all += x[k];
    return u32(all) + u32(all >> 32);
  }
};

// Products of doubles: sums of whole numbers below 2^53, so exact.
struct Double {
  double x[CHAINS], one, a;
  __device__ __forceinline__ explicit Double(Start from) : one(from.one), a(from.a) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++) x[k] = k;
  }
  __device__ __forceinline__ void step(int k) { x[k] = x[k] * one + a; }
  __device__ __forceinline__ u32 end() const {
    double all = 0;
#pragma unroll
    for (int k = 0; k < CHAINS; k++) all += x[k];
    return u32(u64(all));
  }
};

// Products of 16 x 32 by 32 x 8 bytes, all of them 1: each adds 32.
struct Matrix {
  i32 x[CHAINS][4];
  u32 ones[4];
  __device__ __forceinline__ explicit Matrix(Start from) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      for (int i = 0; i < 4; i++) x[k][i] = i32(from.a);
#pragma unroll
    for (int i = 0; i < 4; i++) ones[i] = 0x01010101 * from.one;
  }
  __device__ __forceinline__ void step(int k) { mma_s8(x[k], ones, ones); }
  __device__ __forceinline__ u32 end() const {
    u32 all = 0;
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      for (int i = 0; i < 4; i++) all += u32(x[k][i]);
    return all;
  }
};

struct None {
  __device__ __forceinline__ explicit None(Start) {}
  __device__ __forceinline__ void step(int) {}
  __device__ __forceinline__ u32 end() const { return 0; }
};

template <class A, class B> __device__ __forceinline__ void issue(const IssueParams &params) {
  const Operands &of = params.of;
  const Start from = {operand<u32>(of.a, of.a_step, blockIdx.x)[threadIdx.x],
                      operand<u32>(of.b, of.b_step, blockIdx.x)[threadIdx.x], params.one};
  A a(from);
  B b(from);
#pragma unroll 4
  for (u32 step = 0; step < params.steps; step++)
#pragma unroll
    for (int k = 0; k < CHAINS; k++) {
      a.step(k);
      b.step(k);
    }
  result<u32>(of.c, of.c_step, blockIdx.x)[threadIdx.x] = a.end() + b.end();
}

#define ISSUE(name, A, B) \
  KERNEL(name, IssueParams, THREADS, 1) { issue<A, B>(params); }
