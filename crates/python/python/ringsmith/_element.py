"""Elements with operators, for notebooks. Programs multiply arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from ringsmith._ring import Ring



class Element:
    """An element of a ring, made by calling the ring. Elements do not change.

    >>> from ringsmith import Ring
    >>> x = Ring("Z_12289[x]/(x^1024+1)").x
    >>> (x + 1) * (x - 1)
    x^2+12288
    >>> x**1024 == -1, 1 / x == -(x**1023)
    (True, True)
    """

    __slots__ = ("_array", "ring")
    # NumPy's operators leave elements to theirs.
    __array_ufunc__ = None

    def __init__(self, ring: Ring, array: npt.NDArray[Any]) -> None:
        self.ring = ring
        self._array = array
        array.flags.writeable = False

    @classmethod
    def of(cls, ring: Ring, coefficients: Any) -> Element:
        """The element of coefficients, or of an integer."""
        if isinstance(coefficients, Element):
            if coefficients.ring != ring:
                raise ringsmith_error(f"the element is one of {coefficients.ring!r}, not of {ring!r}")
            return coefficients
        given = np.asarray(coefficients)
        if given.ndim > 1:
            raise ringsmith_error("an element is an array of one dimension")
        return cls(ring, ring.reduce(given))

    @property
    def coefficients(self) -> npt.NDArray[Any]:
        """The coefficients, the constant term first: an array that is not writeable."""
        return self._array

    def _of(self, other: Any) -> npt.NDArray[Any] | None:
        if isinstance(other, (Element, int, np.integer, np.ndarray)):
            return Element.of(self.ring, other)._array
        return None

    def _by(self, function: Any, other: Any, *, swapped: bool = False) -> Any:
        array = self._of(other)
        if array is None:
            return NotImplemented
        pair = (array, self._array) if swapped else (self._array, array)
        return Element(self.ring, function(*pair))

    def __add__(self, other: Any) -> Element:
        return self._by(self.ring.add, other)

    def __sub__(self, other: Any) -> Element:
        return self._by(self.ring.sub, other)

    def __mul__(self, other: Any) -> Element:
        return self._by(self.ring.mul, other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Element:
        return self._by(self.ring.sub, other, swapped=True)

    def __truediv__(self, other: Any) -> Element:
        return self._by(lambda a, b: self.ring.mul(a, self.ring.inverse(b)), other)

    def __rtruediv__(self, other: Any) -> Element:
        return self._by(lambda a, b: self.ring.mul(a, self.ring.inverse(b)), other, swapped=True)

    def __neg__(self) -> Element:
        return Element(self.ring, self.ring.sub(self.ring.zeros(), self._array))

    def __pos__(self) -> Element:
        return self

    def __pow__(self, exponent: int) -> Element:
        if not isinstance(exponent, (int, np.integer)):
            return NotImplemented
        base = self if exponent >= 0 else self.inverse()
        power = Element.of(self.ring, 1)
        for bit in bin(abs(exponent))[2:]:
            power = power * power
            if bit == "1":
                power = power * base
        return power

    def inverse(self) -> Element:
        """Its inverse."""
        return Element(self.ring, self.ring.inverse(self._array))

    def centred(self) -> npt.NDArray[Any]:
        """Its coefficients, centred."""
        return self.ring.to_centred(self._array)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Element):
            return self.ring == other.ring and bool(np.array_equal(self._array, other._array))
        array = self._of(other) if isinstance(other, (int, np.integer)) else None
        return bool(np.array_equal(self._array, array)) if array is not None else NotImplemented

    def __hash__(self) -> int:
        return hash((self.ring, self._array.tobytes()))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self._array, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return self.ring.n

    def __getitem__(self, index: Any) -> Any:
        return self._array[index]

    def __reduce__(self) -> tuple[Any, ...]:
        return (Element.of, (self.ring, np.array(self._array)))

    def __repr__(self) -> str:
        terms = [_term(int(self._array[i]), int(i)) for i in np.flatnonzero(self._array)[::-1]]
        return "+".join(terms) or "0"

def _term(c: int, exponent: int) -> str:
    power = "" if exponent == 0 else "x" if exponent == 1 else f"x^{exponent}"
    return f"{c}" if not power else power if c == 1 else f"{c}{power}"

def ringsmith_error(why: str) -> Exception:
    """An error of the library's."""
    from ringsmith._ringsmith import Error

    return Error(why)
