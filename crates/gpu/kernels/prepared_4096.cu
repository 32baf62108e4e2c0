// Operands of 4096 coefficients that are prepared, and products by them for two sizes of primes.
#include "prepared.cuh"

FORWARD(ntt_4096_forward, 12, 6, 4)
BY_PREPARED(ntt_4096_by_prepared_26, 12, 6, 64, 4)
BY_PREPARED(ntt_4096_by_prepared_31, 12, 6, 2, 4)
