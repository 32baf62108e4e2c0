// Products of 1024 coefficients modulo a prime below 2^14.
#include "tensor.cuh"

#if defined(RINGSMITH_SHIM) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
KERNEL(tensor_1024, TensorParams, 32, 12) { Tensor::run<u16>(params); }
// The same with coefficients in words.
KERNEL(tensor_1024_32, TensorParams, 32, 12) { Tensor::run<u32>(params); }
#endif
