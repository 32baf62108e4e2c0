// Products modulo x^n - 1 and a power of two by a public ternary operand, window by window.
#include "window.cuh"

KERNEL(sliding_window, WindowParams, 256, 1) {
  SHARED_MEMORY(shared);
  SlidingWindow::run(params, shared);
}
