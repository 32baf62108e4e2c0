// Transforms of 4096 coefficients, for three sizes of primes.
#include "ntt.cuh"

NTT(ntt_4096_26, 12, 6, 64, 4)
NTT(ntt_4096_30, 12, 6, 4, 4)
NTT(ntt_4096_31, 12, 6, 2, 4)
