/*
 * The C library `libringsmith`: the schemes of the crate `ringsmith` by their names, and products in rings.
 *
 * What follows holds for every function.
 *
 * Errors
 * A function that can fail gives its `ringsmith_error`: `RINGSMITH_OK`, or what is wrong; it writes nothing then,
 * unless its own documentation says what. `ringsmith_error_string` has a sentence for each. No function
 * aborts: what is wrong inside the library is an error, too, and so is missing memory, at whichever
 * allocation. Both at once, where the fault's message finds no memory, end the program.
 *
 * Memory
 * What is written comes first, then what is read; behind each pointer to bytes stands how many there are.
 * That must be the length that the scheme has. Memory may overlap, be unaligned, and hold nothing before it
 * is written: all is read before anything is written. Secrets in memory of the library's own are cleared;
 * `ringsmith_wipe` clears the caller's.
 *
 * Threads, forks and stacks
 * Any number of threads may call any function at once, with the same handles: none changes after it was
 * made. A child after `fork` may go on with them. Randomness is the operating system's, which is asked at
 * each call. A thread needs 512 KiB of stack.
 *
 * Constant time
 * As the schemes and rings are: in private keys, shared keys, messages and coefficients. Which scheme, ring
 * and error it is, and all lengths, are public.
 */

#ifndef RINGSMITH_H
#define RINGSMITH_H

#include <stddef.h>
#include <stdint.h>
#include "ringsmith_schemes.h"

/** The version of the header: its first number. */
#define RINGSMITH_VERSION_MAJOR 1

/** Its second number: it grows with new functions. The first one grows where functions change. */
#define RINGSMITH_VERSION_MINOR 0

/** Its third number. */
#define RINGSMITH_VERSION_PATCH 0

/** Whether a scheme is a standard, historical, or for research alone. */
typedef enum {
  /** There is no such scheme. */
  RINGSMITH_STATUS_NONE = 0,
  /** A standard in force. */
  RINGSMITH_STATUS_STANDARD = 1,
  /** For research and compatibility. */
  RINGSMITH_STATUS_HISTORICAL = 2,
  /** For research alone: too weak, or of a broken hash, or never in a standard. */
  RINGSMITH_STATUS_RESEARCH = 3,
} ringsmith_status;

/**
 * What a function says: that all is well, or what is wrong. Numbers stay as they are; later versions may
 * have more.
 */
typedef enum {
  /** All is well. */
  RINGSMITH_OK = 0,
  /** A pointer is null that may not be. */
  RINGSMITH_ERROR_NULL_POINTER = 1,
  /** The handle is invalid: it is not that of a scheme. */
  RINGSMITH_ERROR_HANDLE = 2,
  /** An argument has another length than the scheme or the ring has. */
  RINGSMITH_ERROR_LENGTH = 3,
  /** The bytes have the length of a key, but they are not a key. */
  RINGSMITH_ERROR_KEY = 4,
  /** The message is longer than the scheme takes. */
  RINGSMITH_ERROR_MESSAGE = 5,
  /** The ciphertext was not made for the key; whatever is wrong with it. */
  RINGSMITH_ERROR_DECRYPTION = 6,
  /** The operating system gives no random bytes. */
  RINGSMITH_ERROR_RANDOM = 7,
  /** There is not enough memory. */
  RINGSMITH_ERROR_MEMORY = 8,
  /** The text is no ring. */
  RINGSMITH_ERROR_EXPRESSION = 9,
  /** There are no products in such a ring: of this q, this degree, or an f that is not monic. */
  RINGSMITH_ERROR_RING = 10,
  /**
   * A coefficient is not below q or not within the bound of small ones, or the integers do not hold q - 1.
   */
  RINGSMITH_ERROR_RANGE = 11,
  /** The factor was prepared for another ring. */
  RINGSMITH_ERROR_OTHER_RING = 12,
  /** The scheme has no such operation, or the library was built without it. */
  RINGSMITH_ERROR_UNSUPPORTED = 13,
  /** Something is wrong in the library itself: please report it. */
  RINGSMITH_ERROR_INTERNAL = 14,
  /** The signature was not made of the message and the context with the key; whatever is wrong with it. */
  RINGSMITH_ERROR_SIGNATURE = 15,
  /** The context has more than 255 bytes. */
  RINGSMITH_ERROR_CONTEXT = 16,
} ringsmith_error;

