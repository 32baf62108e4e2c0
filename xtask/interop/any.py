"""Products and inverses in any ring against FLINT: any.py PROGRAM, where PROGRAM is the example `any_products` of
ringsmith.

Moduli from 2 to 2^62, prime or not, degrees from 1025 to 65536, modulus polynomials with few terms and many, any second
factors and small ones, every backend of the machine.
"""

import subprocess
import sys

import flint

DEGREES = {1025, 1280, 1528, 2047, 2048, 2049, 3000, 4096, 4097, 8191, 8192, 8193, 10000, 12288, 16383, 16384, 16385}
DEGREES |= {32767, 32768, 32769, 49152, 65535, 65536}
MODULI = 47
RINGS = 4 * len(DEGREES)
PRODUCTS = 4
INVERSES = {1024: 6, 4096: 2}


def main(program):
    products, inverses = [], []
    with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            name, *words = line.split()
            numbers = [int(word, 16) for word in words]
            if name == "ring":
                (q,) = numbers
                continue
            polynomial = flint.nmod_poly(numbers, q)
            if name == "f":
                f = polynomial
            elif name == "first":
                first = polynomial
            elif name == "second":
                expected = first * polynomial % f
                # A product that is wrong in one coefficient is seen.
                assert expected != expected + 1
            elif name == "inverse":
                assert first * polynomial % f == flint.nmod_poly([1], q), f"inverse modulo {q}"
                inverses.append(f.degree())
            else:
                assert len(numbers) == f.degree() and polynomial == expected, f"{name}, modulo {q} and {f.degree()}"
                products += [(f.degree(), q, backend) for backend in name.split(",")]
    assert process.returncode == 0
    backends = sorted({name for _, _, name in products})
    assert len(products) == PRODUCTS * RINGS * len(backends) and {n for n, _, _ in products} == DEGREES
    assert len({q for _, q, _ in products}) == MODULI
    assert {n: inverses.count(n) for n in inverses} == INVERSES
    agreed = f"{RINGS} rings of run time on {', '.join(backends)}, {len(inverses)} inverses: agreed"
    print(f"FLINT (python-flint {flint.__version__}): {agreed}")


main(sys.argv[1])
