// Products modulo x^n - x - 1 and q: three lengths of pairs; one kernel each of the others.
#include "ntru_prime.cuh"

#define TRINOMIAL(name, TILES)             \
  KERNEL(name, NtruPrimeParams, 32, 1) {   \
    SHARED_MEMORY(shared);                 \
    Trinomial<TILES>::run(params, shared); \
  }

#if defined(RINGSMITH_SHIM) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
TRINOMIAL(trinomial_768, 3)
TRINOMIAL(trinomial_1024, 4)
TRINOMIAL(trinomial_1280, 5)

ONE_KEY(trinomial_one_key, NtruPrimeParams, int8_t, false)
ONE_KEY(trinomial_one_key_parts, NtruPrimeParams, int8_t, true)
#endif

KERNEL(trinomial_school, NtruPrimeParams, 256, 1) {
  SHARED_MEMORY(shared);
  School<NtruPrimeParams, int8_t>::run(params, shared);
}
