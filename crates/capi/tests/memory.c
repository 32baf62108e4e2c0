/* Where the system has no more memory, at whichever allocation, that is the error; nothing is written, and
 * the same call succeeds when there is memory again. No allocation ends the program. */
#include "check.h"
#include <ringsmith.h>
#include <string.h>

/* glibc's own, behind those below. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

/* Which of the next allocations fails; 0 for none, and when it has failed. */
static unsigned long failing;

static int fails(void)
{
    return failing != 0 && --failing == 0;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    void *made = fails() ? NULL : __libc_memalign(alignment, bytes);
    if (made == NULL)
        return 12;
    *memory = made;
    return 0;
}

#define MOST 400

/* What the calls take and give. */
static ringsmith_ring *ring;
static ringsmith_factor *factor;
static const char *text;
static size_t n;
static uint64_t bound, a[MOST], b[MOST], product[MOST], by_factor[MOST];
static char plan[500];

static ringsmith_error new_ring(void)
{
    return bound == 0 ? ringsmith_ring_new(&ring, text, NULL)
                      : ringsmith_ring_new_small(&ring, text, bound, NULL);
}

static ringsmith_error write_plan(void)
{
    return ringsmith_ring_plan(ring, plan, sizeof plan, NULL);
}

static ringsmith_error prepare(void)
{
    return ringsmith_ring_prepare_u64(&factor, ring, b, n);
}

static ringsmith_error multiply(void)
{
    return ringsmith_ring_multiply_u64(ring, product, a, b, n);
}

static ringsmith_error multiply_prepared(void)
{
    return ringsmith_ring_multiply_prepared_u64(ring, by_factor, a, n, factor);
}

/* Calls with another allocation failing each time, until none does, and says how many did. A product may be
 * written all the same: then it is only its memory that is not kept for the next one. */
static unsigned long every(ringsmith_error (*call)(void), void *out, size_t bytes)
{
    static unsigned char before[MOST * sizeof(uint64_t)];
    unsigned long failed = 0;
    int reached = 1;
    CHECK(bytes <= sizeof before);
    memcpy(before, out, bytes);
    while (reached) {
        ringsmith_error error;
        failing = failed + 1;
        error = call();
        reached = failing == 0;
        failing = 0;
        failed += reached;
        if (error == RINGSMITH_OK) {
            if (!reached)
                break;
            CHECK(call == multiply || call == multiply_prepared);
            memcpy(out, before, bytes);
        } else {
            CHECK(reached && error == RINGSMITH_ERROR_MEMORY);
            CHECK(memcmp(out, before, bytes) == 0);
        }
    }
    return failed;
}

/* A ring whose second factors are small if there is a bound: it is made, told of, and multiplied in. */
static void in_ring(const char *name, uint64_t small)
{
    uint64_t q;
    size_t i;
    ringsmith_ring *again;
    text = name;
    bound = small;
    ring = NULL;
    factor = NULL;
    CHECK(every(new_ring, &ring, sizeof ring) > 3);
    n = ringsmith_ring_degree(ring);
    q = ringsmith_ring_modulus(ring);
    CHECK(n <= MOST);
    for (i = 0; i < n; i++) {
        a[i] = (q - 1) / (i + 1);
        b[i] = small == 0 ? q - 1 - a[i] : i % 3 == 0;
    }
    memset(plan, 0, sizeof plan);
    CHECK(every(write_plan, plan, sizeof plan) > 0 && strchr(plan, '\n') != NULL);
    CHECK(every(prepare, &factor, sizeof factor) > 2);
    memset(product, 0xff, sizeof product);
    CHECK(every(multiply, product, n * sizeof *product) > 5);
    /* A new ring, which has no memory for products yet. */
    again = ring;
    ring = NULL;
    CHECK(new_ring() == RINGSMITH_OK);
    memset(by_factor, 0xff, sizeof by_factor);
    CHECK(every(multiply_prepared, by_factor, n * sizeof *by_factor) > 5);
    CHECK(memcmp(product, by_factor, n * sizeof *product) == 0);
    ringsmith_factor_free(factor);
    ringsmith_ring_free(ring);
    ringsmith_ring_free(again);
}

/* The keys and ciphertexts of a scheme, of as many bytes as its longest ones have. Of each piece as many
 * bytes are looked at as the shortest one has. */
#define LONGEST (1 << 16)
#define SOME 32
static uint8_t public_key[LONGEST], private_key[LONGEST], ciphertext[LONGEST], shared[64], same[64];
static const ringsmith_kem *kem;

static ringsmith_error keypair(void)
{
    return ringsmith_kem_keypair(kem, public_key, ringsmith_kem_public_key_bytes(kem), private_key,
                                 ringsmith_kem_private_key_bytes(kem));
}

static ringsmith_error encaps(void)
{
    return ringsmith_kem_encaps(kem, ciphertext, ringsmith_kem_ciphertext_bytes(kem), shared,
                                ringsmith_kem_shared_key_bytes(kem), public_key,
                                ringsmith_kem_public_key_bytes(kem));
}

