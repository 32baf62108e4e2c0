/* A system whose randomness fails: from the call FAIL_AT on, with the error FAIL_WITH, or with no bytes where that is
   0. Preloaded. Programs draw by the C library's function or by the system call; hash tables, which say that they
   take what there is, are let through. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;

static long next(long number, long a, long b, long c, long d, long e, long f) {
    long (*system)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return system(number, a, b, c, d, e, f);
}

static long drawn(long bytes, long count, long flags) {
    int at = atoi(getenv("FAIL_AT")), with = atoi(getenv("FAIL_WITH"));
    if (flags & GRND_INSECURE) {
        return next(SYS_getrandom, bytes, count, flags, 0, 0, 0);
    }
    /* Whether there is such a call is asked with no bytes. */
    if (with == ENOSYS || (count > 0 && ++calls >= at)) {
        errno = with;
        return with == 0 ? 0 : -1;
    }
    return next(SYS_getrandom, bytes, count, flags, 0, 0, 0);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) { return drawn((long)bytes, (long)count, (long)flags); }

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    return number == SYS_getrandom ? drawn(a, b, c) : next(number, a, b, c, d, e, f);
}