/** A key exchange. Handles are the library's, and stay. */
typedef struct ringsmith_exchange ringsmith_exchange;

/**
 * A second factor that is multiplied by often, in the form that products take. It never changes, and
 * outlives its ring: another ring of the same text takes it, too.
 */
typedef struct ringsmith_factor ringsmith_factor;

/** A scheme of key encapsulation. Handles are the library's, and stay. */
typedef struct ringsmith_kem ringsmith_kem;

/** A scheme of public-key encryption. Handles are the library's, and stay. */
typedef struct ringsmith_pke ringsmith_pke;

/** A ring. It never changes, and any number of threads may use it at once. */
typedef struct ringsmith_ring ringsmith_ring;

/** A scheme of signatures. Handles are the library's, and stay. */
typedef struct ringsmith_signature ringsmith_signature;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/** The version of the library, as in "1.0.0", or "1.0.0-rc.1" of a candidate. */
const char *ringsmith_version(void);

/** A sentence for an error: of any number, known or not. It is the library's, and stays. */
const char *ringsmith_error_string(int error);

/**
 * Clears memory, as compilers leave no write out that nobody reads. A null pointer is left alone.
 *
 * Pointers:
 * The pointer is null or valid for writes of so many bytes.
 */
void ringsmith_wipe(uint8_t *memory, size_t bytes);

/*
 * Key encapsulation.
 *
 * One side has a key pair; the other encapsulates: it makes a shared key and a ciphertext for the public
 * key, of which the private key decapsulates the shared key.
 */

/** How many schemes the library was built with. */
size_t ringsmith_kem_count(void);

/** The scheme at a place of the list, from 0; null behind the last one. */
const ringsmith_kem *ringsmith_kem_at(size_t place);

/**
 * The scheme of a name, as in "ML-KEM-768", in capitals or not; null where there is none.
 *
 * Pointers:
 * The pointer is null, or at a text that ends with a zero.
 */
const ringsmith_kem *ringsmith_kem_find(const char *name);

/** Its name; null if the handle is invalid. The text is the library's, and stays. */
const char *ringsmith_kem_name(const ringsmith_kem *kem);

/** Whether it is a standard, historical, or for research alone. */
ringsmith_status ringsmith_kem_status(const ringsmith_kem *kem);

/**
 * 1 if a private key serves for any number of ciphertexts. 0 if it serves for one, since an attacker who
 * sees how several are answered may learn the key; 0, too, if the handle is invalid.
 */
int ringsmith_kem_is_reusable(const ringsmith_kem *kem);

/** Bytes of a public key; 0 if the handle is invalid. */
size_t ringsmith_kem_public_key_bytes(const ringsmith_kem *kem);

/** Bytes of a private key; 0 if the handle is invalid. */
size_t ringsmith_kem_private_key_bytes(const ringsmith_kem *kem);

/** Bytes of a ciphertext; 0 if the handle is invalid. */
size_t ringsmith_kem_ciphertext_bytes(const ringsmith_kem *kem);

/** Bytes of a shared key; 0 if the handle is invalid. */
size_t ringsmith_kem_shared_key_bytes(const ringsmith_kem *kem);

/**
 * Bytes of the seed from which a private key is made; 0 if the scheme has no seeds or the handle is invalid.
 */
size_t ringsmith_kem_seed_bytes(const ringsmith_kem *kem);

