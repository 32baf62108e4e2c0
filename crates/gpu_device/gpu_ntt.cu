// GPU-NTT (github.com/Alisah-Ozcan/GPU-NTT) as it is compared with: products modulo x^n + 1 and its own prime of
// 32 bits, of operands that are on the GPU. Two of its transforms, products of pairs, and one transform back.
//
// Arguments: log2(n) and the number of products. It prints a line of JSON.
#include "gpuntt/ntt_merge/ntt.cuh"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace gpuntt;
typedef Data32 Word;

// Some of its kernels count polynomials in a dimension of the grid that ends below 2^16.
const int PART = 1 << 15;
const double SECONDS = 0.3;

__global__ void pairs(Word *a, const Word *b, Modulus<Word> modulus, size_t count) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) a[i] = OPERATOR_GPU<Word>::mult(a[i], b[i], modulus);
}

// Its memory on the GPU, with a copy of `all`.
template <class T> T *uploaded(const std::vector<T> &all) {
  T *on_gpu;
  GPUNTT_CUDA_CHECK(cudaMalloc(&on_gpu, all.size() * sizeof(T)));
  GPUNTT_CUDA_CHECK(cudaMemcpy(on_gpu, all.data(), all.size() * sizeof(T), cudaMemcpyHostToDevice));
  return on_gpu;
}

struct Products {
  NTTParameters<Word> parameters;
  int logn, count;
  Word *a, *b, *room;
  Root<Word> *forward, *backward;
  ntt_configuration<Word> there, back;

  Products(int logn, const std::vector<Word> &x, const std::vector<Word> &y)
      : parameters(logn, ReductionPolynomial::X_N_plus), logn(logn), count(int(x.size() >> logn)),
        a(uploaded(x)), b(uploaded(y)), room(uploaded(x)) {
    forward = uploaded(parameters.gpu_root_of_unity_table_generator(parameters.forward_root_of_unity_table));
    backward = uploaded(parameters.gpu_root_of_unity_table_generator(parameters.inverse_root_of_unity_table));
    there = {logn, FORWARD, PerPolynomial, ReductionPolynomial::X_N_plus, false, parameters.n_inv, 0};
    back = {logn, INVERSE, PerPolynomial, ReductionPolynomial::X_N_plus, false, parameters.n_inv, 0};
  }

  // `room` is what `a` is at first; `b` is transformed again and again, which takes as long.
  void run() {
    for (int start = 0; start < count; start += PART) {
      int some = count - start < PART ? count - start : PART;
      size_t at = size_t(start) << logn, words = size_t(some) << logn;
      GPU_NTT_Inplace(room + at, forward, parameters.modulus, there, some);
      GPU_NTT_Inplace(b + at, forward, parameters.modulus, there, some);
      pairs<<<unsigned((words + 255) / 256), 256>>>(room + at, b + at, parameters.modulus, words);
      GPU_INTT_Inplace(room + at, backward, parameters.modulus, back, some);
    }
    GPUNTT_CUDA_CHECK(cudaDeviceSynchronize());
  }
};

// A coefficient of a product, by the definition.
Word coefficient(const Word *x, const Word *y, int n, int at, uint64_t p) {
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) {
    uint64_t term = uint64_t(x[i]) * y[(at - i + n) % n] % p;
    sum += i <= at ? term : p - term;
  }
  return Word(sum % p);
}

int main(int, char **arguments) {
  int logn = atoi(arguments[1]), count = atoi(arguments[2]), n = 1 << logn;
  std::vector<Word> x(size_t(count) << logn), y(x.size()), z(x.size());
  uint64_t p = NTTParameters<Word>(logn, ReductionPolynomial::X_N_plus).modulus.value, random = 1;
  auto next = [&] { return Word((random = random * 6364136223846793005u + 1442695040888963407u) >> 33) % p; };
  for (size_t i = 0; i < x.size(); i++) x[i] = Word(next()), y[i] = Word(next());
  Products products(logn, x, y);
  products.run();
  GPUNTT_CUDA_CHECK(cudaMemcpy(z.data(), products.room, z.size() * sizeof(Word), cudaMemcpyDeviceToHost));
  bool right = true;
  size_t last = size_t(count - 1) << logn;
  for (int at = 0; at < n; at += n / 32)
    right = right && z[last + at] == coefficient(&x[last], &y[last], n, at, p);
  typedef std::chrono::steady_clock Clock;
  auto start = Clock::now();
  double seconds = 0;
  long runs = 0;
  for (; seconds < SECONDS; runs++) {
    products.run();
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  printf("{\"n\":%d,\"p\":%llu,\"batch\":%d,\"rate\":%.1f,\"right\":%s}\n", n, (unsigned long long)p, count,
         double(runs) * count / seconds, right ? "true" : "false");
  return right ? 0 : 1;
}
