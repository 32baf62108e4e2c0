/* Every function of schemes: what it does, and what it refuses. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>
#include <ringsmith.h>
#include <string.h>

/* Nothing is written where a function fails: this stays. */
#define UNTOUCHED 0xa5

static unsigned char *place(size_t bytes)
{
    unsigned char *memory = malloc(bytes + (bytes == 0));
    CHECK(memory != NULL);
    memset(memory, UNTOUCHED, bytes);
    return memory;
}

static int untouched(const unsigned char *memory, size_t bytes)
{
    while (bytes > 0 && memory[bytes - 1] == UNTOUCHED)
        bytes--;
    return bytes == 0;
}

static int is_zero(const unsigned char *memory, size_t bytes)
{
    while (bytes > 0 && memory[bytes - 1] == 0)
        bytes--;
    return bytes == 0;
}

static void errors(void)
{
    char version[32];
    int i, j;
    snprintf(version, sizeof version, "%d.%d.%d", RINGSMITH_VERSION_MAJOR, RINGSMITH_VERSION_MINOR,
             RINGSMITH_VERSION_PATCH);
    /* A candidate's version goes on with a hyphen. */
    CHECK(strncmp(ringsmith_version(), version, strlen(version)) == 0);
    CHECK(strchr("-", ringsmith_version()[strlen(version)]) != NULL);
    for (i = RINGSMITH_OK; i <= RINGSMITH_ERROR_CONTEXT; i++)
        for (j = RINGSMITH_OK; j < i; j++)
            CHECK(strcmp(ringsmith_error_string(i), ringsmith_error_string(j)) != 0);
    CHECK(strcmp(ringsmith_error_string(-1), ringsmith_error_string(1000000)) == 0);
}

static void wiping(void)
{
    unsigned char memory[5] = {1, 2, 3, 4, 5};
    ringsmith_wipe(memory, 4);
    CHECK(is_zero(memory, 4) && memory[4] == 5);
    ringsmith_wipe(NULL, 4);
}

/* The memory of one scheme of key encapsulation, each piece as long as it must be. */
struct kem {
    const ringsmith_kem *kem;
    size_t pk_bytes, sk_bytes, ct_bytes, ss_bytes;
    unsigned char *pk, *sk, *ct, *ss, *other;
};

static struct kem kem_new(const ringsmith_kem *kem)
{
    struct kem k;
    k.kem = kem;
    k.pk_bytes = ringsmith_kem_public_key_bytes(kem);
    k.sk_bytes = ringsmith_kem_private_key_bytes(kem);
    k.ct_bytes = ringsmith_kem_ciphertext_bytes(kem);
    k.ss_bytes = ringsmith_kem_shared_key_bytes(kem);
    k.pk = place(k.pk_bytes);
    k.sk = place(k.sk_bytes);
    k.ct = place(k.ct_bytes);
    k.ss = place(k.ss_bytes);
    k.other = place(k.sk_bytes + k.ct_bytes + k.pk_bytes);
    return k;
}

static void kem_free(struct kem k)
{
    ringsmith_wipe(k.sk, k.sk_bytes);
    free(k.pk);
    free(k.sk);
    free(k.ct);
    free(k.ss);
    free(k.other);
}

#define KEYPAIR(k, pk, pl, sk, sl) ringsmith_kem_keypair((k).kem, pk, pl, sk, sl)
#define ENCAPS(k, ct, cl, ss, sl, pk, pl) ringsmith_kem_encaps((k).kem, ct, cl, ss, sl, pk, pl)
#define DECAPS(k, ss, sl, ct, cl, sk, kl) ringsmith_kem_decaps((k).kem, ss, sl, ct, cl, sk, kl)

