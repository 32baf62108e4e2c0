// What blinds a message of NTRUEncrypt: a small polynomial r of the hash of a seed, by SHA-1 or SHA-256. A
// warp a message.
//
// The map (EESS#1 v3.1, sections 8.3.2.1 and 8.3.2.2; FIPS 180-4). Z is the digest of the seed. The stream is
// the digests of Z || counter, one a lane. A candidate is its next c bits, the most significant first; below
// the greatest multiple of n it is an index, modulo n. An index that was not taken before is taken, until a
// part has `weight` coefficients 1 and as many -1. A product has three parts, r = r_1 r_2 + r_3 modulo
// x^n - 1, of one stream; others have one.
//
// Sets of indices are bits: lane i has those of the indices 32 i to 32 i + 31, and where n is above 1024 those
// of 1024 more. So whether an index was taken is a vote of the warp, and no address and no branch depends on
// it. Every candidate of the stream is looked at. A product by r_1 is a sum of rotations of r_2, whose bits
// move between lanes by all powers of two; sums are six planes of bits, two's complements.
//
// Bounds. A coefficient of r_1 r_2 + r_3 is from -31 to 31: it has at most as many terms as the shorter of r_1
// and r_2 has coefficients that are not 0, and one more. The host checks it.
//
// The number of blocks is public, and enough for nearly all seeds. Where it is not, r is 0, which is no r,
// and the host makes that one.
#pragma once
#include "common.cuh"

struct BlindingParams {
  Operands of;
  u32 n;
  // Bits of a candidate, and the greatest multiple of n that has them; 2^32 / n from above.
  u32 bits, limit, reciprocal;
  // Blocks of the longest seed, blocks of the stream, and candidates in these.
  u32 seed_blocks, blocks, candidates;
  u32 weights[3];
  // The hash function's.
  u32 initial[8];
  u32 rounds[64];
};

const u32 LANES = 32;
const u32 ALL_LANES = ~0u;
const u32 NO_INDEX = 0x7fff;

__device__ __forceinline__ u32 rotated(u32 x, int by) { return __funnelshift_r(x, x, by); }
// All ones where it is true.
__device__ __forceinline__ u32 mask_of(bool truth) { return 0 - u32(truth); }
__device__ __forceinline__ u32 either(u32 mask, u32 a, u32 b) { return b ^ ((a ^ b) & mask); }

struct Sha1 {
  static const int WORDS = 5;

  // The next word of the schedule of 16, in the place of the oldest.
  static __device__ __forceinline__ u32 next(u32 *w, int i) {
    return w[i % 16] = rotated(w[i % 16] ^ w[(i + 2) % 16] ^ w[(i + 8) % 16] ^ w[(i + 13) % 16], 31);
  }

  static __device__ __forceinline__ void compress(const BlindingParams &params, u32 *state, u32 *w) {
    u32 a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
#pragma unroll
    for (int i = 0; i < 80; i++) {
      const u32 choice = (b & c) | (~b & d), parity = b ^ c ^ d, majority = (b & c) | (b & d) | (c & d);
      const u32 f = i < 20 ? choice : i < 40 || i >= 60 ? parity : majority;
      const u32 sum = rotated(a, 27) + f + e + params.rounds[i / 20] + (i < 16 ? w[i] : next(w, i));
      e = d;
      d = c;
      c = rotated(b, 2);
      b = a;
      a = sum;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
  }
};

struct Sha256 {
  static const int WORDS = 8;

  static __device__ __forceinline__ u32 next(u32 *w, int i) {
    const u32 x = w[(i + 1) % 16], y = w[(i + 14) % 16];
    const u32 s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >> 3);
    const u32 s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >> 10);
    return w[i % 16] += s0 + w[(i + 9) % 16] + s1;
  }

  static __device__ __forceinline__ void compress(const BlindingParams &params, u32 *state, u32 *w) {
    u32 v[WORDS];
#pragma unroll
    for (int i = 0; i < WORDS; i++) v[i] = state[i];
#pragma unroll
    for (int i = 0; i < 64; i++) {
      const u32 a = v[0], e = v[4];
      const u32 s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25), choice = (e & v[5]) ^ (~e & v[6]);
      const u32 one = v[7] + s1 + choice + params.rounds[i] + (i < 16 ? w[i] : next(w, i));
      const u32 s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const u32 majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
#pragma unroll
      for (int k = WORDS - 1; k > 0; k--) v[k] = v[k - 1];
      v[4] += one;
      v[0] = one + s0 + majority;
    }
