/* Every function of rings, threads, a child after fork, and SUPERCOP's names. */
#define _POSIX_C_SOURCE 200809L
#define RINGSMITH_SUPERCOP SNTRUP761
#include "check.h"
#include <pthread.h>
#include <ringsmith_supercop.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 761
#define Q 4591
#define TEXT "Z_4591[x]/(x^761-x-1)"

/* A product modulo x^761 - x - 1 by its definition, for any q below 2^30. */
static void schoolbook(uint64_t *product, const uint64_t *a, const uint64_t *b, uint64_t q)
{
    uint64_t c[2 * N] = {0};
    size_t i, j;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            c[i + j] = (c[i + j] + a[i] * b[j]) % q;
    for (i = 2 * N - 1; i >= N; i--) {
        c[i - N] = (c[i - N] + c[i]) % q;
        c[i - N + 1] = (c[i - N + 1] + c[i]) % q;
    }
    memcpy(product, c, N * sizeof *product);
}

static void numbers(uint64_t *a, uint64_t q, uint64_t state)
{
    size_t i;
    for (i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        a[i] = (state >> 33) % q;
    }
}

static ringsmith_ring *ring_of(const char *text)
{
    ringsmith_ring *ring = NULL;
    CHECK(ringsmith_ring_new(&ring, text, NULL) == RINGSMITH_OK && ring != NULL);
    return ring;
}

static void wide(const char *text, uint64_t q)
{
    uint64_t a[N], b[N], c[N], expected[N];
    ringsmith_ring *ring = ring_of(text), *twin = ring_of(text);
    ringsmith_factor *factor = NULL;
    CHECK(ringsmith_ring_degree(ring) == N && ringsmith_ring_modulus(ring) == q);
    numbers(a, q, 1);
    numbers(b, q, 2);
    schoolbook(expected, a, b, q);
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, b, N) == RINGSMITH_OK);
    CHECK(memcmp(c, expected, sizeof c) == 0);
    CHECK(ringsmith_ring_prepare_u64(&factor, ring, b, N) == RINGSMITH_OK);
    ringsmith_ring_free(ring);
    memset(c, 0, sizeof c);
    CHECK(ringsmith_ring_multiply_prepared_u64(twin, c, a, N, factor) == RINGSMITH_OK);
    CHECK(memcmp(c, expected, sizeof c) == 0);
    /* A product over its factor. */
    CHECK(ringsmith_ring_multiply_u64(twin, a, a, b, N) == RINGSMITH_OK);
    CHECK(memcmp(a, expected, sizeof a) == 0);
    ringsmith_factor_free(factor);
    ringsmith_ring_free(twin);
}

static void narrow(void)
{
    uint64_t a[N], b[N], expected[N];
    uint32_t a32[N], b32[N], c32[N];
    uint16_t a16[N], b16[N], c16[N];
    ringsmith_ring *ring = ring_of(TEXT);
    ringsmith_factor *factor[2] = {NULL, NULL};
    size_t i;
    numbers(a, Q, 3);
    numbers(b, Q, 4);
    schoolbook(expected, a, b, Q);
    for (i = 0; i < N; i++) {
        a32[i] = (uint32_t)a[i];
        b32[i] = (uint32_t)b[i];
        a16[i] = (uint16_t)a[i];
        b16[i] = (uint16_t)b[i];
    }
    CHECK(ringsmith_ring_multiply_u32(ring, c32, a32, b32, N) == RINGSMITH_OK);
    CHECK(ringsmith_ring_multiply_u16(ring, c16, a16, b16, N) == RINGSMITH_OK);
    for (i = 0; i < N; i++)
        CHECK(c32[i] == expected[i] && c16[i] == expected[i]);
    CHECK(ringsmith_ring_prepare_u32(&factor[0], ring, b32, N) == RINGSMITH_OK);
    CHECK(ringsmith_ring_prepare_u16(&factor[1], ring, b16, N) == RINGSMITH_OK);
    memset(c32, 0, sizeof c32);
    memset(c16, 0, sizeof c16);
    CHECK(ringsmith_ring_multiply_prepared_u32(ring, c32, a32, N, factor[1]) == RINGSMITH_OK);
    CHECK(ringsmith_ring_multiply_prepared_u16(ring, c16, a16, N, factor[0]) == RINGSMITH_OK);
    for (i = 0; i < N; i++)
        CHECK(c32[i] == expected[i] && c16[i] == expected[i]);
    ringsmith_factor_free(factor[0]);
    ringsmith_factor_free(factor[1]);
    ringsmith_ring_free(ring);
}

