// Both forms, at three lengths of words.
#include "interleaved.cuh"

#define INTERLEAVED(name, W, ORIGINAL)             \
  KERNEL(name, InterleavedParams, 512, 1) {        \
    SHARED_MEMORY(shared);                         \
    Interleaved<W, ORIGINAL>::run(params, shared); \
  }

INTERLEAVED(proposed_1, 1, false)
INTERLEAVED(proposed_8, 8, false)
INTERLEAVED(proposed_32, 32, false)
INTERLEAVED(original_1, 1, true)
INTERLEAVED(original_8, 8, true)
INTERLEAVED(original_32, 32, true)
