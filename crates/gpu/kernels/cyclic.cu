// Products modulo x^n - 1 and a power of two, by a small operand and by a large one: five lengths of pairs;
// one kernel each of the others.
#include "cyclic.cuh"

#define PAIR(name, TILES, R)             \
  KERNEL(name, CyclicParams, 32, 1) {    \
    SHARED_MEMORY(shared);               \
    Pair<TILES, R>::run(params, shared); \
  }

#if defined(RINGSMITH_SHIM) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
PAIR(pair_512, 2, int8_t)
PAIR(pair_768, 3, int8_t)
PAIR(pair_1024, 4, int8_t)
PAIR(pair_1280, 5, int8_t)
PAIR(pair_1536, 6, int8_t)

PAIR(wide_pair_512, 2, u16)
PAIR(wide_pair_768, 3, u16)
PAIR(wide_pair_1024, 4, u16)
PAIR(wide_pair_1280, 5, u16)
PAIR(wide_pair_1536, 6, u16)

ONE_KEY(one_key, CyclicParams, int8_t, false)
ONE_KEY(one_key_parts, CyclicParams, int8_t, true)
ONE_KEY(wide_one_key, CyclicParams, u16, false)
ONE_KEY(wide_one_key_parts, CyclicParams, u16, true)
#endif

KERNEL(school, CyclicParams, 256, 1) {
  SHARED_MEMORY(shared);
  School<CyclicParams, int8_t>::run(params, shared);
}

KERNEL(wide_school, CyclicParams, 256, 1) {
  SHARED_MEMORY(shared);
  School<CyclicParams, u16>::run(params, shared);
}

KERNEL(sparse, SparseParams, 256, 1) {
  SHARED_MEMORY(shared);
  Sparse::run(params, shared);
}