static ringsmith_error decaps(void)
{
    return ringsmith_kem_decaps(kem, same, ringsmith_kem_shared_key_bytes(kem), ciphertext,
                                ringsmith_kem_ciphertext_bytes(kem), private_key,
                                ringsmith_kem_private_key_bytes(kem));
}

static void encapsulates(const ringsmith_kem *scheme)
{
    size_t bytes;
    kem = scheme;
    CHECK(ringsmith_kem_private_key_bytes(kem) <= LONGEST && ringsmith_kem_shared_key_bytes(kem) <= 64);
    bytes = ringsmith_kem_shared_key_bytes(kem);
    memset(private_key, 0, SOME);
    memset(shared, 0, sizeof shared);
    memset(same, 0, sizeof same);
    CHECK(every(keypair, private_key, SOME) > 0);
    CHECK(every(encaps, shared, bytes) > 0);
    CHECK(every(decaps, same, bytes) > 0);
    CHECK(memcmp(shared, same, bytes) == 0);
}

/* What is encrypted and signed, and what comes out. */
static const uint8_t MESSAGE[] = "lattice";
#define MESSAGE_BYTES (sizeof MESSAGE - 1)
static const ringsmith_pke *pke;
static uint8_t found[LONGEST];
static size_t found_bytes;

static ringsmith_error pke_keypair(void)
{
    return ringsmith_pke_keypair(pke, public_key, ringsmith_pke_public_key_bytes(pke), private_key,
                                 ringsmith_pke_private_key_bytes(pke));
}

static ringsmith_error pke_check(void)
{
    return ringsmith_pke_check_public_key(pke, public_key, ringsmith_pke_public_key_bytes(pke));
}

static ringsmith_error pke_public_key(void)
{
    return ringsmith_pke_public_key(pke, found, ringsmith_pke_public_key_bytes(pke), private_key,
                                    ringsmith_pke_private_key_bytes(pke));
}

static ringsmith_error encrypt(void)
{
    return ringsmith_pke_encrypt(pke, ciphertext, ringsmith_pke_ciphertext_bytes(pke), MESSAGE,
                                 MESSAGE_BYTES, public_key, ringsmith_pke_public_key_bytes(pke));
}

static ringsmith_error decrypt(void)
{
    return ringsmith_pke_decrypt(pke, found, ringsmith_pke_message_bytes(pke), &found_bytes, ciphertext,
                                 ringsmith_pke_ciphertext_bytes(pke), private_key,
                                 ringsmith_pke_private_key_bytes(pke));
}

static void encrypts(const ringsmith_pke *scheme)
{
    const size_t most = ringsmith_pke_message_bytes(scheme);
    pke = scheme;
    CHECK(ringsmith_pke_private_key_bytes(pke) <= LONGEST && MESSAGE_BYTES <= most);
    CHECK(ringsmith_pke_ciphertext_bytes(pke) <= LONGEST && ringsmith_pke_public_key_bytes(pke) <= LONGEST);
    memset(private_key, 0, SOME);
    memset(ciphertext, 0, SOME);
    CHECK(every(pke_keypair, private_key, SOME) > 0);
    CHECK(every(pke_check, public_key, SOME) > 0);
    memset(found, 0, SOME);
    CHECK(every(pke_public_key, found, SOME) > 0);
    CHECK(memcmp(found, public_key, ringsmith_pke_public_key_bytes(pke)) == 0);
    CHECK(every(encrypt, ciphertext, SOME) > 0);
    found_bytes = 0;
    memset(found, 0, SOME);
    CHECK(every(decrypt, found, SOME) > 0);
    CHECK(found_bytes == MESSAGE_BYTES && memcmp(found, MESSAGE, MESSAGE_BYTES) == 0);
}

static const ringsmith_exchange *exchange;
static uint8_t secret[LONGEST];

static ringsmith_error offer(void)
{
    return ringsmith_exchange_offer(exchange, public_key, ringsmith_exchange_offer_bytes(exchange), secret,
                                    ringsmith_exchange_secret_bytes(exchange));
}

static ringsmith_error respond(void)
{
    return ringsmith_exchange_respond(exchange, ciphertext, ringsmith_exchange_response_bytes(exchange),
                                      shared, ringsmith_exchange_shared_key_bytes(exchange), public_key,
                                      ringsmith_exchange_offer_bytes(exchange));
}

/* Where it fails, the secret is there for another time. */
static ringsmith_error finish(void)
{
    return ringsmith_exchange_finish(exchange, same, ringsmith_exchange_shared_key_bytes(exchange), secret,
                                     ringsmith_exchange_secret_bytes(exchange), ciphertext,
                                     ringsmith_exchange_response_bytes(exchange));
}

