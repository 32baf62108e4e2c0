// Products modulo x^n - 1 by transforms of three lengths.
#include "transform.cuh"

TRANSFORM(transform_1024, 10, 5, 64, 8)
TRANSFORM(transform_2048, 11, 6, 64, 8)
TRANSFORM(transform_4096, 12, 6, 64, 4)
