// The machine that kernels run on where there is no GPU: a block's threads one after the other, each on a
// stack of its own, switched at barriers.
//
// What it checks beside the results:
// - a barrier that not all threads reach, or that they reach at different lines, ends the launch;
// - shared memory begins as noise, and is followed by a guard that nobody may write;
// - bounds that a kernel states (`holds`) hold for the data;
// - threads run in ascending or in descending order, so that a missing barrier shows in one of them.
// It has no model of memory: races within an order, and what a GPU's caches do, it does not see.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#define __global__
#define __device__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __restrict__
#define __align__(bytes) alignas(bytes)

struct uint2 {
  uint32_t x, y;
};
struct alignas(16) uint4 {
  uint32_t x, y, z, w;
};
static inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }

namespace shim {

struct Dimension {
  unsigned x;
};

// Why a launch ended.
enum Verdict { DONE = 0, DIVERGED = 1, GUARD = 2, BOUND = 3, UNKNOWN = 4, SHAPE = 5 };

// A place where threads wait for each other.
struct Barrier {
  unsigned arrived;
  unsigned passed;
  int line;
};

#if defined(__x86_64__)
typedef void *Context;
#else
typedef ucontext_t Context;
#endif

struct Thread {
  Context context;
  bool done;
};

const size_t STACK = 1 << 16;
const size_t GUARD_BYTES = 64;
const uint8_t NOISE = 0xa5;

struct Machine {
  Dimension thread, block, threads, blocks;
  std::vector<Thread> each;
  std::vector<char> stacks;
  std::vector<uint8_t> shared;
  std::vector<Barrier> warps;
  std::vector<uint32_t> lanes;
  Barrier all;
  Context scheduler;
  void (*kernel)(const void *);
  const void *params;
  unsigned live, moves;
  int verdict, mutant;
};

static thread_local Machine *machine;

#if defined(__x86_64__)
// Saves what a call keeps on the stack, and goes on with another stack.
extern "C" void ringsmith_shim_switch(void **from, void *to);
asm(".text\n"
    ".globl ringsmith_shim_switch\n"
    "ringsmith_shim_switch:\n"
    " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    " mov %rsp, (%rdi)\n"
    " mov %rsi, %rsp\n"
    " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
    " ret\n");
static inline void go(Context &from, Context &to) { ringsmith_shim_switch(&from, to); }
static void entry();
static void prepare(Context &context, char *stack) {
  void **top = reinterpret_cast<void **>(stack + STACK - 64);
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(entry);
  for (int saved = 0; saved < 6; saved++) *--top = nullptr;
  context = top;
}
#else
static inline void go(Context &from, Context &to) { swapcontext(&from, &to); }
static void entry();
static void prepare(Context &context, char *stack) {
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = STACK;
  context.uc_link = nullptr;
  makecontext(&context, entry, 0);
}
#endif

static void rest() {
  unsigned self = machine->thread.x;
  go(machine->each[self].context, machine->scheduler);
  machine->thread.x = self;
}

static void fail(int verdict) {
  if (machine->verdict == DONE) machine->verdict = verdict;
}

static void entry() {
  machine->kernel(machine->params);
  machine->each[machine->thread.x].done = true;
  machine->live--;
  machine->moves++;
  for (;;) rest();
}

// Waits until `count` threads have come here; all must come from the same line.
static void wait(Barrier &barrier, unsigned count, int line) {
  if (barrier.arrived == 0) barrier.line = line;
  if (barrier.line != line) fail(DIVERGED);
  unsigned passed = barrier.passed;
  machine->moves++;
  if (++barrier.arrived == count) {
    barrier.arrived = 0;
    barrier.passed++;
  }
  while (barrier.passed == passed) rest();
}

// Lets every thread run to its next barrier, until all are done or none moves.
static void run_block(bool descending) {
  Machine &m = *machine;
  for (unsigned t = 0; t < m.threads.x; t++) {
    m.each[t].done = false;
    prepare(m.each[t].context, m.stacks.data() + t * STACK);
  }
  m.live = m.threads.x;
  while (m.live != 0 && m.verdict == DONE) {
    m.moves = 0;
    for (unsigned i = 0; i < m.threads.x && m.verdict == DONE; i++) {
      unsigned t = descending ? m.threads.x - 1 - i : i;
      if (m.each[t].done) continue;
      m.thread.x = t;
      go(m.scheduler, m.each[t].context);
    }
    if (m.moves == 0) fail(DIVERGED);
  }
}

static bool guarded(size_t shared) {
  for (size_t i = 0; i < GUARD_BYTES; i++)
    if (machine->shared[shared + i] != NOISE) return false;
  return true;
}

static int launch(void (*kernel)(const void *), unsigned blocks, unsigned threads, size_t shared,
                  const void *params, int mutant, bool descending) {
  static thread_local Machine m;
  machine = &m;
  m.kernel = kernel;
  m.params = params;
  m.mutant = mutant;
  m.verdict = DONE;
  m.blocks.x = blocks;
  m.threads.x = threads;
  if (m.each.size() < threads) {
    m.each.resize(threads);
    m.stacks.resize(threads * STACK);
  }
  m.lanes.assign((threads + 31) / 32 * 32 * 8, 0);
  for (unsigned i = 0; i < blocks && m.verdict == DONE; i++) {
    m.block.x = descending ? blocks - 1 - i : i;
    m.shared.assign(shared + GUARD_BYTES + 16, NOISE);
    m.warps.assign((threads + 31) / 32, Barrier());
    m.all = Barrier();
    run_block(descending);
    if (!guarded(shared)) fail(GUARD);
  }
  return m.verdict;
}

} // namespace shim