/**
 * Writes a new public key and its private key.
 *
 * Pointers:
 * Each pointer is null, or valid for writes of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_kem_keypair(const ringsmith_kem *kem,
                                      uint8_t *public_key,
                                      size_t public_key_bytes,
                                      uint8_t *private_key,
                                      size_t private_key_bytes);

/**
 * Writes the public key and the private key that a seed makes: always the same ones.
 * `RINGSMITH_ERROR_UNSUPPORTED` where the scheme has no seeds.
 *
 * Pointers:
 * Each pointer is null, or valid for writes (the seed's: reads) of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_kem_keypair_from_seed(const ringsmith_kem *kem,
                                                uint8_t *public_key,
                                                size_t public_key_bytes,
                                                uint8_t *private_key,
                                                size_t private_key_bytes,
                                                const uint8_t *seed,
                                                size_t seed_bytes);

/**
 * Checks a public key as the scheme's standard asks for: `RINGSMITH_ERROR_KEY` where it is none.
 * Encapsulation checks it, too.
 *
 * Pointers:
 * The pointer is null, or valid for reads of so many bytes.
 */
ringsmith_error ringsmith_kem_check_public_key(const ringsmith_kem *kem,
                                               const uint8_t *public_key,
                                               size_t public_key_bytes);

/**
 * Writes the public key of a private key, which is checked. `RINGSMITH_ERROR_UNSUPPORTED` where private keys
 * of the scheme do not tell it.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the other for
 * reads.
 */
ringsmith_error ringsmith_kem_public_key(const ringsmith_kem *kem,
                                         uint8_t *public_key,
                                         size_t public_key_bytes,
                                         const uint8_t *private_key,
                                         size_t private_key_bytes);

/**
 * Writes a ciphertext for a public key, and the shared key that is in it.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first two for writes, the other
 * for reads.
 */
ringsmith_error ringsmith_kem_encaps(const ringsmith_kem *kem,
                                     uint8_t *ciphertext,
                                     size_t ciphertext_bytes,
                                     uint8_t *shared_key,
                                     size_t shared_key_bytes,
                                     const uint8_t *public_key,
                                     size_t public_key_bytes);

/**
 * Writes the shared key in a ciphertext. Where the ciphertext was not made for the key, that is no error: it
 * is a key that nobody else has, so that who sent the ciphertext learns nothing.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
 * reads.
 */
ringsmith_error ringsmith_kem_decaps(const ringsmith_kem *kem,
                                     uint8_t *shared_key,
                                     size_t shared_key_bytes,
                                     const uint8_t *ciphertext,
                                     size_t ciphertext_bytes,
                                     const uint8_t *private_key,
                                     size_t private_key_bytes);

/*
 * Signatures.
 *
 * A private key signs a message, and its public key verifies the signature. A context, of up to 255 bytes,
 * says what a signature is for: a signature for one context is not valid for another. Most protocols have no
 * context.
 */

/** How many schemes the library was built with. */
size_t ringsmith_signature_count(void);

/** The scheme at a place of the list, from 0; null behind the last one. */
const ringsmith_signature *ringsmith_signature_at(size_t place);

/**
 * The scheme of a name, as in "ML-DSA-65", in capitals or not; null where there is none.
 *
 * Pointers:
 * The pointer is null, or at a text that ends with a zero.
 */
const ringsmith_signature *ringsmith_signature_find(const char *name);

/** Its name; null if the handle is invalid. The text is the library's, and stays. */
const char *ringsmith_signature_name(const ringsmith_signature *scheme);

/** Whether it is a standard, historical, or for research alone. */
ringsmith_status ringsmith_signature_status(const ringsmith_signature *scheme);

/** Bytes of a public key; 0 if the handle is invalid. */
size_t ringsmith_signature_public_key_bytes(const ringsmith_signature *scheme);

/** Bytes of a private key, in the long form of its standard; 0 if the handle is invalid. */
size_t ringsmith_signature_private_key_bytes(const ringsmith_signature *scheme);

/** Bytes of the seed that makes a private key, its short form; 0 if the handle is invalid. */
size_t ringsmith_signature_seed_bytes(const ringsmith_signature *scheme);

/** Bytes of a signature; 0 if the handle is invalid. */
size_t ringsmith_signature_bytes(const ringsmith_signature *scheme);

