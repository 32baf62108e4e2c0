// Three kernels that leak what they load, one in each way that is looked for. `cargo xtask gpu` must catch
// all of them, or it would catch nothing.

// By an address.
extern "C" __global__ void leak_address(const unsigned *secrets, unsigned *out) {
  out[threadIdx.x] = secrets[secrets[threadIdx.x] & 31];
}

// By a branch: a loop of as many steps as the secret says.
extern "C" __global__ void leak_branch(const unsigned *secrets, unsigned *out) {
  unsigned secret = secrets[threadIdx.x], steps = 0;
  while (secret != 1) {
    secret = secret & 1 ? 3 * secret + 1 : secret / 2;
    ++steps;
  }
  out[threadIdx.x] = steps;
}

// By a guarded store.
extern "C" __global__ void leak_guard(const unsigned *secrets, unsigned *out) {
  unsigned secret = secrets[threadIdx.x];
  if (secret & 1) out[threadIdx.x] = 1;
  out[threadIdx.x + 32] = secret;
}