static void kem_refuses(struct kem k)
{
    const ringsmith_kem *none = NULL, *wrong = (const ringsmith_kem *)(const void *)&k;
    const ringsmith_error null = RINGSMITH_ERROR_NULL_POINTER, length = RINGSMITH_ERROR_LENGTH;
    CHECK(ringsmith_kem_keypair(none, k.pk, k.pk_bytes, k.sk, k.sk_bytes) == null);
    CHECK(ringsmith_kem_keypair(wrong, k.pk, k.pk_bytes, k.sk, k.sk_bytes) == RINGSMITH_ERROR_HANDLE);
    CHECK(KEYPAIR(k, NULL, k.pk_bytes, k.sk, k.sk_bytes) == null);
    CHECK(KEYPAIR(k, k.pk, k.pk_bytes, NULL, k.sk_bytes) == null);
    CHECK(KEYPAIR(k, k.pk, k.pk_bytes - 1, k.sk, k.sk_bytes) == length);
    CHECK(KEYPAIR(k, k.pk, k.pk_bytes, k.sk, k.sk_bytes + 1) == length);
    CHECK(ENCAPS(k, NULL, k.ct_bytes, k.ss, k.ss_bytes, k.pk, k.pk_bytes) == null);
    CHECK(ENCAPS(k, k.ct, k.ct_bytes, NULL, k.ss_bytes, k.pk, k.pk_bytes) == null);
    CHECK(ENCAPS(k, k.ct, k.ct_bytes, k.ss, k.ss_bytes, NULL, k.pk_bytes) == null);
    CHECK(ENCAPS(k, k.ct, 0, k.ss, k.ss_bytes, k.pk, k.pk_bytes) == length);
    CHECK(ENCAPS(k, k.ct, k.ct_bytes, k.ss, 31, k.pk, k.pk_bytes) == length);
    CHECK(ENCAPS(k, k.ct, k.ct_bytes, k.ss, k.ss_bytes, k.pk, (size_t)-1) == length);
    CHECK(DECAPS(k, NULL, k.ss_bytes, k.ct, k.ct_bytes, k.sk, k.sk_bytes) == null);
    CHECK(DECAPS(k, k.ss, k.ss_bytes, NULL, k.ct_bytes, k.sk, k.sk_bytes) == null);
    CHECK(DECAPS(k, k.ss, k.ss_bytes, k.ct, k.ct_bytes, NULL, k.sk_bytes) == null);
    CHECK(DECAPS(k, k.ss, 33, k.ct, k.ct_bytes, k.sk, k.sk_bytes) == length);
    CHECK(DECAPS(k, k.ss, k.ss_bytes, k.ct, k.ct_bytes + 1, k.sk, k.sk_bytes) == length);
    CHECK(DECAPS(k, k.ss, k.ss_bytes, k.ct, k.ct_bytes, k.sk, k.sk_bytes - 1) == length);
    CHECK(ringsmith_kem_check_public_key(k.kem, NULL, k.pk_bytes) == null);
    CHECK(ringsmith_kem_check_public_key(k.kem, k.pk, 0) == length);
    CHECK(untouched(k.pk, k.pk_bytes) && untouched(k.sk, k.sk_bytes));
    CHECK(untouched(k.ct, k.ct_bytes) && untouched(k.ss, k.ss_bytes));
}

