"""Writes the stub of `ringsmith.schemes`, where schemes were added: python tests/stubs.py"""

from pathlib import Path

from ringsmith import _ringsmith, schemes
from ringsmith.schemes import class_name

STUB = Path(__file__).parents[1] / "python/ringsmith/schemes.pyi"
HEAD = """\
from ringsmith._keys import PrivateKey as PrivateKey
from ringsmith._keys import PublicKey as PublicKey
from ringsmith._keys import StoredPrivateKey as StoredPrivateKey
from ringsmith._schemes import Exchange as Exchange
from ringsmith._schemes import KEMPrivateKey as KEMPrivateKey
from ringsmith._schemes import KEMPublicKey as KEMPublicKey
from ringsmith._schemes import KeyPair as KeyPair
from ringsmith._schemes import PKEPrivateKey as PKEPrivateKey
from ringsmith._schemes import PKEPublicKey as PKEPublicKey
from ringsmith._schemes import SCHEMES as SCHEMES
from ringsmith._schemes import class_name as class_name
from ringsmith._schemes import exchange as exchange
from ringsmith._schemes import kem as kem
from ringsmith._schemes import pke as pke
from ringsmith._schemes import signature as signature
from ringsmith._signatures import MLDSAMuHasher as MLDSAMuHasher
from ringsmith._signatures import PREHASHES as PREHASHES
from ringsmith._signatures import SignaturePrivateKey as SignaturePrivateKey
from ringsmith._signatures import SignaturePublicKey as SignaturePublicKey
"""


def text():
    """The stub: all names, then two lines a class."""
    names = "".join(f'    "{name}",\n' for name in schemes.__all__)
    parts = [HEAD, f"__all__ = [\n{names}]\n"]
    for kind, names in [("KEM", _ringsmith.KEMS), ("PKE", _ringsmith.PKES), ("Signature", _ringsmith.SIGNATURES)]:
        for name in names:
            public, private = (class_name(name) + end for end in ("PublicKey", "PrivateKey"))
            parts.append(f"class {public}({kind}PublicKey): ...")
            parts.append(f"class {private}({kind}PrivateKey):\n    def public_key(self) -> {public}: ...")
    parts += [f"class {class_name(name)}Exchange(Exchange): ..." for name in _ringsmith.EXCHANGES]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    STUB.write_text(text())
