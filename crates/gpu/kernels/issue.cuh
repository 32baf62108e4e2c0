// How fast a GPU issues instructions: loops of one kind, and of two kinds that take turns. What a loop computes
// is known, so that it can be checked, and depends on the operands, so that no compiler leaves it out.
//
// A thread has CHAINS values. A step makes one new value of each; only the next step needs it.
#pragma once
#include "common.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// C += A B for a 16 x 16 A, row by row, and a 16 x 8 B, column by column, of half precision; sums have single
// precision.
__device__ __forceinline__ void mma_f16(float *c, const u32 *a, const u32 *b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#elif !defined(RINGSMITH_SHIM)
__device__ void mma_f16(float *c, const u32 *a, const u32 *b);
#endif

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

// What the entries of a matrix on tensor cores are: of A 1 and 3 in the upper rows, in the first and the second
// half of the columns, and 2 and 4 in the lower ones; of B 1 and 2 in both halves of the rows. So each product
// of n columns adds n / 2 (1 + 3 2) above and n / 2 (2 + 4 2) below. Were all alike, the compiler would keep
// them in one register, and the loop would be copies of it.

// Products of 16 x 32 by 32 x 8 bytes.
struct Matrix {
  i32 x[CHAINS][4];
  u32 entries[4];
  __device__ __forceinline__ explicit Matrix(Start from) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      for (int i = 0; i < 4; i++) x[k][i] = i32(from.a);
#pragma unroll
    for (int i = 0; i < 4; i++) entries[i] = 0x01010101 * (i + 1) * from.one;
  }
  __device__ __forceinline__ void step(int k) { mma_s8(x[k], entries, entries); }
  __device__ __forceinline__ u32 end() const {
    u32 all = 0;
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      for (int i = 0; i < 4; i++) all += u32(x[k][i]);
    return all;
  }
};

// Products of 16 x 16 by 16 x 8 numbers of half precision. Sums are whole numbers below 2^24, so exact.
struct Half {
  float x[CHAINS][4];
  u32 entries[4];
  __device__ __forceinline__ explicit Half(Start from) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      for (int i = 0; i < 4; i++) x[k][i] = float(from.a);
    // 1 to 4, twice each.
    const u32 numbers[4] = {0x3c003c00, 0x40004000, MUTANT(51, 0x42004200u, 0x42004400u), 0x44004400};
#pragma unroll
    for (int i = 0; i < 4; i++) entries[i] = numbers[i] * from.one;
  }
  __device__ __forceinline__ void step(int k) { mma_f16(x[k], entries, entries); }
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