/**
 * Writes a new public key and its private key.
 *
 * Pointers:
 * Each pointer is null, or valid for writes of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_signature_keypair(const ringsmith_signature *scheme,
                                            uint8_t *public_key,
                                            size_t public_key_bytes,
                                            uint8_t *private_key,
                                            size_t private_key_bytes);

/**
 * Writes the public key and the private key that a seed makes: always the same ones.
 *
 * Pointers:
 * Each pointer is null, or valid for writes (the seed's: reads) of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_signature_keypair_from_seed(const ringsmith_signature *scheme,
                                                      uint8_t *public_key,
                                                      size_t public_key_bytes,
                                                      uint8_t *private_key,
                                                      size_t private_key_bytes,
                                                      const uint8_t *seed,
                                                      size_t seed_bytes);

/**
 * Writes the public key of a private key, which is checked: `RINGSMITH_ERROR_KEY` where it is none.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the other for
 * reads.
 */
ringsmith_error ringsmith_signature_public_key(const ringsmith_signature *scheme,
                                               uint8_t *public_key,
                                               size_t public_key_bytes,
                                               const uint8_t *private_key,
                                               size_t private_key_bytes);

/**
 * Writes a signature of a message, with fresh randomness. The private key is checked. Pointers of a message
 * and a context without bytes may be null; `RINGSMITH_ERROR_CONTEXT` where a context has more than 255
 * bytes.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
 * reads.
 */
ringsmith_error ringsmith_signature_sign(const ringsmith_signature *scheme,
                                         uint8_t *signature,
                                         size_t signature_bytes,
                                         const uint8_t *message,
                                         size_t message_bytes,
                                         const uint8_t *context,
                                         size_t context_bytes,
                                         const uint8_t *private_key,
                                         size_t private_key_bytes);

/**
 * The same without randomness: always the same signature of one message. The standard prefers randomness,
 * which makes faults and side channels harder to use.
 *
 * Pointers:
 * As of `ringsmith_signature_sign`.
 */
ringsmith_error ringsmith_signature_sign_deterministic(const ringsmith_signature *scheme,
                                                       uint8_t *signature,
                                                       size_t signature_bytes,
                                                       const uint8_t *message,
                                                       size_t message_bytes,
                                                       const uint8_t *context,
                                                       size_t context_bytes,
                                                       const uint8_t *private_key,
                                                       size_t private_key_bytes);

/**
 * Verifies a signature: `RINGSMITH_OK` where it was made of the message and the context with the private key
 * of this public key, and `RINGSMITH_ERROR_SIGNATURE` where it was not, whatever is wrong with it, its
 * length included.
 *
 * Pointers:
 * Each pointer is null, or valid for reads of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_signature_verify(const ringsmith_signature *scheme,
                                           const uint8_t *signature,
                                           size_t signature_bytes,
                                           const uint8_t *message,
                                           size_t message_bytes,
                                           const uint8_t *context,
                                           size_t context_bytes,
                                           const uint8_t *public_key,
                                           size_t public_key_bytes);

/*
 * Public-key encryption: of short messages.
 */

/** How many schemes the library was built with. */
size_t ringsmith_pke_count(void);

/** The scheme at a place of the list, from 0; null behind the last one. */
const ringsmith_pke *ringsmith_pke_at(size_t place);

/**
 * The scheme of a name, as in "ees443ep1", in capitals or not; null where there is none.
 *
 * Pointers:
 * The pointer is null, or at a text that ends with a zero.
 */
const ringsmith_pke *ringsmith_pke_find(const char *name);

/** Its name; null if the handle is invalid. The text is the library's, and stays. */
const char *ringsmith_pke_name(const ringsmith_pke *pke);

/** Whether it is a standard, historical, or for research alone. */
ringsmith_status ringsmith_pke_status(const ringsmith_pke *pke);

/** Bytes of a public key; 0 if the handle is invalid. */
size_t ringsmith_pke_public_key_bytes(const ringsmith_pke *pke);

/** Bytes of a private key; 0 if the handle is invalid. */
size_t ringsmith_pke_private_key_bytes(const ringsmith_pke *pke);

