"""The planner's table of a ring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ringsmith._ring import Ring

#: How many methods are printed, as by the command.
LISTED = 6


@dataclass(frozen=True)
class Method:
    """A method of a ring, and how many cycles of the core a product by it is predicted to take."""

    name: str
    cycles: float


@dataclass(frozen=True)
class Plan:
    """How a ring computes products, and what else there is. Its text is the planner's table.

    >>> from ringsmith import Ring
    >>> plan = Ring("Z_4096[x]/(x^743-x-1)").plan()
    >>> plan.chosen == plan.methods[0].name
    True
    """

    #: The ring, as text.
    ring: str
    #: The bound of second factors' coefficients, if they are small.
    small: int | None
    #: Whether second factors are looked at for that bound.
    check: bool
    #: The vector instructions that are used.
    backend: str
    #: How products are computed.
    route: str
    #: Why that is exact.
    argument: str
    #: The primes that products are computed modulo.
    primes: tuple[int, ...]
    #: The compiled route that computes products, if one does.
    compiled: str | None
    #: The routes that are compiled for the ring, the planner's choice first: ``Ring(.., route=)`` takes them.
    routes: tuple[str, ...]
    #: The ring's methods, the fastest first: ``Ring(.., route=)`` takes them too.
    methods: tuple[Method, ...]
    #: What does not serve, and why.
    refused: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, ring: Ring) -> Plan:
        """That of a ring."""
        plan = ring._plan()
        return cls(
            ring=ring.expression,
            small=ring.small,
            check=ring.check,
            backend=ring.backend,
            route=plan.route,
            argument=plan.argument,
            primes=tuple(plan.primes),
            compiled=plan.compiled,
            routes=tuple(plan.routes),
            methods=tuple(Method(name, cycles) for name, cycles in plan.methods),
            refused=tuple(plan.refused),
        )

    @property
    def chosen(self) -> str:
        """The name of the method that the planner chooses."""
        return self.methods[0].name if self.compiled is None else self.compiled

    def __str__(self) -> str:
        operands = (
            "any two elements"
            if self.small is None
            else f"any element, and one with coefficients from -{self.small} to {self.small}"
            + ("" if self.check else ", unchecked")
        )
        lines = {
            "ring": self.ring,
            "operands": operands,
            "backend": f"{self.backend}, costs as shipped for it",
            "route": self.route,
            "exact": self.argument,
        }
        text = "".join(f"{name:<9} {line}\n" for name, line in lines.items())
        return f"{text}\n{self._methods()}\n{self._refused()}".rstrip("\n")

    def _methods(self) -> str:
        rows = [] if self.compiled is None else [("-", f"{self.compiled}, compiled for this ring")]
        rows += [(f"{method.cycles:,.0f}", method.name) for method in self.methods[:LISTED]]
        marks = ["chosen", "next best"] + [""] * len(rows)
        width = max(len("cycles"), *(len(cycles) for cycles, _ in rows))
        text = f"{'':9}  {'cycles':>{width}}  method\n"
        text += "".join(f"{mark:9}  {cycles:>{width}}  {name}\n" for mark, (cycles, name) in zip(marks, rows))
        more = len(self.methods) - LISTED
        return text + (f"and {more} more, slower as predicted\n" if more > 0 else "")

    def _refused(self) -> str:
        reasons: dict[str, list[str]] = {}
        for what, why in self.refused:
            reasons.setdefault(why, []).append(what)
        return "".join(f"not {', '.join(what)}: {why}\n" for why, what in reasons.items())

    def plot(self, ax: Axes | None = None) -> Axes:
        """A bar for each method of at most ten times the fastest one's cycles, by Matplotlib."""
        ax = _axes(ax)
        methods = [of for of in self.methods[:12] if of.cycles <= 10 * self.methods[0].cycles][::-1]
        bars = ax.barh([of.name for of in methods], [of.cycles / 1000 for of in methods])
        if self.compiled is None:
            bars[-1].set_color("C1")
        ax.bar_label(bars, fmt="{:,.1f}", padding=3)
        ax.margins(x=0.15)
        ax.set_xlabel("thousands of cycles of a product, predicted")
        ax.set_title(self.ring)
        return ax


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as why:
        raise ImportError("pictures need Matplotlib: pip install 'ringsmith[plots]'") from why
    _, made = plt.subplots(layout="constrained")
    return made
