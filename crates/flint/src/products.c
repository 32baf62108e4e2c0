/*
 * Products in Z_q[x]/(f) as a user of FLINT writes them. All that can be made before is made before: the
 * memory of the product, inverses, transforms of f. Operands are read where they stand.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <flint/flint.h>
#include <flint/nmod.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_vec.h>
#ifdef FLINT_HAVE_FFT_SMALL
#include <flint/fft_small.h>
#endif

_Static_assert(FLINT_BITS == 64 && sizeof(ulong) == 8 && sizeof(slong) == 8, "words of 64 bits");

/* What f is, and how a product is divided by it. Rust has the same numbers. */
enum way {
    CYCLIC = 0,     /* x^n - 1 */
    NEGACYCLIC = 1, /* x^n + 1 */
    TRINOMIAL = 2,  /* x^n - x - 1 */
    INVERSE = 3,    /* any monic f, by 1 / rev(f) */
    TRANSFORMS = 4  /* any monic f, by transforms of f and of 1 / rev(f) */
};

struct ringsmith_flint_ring {
    enum way way;
    slong n;
    nmod_t mod;
    nn_ptr product;  /* 2 n - 1 */
    nn_ptr quotient; /* n - 1 */
    nmod_poly_t f, inverse;
#ifdef FLINT_HAVE_FFT_SMALL
    nmod_poly_divrem_precomp_struct transforms[1];
#endif
};

typedef struct ringsmith_flint_ring ring;

const char *ringsmith_flint_version(void)
{
    return flint_version;
}

/* Where the library was loaded from. */
const char *ringsmith_flint_library(void)
{
    Dl_info info;
    return dladdr((void *)&_nmod_poly_mul, &info) && info.dli_fname ? info.dli_fname : "";
}

/* Whether this FLINT was built with its transforms of doubles. */
int ringsmith_flint_has_fft_small(void)
{
#ifdef FLINT_HAVE_FFT_SMALL
    return 1;
#else
    return 0;
#endif
}

static int prepare_division(ring *r, const ulong *f)
{
    nmod_poly_fit_length(r->f, r->n + 1);
    _nmod_vec_set(r->f->coeffs, f, r->n + 1);
    r->f->length = r->n + 1;
    if (r->way == INVERSE) {
        nmod_poly_reverse(r->inverse, r->f, r->n + 1);
        nmod_poly_inv_series(r->inverse, r->inverse, r->n + 1);
        return 1;
    }
#ifdef FLINT_HAVE_FFT_SMALL
    _nmod_poly_divrem_precomp_init(
        r->transforms, r->f->coeffs, r->n + 1, r->n - 1, r->mod, get_default_mpn_ctx());
    return 1;
#else
    return 0;
#endif
}

void ringsmith_flint_free(ring *r)
{
#ifdef FLINT_HAVE_FFT_SMALL
    if (r->way == TRANSFORMS)
        _nmod_poly_divrem_precomp_clear(r->transforms);
#endif
    nmod_poly_clear(r->f);
    nmod_poly_clear(r->inverse);
    _nmod_vec_clear(r->product);
    _nmod_vec_clear(r->quotient);
    free(r);
}

/* A ring with q >= 2, n >= 2; f has n + 1 coefficients below q, the last of which is 1, where it is asked
 * for. NULL where this FLINT does not have the way, or there is no memory. */
ring *ringsmith_flint_new(ulong q, slong n, int way, const ulong *f)
{
    ring *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->n = n;
    nmod_init(&r->mod, q);
    r->product = _nmod_vec_init(2 * n - 1);
    r->quotient = _nmod_vec_init(n - 1);
    nmod_poly_init(r->f, q);
    nmod_poly_init(r->inverse, q);
    r->way = way;
    if (way < INVERSE || prepare_division(r, f))
        return r;
    r->way = INVERSE; /* which has no transforms to free */
    ringsmith_flint_free(r);
    return NULL;
}

static int divide(ring *r, nn_ptr out)
{
#ifdef FLINT_HAVE_FFT_SMALL
    return _nmod_poly_divrem_precomp(
        r->quotient, out, r->product, 2 * r->n - 1, r->transforms, r->mod, get_default_mpn_ctx());
#else
    (void)r, (void)out;
    return 0;
#endif
}

/* Writes the n coefficients of a b to out. a and b have n coefficients below q. 0 where FLINT refuses. */
int ringsmith_flint_product(ring *r, ulong *out, const ulong *a, const ulong *b)
{
    slong n = r->n;
    if (r->way == INVERSE) {
        _nmod_poly_mulmod_preinv(out, a, n, b, n, r->f->coeffs, n + 1, r->inverse->coeffs, r->inverse->length,
            r->mod);
        return 1;
    }
    _nmod_poly_mul(r->product, a, n, b, n, r->mod);
    if (r->way == TRANSFORMS)
        return divide(r, out);
    nn_srcptr high = r->product + n;
    if (r->way == NEGACYCLIC)
        _nmod_vec_sub(out, r->product, high, n - 1, r->mod);
    else
        _nmod_vec_add(out, r->product, high, n - 1, r->mod);
    out[n - 1] = r->product[n - 1];
    if (r->way == TRINOMIAL)
        _nmod_vec_add(out + 1, out + 1, high, n - 1, r->mod);
    return 1;
}