static void exchanges(const ringsmith_exchange *scheme)
{
    const size_t bytes = ringsmith_exchange_shared_key_bytes(scheme);
    exchange = scheme;
    CHECK(ringsmith_exchange_secret_bytes(exchange) <= LONGEST && bytes <= sizeof shared);
    CHECK(ringsmith_exchange_offer_bytes(exchange) <= LONGEST);
    CHECK(ringsmith_exchange_response_bytes(exchange) <= LONGEST);
    memset(secret, 0, SOME);
    memset(shared, 0, sizeof shared);
    memset(same, 0, sizeof same);
    CHECK(every(offer, secret, SOME) > 0);
    CHECK(every(respond, shared, bytes) > 0);
    CHECK(every(finish, same, bytes) > 0);
    CHECK(memcmp(shared, same, bytes) == 0);
}

static const ringsmith_signature *signature;

static ringsmith_error signature_keypair(void)
{
    return ringsmith_signature_keypair(signature, public_key, ringsmith_signature_public_key_bytes(signature),
                                       private_key, ringsmith_signature_private_key_bytes(signature));
}

static ringsmith_error signature_public_key(void)
{
    return ringsmith_signature_public_key(signature, found, ringsmith_signature_public_key_bytes(signature),
                                          private_key, ringsmith_signature_private_key_bytes(signature));
}

static ringsmith_error sign(void)
{
    return ringsmith_signature_sign(signature, ciphertext, ringsmith_signature_bytes(signature), MESSAGE,
                                    MESSAGE_BYTES, NULL, 0, private_key,
                                    ringsmith_signature_private_key_bytes(signature));
}

static ringsmith_error sign_deterministic(void)
{
    return ringsmith_signature_sign_deterministic(signature, found, ringsmith_signature_bytes(signature),
                                                  MESSAGE, MESSAGE_BYTES, NULL, 0, private_key,
                                                  ringsmith_signature_private_key_bytes(signature));
}

static ringsmith_error verify(void)
{
    return ringsmith_signature_verify(signature, ciphertext, ringsmith_signature_bytes(signature), MESSAGE,
                                      MESSAGE_BYTES, NULL, 0, public_key,
                                      ringsmith_signature_public_key_bytes(signature));
}

static void signs(const ringsmith_signature *scheme)
{
    signature = scheme;
    CHECK(ringsmith_signature_private_key_bytes(signature) <= LONGEST);
    CHECK(ringsmith_signature_bytes(signature) <= LONGEST);
    memset(private_key, 0, SOME);
    memset(ciphertext, 0, SOME);
    CHECK(every(signature_keypair, private_key, SOME) > 0);
    memset(found, 0, SOME);
    CHECK(every(signature_public_key, found, SOME) > 0);
    CHECK(memcmp(found, public_key, ringsmith_signature_public_key_bytes(signature)) == 0);
    memset(found, 0, SOME);
    CHECK(every(sign_deterministic, found, SOME) > 0);
    CHECK(every(sign, ciphertext, SOME) > 0);
    CHECK(every(verify, ciphertext, SOME) > 0);
}

/* f has all its terms. */
static const char *dense(char *to, const char *before, int degree)
{
    char *end = to + sprintf(to, "%s[x]/(x^%d", before, degree);
    int i;
    for (i = degree - 1; i > 0; i--)
        end += sprintf(end, "+%dx^%d", i % 4 + 1, i);
    strcpy(end, "+3)");
    return to;
}

int main(void)
{
    static char room[1 << 14];
    size_t i;
    /* What output takes comes before. */
    CHECK(printf("all is ") == 7 && fflush(stdout) == 0);
    /* Rings with kernels, in lanes of 16 bits and of 32. */
    in_ring("Z_3329[x]/(x^256+1)", 0);
    in_ring("Z_8380417[x]/(x^256+1)", 0);
    /* Whole products in lanes of 16 bits; and two coefficients a number. */
    in_ring("Z_2048[x]/(x^397-x-1)", 0);
    in_ring("Z_2048[x]/(x^397-x-1)", 1);
    in_ring("Z_16[x]/(x^256+1)", 1);
    /* The definition; q itself; several primes; few terms of f, and all. */
    in_ring("Z_17[x]/(x^4+1)", 0);
    in_ring("Z_1073479681[x]/(x^256-1)", 0);
    in_ring("Z_2^62[x]/(x^300-3x^7-x-1)", 0);
    in_ring("Z_(2^61-1)[x]/(x^256+1)", 3);
    in_ring(dense(room, "Z_17", 300), 0);
    in_ring(dense(room, "Z_2^62", 300), 0);
    for (i = 0; i < ringsmith_kem_count(); i++)
        encapsulates(ringsmith_kem_at(i));
    for (i = 0; i < ringsmith_pke_count(); i++)
        encrypts(ringsmith_pke_at(i));
    for (i = 0; i < ringsmith_exchange_count(); i++)
        exchanges(ringsmith_exchange_at(i));
    for (i = 0; i < ringsmith_signature_count(); i++)
        signs(ringsmith_signature_at(i));
    puts("well");
    return 0;
}