/** Bytes of a ciphertext; 0 if the handle is invalid. */
size_t ringsmith_pke_ciphertext_bytes(const ringsmith_pke *pke);

/** Bytes of the longest message; 0 if the handle is invalid. */
size_t ringsmith_pke_message_bytes(const ringsmith_pke *pke);

/**
 * Writes a new public key and its private key.
 *
 * Pointers:
 * Each pointer is null, or valid for writes of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_pke_keypair(const ringsmith_pke *pke,
                                      uint8_t *public_key,
                                      size_t public_key_bytes,
                                      uint8_t *private_key,
                                      size_t private_key_bytes);

/**
 * Checks a public key: `RINGSMITH_ERROR_KEY` where it is none. Encryption checks it, too.
 *
 * Pointers:
 * The pointer is null, or valid for reads of so many bytes.
 */
ringsmith_error ringsmith_pke_check_public_key(const ringsmith_pke *pke,
                                               const uint8_t *public_key,
                                               size_t public_key_bytes);

/**
 * Writes the public key of a private key, which is checked.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the other for
 * reads.
 */
ringsmith_error ringsmith_pke_public_key(const ringsmith_pke *pke,
                                         uint8_t *public_key,
                                         size_t public_key_bytes,
                                         const uint8_t *private_key,
                                         size_t private_key_bytes);

/**
 * Writes the ciphertext of a message for a public key. A message has any number of bytes up to the most that
 * the scheme takes: `RINGSMITH_ERROR_MESSAGE` for more. Its pointer may be null where it has none.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
 * reads.
 */
ringsmith_error ringsmith_pke_encrypt(const ringsmith_pke *pke,
                                      uint8_t *ciphertext,
                                      size_t ciphertext_bytes,
                                      const uint8_t *message,
                                      size_t message_bytes,
                                      const uint8_t *public_key,
                                      size_t public_key_bytes);

/**
 * Writes the message in a ciphertext, zeroes behind it, and how many bytes it has. There is room for the
 * longest message. `RINGSMITH_ERROR_DECRYPTION` where the ciphertext, of whatever length, was not made for
 * the key.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the others for
 * reads; that of the length is null or valid for a write.
 */
ringsmith_error ringsmith_pke_decrypt(const ringsmith_pke *pke,
                                      uint8_t *message,
                                      size_t message_room,
                                      size_t *message_bytes,
                                      const uint8_t *ciphertext,
                                      size_t ciphertext_bytes,
                                      const uint8_t *private_key,
                                      size_t private_key_bytes);

/*
 * Key exchanges in three steps: an offer, a response to it, and the end.
 */

/** How many exchanges the library was built with. */
size_t ringsmith_exchange_count(void);

/** The exchange at a place of the list, from 0; null behind the last one. */
const ringsmith_exchange *ringsmith_exchange_at(size_t place);

/**
 * The exchange of a name, as in "NewHope-ADPS", in capitals or not; null where there is none.
 *
 * Pointers:
 * The pointer is null, or at a text that ends with a zero.
 */
const ringsmith_exchange *ringsmith_exchange_find(const char *name);

/** Its name; null if the handle is invalid. The text is the library's, and stays. */
const char *ringsmith_exchange_name(const ringsmith_exchange *exchange);

/** Whether it is a standard, historical, or for research alone. */
ringsmith_status ringsmith_exchange_status(const ringsmith_exchange *exchange);

/** Bytes of the secret of an offer; 0 if the handle is invalid. */
size_t ringsmith_exchange_secret_bytes(const ringsmith_exchange *exchange);

/** Bytes of an offer; 0 if the handle is invalid. */
size_t ringsmith_exchange_offer_bytes(const ringsmith_exchange *exchange);

/** Bytes of a response; 0 if the handle is invalid. */
size_t ringsmith_exchange_response_bytes(const ringsmith_exchange *exchange);

/** Bytes of a shared key; 0 if the handle is invalid. */
size_t ringsmith_exchange_shared_key_bytes(const ringsmith_exchange *exchange);

