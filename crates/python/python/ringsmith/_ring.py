"""Rings: the class that users see."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ringsmith import _ringsmith
from ringsmith._ringsmith import Error, NoInverse

if TYPE_CHECKING:
    import numpy.typing as npt

    from ringsmith._bench import Bench
    from ringsmith._element import Element
    from ringsmith._plan import Plan
    from ringsmith._types import Seed, Size


def _shape(size: Size) -> tuple[int, ...]:
    if size is None:
        return ()
    return (size,) if isinstance(size, (int, np.integer)) else tuple(size)


def _integers(of: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Python's integers of objects: those that are none are a ``TypeError``, and not cut off."""
    return np.frompyfunc(operator.index, 1, 1)(of)


class Ring(_ringsmith.Ring):
    """The ring Z_q[x]/(f): any modulus q from 2 to 2^62, prime or not, and any monic f up to degree 65536.

    It is made of its text, or of ``q`` and ``f``: text, coefficients by their exponents, or all of them, the
    constant term first.

    >>> Ring("Z_4591[x]/(x^761-x-1)")
    Ring('Z_4591[x]/(x^761-x-1)')
    >>> Ring(q=17, f={4: 1, 0: 1}) == Ring(q=17, f=[1, 0, 0, 0, 1]) == Ring(q=17, f="x^4+1")
    True

    An element is an array whose last dimension has ``n`` coefficients, the constant term first. Coefficients
    are integers of any NumPy type from -floor(q/2) to q - 1; another is an ``Error``, and nothing wraps.
    Results are in [0, q), of ``dtype``.

    ``small`` promises that coefficients of second factors are from -small to small; large moduli take less
    time then. Products check it, unless ``check=False`` says that the promise is kept: a coefficient beyond it
    makes a wrong product then, whose coefficients are in [0, q), or is an ``Error`` by some methods.

    >>> Ring("Z_17[x]/(x^4+1)", small=1, check=False)
    Ring('Z_17[x]/(x^4+1)', small=1, check=False)

    ``route`` names the algorithm: one of ``plan().routes``, or how one of
    ``plan().methods`` begins; "schoolbook" is always there. Products are the same by all.

    Rings can be pickled. Constant time in coefficients; Python does not clear memory.
    """

    __slots__ = ()

    @property
    def route(self) -> str:
        """How products are computed.

        >>> Ring("Z_17[x]/(x^4+1)").route
        'schoolbook, then division by f, term by term'
        """
        return self._plan().route

    def __repr__(self) -> str:
        check = None if self.check else False
        more = "".join(
            f", {name}={value!r}"
            for name, value in (("small", self.small), ("check", check), ("route", self.asked_route))
            if value is not None
        )
        return f"Ring({self.expression!r}{more})"

    def _key(self) -> tuple[Any, ...]:
        return (self.expression, self.small, self.check, self.asked_route)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Ring) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return (_make, (type(self), *self._key()))

    def __call__(self, coefficients: npt.ArrayLike) -> Element:
        """The element of these coefficients, or of one integer: for notebooks.

        >>> x = Ring("Z_17[x]/(x^4+1)")([0, 1, 0, 0])
        >>> x**4 + 3
        2
        """
        from ringsmith._element import Element

        return Element.of(self, coefficients)

    @property
    def x(self) -> Element:
        """The element x."""
        return self(self.reduce([0, 1]))

    def reduce(self, a: npt.ArrayLike) -> npt.NDArray[Any]:
        """Elements of integers of any size and any number of coefficients: modulo q, and modulo f.

        >>> Ring("Z_17[x]/(x^4+1)").reduce([10**30, -1, 0, 0, 2])
        array([ 6, 16,  0,  0], dtype=uint16)
        """
        given = np.atleast_1d(np.asarray(a))
        if given.dtype.kind == "f" and not hasattr(a, "dtype"):
            # None at all, or beyond 63 bits and of both signs: NumPy finds no type of integers for them.
            given = np.atleast_1d(np.asarray(a, object))
        if given.dtype.kind not in "iuO":
            raise TypeError(f"an array of {given.dtype} is not one of integers")
        if given.dtype.kind == "O":
            below = np.mod(_integers(given), self.q).astype(self.dtype)
        else:
            # q fits both int64 and uint64: nothing wraps.
            wide = np.int64 if given.dtype.kind == "i" else np.uint64
            below = np.mod(given.astype(wide), wide(self.q)).astype(self.dtype)
        return self._remainder(below)

    def _remainder(self, c: npt.NDArray[Any]) -> npt.NDArray[Any]:
        n, length = self.n, c.shape[-1]
        if length <= n:
            return np.concatenate([c, np.zeros((*c.shape[:-1], n - length), self.dtype)], axis=-1)
        while length > n:
            if n == 1:
                return self._linear(c)
            # The highest coefficients first, as many as one division takes.
            low = max(length - (2 * n - 1), 0)
            top = np.ascontiguousarray(c[..., low:].reshape(-1, length - low))
            top = self._remainders(top)
            c = np.concatenate([c[..., :low], top.reshape(*c.shape[:-1], n)], axis=-1)
            length = c.shape[-1]
        return c

    def _linear(self, c: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values where x is -f_0, by Horner's rule."""
        root = np.array([-self.f.get(0, 0) % self.q], self.dtype)
        value = np.zeros((*c.shape[:-1], 1), self.dtype)
        for i in reversed(range(c.shape[-1])):
            value = self.add(self.mul(value, root), c[..., i : i + 1])
        return value

    def to_centred(self, a: npt.ArrayLike) -> npt.NDArray[Any]:
        """Coefficients from -floor(q/2) to floor((q-1)/2), in the signed type of the size of ``dtype``.

        >>> Ring("Z_17[x]/(x^4+1)").to_centred([16, 0, 8, 9])
        array([-1,  0,  8, -8], dtype=int16)
        """
        of = self.canonical(a).astype(np.int64)
        return (of - np.where(of > (self.q - 1) // 2, self.q, 0)).astype(f"i{self.dtype.itemsize}")

    def inverse(self, a: npt.ArrayLike) -> npt.NDArray[Any]:
        """Inverses, for a q that is a prime or a power of one, and up to degree 4096.

        >>> ring = Ring("Z_2048[x]/(x^3-x-1)")
        >>> ring.mul(ring.inverse([1, 0, 5]), [1, 0, 5])
        array([1, 0, 0], dtype=uint16)
        """
        return self._inverses(np.ascontiguousarray(self.canonical(a)))

    def is_unit(self, a: npt.ArrayLike) -> bool:
        """Whether one element has an inverse."""
        try:
            self.inverse(a)
        except NoInverse:
            return False
        return True

    @property
    def ntt(self) -> Ntt:
        """The transform modulo q itself, where q has the roots of unity: an ``Error`` says why it has none."""
        return Ntt(self)

    def zeros(self, size: Size = None) -> npt.NDArray[Any]:
        """Zeroes."""
        return np.zeros((*_shape(size), self.n), self.dtype)

    def random(self, size: Size = None, rng: Seed = None) -> npt.NDArray[Any]:
        """Uniform elements, by a generator of NumPy's or its seed. For experiments: they are no keys.

        >>> Ring("Z_17[x]/(x^4+1)").random(2, rng=1).shape
        (2, 4)
        """
        shape = (*_shape(size), self.n)
        return np.random.default_rng(rng).integers(0, self.q, shape, dtype=self.dtype, endpoint=False)

    def ternary(
        self, size: Size = None, *, weight: int | None = None, rng: Seed = None
    ) -> npt.NDArray[np.int8]:
        """Elements with coefficients -1, 0 and 1: uniform, or ``weight`` of them not 0.

        >>> int(np.count_nonzero(Ring("Z_17[x]/(x^16+1)").ternary(weight=5, rng=1)))
        5
        """
        rng, shape = np.random.default_rng(rng), (*_shape(size), self.n)
        if weight is None:
            return rng.integers(-1, 2, shape, dtype=np.int8)
        if not 0 <= weight <= self.n:
            raise Error(f"a weight of {weight}, where an element has {self.n} coefficients")
        signs = 2 * rng.integers(0, 2, shape, dtype=np.int8) - 1
        chosen = np.broadcast_to(np.arange(self.n) < weight, shape)
        return signs * rng.permuted(chosen, axis=-1).astype(np.int8)

    def cbd(self, eta: int, size: Size = None, *, rng: Seed = None) -> npt.NDArray[np.int8]:
        """Elements with coefficients of the centred binomial distribution: from -eta to eta, at most 127.

        >>> bool(np.abs(Ring("Z_17[x]/(x^16+1)").cbd(2, 100, rng=1)).max() == 2)
        True
        """
        if not 0 <= eta <= 127:
            raise Error(f"eta is from 0 to 127, not {eta}")
        rng, shape = np.random.default_rng(rng), (*_shape(size), self.n)
        return (rng.binomial(eta, 0.5, shape) - rng.binomial(eta, 0.5, shape)).astype(np.int8)

    def plan(self) -> Plan:
        """How products are computed, why that is exact, and what else there is."""
        from ringsmith._plan import Plan

        return Plan.of(self)

    def bench(self, against: Iterable[str] = (), *, batch: int = 1000, seconds: float = 0.2) -> Bench:
        """Measures products: of one element, of a batch, and by other libraries that are installed.

        ``against`` names them: "numpy.fft", "python-flint" (with conversions, and without as
        "python-flint, converted"), "galois".
        """
        from ringsmith._bench import Bench

        return Bench.of(self, tuple(against), batch=batch, seconds=seconds)


def _make(of: type[Ring], expression: str, small: int | None, check: bool, route: str | None) -> Ring:
    return of(expression, small=small, check=check, route=route)


class Ntt:
    """The transform of a ring modulo x^n + 1 or x^n - 1: its values at powers of a root of unity.

    Values are in bit-reversed order: with r(i) the bits of i reversed, value i is that at ``root**(2 r(i) + 1)``
    modulo x^n + 1, and at ``root**r(i)`` modulo x^n - 1.

    >>> ring = Ring("Z_17[x]/(x^4+1)")
    >>> ntt = ring.ntt
    >>> a, b = ring.random(rng=1), ring.random(rng=2)
    >>> bool(np.all(ntt.inverse(ntt.pointwise(ntt.forward(a), ntt.forward(b))) == ring.mul(a, b)))
    True
    """

    __slots__ = ("_ntt", "ring")

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self._ntt = ring._ntt()

    def __reduce__(self) -> tuple[Any, ...]:
        return (Ntt, (self.ring,))

    @property
    def root(self) -> int:
        """The root of unity."""
        return self._ntt.root

    def _rows(self, a: npt.ArrayLike) -> tuple[npt.NDArray[np.uint64], tuple[int, ...]]:
        of = self.ring.canonical(a)
        return np.ascontiguousarray(of.reshape(-1, of.shape[-1]), np.uint64), of.shape

    def forward(self, a: npt.ArrayLike) -> npt.NDArray[Any]:
        """The values of elements."""
        rows, shape = self._rows(a)
        return self._ntt.forward(rows).reshape(shape).astype(self.ring.dtype)

    def inverse(self, a: npt.ArrayLike) -> npt.NDArray[Any]:
        """The elements that have these values."""
        rows, shape = self._rows(a)
        return self._ntt.inverse(rows).reshape(shape).astype(self.ring.dtype)

    def pointwise(self, a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[Any]:
        """Products of values: the values of products."""
        a, b = np.broadcast_arrays(self.ring.canonical(a), self.ring.canonical(b))
        (x, shape), (y, _) = self._rows(a), self._rows(b)
        return self._ntt.pointwise(x, y).reshape(shape).astype(self.ring.dtype)

    def __repr__(self) -> str:
        return f"{self.ring!r}.ntt"
