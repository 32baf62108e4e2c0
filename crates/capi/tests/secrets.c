/* What ML-KEM's decapsulation computes of a private key decides no branch and no address: valgrind follows
 * the key's secrets, which are said to be undefined. With an argument one of them decides a branch, which
 * valgrind must see. */
#include "check.h"
#include <ringsmith.h>
#include <string.h>
#include <valgrind/memcheck.h>

/* Bytes of a polynomial in a private key, and of what takes the place of a refused ciphertext's key. */
#define POLYNOMIAL 384
#define REJECTED 32

static unsigned char *place(size_t bytes)
{
    unsigned char *memory = malloc(bytes);

    CHECK(memory != NULL);
    return memory;
}

static void decapsulate(const ringsmith_kem *kem, size_t rank, int altered)
{
    const size_t pl = ringsmith_kem_public_key_bytes(kem), sl = ringsmith_kem_private_key_bytes(kem),
                 cl = ringsmith_kem_ciphertext_bytes(kem), kl = ringsmith_kem_shared_key_bytes(kem);
    unsigned char *public_key = place(pl), *private_key = place(sl), *ciphertext = place(cl),
                  *one = place(kl), *two = place(kl);
    ringsmith_error error;

    CHECK(ringsmith_kem_keypair(kem, public_key, pl, private_key, sl) == RINGSMITH_OK);
    CHECK(ringsmith_kem_encaps(kem, ciphertext, cl, one, kl, public_key, pl) == RINGSMITH_OK);
    ciphertext[5] ^= (unsigned char)altered;
    VALGRIND_MAKE_MEM_UNDEFINED(private_key, rank * POLYNOMIAL);
    VALGRIND_MAKE_MEM_UNDEFINED(private_key + sl - REJECTED, REJECTED);
    error = ringsmith_kem_decaps(kem, two, kl, ciphertext, cl, private_key, sl);
    VALGRIND_MAKE_MEM_DEFINED(&error, sizeof error);
    VALGRIND_MAKE_MEM_DEFINED(two, kl);
    CHECK(error == RINGSMITH_OK && (memcmp(one, two, kl) == 0) == !altered);
    free(public_key), free(private_key), free(ciphertext), free(one), free(two);
}

int main(int count, char **arguments)
{
    static const char *const names[] = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"};
    volatile unsigned char leaked = 1;
    size_t i;

    (void)arguments;
    for (i = 0; i < 3; i++) {
        const ringsmith_kem *kem = ringsmith_kem_find(names[i]);

        CHECK(kem != NULL);
        decapsulate(kem, i + 2, 0);
        decapsulate(kem, i + 2, 1);
    }
    if (count > 1) {
        VALGRIND_MAKE_MEM_UNDEFINED((void *)&leaked, sizeof leaked);
        CHECK(leaked == 1);
    }
    return 0;
}
