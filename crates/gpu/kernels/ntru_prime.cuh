// Products modulo x^n - x - 1 and q, the rings of NTRU Prime, by a small operand r in [-128, 127], as one
// matrix product on the tensor cores for bytes. The reduction by x^n - x - 1 is part of the matrix.
//
// The matrix. Coefficient k < 2 n - 1 of the product of integers h r is C_k. As x^(n + m) = x^(m + 1) + x^m,
// c_k = C_k + C_(n + k) + C_(n + k - 1) for k > 0, and c_0 = C_0 + C_n. So for k > 0 c_k is the sum over j of
// t_(k - j) r_j with
//   t_d = h_d for d > 0,  t_0 = h_0 + h_(n - 1),  t_d = h_(n + d) + h_(n + d - 1) for d < 0:
// a matrix whose entries depend on row - column alone (a Toeplitz matrix). With t_n = h_0 its row n is
// h_0 r_0 + h_(n - 1) r_1 + h_(n - 2) r_2 + ... = C_0 + C_n = c_0. So rows 1 to n are computed, and the last
// one is stored first.
//
// Distinct pairs. With k = 32 k1 + k0, c_k = sum over v of r[k0 + v - 32] t[32 k1 + 32 - v], where r is 0
// outside: a 32 x 32 ceil((n + 32) / 32) matrix by one with a column for each k1, read from arrays as in
// cyclic.cuh.
//
// Exactness. t is reduced to [0, q), q <= 2^14, and is two limbs of seven bits, each a signed byte. As a limb
// is at most 127, a sum of n products of limbs is at most n 127 128 < 2^31. The sum of both limbs is in
// [-most, most] with most = 128 n (q - 1). To it `start` is added, the least multiple of q from `most` on. As
// the host has n q <= 2^24, start + most < 2^32: it is at most 256 n q - 256 n + q, and n >= 1024 or 256 n q
// <= 2^32 - 2^22.
//
// Reduction of s < 2^32, without a division, by one = floor(2^32 / q). The floor of s one / 2^32 is that of
// s / q or one less, since s (2^32 / q - one) / 2^32 < 1. So s less q times it is below 2 q. The lesser of
// that and of that less q, which is nearly 2^32 where it is below 0, is in [0, q).
#pragma once
#include "cyclic.cuh"

struct NtruPrimeParams {
  Operands of;
  u32 n, q, one, start;

  static const bool TURNED = true;
  // Where both are below q.
  __device__ __forceinline__ u32 add(u32 x, u32 y) const { return min(x + y, x + y - q); }
  // t_d for d <= 0, where `at` is d modulo n. Below 0 is more than what is not.
  __device__ __forceinline__ u32 folded(const u16 *h, u32 at) const {
    return add(h[at], h[MUTANT(40, min(at - 1, at - 1 + n), at)]);
  }
  __device__ __forceinline__ u32 entry(const u16 *h, u32 at, i32 d) const {
    return d > 0 ? h[at] : folded(h, at);
  }
  __device__ __forceinline__ u32 finish(u32 sum) const {
    const u32 s = sum + MUTANT(41, start, 0);
    const u32 left = s - __umulhi(s, one) * q, out = min(left, left - q);
    holds(out < q);
    return out;
  }
};

// One warp, one product of up to 256 TILES - 1 coefficients.
template <int TILES> struct Trinomial : Matrices<TILES, 1, 2, NtruPrimeParams> {
  typedef Matrices<TILES, 1, 2, NtruPrimeParams> Base;
  using Base::lane;
  using Base::n;
  using Base::steps;

  __device__ __forceinline__ Trinomial(const NtruPrimeParams &params, u32 *shared)
      : Base(params, shared, (params.n + 63) / 32) {}

  // 32 zeros, r, and zeros.
  __device__ __forceinline__ void small(const int8_t *r) {
    u32 *all = this->shifted(0, 0);
    for (i32 w = lane; w < 8 * steps + 12; w += 32) {
      const i32 at = 4 * w - 32;
      const bool there = at >= 0 && at < n;
      all[w] = there ? below(*reinterpret_cast<const u32 *>(r + at), at, MUTANT(42, n, n - 1)) : 0;
    }
    __syncwarp();
  }

  // Row m has t_d of d = 32 (COLUMNS - m) - j for j < 32: for all j above 0, or for none.
  __device__ __forceinline__ void toeplitz(const u16 *h) {
    u32 at = wrapped(32 * Base::COLUMNS - lane, n);
#pragma unroll 4
    for (i32 m = 0; m < Base::COLUMNS; m++) {
      this->put(m, h[at]);
      at = back_32(at, n);
    }
    for (i32 m = Base::COLUMNS; m < this->count(); m++) {
      this->put(m, this->params.folded(h, at));
      at = back_32(at, n);
    }
  }

  static __device__ __forceinline__ void run(const NtruPrimeParams &params, u32 *shared) {
    const Operands &of = params.of;
    Trinomial product(params, shared);
    product.small(operand<int8_t>(of.b, of.b_step, blockIdx.x));
    product.shifts();
    product.toeplitz(operand<u16>(of.a, of.a_step, blockIdx.x));
    __syncwarp();
    i32 sum[2][2][TILES][4] = {};
    product.sums(sum);
    product.store(sum, result<u16>(of.c, of.c_step, blockIdx.x));
  }
};
