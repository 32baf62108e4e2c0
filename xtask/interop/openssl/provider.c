/* The provider by OpenSSL's own functions: provider FOLDER, where FOLDER has ringsmith.so.
 *
 * Keys of each kind are made, copied, given as bytes and taken back; both sides of an encapsulation agree; what is malformed is an error.
 * The provider is loaded into two library contexts at once, and twice into one; property queries find it, or nothing. */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "provider: line %d: %s\n", __LINE__, #what); \
            ERR_print_errors_fp(stderr); \
            exit(1); \
        } \
    } while (0)

/* A kind of keys: bytes of a public key, of a ciphertext and of a secret; whether private keys have bytes. */
struct kind {
    const char *name;
    size_t public_key, ciphertext, secret;
    int has_private_bytes;
};

static const struct kind kinds[] = {
    {"ML-KEM-512", 800, 768, 32, 1},
    {"ML-KEM-768", 1184, 1088, 32, 1},
    {"ML-KEM-1024", 1568, 1568, 32, 1},
    {"X25519MLKEM768", 1216, 1120, 64, 0},
    {"SecP256r1MLKEM768", 1249, 1153, 64, 0},
    {"SecP384r1MLKEM1024", 1665, 1665, 80, 0},
    {"sntrup761x25519", 1190, 1071, 64, 0},
};

enum { MOST = 4096 };

static EVP_PKEY *generate(OSSL_LIB_CTX *library, const char *name) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, "provider=ringsmith");
    CHECK(context != NULL);
    CHECK(EVP_PKEY_keygen_init(context) == 1);
    CHECK(EVP_PKEY_generate(context, &key) == 1);
    EVP_PKEY_CTX_free(context);
    return key;
}

/* Encapsulates to one key, and decapsulates by the other, which is its private half. */
static void agree(OSSL_LIB_CTX *library, const struct kind *kind, EVP_PKEY *public_key, EVP_PKEY *private_key) {
    unsigned char ciphertext[MOST], ours[MOST], theirs[MOST];
    size_t bytes = 0, secret = 0, other = sizeof theirs;
    EVP_PKEY_CTX *sender = EVP_PKEY_CTX_new_from_pkey(library, public_key, NULL);
    EVP_PKEY_CTX *receiver = EVP_PKEY_CTX_new_from_pkey(library, private_key, NULL);
    CHECK(sender != NULL && receiver != NULL);
    CHECK(EVP_PKEY_encapsulate_init(sender, NULL) == 1);
    CHECK(EVP_PKEY_encapsulate(sender, NULL, &bytes, NULL, &secret) == 1);
    CHECK(bytes == kind->ciphertext && secret == kind->secret);
    bytes--;
    CHECK(EVP_PKEY_encapsulate(sender, ciphertext, &bytes, ours, &secret) != 1);
    bytes++;
    CHECK(EVP_PKEY_encapsulate(sender, ciphertext, &bytes, ours, &secret) == 1);
    CHECK(EVP_PKEY_decapsulate_init(receiver, NULL) == 1);
    CHECK(EVP_PKEY_decapsulate(receiver, theirs, &other, ciphertext, bytes) == 1);
    CHECK(other == secret && memcmp(ours, theirs, secret) == 0);
    CHECK(EVP_PKEY_decapsulate(receiver, theirs, &other, ciphertext, bytes - 1) != 1);
    CHECK(EVP_PKEY_decapsulate(receiver, theirs, &other, ciphertext, bytes + 1) != 1);
    /* Another ciphertext has another secret. The first byte of a point would make it none. */
    ciphertext[100] ^= 1;
    CHECK(EVP_PKEY_decapsulate(receiver, theirs, &other, ciphertext, bytes) == 1);
    CHECK(memcmp(ours, theirs, secret) != 0);
    EVP_PKEY_CTX_free(sender);
    EVP_PKEY_CTX_free(receiver);
}