#pragma unroll
    for (int i = 0; i < WORDS; i++) state[i] += v[i];
  }
};

// One of -1, 0, 1 for each index of a lane's 32 WIDTH: where it is 1, and where it is -1.
template <u32 WIDTH> struct Ternary {
  u32 plus[WIDTH], minus[WIDTH];
};

template <class Hash, u32 PARTS, u32 WIDTH> struct Blinding {
  const BlindingParams &params;
  const u32 lane;
  // What was taken: of each part, and of the part that is being filled.
  Ternary<WIDTH> parts[PARTS];
  u32 taken[WIDTH];
  // Which part, and how many of it were taken.
  u32 part, count;
  // Of the first part lane k has index number k.
  u32 of_first;

  __device__ __forceinline__ Blinding(const BlindingParams &params, u32 lane)
      : params(params), lane(lane), part(0), count(0), of_first(0) {
#pragma unroll
    for (u32 w = 0; w < WIDTH; w++) {
      taken[w] = 0;
#pragma unroll
      for (u32 p = 0; p < PARTS; p++) parts[p].plus[w] = parts[p].minus[w] = 0;
    }
  }

  // The digest of the seed, in every lane. All blocks are hashed, of which `length` are the seed's.
  __device__ __forceinline__ void digest(const u32 *seed, u32 length, u32 *z) {
    u32 state[Hash::WORDS];
#pragma unroll
    for (int i = 0; i < Hash::WORDS; i++) {
      state[i] = params.initial[i];
      z[i] = 0;
    }
    for (u32 block = 0; block < params.seed_blocks; block++) {
      u32 w[16];
#pragma unroll
      for (int i = 0; i < 16; i++) w[i] = __byte_perm(seed[16 * block + i], 0, 0x0123);
      Hash::compress(params, state, w);
      const u32 is_last = mask_of(MUTANT(70, block + 1, block) == length);
#pragma unroll
      for (int i = 0; i < Hash::WORDS; i++) z[i] |= state[i] & is_last;
    }
  }

  // Writes the stream, word by word: block `b` is that of lane b modulo 32.
  __device__ __forceinline__ void stream(const u32 *z, u32 *to) {
    const int message = Hash::WORDS + 1;
    for (u32 block = lane; block < params.blocks; block += LANES) {
      u32 state[Hash::WORDS], w[16];
#pragma unroll
      for (int i = 0; i < 16; i++) w[i] = i < Hash::WORDS ? z[i] : 0;
      w[Hash::WORDS] = block;
      w[message] = 0x80000000;
      w[15] = 32 * message;
#pragma unroll
      for (int i = 0; i < Hash::WORDS; i++) state[i] = params.initial[i];
      Hash::compress(params, state, w);
#pragma unroll
      for (int i = 0; i < Hash::WORDS; i++) to[block * Hash::WORDS + i] = state[i];
    }
  }

  // The index of a candidate, or none.
  __device__ __forceinline__ u32 index(const u32 *stream, u32 candidate) const {
    const u32 known = min(candidate, params.candidates - 1), at = known * params.bits;
    const u32 word = at / 32, end = at % 32 + params.bits;
    const u64 both = u64(stream[word]) << 32 | stream[word + 1];
    const u32 x = u32(both >> (64 - end)) & ((1u << params.bits) - 1);
    const u32 reduced = x - __umulhi(x, params.reciprocal) * params.n;
    return either(mask_of(x < params.limit) & mask_of(candidate == known), reduced, NO_INDEX);
  }

  // The weight of the part that is being filled; of none behind the last.
  __device__ __forceinline__ u32 weight() const {
    u32 weight = params.weights[0];
#pragma unroll
    for (u32 p = 1; p < PARTS; p++) weight = either(mask_of(part == p), params.weights[p], weight);
    return weight;
  }

  // Takes an index, which all lanes have, unless it was taken.
  __device__ __forceinline__ void take(u32 index) {
    const u32 bit = 1u << (index % 32), half = weight();
    u32 mine[WIDTH], hit = 0;
#pragma unroll
    for (u32 w = 0; w < WIDTH; w++) {
      mine[w] = bit & mask_of(index / 32 == lane + LANES * w);
      hit |= taken[w] & mine[w];
    }
    const u32 seen = mask_of(__any_sync(ALL_LANES, hit != 0));
    const u32 fresh = MUTANT(71, ~seen, ALL_LANES) & mask_of(index != NO_INDEX) & mask_of(part < PARTS);
    const u32 is_minus = mask_of(count >= half);
#pragma unroll
    for (u32 w = 0; w < WIDTH; w++) {
      mine[w] &= fresh;
      taken[w] |= mine[w];
#pragma unroll
      for (u32 p = 0; p < PARTS; p++) {
        const u32 here = mine[w] & mask_of(part == p);
        parts[p].plus[w] |= here & ~is_minus;
        parts[p].minus[w] |= here & is_minus;
      }
    }
    if (PARTS > 1) of_first = either(fresh & mask_of(part == 0) & mask_of(count == lane), index, of_first);
    count -= fresh;
    const u32 is_full = mask_of(count == 2 * half);
    part -= is_full;
    count &= ~is_full;
#pragma unroll
    for (u32 w = 0; w < WIDTH; w++) taken[w] &= ~is_full;
  }

  // Takes the candidates of the stream in their order: 32 at a time, one a lane.
  __device__ __forceinline__ void choose(const u32 *stream) {
    for (u32 first = 0; first < params.candidates; first += LANES) {
      const u32 own = index(stream, first + lane);
      holds(own < params.n || own == NO_INDEX);
#pragma unroll 2
      for (u32 i = 0; i < LANES; i++) take(__shfl_sync(ALL_LANES, own, i));
    }
  }

  // Words of all lanes, moved to higher lanes (or to lower ones), whose number is a secret; zeros come after
  // them. Each power of two is a move that takes place or not by a mask.
  __device__ __forceinline__ u32 moved(u32 x, u32 lanes, bool is_up) const {
#pragma unroll
    for (u32 step = 1; step < LANES; step *= 2) {
      const u32 from = is_up ? lane - step : lane + step;
      const u32 there = __shfl_sync(ALL_LANES, x, from % LANES) & mask_of(from < LANES);
      x = either(mask_of((lanes & step) != 0), there, x);
    }
    return x;
  }
  // Bits of all lanes, moved up or down by so many places, below 1024.
  __device__ __forceinline__ u32 up(u32 x, u32 by) const {
    const u32 high = moved(x, by / 32, true);
    const u32 low = __shfl_sync(ALL_LANES, high, (lane - 1) % LANES) & mask_of(lane > 0);
    return __funnelshift_l(low, high, by % 32);
  }
  __device__ __forceinline__ u32 down(u32 x, u32 by) const {
    const u32 low = moved(x, by / 32, false);
    const u32 high = __shfl_sync(ALL_LANES, low, (lane + 1) % LANES) & mask_of(lane + 1 < LANES);
    return __funnelshift_r(low, high, by % 32);
  }
  // Bits of indices below n.
  __device__ __forceinline__ u32 inside() const {
    const u32 whole = params.n / 32;
    return mask_of(lane < whole) | (mask_of(lane == whole) & ((1u << params.n % 32) - 1));
  }
  // Times x^by modulo x^n - 1.
  __device__ __forceinline__ u32 turned(u32 x, u32 by) const {
    return (up(x, by) & inside()) | down(x, MUTANT(72, params.n - by, params.n - 1 - by));
  }
};

