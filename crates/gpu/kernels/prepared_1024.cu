// Operands of 1024 coefficients that are prepared, and products by them for two sizes of primes.
#include "prepared.cuh"

FORWARD(ntt_1024_forward, 10, 5, 16)
BY_PREPARED(ntt_1024_by_prepared_26, 10, 5, 64, 16)
BY_PREPARED(ntt_1024_by_prepared_31, 10, 5, 2, 16)