/* The two sides have the same key; another ciphertext has another one. */
static void kem_agrees(struct kem k)
{
    CHECK(KEYPAIR(k, k.pk, k.pk_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
    CHECK(ringsmith_kem_check_public_key(k.kem, k.pk, k.pk_bytes) == RINGSMITH_OK);
    CHECK(ENCAPS(k, k.ct, k.ct_bytes, k.ss, k.ss_bytes, k.pk, k.pk_bytes) == RINGSMITH_OK);
    CHECK(DECAPS(k, k.other, k.ss_bytes, k.ct, k.ct_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
    CHECK(memcmp(k.ss, k.other, k.ss_bytes) == 0);
    if (ringsmith_kem_is_reusable(k.kem)) {
        k.ct[0] ^= 1;
        CHECK(DECAPS(k, k.other, k.ss_bytes, k.ct, k.ct_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
        CHECK(memcmp(k.ss, k.other, k.ss_bytes) != 0);
    }
}

/* All in one piece of memory, unaligned: what is read is read before anything is written. */
static void kem_overlaps(struct kem k)
{
    unsigned char *one = k.other + 1;
    CHECK(KEYPAIR(k, one, k.pk_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
    CHECK(ENCAPS(k, one, k.ct_bytes, k.ss, k.ss_bytes, one, k.pk_bytes) == RINGSMITH_OK);
    CHECK(DECAPS(k, one, k.ss_bytes, one, k.ct_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
    CHECK(memcmp(k.ss, one, k.ss_bytes) == 0);
}

static void kem_of_seed(struct kem k)
{
    const size_t bytes = ringsmith_kem_seed_bytes(k.kem);
    const unsigned char seed[64] = {1};
    CHECK(bytes <= sizeof seed);
    if (bytes == 0) {
        CHECK(ringsmith_kem_keypair_from_seed(k.kem, k.pk, k.pk_bytes, k.sk, k.sk_bytes, seed, 32)
              == RINGSMITH_ERROR_UNSUPPORTED);
        return;
    }
    CHECK(ringsmith_kem_keypair_from_seed(k.kem, k.pk, k.pk_bytes, k.sk, k.sk_bytes, seed, bytes)
          == RINGSMITH_OK);
    CHECK(ringsmith_kem_keypair_from_seed(k.kem, k.other, k.pk_bytes, k.other + k.pk_bytes, k.sk_bytes,
          seed, bytes)
          == RINGSMITH_OK);
    CHECK(memcmp(k.pk, k.other, k.pk_bytes) == 0 && memcmp(k.sk, k.other + k.pk_bytes, k.sk_bytes) == 0);
    CHECK(ringsmith_kem_keypair_from_seed(k.kem, k.pk, k.pk_bytes, k.sk, k.sk_bytes, seed, bytes - 1)
          == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_kem_keypair_from_seed(k.kem, k.pk, k.pk_bytes, k.sk, k.sk_bytes, NULL, bytes)
          == RINGSMITH_ERROR_NULL_POINTER);
}

static void kem_public_key(struct kem k)
{
    const ringsmith_error made = ringsmith_kem_public_key(k.kem, k.other, k.pk_bytes, k.sk, k.sk_bytes);
    CHECK(KEYPAIR(k, k.pk, k.pk_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
    CHECK((made == RINGSMITH_ERROR_UNSUPPORTED) == !ringsmith_kem_is_reusable(k.kem));
    if (made == RINGSMITH_ERROR_UNSUPPORTED)
        return;
    CHECK(ringsmith_kem_public_key(k.kem, k.other, k.pk_bytes, k.sk, k.sk_bytes) == RINGSMITH_OK);
    CHECK(memcmp(k.pk, k.other, k.pk_bytes) == 0);
    memset(k.sk, 0xff, k.sk_bytes);
    memset(k.other, UNTOUCHED, k.pk_bytes);
    CHECK(ringsmith_kem_public_key(k.kem, k.other, k.pk_bytes, k.sk, k.sk_bytes) == RINGSMITH_ERROR_KEY);
    CHECK(DECAPS(k, k.other, k.ss_bytes, k.ct, k.ct_bytes, k.sk, k.sk_bytes) == RINGSMITH_ERROR_KEY);
    CHECK(untouched(k.other, k.pk_bytes));
}

static void kems(void)
{
    size_t i;
    CHECK(ringsmith_kem_count() >= 24 && ringsmith_kem_at(ringsmith_kem_count()) == NULL);
    for (i = 0; i < ringsmith_kem_count(); i++) {
        const ringsmith_kem *kem = ringsmith_kem_at(i);
        struct kem k = kem_new(kem);
        CHECK(ringsmith_kem_find(ringsmith_kem_name(kem)) == kem);
        CHECK(ringsmith_kem_status(kem) != RINGSMITH_STATUS_NONE);
        kem_refuses(k);
        kem_agrees(k);
        kem_overlaps(k);
        kem_of_seed(k);
        kem_public_key(k);
        kem_free(k);
    }
    CHECK(ringsmith_kem_find("ml-kem-768") == ringsmith_kem_find(RINGSMITH_ML_KEM_768_NAME));
    CHECK(ringsmith_kem_public_key_bytes(ringsmith_kem_find("ML-KEM-768"))
          == RINGSMITH_ML_KEM_768_PUBLIC_KEY_BYTES);
    CHECK(ringsmith_kem_find(NULL) == NULL && ringsmith_kem_find("") == NULL
          && ringsmith_kem_find("ML-KEM") == NULL);
    CHECK(ringsmith_kem_name(NULL) == NULL && ringsmith_kem_status(NULL) == RINGSMITH_STATUS_NONE);
    CHECK(ringsmith_kem_ciphertext_bytes(NULL) == 0 && ringsmith_kem_is_reusable(NULL) == 0);
}

static void pke(const ringsmith_pke *pke)
{
    const size_t pkl = ringsmith_pke_public_key_bytes(pke), skl = ringsmith_pke_private_key_bytes(pke);
    const size_t ctl = ringsmith_pke_ciphertext_bytes(pke), room = ringsmith_pke_message_bytes(pke);
    const unsigned char text[] = "lattice";
    unsigned char *pk = place(pkl), *sk = place(skl), *ct = place(ctl), *found = place(room),
        *again = place(pkl);
    size_t length = 77;
    CHECK(ringsmith_pke_find(ringsmith_pke_name(pke)) == pke
          && ringsmith_pke_status(pke) != RINGSMITH_STATUS_NONE);
    CHECK(ringsmith_pke_keypair(pke, pk, pkl - 1, sk, skl) == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_pke_keypair(pke, NULL, pkl, sk, skl) == RINGSMITH_ERROR_NULL_POINTER
          && untouched(sk, skl));
    CHECK(ringsmith_pke_keypair(pke, pk, pkl, sk, skl) == RINGSMITH_OK);
    CHECK(ringsmith_pke_check_public_key(pke, pk, pkl) == RINGSMITH_OK);
    CHECK(ringsmith_pke_public_key(pke, again, pkl, sk, skl) == RINGSMITH_OK && memcmp(pk, again, pkl) == 0);
    CHECK(ringsmith_pke_encrypt(pke, ct, ctl, text, room + 1, pk, pkl) == RINGSMITH_ERROR_MESSAGE);
    CHECK(ringsmith_pke_encrypt(pke, ct, ctl, NULL, 7, pk, pkl) == RINGSMITH_ERROR_NULL_POINTER);
    CHECK(ringsmith_pke_encrypt(pke, ct, ctl + 1, text, 7, pk, pkl) == RINGSMITH_ERROR_LENGTH
          && untouched(ct, ctl));
    CHECK(ringsmith_pke_encrypt(pke, ct, ctl, text, 7, pk, pkl) == RINGSMITH_OK);
    ct[ctl / 2] ^= 1;
    CHECK(ringsmith_pke_decrypt(pke, found, room, &length, ct, ctl, sk, skl) == RINGSMITH_ERROR_DECRYPTION);
    ct[ctl / 2] ^= 1;
    CHECK(ringsmith_pke_decrypt(pke, found, room, &length, ct, ctl - 1, sk, skl)
          == RINGSMITH_ERROR_DECRYPTION);
    CHECK(ringsmith_pke_decrypt(pke, found, room, NULL, ct, ctl, sk, skl) == RINGSMITH_ERROR_NULL_POINTER);
    CHECK(ringsmith_pke_decrypt(pke, found, room - 1, &length, ct, ctl, sk, skl) == RINGSMITH_ERROR_LENGTH);
    CHECK(untouched(found, room) && length == 77);
    CHECK(ringsmith_pke_decrypt(pke, found, room, &length, ct, ctl, sk, skl) == RINGSMITH_OK);
    CHECK(length == 7 && memcmp(found, text, 7) == 0 && is_zero(found + 7, room - 7));
    CHECK(ringsmith_pke_encrypt(pke, ct, ctl, NULL, 0, pk, pkl) == RINGSMITH_OK);
    CHECK(ringsmith_pke_decrypt(pke, found, room, &length, ct, ctl, sk, skl) == RINGSMITH_OK && length == 0);
    free(pk);
    free(sk);
    free(ct);
    free(found);
    free(again);
}

static void pkes(void)
{
    size_t i;
    CHECK(ringsmith_pke_count() >= 17 && ringsmith_pke_at(ringsmith_pke_count()) == NULL);
    for (i = 0; i < ringsmith_pke_count(); i++)
        pke(ringsmith_pke_at(i));
    CHECK(ringsmith_pke_find(NULL) == NULL && ringsmith_pke_find("ML-KEM-768") == NULL);
    CHECK(ringsmith_pke_name(NULL) == NULL && ringsmith_pke_status(NULL) == RINGSMITH_STATUS_NONE);
    /* A handle of another kind is none. */
    CHECK(ringsmith_pke_message_bytes((const ringsmith_pke *)(const void *)ringsmith_kem_at(0)) == 0);
}

static void exchange(const ringsmith_exchange *x)
{
    const size_t kl = ringsmith_exchange_secret_bytes(x), ol = ringsmith_exchange_offer_bytes(x);
    const size_t rl = ringsmith_exchange_response_bytes(x), sl = ringsmith_exchange_shared_key_bytes(x);
    unsigned char *secret = place(kl), *offer = place(ol), *response = place(rl), *one = place(sl),
        *two = place(sl);
    CHECK(ringsmith_exchange_find(ringsmith_exchange_name(x)) == x);
    CHECK(ringsmith_exchange_status(x) != RINGSMITH_STATUS_NONE);
    CHECK(ringsmith_exchange_offer(x, offer, ol, secret, kl - 1) == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_exchange_offer(x, offer, ol, NULL, kl) == RINGSMITH_ERROR_NULL_POINTER
          && untouched(offer, ol));
    CHECK(ringsmith_exchange_offer(x, offer, ol, secret, kl) == RINGSMITH_OK);
    CHECK(ringsmith_exchange_respond(x, response, rl, one, sl, offer, ol + 1) == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_exchange_respond(x, NULL, rl, one, sl, offer, ol) == RINGSMITH_ERROR_NULL_POINTER);
    CHECK(untouched(response, rl) && untouched(one, sl));
    CHECK(ringsmith_exchange_respond(x, response, rl, one, sl, offer, ol) == RINGSMITH_OK);
    CHECK(ringsmith_exchange_finish(x, two, sl, secret, kl, response, rl - 1) == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_exchange_finish(x, two, sl, NULL, kl, response, rl) == RINGSMITH_ERROR_NULL_POINTER);
    CHECK(untouched(two, sl) && !is_zero(secret, kl));
    CHECK(ringsmith_exchange_finish(x, two, sl, secret, kl, response, rl) == RINGSMITH_OK);
    CHECK(memcmp(one, two, sl) == 0 && is_zero(secret, kl));
    CHECK(ringsmith_exchange_finish(x, two, sl, secret, kl, response, rl) == RINGSMITH_ERROR_KEY);
    free(secret);
    free(offer);
    free(response);
    free(one);
    free(two);
}

static void exchanges(void)
{
    size_t i;
    CHECK(ringsmith_exchange_count() >= 2 && ringsmith_exchange_at(ringsmith_exchange_count()) == NULL);
    for (i = 0; i < ringsmith_exchange_count(); i++)
        exchange(ringsmith_exchange_at(i));
    CHECK(ringsmith_exchange_find(NULL) == NULL && ringsmith_exchange_name(NULL) == NULL);
    CHECK(ringsmith_exchange_status(NULL) == RINGSMITH_STATUS_NONE);
}

/* The memory of one scheme of signatures. */
struct signer {
    const ringsmith_signature *scheme;
    size_t pkl, skl, sgl;
    unsigned char *pk, *sk, *sg;
};

static struct signer signer_new(const ringsmith_signature *scheme)
{
    struct signer s;
    s.scheme = scheme;
    s.pkl = ringsmith_signature_public_key_bytes(scheme);
    s.skl = ringsmith_signature_private_key_bytes(scheme);
    s.sgl = ringsmith_signature_bytes(scheme);
    s.pk = place(s.pkl);
    s.sk = place(s.skl);
    s.sg = place(s.sgl);
    return s;
}

static void signer_free(struct signer s)
{
    ringsmith_wipe(s.sk, s.skl);
    free(s.pk);
    free(s.sk);
    free(s.sg);
}

static const unsigned char TEXT[] = "lattice", PURPOSE[] = "test";

#define SIGN(s, sg, sl, m, ml, c, cl, sk, kl) \
    ringsmith_signature_sign((s).scheme, sg, sl, m, ml, c, cl, sk, kl)
#define VERIFY(s, sg, sl, m, ml, c, cl, pk, pl) \
    ringsmith_signature_verify((s).scheme, sg, sl, m, ml, c, cl, pk, pl)

static void signature_refuses(struct signer s)
{
    const ringsmith_error null = RINGSMITH_ERROR_NULL_POINTER, length = RINGSMITH_ERROR_LENGTH;
    const ringsmith_signature *wrong = (const ringsmith_signature *)(const void *)ringsmith_kem_at(0);
    const unsigned char long_context[256] = {0};
    CHECK(ringsmith_signature_keypair(NULL, s.pk, s.pkl, s.sk, s.skl) == null);
    CHECK(ringsmith_signature_keypair(wrong, s.pk, s.pkl, s.sk, s.skl) == RINGSMITH_ERROR_HANDLE);
    CHECK(ringsmith_signature_keypair(s.scheme, NULL, s.pkl, s.sk, s.skl) == null);
    CHECK(ringsmith_signature_keypair(s.scheme, s.pk, s.pkl, s.sk, s.skl - 1) == length);
    CHECK(untouched(s.pk, s.pkl) && untouched(s.sk, s.skl));
    CHECK(ringsmith_signature_keypair(s.scheme, s.pk, s.pkl, s.sk, s.skl) == RINGSMITH_OK);
    CHECK(SIGN(s, NULL, s.sgl, TEXT, 7, NULL, 0, s.sk, s.skl) == null);
    CHECK(SIGN(s, s.sg, s.sgl, NULL, 7, NULL, 0, s.sk, s.skl) == null);
    CHECK(SIGN(s, s.sg, s.sgl, TEXT, 7, NULL, 1, s.sk, s.skl) == null);
    CHECK(SIGN(s, s.sg, s.sgl, TEXT, 7, NULL, 0, NULL, s.skl) == null);
    CHECK(SIGN(s, s.sg, s.sgl + 1, TEXT, 7, NULL, 0, s.sk, s.skl) == length);
    CHECK(SIGN(s, s.sg, s.sgl, TEXT, 7, NULL, 0, s.sk, s.skl + 1) == length);
    CHECK(SIGN(s, s.sg, s.sgl, TEXT, 7, long_context, 256, s.sk, s.skl) == RINGSMITH_ERROR_CONTEXT);
    CHECK(ringsmith_signature_sign_deterministic(s.scheme, s.sg, s.sgl, TEXT, 7, long_context, 256, s.sk,
          s.skl)
          == RINGSMITH_ERROR_CONTEXT);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, long_context, 256, s.pk, s.pkl) == RINGSMITH_ERROR_CONTEXT);
    CHECK(VERIFY(s, NULL, s.sgl, TEXT, 7, NULL, 0, s.pk, s.pkl) == null);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, NULL, 0, NULL, s.pkl) == null);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, NULL, 0, s.pk, s.pkl - 1) == length);
    s.sk[s.skl - 1] ^= 1;
    CHECK(SIGN(s, s.sg, s.sgl, TEXT, 7, NULL, 0, s.sk, s.skl) == RINGSMITH_ERROR_KEY);
    CHECK(ringsmith_signature_public_key(s.scheme, s.pk, s.pkl, s.sk, s.skl) == RINGSMITH_ERROR_KEY);
    CHECK(untouched(s.sg, s.sgl));
}

static void signature_signs(struct signer s)
{
    const ringsmith_error bad = RINGSMITH_ERROR_SIGNATURE;
    CHECK(ringsmith_signature_keypair(s.scheme, s.pk, s.pkl, s.sk, s.skl) == RINGSMITH_OK);
    CHECK(SIGN(s, s.sg, s.sgl, TEXT, 7, PURPOSE, 4, s.sk, s.skl) == RINGSMITH_OK);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, PURPOSE, 4, s.pk, s.pkl) == RINGSMITH_OK);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 6, PURPOSE, 4, s.pk, s.pkl) == bad);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, PURPOSE, 3, s.pk, s.pkl) == bad);
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, NULL, 0, s.pk, s.pkl) == bad);
    CHECK(VERIFY(s, s.sg, s.sgl - 1, TEXT, 7, PURPOSE, 4, s.pk, s.pkl) == bad);
    s.sg[s.sgl / 2] ^= 1;
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, PURPOSE, 4, s.pk, s.pkl) == bad);
    s.pk[0] ^= 1;
    s.sg[s.sgl / 2] ^= 1;
    CHECK(VERIFY(s, s.sg, s.sgl, TEXT, 7, PURPOSE, 4, s.pk, s.pkl) == bad);
    CHECK(SIGN(s, s.sg, s.sgl, NULL, 0, NULL, 0, s.sk, s.skl) == RINGSMITH_OK);
    s.pk[0] ^= 1;
    CHECK(VERIFY(s, s.sg, s.sgl, NULL, 0, NULL, 0, s.pk, s.pkl) == RINGSMITH_OK);
}

