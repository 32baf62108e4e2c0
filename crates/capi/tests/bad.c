/* What the tools must see: otherwise that they see nothing proves nothing. */
#include "check.h"
#include <ringsmith.h>
#include <string.h>

static ringsmith_ring *made(void)
{
    ringsmith_ring *ring = NULL;
    CHECK(ringsmith_ring_new(&ring, "Z_17[x]/(x^4+1)", NULL) == RINGSMITH_OK);
    return ring;
}

int main(int count, char **arguments)
{
    uint16_t *product = malloc(4 * sizeof *product), a[4] = {1, 2, 3, 4};
    ringsmith_ring *ring;
    CHECK(count == 2 && product != NULL);
    if (strcmp(arguments[1], "leak") == 0) {
        made();
    } else if (strcmp(arguments[1], "unwritten") == 0) {
        /* A product that failed, so that nothing was written, is looked at. */
        ring = made();
        CHECK(ringsmith_ring_multiply_u16(ring, product, a, a, 3) == RINGSMITH_ERROR_LENGTH);
        if (product[0] == 1)
            puts("one");
        ringsmith_ring_free(ring);
    } else {
        /* There is room for four coefficients, and five are written. */
        ring = NULL;
        CHECK(ringsmith_ring_new(&ring, "Z_17[x]/(x^5+1)", NULL) == RINGSMITH_OK);
        uint16_t b[5] = {1, 2, 3, 4, 5};
        printf("%d\n", ringsmith_ring_multiply_u16(ring, product, b, b, 5));
        ringsmith_ring_free(ring);
    }
    free(product);
    return 0;
}