/**
 * The first step: writes a new offer, to be sent, and its secret, to be kept until the response comes.
 *
 * Pointers:
 * Each pointer is null, or valid for writes of as many bytes as stand behind it.
 */
ringsmith_error ringsmith_exchange_offer(const ringsmith_exchange *exchange,
                                         uint8_t *offer,
                                         size_t offer_bytes,
                                         uint8_t *secret,
                                         size_t secret_bytes);

/**
 * The second step, of the other side: writes a response to an offer, to be sent, and the shared key.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first two for writes, the other
 * for reads.
 */
ringsmith_error ringsmith_exchange_respond(const ringsmith_exchange *exchange,
                                           uint8_t *response,
                                           size_t response_bytes,
                                           uint8_t *shared_key,
                                           size_t shared_key_bytes,
                                           const uint8_t *offer,
                                           size_t offer_bytes);

/**
 * The third step, of the first side: clears the secret, which serves for one response, and writes the shared
 * key. `RINGSMITH_ERROR_KEY` for a secret that was cleared.
 *
 * Pointers:
 * Each pointer is null, or valid for as many bytes as stand behind it: the first for writes, the second for
 * reads and writes, the third for reads.
 */
ringsmith_error ringsmith_exchange_finish(const ringsmith_exchange *exchange,
                                          uint8_t *shared_key,
                                          size_t shared_key_bytes,
                                          uint8_t *secret,
                                          size_t secret_bytes,
                                          const uint8_t *response,
                                          size_t response_bytes);

/*
 * Rings `Z_q[x]/(f)`: any modulus q from 2 to 2^62, prime or not, and any monic f of degree n from 1 to
 * 65536.
 *
 * An element is an array of n coefficients in `[0, q)`, the constant term first, of integers of 16, 32 or 64
 * bits, of which q - 1 must be one.
 */

/**
 * Makes a ring of a text, as in `Z_4591[x]/(x^761-x-1)`. To be given to `ringsmith_ring_free`.
 * `RINGSMITH_ERROR_EXPRESSION` where the text is none: then `*position`, if it is not null, is where in it
 * something is wrong, in bytes from its start. `RINGSMITH_ERROR_UNSUPPORTED` where the library was built
 * without rings.
 *
 * Pointers:
 * The text is null or ends with a zero; the other pointers are null, or valid for a write.
 */
ringsmith_error ringsmith_ring_new(ringsmith_ring **ring, const char *text, size_t *position);

/**
 * The same for products whose second factor is small: its coefficients are from `-bound` to `bound`, where
 * -1 is q - 1. Such products are faster. The bound is from 1 to q/2, or it is `RINGSMITH_ERROR_RANGE`.
 *
 * Pointers:
 * As of `ringsmith_ring_new`.
 */
ringsmith_error ringsmith_ring_new_small(ringsmith_ring **ring,
                                         const char *text,
                                         uint64_t bound,
                                         size_t *position);

/**
 * Frees a ring. A null pointer is left alone.
 *
 * Pointers:
 * The pointer is null, or at a ring that nobody uses any more.
 */
void ringsmith_ring_free(ringsmith_ring *ring);

/**
 * The number of coefficients of an element, n; 0 for a null pointer.
 *
 * Pointers:
 * The pointer is null, or at a ring.
 */
size_t ringsmith_ring_degree(const ringsmith_ring *ring);

/**
 * The modulus of the coefficients, q; 0 for a null pointer.
 *
 * Pointers:
 * The pointer is null, or at a ring.
 */
uint64_t ringsmith_ring_modulus(const ringsmith_ring *ring);

/**
 * Writes how products are computed, and in a second line why that is exact, as text with a zero behind it.
 * `*needed`, if it is not null, is how many bytes that takes: written whether there is room or not. The text
 * may be null, with no room, to ask for that alone. `RINGSMITH_ERROR_LENGTH` where there is less room.
 *
 * Pointers:
 * The first pointer is at a ring, or null; the second is null or valid for writes of so many bytes, the last
 * is null or valid for a write.
 */
ringsmith_error ringsmith_ring_plan(const ringsmith_ring *ring, char *text, size_t room, size_t *needed);

