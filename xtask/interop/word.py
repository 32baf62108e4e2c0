"""Products of word rings against FLINT: word.py PROGRAM, where PROGRAM is the example `products` of ringsmith-word.

Moduli are primes of up to 62 bits and products of primes, degrees up to 65536, both shapes, every backend of the
machine.
"""

import subprocess
import sys

import flint

# Two shapes, three degrees, eight moduli.
RINGS = 2 * 3 * 8


def numbers(words):
    return [int(word, 16) for word in words]


def product(sign, n, q, first, second):
    """The product modulo x^n + 1 or x^n - 1 and q."""
    make = flint.fmpz_mod_poly_ctx(q) if q >> 64 else lambda coefficients: flint.nmod_poly(coefficients, q)
    full = [int(c) for c in make(first) * make(second)]
    full += [0] * (2 * n - len(full))
    return [(low - high if sign == "+" else low + high) % q for low, high in zip(full[:n], full[n:])]


def main(program):
    done = subprocess.run([program], capture_output=True, check=True, text=True)
    first = second = expected = None
    compared = set()
    for line in done.stdout.splitlines():
        name, *words = line.split(" ")
        if name == "ring":
            sign, (n, q) = words[0], numbers(words[1:])
        elif name == "first":
            first = numbers(words)
        elif name == "second":
            second = numbers(words)
            expected = product(sign, n, q, first, second)
            # A product that is wrong in one coefficient is seen.
            assert len(expected) == n and expected != [(expected[0] + 1) % q, *expected[1:]]
        else:
            assert numbers(words) == expected, f"x^{n} {sign} 1 modulo {q}, {name}"
            compared.add((sign, n, q, name))
    rings, backends = {key[:3] for key in compared}, sorted({key[3] for key in compared})
    assert len(rings) == RINGS and len(compared) == RINGS * len(backends), compared
    print(f"FLINT (python-flint {flint.__version__}): {len(rings)} rings on {', '.join(backends)}: agreed")


main(sys.argv[1])
