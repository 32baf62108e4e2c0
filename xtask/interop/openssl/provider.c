/* The provider by OpenSSL's own functions: provider FOLDER, where FOLDER has ringsmith.so.
 *
 * Keys of each kind are made, copied, given as bytes and taken back; both sides of an encapsulation agree; what is malformed is an error.
 * The provider is loaded into two library contexts at once, and twice into one; property queries find it, or nothing. With
 * OpenSSL 3.5 or later, which has the same algorithms, keys of each serve the other, and properties choose. */
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

#define OURS "provider=ringsmith"
#define THEIRS "provider=default"

static EVP_PKEY *generate(OSSL_LIB_CTX *library, const char *name, const char *properties) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, properties);
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

/* A key of bytes under this name of a parameter, by the provider with these properties, or null. */
static EVP_PKEY *key_by(OSSL_LIB_CTX *library, const struct kind *kind, const char *properties, const char *name,
                        unsigned char *bytes, size_t count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, bytes, count), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, kind->name, properties);
    CHECK(context != NULL);
    CHECK(EVP_PKEY_fromdata_init(context) == 1);
    if (EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

static EVP_PKEY *key_of(OSSL_LIB_CTX *library, const struct kind *kind, const char *name, unsigned char *bytes, size_t count) {
    return key_by(library, kind, OURS, name, bytes, count);
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
    EVP_PKEY *key = generate(library, kind->name, OURS), *other = generate(library, kind->name, OURS);
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

#if OPENSSL_VERSION_NUMBER >= 0x30500000L
/* The name of the provider whose algorithm is taken where nothing else is asked for. */
static const char *taken(OSSL_LIB_CTX *library, const char *name) {
    EVP_KEM *kem = EVP_KEM_fetch(library, name, NULL);
    CHECK(kem != NULL);
    const char *provider = OSSL_PROVIDER_get0_name(EVP_KEM_get0_provider(kem));
    EVP_KEM_free(kem);
    return provider;
}

/* A private key of one provider's, in both forms, becomes one of the other's. */
static void private_across(OSSL_LIB_CTX *library, const struct kind *kind, EVP_PKEY *from, const char *to) {
    unsigned char bytes[MOST];
    const char *names[] = {"priv", "seed"};
    for (size_t i = 0; i < 2; i++) {
        size_t count = 0;
        CHECK(EVP_PKEY_get_octet_string_param(from, names[i], bytes, sizeof bytes, &count) == 1);
        EVP_PKEY *key = key_by(library, kind, to, names[i], bytes, count);
        CHECK(key != NULL && EVP_PKEY_eq(key, from) == 1 && EVP_PKEY_eq(from, key) == 1);
        agree(library, kind, from, key);
        agree(library, kind, key, from);
        EVP_PKEY_free(key);
    }
}

/* One provider encapsulates to a public key of the other's. */
static void across(OSSL_LIB_CTX *library, const struct kind *kind, const char *from, const char *to) {
    unsigned char *share = NULL;
    EVP_PKEY *key = generate(library, kind->name, from);
    CHECK(EVP_PKEY_get1_encoded_public_key(key, &share) == kind->public_key);
    EVP_PKEY *public_key = key_by(library, kind, to, "pub", share, kind->public_key);
    CHECK(public_key != NULL);
    CHECK(EVP_PKEY_get0_provider(public_key) != EVP_PKEY_get0_provider(key));
    agree(library, kind, public_key, key);
    if (kind->has_private_bytes)
        private_across(library, kind, key, to);
    OPENSSL_free(share);
    EVP_PKEY_free(public_key);
    EVP_PKEY_free(key);
}

static void beside_their_own(OSSL_LIB_CTX *library) {
    /* All but the last kind, which is of no standard. */
    for (size_t i = 0; i + 1 < sizeof kinds / sizeof kinds[0]; i++) {
        CHECK(is_found(library, kinds[i].name, THEIRS));
        CHECK(EVP_set_default_properties(library, "?" OURS) == 1);
        CHECK(strcmp(taken(library, kinds[i].name), "ringsmith") == 0);
        CHECK(EVP_set_default_properties(library, "?" THEIRS) == 1);
        CHECK(strcmp(taken(library, kinds[i].name), "default") == 0);
        CHECK(EVP_set_default_properties(library, "") == 1);
        across(library, &kinds[i], OURS, THEIRS);
        across(library, &kinds[i], THEIRS, OURS);
    }
    puts("provider: keys and ciphertexts of OpenSSL's own ML-KEM and hybrids, both ways; properties choose");
}
#else
static void beside_their_own(OSSL_LIB_CTX *library) {
    CHECK(!is_found(library, "ML-KEM-768", THEIRS));
}
#endif

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
        CHECK(is_found(libraries[0], kinds[i].name, OURS));
        CHECK(!is_found(libraries[0], kinds[i].name, OURS ",fips=yes"));
        CHECK(!is_found(libraries[0], kinds[i].name, OURS ",fips=no,nothing=such"));
        one_kind(libraries[i % 2], &kinds[i]);
    }
    CHECK(is_found(libraries[0], "2.16.840.1.101.3.4.4.2", OURS));
    beside_their_own(libraries[0]);
    CHECK(OSSL_PROVIDER_unload(again) == 1);
    CHECK(is_found(libraries[0], "ML-KEM-768", OURS));
    CHECK(OSSL_PROVIDER_unload(ours[0]) == 1);
    CHECK(!is_found(libraries[0], "X25519MLKEM768", OURS));
    one_kind(libraries[1], &kinds[1]);
    CHECK(OSSL_PROVIDER_unload(ours[1]) == 1);
    for (int i = 0; i < 2; i++) {
        CHECK(OSSL_PROVIDER_unload(defaults[i]) == 1);
        OSSL_LIB_CTX_free(libraries[i]);
    }
    printf("provider with %s: all kinds agreed, in two contexts\n", OpenSSL_version(OPENSSL_VERSION_STRING));
    return 0;
}
