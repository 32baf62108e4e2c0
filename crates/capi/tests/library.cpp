// The headers in C++, with handles that free themselves.
#define RINGSMITH_SUPERCOP ML_KEM_768
#include "check.h"
#include <array>
#include <cstring>
#include <memory>
#include <ringsmith_supercop.h>
#include <string>
#include <vector>

namespace {

struct Free {
    void operator()(ringsmith_ring *ring) const { ringsmith_ring_free(ring); }
    void operator()(ringsmith_factor *factor) const { ringsmith_factor_free(factor); }
};

using Ring = std::unique_ptr<ringsmith_ring, Free>;
using Factor = std::unique_ptr<ringsmith_factor, Free>;
using Bytes = std::vector<unsigned char>;

Ring ring_of(const std::string &text)
{
    ringsmith_ring *ring = nullptr;
    CHECK(ringsmith_ring_new(&ring, text.c_str(), nullptr) == RINGSMITH_OK);
    return Ring(ring);
}

void every_kem()
{
    for (std::size_t i = 0; const ringsmith_kem *kem = ringsmith_kem_at(i); i++) {
        Bytes pk(ringsmith_kem_public_key_bytes(kem)), sk(ringsmith_kem_private_key_bytes(kem));
        Bytes ct(ringsmith_kem_ciphertext_bytes(kem)), one(ringsmith_kem_shared_key_bytes(kem)),
            two(one.size());
        CHECK(ringsmith_kem_keypair(kem, pk.data(), pk.size(), sk.data(), sk.size()) == RINGSMITH_OK);
        CHECK(ringsmith_kem_encaps(kem, ct.data(), ct.size(), one.data(), one.size(), pk.data(), pk.size())
              == RINGSMITH_OK);
        CHECK(ringsmith_kem_decaps(kem, two.data(), two.size(), ct.data(), ct.size(), sk.data(), sk.size())
              == RINGSMITH_OK);
        CHECK(one == two);
    }
}

void ring()
{
    const Ring ring = ring_of("Z_3329[x]/(x^256+1)");
    std::array<std::uint16_t, 256> a{}, b{}, c{};
    a[255] = b[1] = 1;
    ringsmith_factor *made = nullptr;
    CHECK(ringsmith_ring_prepare_u16(&made, ring.get(), b.data(), b.size()) == RINGSMITH_OK);
    const Factor factor(made);
    CHECK(ringsmith_ring_multiply_prepared_u16(ring.get(), c.data(), a.data(), a.size(), factor.get())
          == RINGSMITH_OK);
    CHECK(c[0] == 3328);
    std::string plan(100, '\0');
    CHECK(ringsmith_ring_plan(ring.get(), &plan[0], plan.size(), nullptr) == RINGSMITH_OK);
    CHECK(plan.compare(0, 8, "compiled") == 0);
}

void supercop()
{
    unsigned char pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES], ct[CRYPTO_CIPHERTEXTBYTES];
    unsigned char one[CRYPTO_BYTES], two[CRYPTO_BYTES];
    CHECK(crypto_kem_keypair(pk, sk) == 0 && crypto_kem_enc(ct, one, pk) == 0
          && crypto_kem_dec(two, ct, sk) == 0);
    CHECK(std::memcmp(one, two, sizeof one) == 0);
}

} // namespace

int main()
{
    every_kem();
    ring();
    supercop();
    std::puts("all is well");
}
