// Products modulo x^n - 1 and a power of two: five lengths of pairs; one kernel each of the others.
#include "cyclic.cuh"

#define PAIR(name, TILES)             \
  KERNEL(name, CyclicParams, 32, 1) { \
    SHARED_MEMORY(shared);            \
    Pair<TILES>::run(params, shared); \
  }

#if defined(RINGSMITH_SHIM) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
PAIR(pair_512, 2)
PAIR(pair_768, 3)
PAIR(pair_1024, 4)
PAIR(pair_1280, 5)
PAIR(pair_1536, 6)

KERNEL(one_key, CyclicParams, 64, 1) {
  SHARED_MEMORY(shared);
  OneKey::run(params, shared);
}
#endif

KERNEL(school, CyclicParams, 256, 1) {
  SHARED_MEMORY(shared);
  School::run(params, shared);
}

KERNEL(sparse, SparseParams, 256, 1) {
  SHARED_MEMORY(shared);
  Sparse::run(params, shared);
}
