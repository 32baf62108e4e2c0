// Transforms of 1024 coefficients, for three sizes of primes.
#include "ntt.cuh"

NTT(ntt_1024_26, 10, 5, 64, 16)
NTT(ntt_1024_30, 10, 5, 4, 16)
NTT(ntt_1024_31, 10, 5, 2, 16)