// The bits 4 i to 4 i + 3 of a plane, each the lowest of a byte.
__device__ __forceinline__ u32 spread(u32 plane, int i) {
  return ((plane >> (4 * i)) & 15) * 0x00204081 & 0x01010101;
}

// 32 coefficients in six planes of bits.
struct Sums {
  static const int PLANES = 6;
  u32 plane[PLANES];

  // Adds 1 where a bit of `plus` is set, and subtracts 1 where one of `minus` is.
  __device__ __forceinline__ void add(u32 plus, u32 minus) {
#pragma unroll
    for (int k = 0; k < PLANES; k++) {
      const u32 carry = plane[k] & plus;
      plane[k] ^= plus;
      plus = carry;
    }
#pragma unroll
    for (int k = 0; k < PLANES; k++) {
      const u32 borrow = ~plane[k] & minus;
      plane[k] ^= minus;
      minus = borrow;
    }
  }

  // Four coefficients, a byte each: the last plane is the sign.
  __device__ __forceinline__ u32 bytes(int i) const {
    u32 bytes = spread(plane[PLANES - 1], i) * (256 - (1 << (PLANES - 1)));
#pragma unroll
    for (int k = 0; k < PLANES - 1; k++) bytes += spread(plane[k], i) << k;
    return bytes;
  }
};