/* A seed makes the same keys, and they the same signature where nothing is drawn; a long message, too. */
static void signature_of_seed(struct signer s)
{
    const unsigned char seed[32] = {1};
    const size_t long_bytes = 100000;
    unsigned char *again = place(s.skl), *other = place(s.pkl), *message = place(long_bytes);
    CHECK(ringsmith_signature_seed_bytes(s.scheme) == sizeof seed);
    CHECK(ringsmith_signature_keypair_from_seed(s.scheme, other, s.pkl, again, s.skl, seed, 31)
          == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_signature_keypair_from_seed(s.scheme, other, s.pkl, again, s.skl, NULL, 32)
          == RINGSMITH_ERROR_NULL_POINTER);
    CHECK(untouched(other, s.pkl) && untouched(again, s.skl));
    CHECK(ringsmith_signature_keypair_from_seed(s.scheme, s.pk, s.pkl, s.sk, s.skl, seed, 32) == RINGSMITH_OK);
    CHECK(ringsmith_signature_keypair_from_seed(s.scheme, other, s.pkl, again, s.skl, seed, 32)
          == RINGSMITH_OK);
    CHECK(memcmp(s.pk, other, s.pkl) == 0 && memcmp(s.sk, again, s.skl) == 0);
    memset(other, UNTOUCHED, s.pkl);
    CHECK(ringsmith_signature_public_key(s.scheme, other, s.pkl, s.sk, s.skl) == RINGSMITH_OK);
    CHECK(memcmp(s.pk, other, s.pkl) == 0);
    CHECK(ringsmith_signature_sign_deterministic(s.scheme, s.sg, s.sgl, message, long_bytes, NULL, 0, s.sk,
          s.skl)
          == RINGSMITH_OK);
    /* Unaligned, and where the private key was. */
    CHECK(ringsmith_signature_sign_deterministic(s.scheme, again, s.sgl, message, long_bytes, NULL, 0, again,
          s.skl)
          == RINGSMITH_OK);
    CHECK(memcmp(s.sg, again, s.sgl) == 0);
    CHECK(VERIFY(s, s.sg, s.sgl, message, long_bytes, NULL, 0, s.pk, s.pkl) == RINGSMITH_OK);
    message[long_bytes - 1] ^= 1;
    CHECK(VERIFY(s, s.sg, s.sgl, message, long_bytes, NULL, 0, s.pk, s.pkl) == RINGSMITH_ERROR_SIGNATURE);
    free(again);
    free(other);
    free(message);
}

