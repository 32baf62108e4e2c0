// Products modulo a prime and x^n + 1 by complex transforms of doubles.
#include "fourier.cuh"

KERNEL(fourier, FourierParams, 512, 1) {
  SHARED_MEMORY(shared);
  Fourier::run(params, shared);
}