/* A key of bytes under this name of a parameter, or null. */
static EVP_PKEY *key_of(OSSL_LIB_CTX *library, const struct kind *kind, const char *name, unsigned char *bytes, size_t count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, bytes, count), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, kind->name, "provider=ringsmith");
    CHECK(context != NULL);
    CHECK(EVP_PKEY_fromdata_init(context) == 1);
    if (EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

static void private_bytes(OSSL_LIB_CTX *library, const struct kind *kind, EVP_PKEY *key) {
    unsigned char bytes[MOST];
    const char *names[] = {"priv", "seed"};
    for (size_t i = 0; i < 2; i++) {
        size_t count = 0;
        int is_there = EVP_PKEY_get_octet_string_param(key, names[i], bytes, sizeof bytes, &count);
        CHECK(is_there == kind->has_private_bytes);
        if (is_there) {
            EVP_PKEY *again = key_of(library, kind, names[i], bytes, count);
            CHECK(again != NULL && EVP_PKEY_eq(again, key) == 1);
            agree(library, kind, key, again);
            EVP_PKEY_free(again);
            CHECK(key_of(library, kind, names[i], bytes, count - 1) == NULL);
        }
    }
}

static void one_kind(OSSL_LIB_CTX *library, const struct kind *kind) {
    unsigned char *share = NULL, spoiled[MOST];
    EVP_PKEY *key = generate(library, kind->name), *other = generate(library, kind->name);
    CHECK(EVP_PKEY_get_bits(key) == (int)(8 * kind->public_key));
    CHECK(EVP_PKEY_get_size(key) == (int)kind->ciphertext);
    CHECK(EVP_PKEY_get_security_bits(key) >= 128);
    CHECK(EVP_PKEY_eq(key, other) != 1);
    EVP_PKEY *copy = EVP_PKEY_dup(key);
    CHECK(copy != NULL && EVP_PKEY_eq(copy, key) == 1);
    agree(library, kind, key, copy);

    CHECK(EVP_PKEY_get1_encoded_public_key(key, &share) == kind->public_key);
    EVP_PKEY *public_key = key_of(library, kind, "pub", share, kind->public_key);
    CHECK(public_key != NULL && EVP_PKEY_eq(public_key, key) == 1);
    /* More than once: the first answer is one that was there already. */
    for (int i = 0; i < 3; i++)
        agree(library, kind, public_key, key);

    memcpy(spoiled, share, kind->public_key);
    for (size_t bytes = 0; bytes <= kind->public_key + 1; bytes++)
        if (bytes != kind->public_key)
            CHECK(key_of(library, kind, "pub", spoiled, bytes) == NULL);
    memset(spoiled, 0xFF, kind->public_key);
    if (strcmp(kind->name, "sntrup761x25519") != 0)
        CHECK(key_of(library, kind, "pub", spoiled, kind->public_key) == NULL);
    private_bytes(library, kind, key);
    OPENSSL_free(share);
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(copy);
    EVP_PKEY_free(other);
    EVP_PKEY_free(key);
}

/* Whether an algorithm is found under these properties. */
static int is_found(OSSL_LIB_CTX *library, const char *name, const char *properties) {
    EVP_KEM *kem = EVP_KEM_fetch(library, name, properties);
    EVP_KEYMGMT *keys = EVP_KEYMGMT_fetch(library, name, properties);
    CHECK((kem == NULL) == (keys == NULL));
    EVP_KEM_free(kem);
    EVP_KEYMGMT_free(keys);
    return kem != NULL;
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    OSSL_LIB_CTX *libraries[2];
    OSSL_PROVIDER *ours[2], *defaults[2];
    for (int i = 0; i < 2; i++) {
        CHECK((libraries[i] = OSSL_LIB_CTX_new()) != NULL);
        CHECK(OSSL_PROVIDER_set_default_search_path(libraries[i], arguments[1]) == 1);
        CHECK((defaults[i] = OSSL_PROVIDER_load(libraries[i], "default")) != NULL);
        CHECK((ours[i] = OSSL_PROVIDER_load(libraries[i], "ringsmith")) != NULL);
    }
    OSSL_PROVIDER *again = OSSL_PROVIDER_load(libraries[0], "ringsmith");
    CHECK(again != NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        CHECK(is_found(libraries[0], kinds[i].name, "provider=ringsmith"));
        CHECK(!is_found(libraries[0], kinds[i].name, "provider=ringsmith,fips=yes"));
        CHECK(!is_found(libraries[0], kinds[i].name, "provider=ringsmith,fips=no,nothing=such"));
        one_kind(libraries[i % 2], &kinds[i]);
    }
    CHECK(is_found(libraries[0], "2.16.840.1.101.3.4.4.2", "provider=ringsmith"));
    CHECK(OSSL_PROVIDER_unload(again) == 1);
    CHECK(is_found(libraries[0], "ML-KEM-768", "provider=ringsmith"));
    CHECK(OSSL_PROVIDER_unload(ours[0]) == 1);
    CHECK(!is_found(libraries[0], "X25519MLKEM768", "provider=ringsmith"));
    one_kind(libraries[1], &kinds[1]);
    CHECK(OSSL_PROVIDER_unload(ours[1]) == 1);
    for (int i = 0; i < 2; i++) {
        CHECK(OSSL_PROVIDER_unload(defaults[i]) == 1);
        OSSL_LIB_CTX_free(libraries[i]);
    }
    puts("provider: all kinds agreed, in two contexts");
    return 0;
}
