// The transforms that are compiled: three degrees, three sizes of primes.
#include "ntt.cuh"

#define NTT(name, LOGN, R, LIMIT, blocks)                                                                     \
  KERNEL(name, NttParams, (Shape<LOGN, R>::T), blocks) {                                                      \
    SHARED_MEMORY(shared);                                                                                    \
    Product<Shape<LOGN, R>, LIMIT>::run(params, shared);                                                      \
  }

NTT(ntt_1024_26, 10, 5, 64, 16)
NTT(ntt_1024_30, 10, 5, 4, 16)
NTT(ntt_1024_31, 10, 5, 2, 16)
NTT(ntt_2048_26, 11, 6, 64, 8)
NTT(ntt_2048_30, 11, 6, 4, 8)
NTT(ntt_2048_31, 11, 6, 2, 8)
NTT(ntt_4096_26, 12, 6, 64, 4)
NTT(ntt_4096_30, 12, 6, 4, 4)
NTT(ntt_4096_31, 12, 6, 2, 4)
