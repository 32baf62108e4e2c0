// What blinds messages of NTRUEncrypt, by hash function, parts, and whether a degree is above 1024.
#include "hash.cuh"

#define BLINDING(name, Hash, parts, width)   \
  KERNEL(name, BlindingParams, 128, 1) {     \
    SHARED_MEMORY(shared);                   \
    blind<Hash, parts, width>(params, shared); \
  }

BLINDING(blinding_sha1, Sha1, 1, 1)
BLINDING(blinding_sha1_product, Sha1, 3, 1)
BLINDING(blinding_sha256, Sha256, 1, 1)
BLINDING(blinding_sha256_long, Sha256, 1, 2)
BLINDING(blinding_sha256_product, Sha256, 3, 1)
