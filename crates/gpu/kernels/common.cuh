// What all kernels have: one source for the GPU's compilers and, with RINGSMITH_SHIM, for the host's.
//
// A kernel takes one structure by value. The GPU keeps it in constant memory, where instructions read
// their operands from at no cost: a prime that is known at run time costs what one in the source does.
#pragma once

#if defined(RINGSMITH_SHIM)
#include "shim.h"
#else
#if !defined(__CUDACC_RTC__)
#include <cstdint>
#else
typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#endif
#define SHARED_MEMORY(name) extern __shared__ __align__(16) uint32_t name[]
#define MUTANT(number, right, wrong) (right)
__device__ __forceinline__ void holds(bool) {}

// C += A B for a 16 x 32 A, row by row, and a 32 x 8 B, column by column, of bytes with or without signs.
#define MMA(name, types)                                                                   \
  __device__ __forceinline__ void name(int32_t *c, const uint32_t *a, const uint32_t *b) { \
    asm("mma.sync.aligned.m16n8k32.row.col.s32." types ".s32 "                             \
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                  \
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                   \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));               \
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
MMA(mma_s8, "s8.s8")
MMA(mma_s8u8, "s8.u8")
MMA(mma_u8s8, "u8.s8")
#else
// Host compilers and older GPUs see no kernel that calls them.
__device__ void mma_s8(int32_t *c, const uint32_t *a, const uint32_t *b);
__device__ void mma_s8u8(int32_t *c, const uint32_t *a, const uint32_t *b);
__device__ void mma_u8s8(int32_t *c, const uint32_t *a, const uint32_t *b);
#endif
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;

#if defined(RINGSMITH_SHIM)
#define KERNEL(name, Params, threads, blocks)                                                       \
  static void name(const Params &params);                                                           \
  static void name##_by_address(const void *params) { name(*static_cast<const Params *>(params)); } \
  static const Kernel name##_listed(#name, name##_by_address, sizeof(Params));                      \
  static void name(const Params &params)
// The kernels of the program, by name.
struct Kernel {
  const char *name;
  void (*start)(const void *);
  size_t params;
  const Kernel *next;
  static const Kernel *&first() {
    static const Kernel *list = nullptr;
    return list;
  }
  Kernel(const char *name, void (*start)(const void *), size_t params)
      : name(name), start(start), params(params), next(first()) {
    first() = this;
  }
};
#else
#define KERNEL(name, Params, threads, blocks) \
  extern "C" __global__ void __launch_bounds__(threads, blocks) name(const __grid_constant__ Params params)
#endif

// The operands of a batch: `a` and `b`, the product `c`, each `..._step` elements from one to the next. A
// step of 0 is one operand for all.
struct Operands {
  const void *a, *b;
  void *c;
  const void *table;
  u32 count, a_step, b_step, c_step;
};

template <class T> __device__ __forceinline__ const T *operand(const void *all, u32 step, u32 product) {
  return static_cast<const T *>(all) + u64(step) * product;
}
template <class T> __device__ __forceinline__ T *result(void *all, u32 step, u32 product) {
  return static_cast<T *>(all) + u64(step) * product;
}
