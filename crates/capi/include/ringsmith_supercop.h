/* SUPERCOP's names for one scheme of key encapsulation:
 *
 *     #define RINGSMITH_SUPERCOP ML_KEM_768
 *     #include <ringsmith_supercop.h>
 *
 * gives CRYPTO_PUBLICKEYBYTES, CRYPTO_SECRETKEYBYTES, CRYPTO_CIPHERTEXTBYTES, CRYPTO_BYTES and
 * CRYPTO_ALGNAME, and crypto_kem_keypair, crypto_kem_enc and crypto_kem_dec. The scheme is called as in the
 * constants of ringsmith_schemes.h. The functions give 0, or -1 where the library's own fails.
 */
#ifndef RINGSMITH_SUPERCOP_H
#define RINGSMITH_SUPERCOP_H

#include "ringsmith.h"

#ifndef RINGSMITH_SUPERCOP
#error "RINGSMITH_SUPERCOP says which scheme, as in ML_KEM_768"
#endif

#define RINGSMITH_JOINED(scheme, what) RINGSMITH_##scheme##_##what
#define RINGSMITH_OF(scheme, what) RINGSMITH_JOINED(scheme, what)

#define CRYPTO_PUBLICKEYBYTES RINGSMITH_OF(RINGSMITH_SUPERCOP, PUBLIC_KEY_BYTES)
#define CRYPTO_SECRETKEYBYTES RINGSMITH_OF(RINGSMITH_SUPERCOP, PRIVATE_KEY_BYTES)
#define CRYPTO_CIPHERTEXTBYTES RINGSMITH_OF(RINGSMITH_SUPERCOP, CIPHERTEXT_BYTES)
#define CRYPTO_BYTES RINGSMITH_OF(RINGSMITH_SUPERCOP, SHARED_KEY_BYTES)
#define CRYPTO_ALGNAME RINGSMITH_OF(RINGSMITH_SUPERCOP, NAME)

static inline int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    return -(ringsmith_kem_keypair(ringsmith_kem_find(CRYPTO_ALGNAME),
                                   pk, CRYPTO_PUBLICKEYBYTES,
                                   sk, CRYPTO_SECRETKEYBYTES) != RINGSMITH_OK);
}

static inline int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk)
{
    return -(ringsmith_kem_encaps(ringsmith_kem_find(CRYPTO_ALGNAME),
                                  ct, CRYPTO_CIPHERTEXTBYTES,
                                  ss, CRYPTO_BYTES,
                                  pk, CRYPTO_PUBLICKEYBYTES) != RINGSMITH_OK);
}

static inline int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk)
{
    return -(ringsmith_kem_decaps(ringsmith_kem_find(CRYPTO_ALGNAME),
                                  ss, CRYPTO_BYTES,
                                  ct, CRYPTO_CIPHERTEXTBYTES,
                                  sk, CRYPTO_SECRETKEYBYTES) != RINGSMITH_OK);
}

#endif
