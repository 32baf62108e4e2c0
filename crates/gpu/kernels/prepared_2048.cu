// Operands of 2048 coefficients that are prepared, and products by them for two sizes of primes.
#include "prepared.cuh"

FORWARD(ntt_2048_forward, 11, 6, 8)
BY_PREPARED(ntt_2048_by_prepared_26, 11, 6, 64, 8)
BY_PREPARED(ntt_2048_by_prepared_31, 11, 6, 2, 8)
