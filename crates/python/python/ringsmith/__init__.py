"""Polynomial rings of lattice cryptography over NumPy arrays, and the schemes built on them.

>>> from ringsmith import Ring
>>> ring = Ring("Z_17[x]/(x^4+1)")
>>> ring.mul([0, 1, 0, 0], [0, 0, 0, 1])        # x x^3 = x^4 = -1
array([16,  0,  0,  0], dtype=uint16)

``Ring``
    products, sums, inverses and transforms in Z_q[x]/(f), for any q up to 2^62 and any monic f.
``ringsmith.schemes``
    every scheme of the library as classes, in the shape of PyCA's ``cryptography``.
``ringsmith.files``
    files in the age format, to post-quantum recipients.
``ringsmith.experiments``
    decryption failures and noise from seeds, computed in Rust.
``ringsmith.ssh``
    sntrup761 for AsyncSSH and Paramiko.
"""

from ringsmith._bench import Bench, Timing
from ringsmith._element import Element
from ringsmith._plan import Method, Plan
from ringsmith._ring import Ntt, Ring
from ringsmith._ringsmith import Error, InvalidCiphertext, InvalidSignature, NoInverse, Prepared, __version__

__all__ = [
    "Bench",
    "Element",
    "Error",
    "InvalidCiphertext",
    "InvalidSignature",
    "Method",
    "NoInverse",
    "Ntt",
    "Plan",
    "Prepared",
    "Ring",
    "Timing",
    "__version__",
]