static void signatures(void)
{
    size_t i;
    CHECK(ringsmith_signature_count() >= 3);
    CHECK(ringsmith_signature_at(ringsmith_signature_count()) == NULL);
    for (i = 0; i < ringsmith_signature_count(); i++) {
        const ringsmith_signature *scheme = ringsmith_signature_at(i);
        struct signer s = signer_new(scheme);
        CHECK(ringsmith_signature_find(ringsmith_signature_name(scheme)) == scheme);
        CHECK(ringsmith_signature_status(scheme) == RINGSMITH_STATUS_STANDARD);
        signature_refuses(s);
        signature_signs(s);
        signature_of_seed(s);
        signer_free(s);
    }
    CHECK(ringsmith_signature_find("ml-dsa-65") == ringsmith_signature_find(RINGSMITH_ML_DSA_65_NAME));
    CHECK(ringsmith_signature_bytes(ringsmith_signature_find("ML-DSA-65"))
          == RINGSMITH_ML_DSA_65_SIGNATURE_BYTES);
    CHECK(ringsmith_signature_find(NULL) == NULL && ringsmith_signature_name(NULL) == NULL);
    CHECK(ringsmith_signature_status(NULL) == RINGSMITH_STATUS_NONE && ringsmith_signature_bytes(NULL) == 0);
}

