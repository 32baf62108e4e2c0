// Transforms of 2048 coefficients, for three sizes of primes.
#include "ntt.cuh"

NTT(ntt_2048_26, 11, 6, 64, 8)
NTT(ntt_2048_30, 11, 6, 4, 8)
NTT(ntt_2048_31, 11, 6, 2, 8)
