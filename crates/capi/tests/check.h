/* What the programs of the tests have in common. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Ends the program where something is not so. */
#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);            \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

#endif