// r of a message in one part.
template <class Hash, u32 WIDTH>
__device__ __forceinline__ void write_small(const Blinding<Hash, 1, WIDTH> &of, u32 good, uint2 *to,
                                            u32 pairs) {
#pragma unroll
  for (u32 w = 0; w < WIDTH; w++) {
    const u32 plus = of.parts[0].plus[w] & good, minus = of.parts[0].minus[w] & good;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      u32 word[2];
#pragma unroll
      for (int k = 0; k < 2; k++) word[k] = spread(plus, 2 * i + k) + spread(minus, 2 * i + k) * 0xff;
      const u32 place = 4 * (of.lane + LANES * w) + i;
      if (place < pairs) to[place] = make_uint2(word[0], word[1]);
    }
  }
}

// r of a message as a product and a sum.
template <class Hash>
__device__ __forceinline__ void write_small(const Blinding<Hash, 3, 1> &of, u32 good, uint2 *to, u32 pairs) {
  const u32 weight = of.params.weights[0], plus = of.parts[1].plus[0], minus = of.parts[1].minus[0];
  Sums sums = {{0, 0, 0, 0, 0, 0}};
  for (u32 k = 0; k < 2 * weight; k++) {
    const u32 by = __shfl_sync(ALL_LANES, of.of_first, k);
    const u32 up = of.turned(plus, by), down = of.turned(minus, by), swaps = mask_of(k >= weight);
    sums.add(either(swaps, down, up), either(swaps, up, down));
  }
  sums.add(of.parts[2].plus[0], of.parts[2].minus[0]);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const uint2 both = make_uint2(sums.bytes(2 * i) & good, sums.bytes(2 * i + 1) & good);
    if (4 * of.lane + i < pairs) to[4 * of.lane + i] = both;
  }
}

// Words of a stream in shared memory: whole rounds of the warp, and one that is read behind the last.
template <class Hash> __device__ __forceinline__ u32 stream_words(u32 blocks) {
  return (blocks + LANES - 1) / LANES * LANES * Hash::WORDS + 1;
}

template <class Hash, u32 PARTS, u32 WIDTH>
__device__ __forceinline__ void blind(const BlindingParams &params, u32 *shared) {
  const Operands &of = params.of;
  const u32 warp = threadIdx.x / LANES, message = blockIdx.x * (blockDim.x / LANES) + warp;
  if (message >= of.count) return;
  u32 *stream = shared + warp * stream_words<Hash>(params.blocks), z[Hash::WORDS];
  Blinding<Hash, PARTS, WIDTH> blinding(params, threadIdx.x % LANES);
  const u32 *seed = reinterpret_cast<const u32 *>(operand<u8>(of.a, of.a_step, message));
  blinding.digest(seed, *operand<u8>(of.b, of.b_step, message), z);
  blinding.stream(z, stream);
  __syncwarp();
  blinding.choose(stream);
  uint2 *to = reinterpret_cast<uint2 *>(result<u8>(of.c, of.c_step, message));
  write_small(blinding, mask_of(blinding.part == PARTS), to, of.c_step / 8);
}