/**
 * Writes a product of two elements of n coefficients of 16 bits.
 *
 * Pointers:
 * The first pointer is at a ring; the others are valid for n coefficients: the second for writes, the others
 * for reads. All may be null.
 */
ringsmith_error ringsmith_ring_multiply_u16(const ringsmith_ring *ring,
                                            uint16_t *product,
                                            const uint16_t *a,
                                            const uint16_t *b,
                                            size_t n);

/**
 * Writes a product of two elements of n coefficients of 32 bits.
 *
 * Pointers:
 * As of `ringsmith_ring_multiply_u16`.
 */
ringsmith_error ringsmith_ring_multiply_u32(const ringsmith_ring *ring,
                                            uint32_t *product,
                                            const uint32_t *a,
                                            const uint32_t *b,
                                            size_t n);

/**
 * Writes a product of two elements of n coefficients of 64 bits.
 *
 * Pointers:
 * As of `ringsmith_ring_multiply_u16`.
 */
ringsmith_error ringsmith_ring_multiply_u64(const ringsmith_ring *ring,
                                            uint64_t *product,
                                            const uint64_t *a,
                                            const uint64_t *b,
                                            size_t n);

/**
 * Prepares a second factor of n coefficients of 16 bits, to multiply by it often. To be given to
 * `ringsmith_factor_free`.
 *
 * Pointers:
 * The first pointer is null or valid for a write, the second null or at a ring, the third null or valid for
 * reads of n coefficients.
 */
ringsmith_error ringsmith_ring_prepare_u16(ringsmith_factor **factor,
                                           const ringsmith_ring *ring,
                                           const uint16_t *b,
                                           size_t n);

/**
 * Prepares a second factor of n coefficients of 32 bits.
 *
 * Pointers:
 * As of `ringsmith_ring_prepare_u16`.
 */
ringsmith_error ringsmith_ring_prepare_u32(ringsmith_factor **factor,
                                           const ringsmith_ring *ring,
                                           const uint32_t *b,
                                           size_t n);

/**
 * Prepares a second factor of n coefficients of 64 bits.
 *
 * Pointers:
 * As of `ringsmith_ring_prepare_u16`.
 */
ringsmith_error ringsmith_ring_prepare_u64(ringsmith_factor **factor,
                                           const ringsmith_ring *ring,
                                           const uint64_t *b,
                                           size_t n);

/**
 * Frees a factor. A null pointer is left alone.
 *
 * Pointers:
 * The pointer is null, or at a factor that nobody uses any more.
 */
void ringsmith_factor_free(ringsmith_factor *factor);

/**
 * Writes a product of an element of n coefficients of 16 bits by a prepared factor, of whichever integers
 * that was.
 *
 * Pointers:
 * The first pointer is at a ring, the last at a factor; the others are valid for n coefficients: the second
 * for writes, the third for reads. All may be null.
 */
ringsmith_error ringsmith_ring_multiply_prepared_u16(const ringsmith_ring *ring,
                                                     uint16_t *product,
                                                     const uint16_t *a,
                                                     size_t n,
                                                     const ringsmith_factor *b);

/**
 * Writes a product of an element of n coefficients of 32 bits by a prepared factor.
 *
 * Pointers:
 * As of `ringsmith_ring_multiply_prepared_u16`.
 */
ringsmith_error ringsmith_ring_multiply_prepared_u32(const ringsmith_ring *ring,
                                                     uint32_t *product,
                                                     const uint32_t *a,
                                                     size_t n,
                                                     const ringsmith_factor *b);

/**
 * Writes a product of an element of n coefficients of 64 bits by a prepared factor.
 *
 * Pointers:
 * As of `ringsmith_ring_multiply_prepared_u16`.
 */
ringsmith_error ringsmith_ring_multiply_prepared_u64(const ringsmith_ring *ring,
                                                     uint64_t *product,
                                                     const uint64_t *a,
                                                     size_t n,
                                                     const ringsmith_factor *b);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

#endif  /* RINGSMITH_H */