static void small(void)
{
    uint64_t a[N], b[N], c[N], expected[N];
    ringsmith_ring *ring = NULL;
    numbers(a, Q, 5);
    memset(b, 0, sizeof b);
    b[0] = 1;
    b[N - 1] = Q - 1;
    schoolbook(expected, a, b, Q);
    CHECK(ringsmith_ring_new_small(&ring, TEXT, 0, NULL) == RINGSMITH_ERROR_RANGE && ring == NULL);
    CHECK(ringsmith_ring_new_small(&ring, TEXT, 1, NULL) == RINGSMITH_OK);
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, b, N) == RINGSMITH_OK);
    CHECK(memcmp(c, expected, sizeof c) == 0);
    b[5] = 2;
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, b, N) == RINGSMITH_ERROR_RANGE);
    CHECK(memcmp(c, expected, sizeof c) == 0);
    ringsmith_ring_free(ring);
}

static void no_rings(void)
{
    ringsmith_ring *ring = NULL;
    size_t position = 99;
    const ringsmith_error none = RINGSMITH_ERROR_EXPRESSION, null = RINGSMITH_ERROR_NULL_POINTER;
    CHECK(ringsmith_ring_new(&ring, "Z_17[x]/(x^4+)", &position) == none && position == 13);
    CHECK(ringsmith_ring_new(&ring, "", &position) == none && position == 0);
    CHECK(ringsmith_ring_new(&ring, "\xff", NULL) == none);
    position = 99;
    CHECK(ringsmith_ring_new(&ring, "Z_1[x]/(x^4+1)", &position) == RINGSMITH_ERROR_RING);
    CHECK(ringsmith_ring_new(&ring, "Z_17[x]/(2x^4+1)", &position) == RINGSMITH_ERROR_RING);
    CHECK(ringsmith_ring_new(&ring, "Z_17[x]/(3)", NULL) != RINGSMITH_OK);
    CHECK(ringsmith_ring_new(&ring, NULL, &position) == null && position == 99);
    CHECK(ringsmith_ring_new(NULL, TEXT, &position) == null && ring == NULL);
    CHECK(ringsmith_ring_new_small(&ring, NULL, 1, NULL) == null);
    CHECK(ringsmith_ring_degree(NULL) == 0 && ringsmith_ring_modulus(NULL) == 0);
    ringsmith_ring_free(NULL);
    ringsmith_factor_free(NULL);
}

static void refuses(void)
{
    uint64_t a[3] = {1, 2, 3}, b[3] = {4, 5, 70000}, c[3] = {6, 6, 6};
    uint16_t s[3] = {1, 2, 3};
    ringsmith_ring *ring = ring_of("Z_70000[x]/(x^2+1)"), *other = ring_of("Z_17[x]/(x^2+1)");
    ringsmith_factor *factor = NULL;
    const ringsmith_error null = RINGSMITH_ERROR_NULL_POINTER;
    CHECK(ringsmith_ring_multiply_u64(NULL, c, a, b, 2) == null);
    CHECK(ringsmith_ring_multiply_u64(ring, NULL, a, b, 2) == null);
    CHECK(ringsmith_ring_multiply_u64(ring, c, NULL, b, 2) == null);
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, NULL, 2) == null);
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, b, 3) == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, b, 0) == RINGSMITH_ERROR_LENGTH);
    CHECK(ringsmith_ring_multiply_u64(ring, c, a, b + 1, 2) == RINGSMITH_ERROR_RANGE);
    CHECK(ringsmith_ring_multiply_u16(ring, s, s, s, 2) == RINGSMITH_ERROR_RANGE);
    CHECK(ringsmith_ring_prepare_u64(NULL, ring, a, 2) == null);
    CHECK(ringsmith_ring_prepare_u64(&factor, NULL, a, 2) == null);
    CHECK(ringsmith_ring_prepare_u64(&factor, ring, NULL, 2) == null);
    CHECK(ringsmith_ring_prepare_u64(&factor, ring, a, 1) == RINGSMITH_ERROR_LENGTH && factor == NULL);
    CHECK(ringsmith_ring_prepare_u64(&factor, other, a, 2) == RINGSMITH_OK);
    CHECK(ringsmith_ring_multiply_prepared_u64(ring, c, a, 2, factor) == RINGSMITH_ERROR_OTHER_RING);
    CHECK(ringsmith_ring_multiply_prepared_u64(ring, c, a, 2, NULL) == null);
    CHECK(ringsmith_ring_multiply_prepared_u64(other, c, NULL, 2, factor) == null);
    CHECK(ringsmith_ring_multiply_prepared_u64(other, c, a, 3, factor) == RINGSMITH_ERROR_LENGTH);
    CHECK(c[0] == 6 && c[1] == 6 && c[2] == 6 && s[0] == 1 && s[1] == 2);
    ringsmith_factor_free(factor);
    ringsmith_ring_free(ring);
    ringsmith_ring_free(other);
}

