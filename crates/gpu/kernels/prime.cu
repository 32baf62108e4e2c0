// Products modulo a prime and x^n + 1 without transforms: both forms of interleaved Montgomery
// multiplication at five lengths of words, and schoolbook.
#include "prime.cuh"

INTERLEAVED(prime_proposed_1, 1, false, Modular, 1024)
INTERLEAVED(prime_proposed_8, 8, false, Modular, 1024)
INTERLEAVED(prime_proposed_16, 16, false, Modular, 1024)
INTERLEAVED(prime_proposed_32, 32, false, Modular, 1024)
INTERLEAVED(prime_proposed_64, 64, false, Modular, 1024)
INTERLEAVED(prime_original_1, 1, true, Modular, 1024)
INTERLEAVED(prime_original_8, 8, true, Modular, 1024)
INTERLEAVED(prime_original_16, 16, true, Modular, 1024)
INTERLEAVED(prime_original_32, 32, true, Modular, 1024)
INTERLEAVED(prime_original_64, 64, true, Modular, 1024)

KERNEL(prime_school, InterleavedParams, 512, 1) {
  SHARED_MEMORY(shared);
  PrimeSchool::run(params, shared);
}