/* Draws by every function that does; prints what they give. What failed wrote nothing. */
static void draw(void)
{
    const ringsmith_kem *kem = ringsmith_kem_find("sntrup761");
    const ringsmith_pke *pke = ringsmith_pke_find("ees443ep1");
    const ringsmith_exchange *x = ringsmith_exchange_at(0);
    struct kem k = kem_new(kem);
    const size_t pkl = ringsmith_pke_public_key_bytes(pke), skl = ringsmith_pke_private_key_bytes(pke);
    const size_t kl = ringsmith_exchange_secret_bytes(x), ol = ringsmith_exchange_offer_bytes(x);
    unsigned char *pk = place(pkl), *sk = place(skl), *secret = place(kl), *offer = place(ol);
    const unsigned char seed[32] = {1};
    struct signer s = signer_new(ringsmith_signature_find("ML-DSA-44"));
    int e[6];
    e[0] = KEYPAIR(k, k.pk, k.pk_bytes, k.sk, k.sk_bytes);
    CHECK(e[0] == RINGSMITH_OK || (untouched(k.pk, k.pk_bytes) && untouched(k.sk, k.sk_bytes)));
    memset(k.pk, 0, k.pk_bytes);
    e[1] = ENCAPS(k, k.ct, k.ct_bytes, k.ss, k.ss_bytes, k.pk, k.pk_bytes);
    CHECK(e[1] == RINGSMITH_OK || (untouched(k.ct, k.ct_bytes) && untouched(k.ss, k.ss_bytes)));
    e[2] = ringsmith_pke_keypair(pke, pk, pkl, sk, skl);
    CHECK(e[2] == RINGSMITH_OK || (untouched(pk, pkl) && untouched(sk, skl)));
    e[3] = ringsmith_exchange_offer(x, offer, ol, secret, kl);
    CHECK(e[3] == RINGSMITH_OK || (untouched(offer, ol) && untouched(secret, kl)));
    e[4] = ringsmith_signature_keypair(s.scheme, s.pk, s.pkl, s.sk, s.skl);
    CHECK(e[4] == RINGSMITH_OK || (untouched(s.pk, s.pkl) && untouched(s.sk, s.skl)));
    CHECK(ringsmith_signature_keypair_from_seed(s.scheme, s.pk, s.pkl, s.sk, s.skl, seed, 32) == RINGSMITH_OK);
    e[5] = SIGN(s, s.sg, s.sgl, TEXT, 7, NULL, 0, s.sk, s.skl);
    CHECK(e[5] == RINGSMITH_OK || untouched(s.sg, s.sgl));
    printf("returned %d %d %d %d %d %d\n", e[0], e[1], e[2], e[3], e[4], e[5]);
    signer_free(s);
    kem_free(k);
    free(pk);
    free(sk);
    free(secret);
    free(offer);
}

static void *all(void *unused)
{
    errors();
    wiping();
    kems();
    pkes();
    exchanges();
    signatures();
    return unused;
}

/* On a stack as small as the header says. */
static void in_thread(void)
{
    pthread_attr_t small;
    pthread_t thread;
    CHECK(pthread_attr_init(&small) == 0);
    CHECK(pthread_attr_setstacksize(&small, (size_t)512 * 1024) == 0);
    CHECK(pthread_create(&thread, &small, all, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0 && pthread_attr_destroy(&small) == 0);
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "draw") == 0)
        draw();
    else
        in_thread();
    if (count == 1)
        puts("all is well");
    return 0;
}
