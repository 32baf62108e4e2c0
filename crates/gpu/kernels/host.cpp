// The kernels as a library of the host: what the driver of the tests starts.
#define RINGSMITH_SHIM 1
#include "ntt_1024.cu"
#include "ntt_2048.cu"
#include "ntt_4096.cu"
#include "prepared_1024.cu"
#include "prepared_2048.cu"
#include "prepared_4096.cu"
#include "transform.cu"
#include "cyclic.cu"
#include "ntru_prime.cu"
#include "fourier.cu"
#include "interleaved.cu"
#include "prime.cu"
#include "tensor.cu"
#include "issue.cu"
#include "window.cu"
#include "hash.cu"

// A kernel that leaves a barrier to half of its threads, one that writes behind its memory, and one whose
// bound does not hold: each must be noticed.
struct BadParams {
  u32 which;
};
KERNEL(bad, BadParams, 64, 1) {
  SHARED_MEMORY(shared);
  if (params.which == 0 && threadIdx.x < 32) __syncthreads();
  if (params.which == 1 && threadIdx.x == 0) shared[16] = 1;
  if (params.which == 2) holds(threadIdx.x < 63);
  if (params.which == 3) {
    if (threadIdx.x < 32)
      __syncthreads();
    else
      __syncthreads();
  }
}

extern "C" int ringsmith_shim_launch(const char *name, unsigned blocks, unsigned threads, size_t shared,
                                     const void *params, size_t bytes, int mutant, int descending) {
  for (const Kernel *kernel = Kernel::first(); kernel != nullptr; kernel = kernel->next)
    if (strcmp(kernel->name, name) == 0) {
      if (kernel->params != bytes) return shim::SHAPE;
      return shim::launch(kernel->start, blocks, threads, shared, params, mutant, descending != 0);
    }
  return shim::UNKNOWN;
}