#define threadIdx (shim::machine->thread)
#define blockIdx (shim::machine->block)
#define blockDim (shim::machine->threads)
#define gridDim (shim::machine->blocks)

static inline void __syncthreads(int line = __builtin_LINE()) {
  shim::wait(shim::machine->all, blockDim.x, line);
}
static inline unsigned shim_warp_size() {
  unsigned first = threadIdx.x / 32 * 32;
  return blockDim.x - first < 32 ? blockDim.x - first : 32;
}
static inline void __syncwarp(int line = __builtin_LINE()) {
  shim::wait(shim::machine->warps[threadIdx.x / 32], shim_warp_size(), line);
}

static inline uint32_t __umulhi(uint32_t a, uint32_t b) { return uint64_t(a) * b >> 32; }
static inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return (unsigned __int128)a * b >> 64; }
static inline uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t bits) {
  return ((uint64_t(high) << 32 | low) >> (bits & 31));
}
static inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t bits) {
  return (uint64_t(high) << 32 | low) << (bits & 31) >> 32;
}
static inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t both = uint64_t(b) << 32 | a;
  uint32_t out = 0;
  for (int i = 0; i < 4; i++) out |= uint32_t(both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
  return out;
}

// The fragments of `mma.m16n8k32` are those of the PTX manual: of A a lane has rows g and g + 8, of B column
// g, of C columns 2 t and 2 t + 1, where g = lane / 4 and t = lane % 4.
// Those of `mma.m16n8k16` of half precision are the same, two numbers a word in place of four.
template <class T> static inline int shim_byte(uint32_t word, int at) { return T(word >> 8 * at); }
// Sums of the products of one word of each operand: of bytes they wrap, as they do there.
template <class A, class B> struct ShimBytes {
  static void add(int32_t &c, uint32_t x, uint32_t y) {
    for (int k = 0; k < 4; k++) c = int32_t(uint32_t(c) + uint32_t(shim_byte<A>(x, k) * shim_byte<B>(y, k)));
  }
};
// A number of half precision, that is no infinity.
static inline float shim_half(uint32_t bits) {
  int exponent = bits >> 10 & 31, digits = bits & 1023;
  float size = exponent == 0 ? ldexpf(digits, -24) : ldexpf(digits + 1024, exponent - 25);
  return bits & 0x8000 ? -size : size;
}
struct ShimHalves {
  static void add(float &c, uint32_t x, uint32_t y) {
    for (int k = 0; k < 2; k++) c += shim_half(x >> 16 * k & 0xffff) * shim_half(y >> 16 * k & 0xffff);
  }
};
template <class Words, class Sum> static inline void shim_mma(Sum *c, const uint32_t *a, const uint32_t *b) {
  int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  uint32_t (*lanes)[8] =
      reinterpret_cast<uint32_t (*)[8]>(shim::machine->lanes.data()) + threadIdx.x / 32 * 32;
  memcpy(lanes[lane], a, 16);
  memcpy(lanes[lane] + 4, b, 8);
  __syncwarp();
  for (int i = 0; i < 4; i++)
    for (int w = 0; w < 8; w++)
      Words::add(c[i], lanes[g * 4 + w % 4][i / 2 + 2 * (w / 4)],
                 lanes[(2 * t + i % 2) * 4 + w % 4][4 + w / 4]);
  __syncwarp();
}

// What lanes of a warp tell each other; the first argument says that all take part.
static inline uint32_t __shfl_sync(uint32_t, uint32_t value, unsigned lane) {
  uint32_t *lanes = shim::machine->lanes.data() + threadIdx.x / 32 * 32 * 8;
  lanes[threadIdx.x % 32 * 8] = value;
  __syncwarp();
  uint32_t there = lanes[lane % 32 * 8];
  __syncwarp();
  return there;
}
static inline bool __any_sync(uint32_t, bool is_so) {
  uint32_t *lanes = shim::machine->lanes.data() + threadIdx.x / 32 * 32 * 8;
  lanes[threadIdx.x % 32 * 8] = is_so;
  __syncwarp();
  bool any = false;
  for (int lane = 0; lane < 32; lane++) any |= lanes[lane * 8] != 0;
  __syncwarp();
  return any;
}

static inline void mma_s8(int32_t *c, const uint32_t *a, const uint32_t *b) {
  shim_mma<ShimBytes<int8_t, int8_t>>(c, a, b);
}
static inline void mma_s8u8(int32_t *c, const uint32_t *a, const uint32_t *b) {
  shim_mma<ShimBytes<int8_t, uint8_t>>(c, a, b);
}
static inline void mma_u8s8(int32_t *c, const uint32_t *a, const uint32_t *b) {
  shim_mma<ShimBytes<uint8_t, int8_t>>(c, a, b);
}
static inline void mma_f16(float *c, const uint32_t *a, const uint32_t *b) {
  shim_mma<ShimHalves>(c, a, b);
}

// What the shared memory of a block is.
#define SHARED_MEMORY(name) uint32_t *name = shim_shared()
static inline uint32_t *shim_shared() {
  uintptr_t start = reinterpret_cast<uintptr_t>(shim::machine->shared.data());
  return reinterpret_cast<uint32_t *>(start);
}

// A deliberate mistake, for the tests of the tests.
#define MUTANT(number, right, wrong) (shim::machine->mutant == (number) ? (wrong) : (right))
// A bound that a kernel relies on.
static inline void holds(bool truth) {
  if (!truth) shim::fail(shim::BOUND);
}