static void plans(void)
{
    ringsmith_ring *ring = ring_of("Z_1099511627776[x]/(x^1000+x+1)");
    size_t needed = 0, again = 0;
    char *text;
    CHECK(ringsmith_ring_plan(ring, NULL, 0, &needed) == RINGSMITH_OK && needed > 10);
    text = malloc(needed);
    CHECK(text != NULL);
    text[0] = 'x';
    CHECK(ringsmith_ring_plan(ring, text, needed - 1, &again) == RINGSMITH_ERROR_LENGTH);
    CHECK(text[0] == 'x' && again == needed);
    CHECK(ringsmith_ring_plan(ring, text, needed, NULL) == RINGSMITH_OK);
    CHECK(strlen(text) + 1 == needed);
    /* The route, and why it is exact. */
    CHECK(strncmp(text, "ntt modulo ", 11) == 0);
    CHECK(strstr(text, "\na coefficient over the integers has at most ") != NULL);
    CHECK(strstr(text, " bits") != NULL && strstr(text, " the primes") != NULL && text[needed - 2] != '\n');
    CHECK(ringsmith_ring_plan(ring, NULL, 5, NULL) == RINGSMITH_ERROR_NULL_POINTER);
    CHECK(ringsmith_ring_plan(NULL, text, needed, NULL) == RINGSMITH_ERROR_NULL_POINTER);
    free(text);
    ringsmith_ring_free(ring);
}

/* SUPERCOP's names. */
static void supercop(void)
{
    unsigned char pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES], ct[CRYPTO_CIPHERTEXTBYTES];
    unsigned char one[CRYPTO_BYTES], two[CRYPTO_BYTES];
    CHECK(strcmp(CRYPTO_ALGNAME, "sntrup761") == 0);
    CHECK(crypto_kem_keypair(pk, sk) == 0 && crypto_kem_enc(ct, one, pk) == 0
          && crypto_kem_dec(two, ct, sk) == 0);
    CHECK(memcmp(one, two, sizeof one) == 0);
    CHECK(crypto_kem_keypair(NULL, sk) == -1 && crypto_kem_enc(ct, NULL, pk) == -1);
    CHECK(crypto_kem_dec(two, NULL, sk) == -1);
}

/* What threads share. */
struct shared {
    ringsmith_ring *ring;
    ringsmith_factor *factor;
    uint64_t a[N], product[N];
};

static void *work(void *argument)
{
    const struct shared *shared = argument;
    uint64_t c[N];
    int i;
    for (i = 0; i < 20; i++) {
        memset(c, 0, sizeof c);
        CHECK(ringsmith_ring_multiply_prepared_u64(shared->ring, c, shared->a, N, shared->factor)
              == RINGSMITH_OK);
        CHECK(memcmp(c, shared->product, sizeof c) == 0);
    }
    supercop();
    return NULL;
}

/* A child does the same at once, and draws another key than its parent. */
static void child(struct shared *shared)
{
    unsigned char pk[2][CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES];
    int ends[2], status = 1;
    pid_t pid;
    CHECK(pipe(ends) == 0);
    pid = fork();
    CHECK(pid >= 0);
    CHECK(crypto_kem_keypair(pk[0], sk) == 0);
    if (pid == 0) {
        work(shared);
        CHECK(write(ends[1], pk[0], sizeof pk[0]) == (ssize_t)sizeof pk[0]);
        _exit(0);
    }
    CHECK(read(ends[0], pk[1], sizeof pk[1]) == (ssize_t)sizeof pk[1]);
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(memcmp(pk[0], pk[1], sizeof pk[0]) != 0);
    close(ends[0]);
    close(ends[1]);
}

static void threads(void)
{
    struct shared shared;
    pthread_t thread[4];
    uint64_t b[N];
    int i;
    shared.ring = ring_of(TEXT);
    numbers(shared.a, Q, 6);
    numbers(b, Q, 7);
    schoolbook(shared.product, shared.a, b, Q);
    CHECK(ringsmith_ring_prepare_u64(&shared.factor, shared.ring, b, N) == RINGSMITH_OK);
    child(&shared);
    for (i = 0; i < 4; i++)
        CHECK(pthread_create(&thread[i], NULL, work, &shared) == 0);
#ifndef __SANITIZE_ADDRESS__
    /* AddressSanitizer's own locks may be held when a program of several threads forks. */
    child(&shared);
#endif
    for (i = 0; i < 4; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    ringsmith_factor_free(shared.factor);
    ringsmith_ring_free(shared.ring);
}

int main(void)
{
    wide(TEXT, Q);
    wide("Z_1073741824[x]/(x^761-x-1)", 1u << 30);
    narrow();
    small();
    no_rings();
    refuses();
    plans();
    supercop();
    threads();
    puts("all is well");
    return 0;
}
