// Both forms modulo 2^k and x^n - 1, at five lengths of words.
#include "interleaved.cuh"

INTERLEAVED(proposed_1, 1, false, Wrapping, 512)
INTERLEAVED(proposed_8, 8, false, Wrapping, 512)
INTERLEAVED(proposed_16, 16, false, Wrapping, 512)
INTERLEAVED(proposed_32, 32, false, Wrapping, 512)
INTERLEAVED(proposed_64, 64, false, Wrapping, 512)
INTERLEAVED(original_1, 1, true, Wrapping, 512)
INTERLEAVED(original_8, 8, true, Wrapping, 512)
INTERLEAVED(original_16, 16, true, Wrapping, 512)
INTERLEAVED(original_32, 32, true, Wrapping, 512)
INTERLEAVED(original_64, 64, true, Wrapping, 512)
