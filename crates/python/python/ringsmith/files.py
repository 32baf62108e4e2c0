"""Files in the age format, which age, rage and the command ``ringsmith`` read and write.

>>> identity, recipient = generate_identity()
>>> decrypt(encrypt(b"a letter", [recipient]), [identity])
b'a letter'

Keys are hybrids of ML-KEM-768 (or sntrup761) and X25519: whoever wants to read a file has to break both.
Recipients of X25519 alone, ``age1...``, are taken as well, but not both in one file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ringsmith import _ringsmith

KINDS: tuple[str, ...] = tuple(_ringsmith.KINDS)
"""The kinds of post-quantum keys."""

Path = str | os.PathLike[str]


def _bytes(data: bytes) -> bytes:
    """Bytes of what has some: of an integer Python would make so many zeroes."""
    return data if type(data) is bytes else bytes(memoryview(data))


def _texts(of: str | Iterable[str]) -> list[str]:
    return [of] if isinstance(of, str) else list(of)


def generate_identity(kind: str = KINDS[0]) -> tuple[str, str]:
    """A new private key and its recipient, which is public, as texts."""
    return _ringsmith.new_identity(kind)


def recipient_of(identity: str) -> str:
    """The recipient of a private key."""
    return _ringsmith.recipient_of(identity)


def read_keys(path: Path) -> list[str]:
    """The recipients or private keys of a file, one a line; empty lines and those that begin with # say nothing."""
    with open(path, encoding="utf-8") as file:
        lines = (line.strip() for line in file)
        return [line for line in lines if line and not line.startswith("#")]


def encrypt(data: bytes, recipients: str | Iterable[str], *, armor: bool = False) -> bytes:
    """An encrypted file of bytes, to recipients; ``armor`` makes it text."""
    return _ringsmith.encrypt_bytes(_bytes(data), _texts(recipients), armor)


def decrypt(data: bytes, identities: str | Iterable[str]) -> bytes:
    """The bytes of an encrypted file, by private keys. A file that was not made for them, or was altered, is an
    ``InvalidCiphertext``."""
    return _ringsmith.decrypt_bytes(_bytes(data), _texts(identities))


def encrypt_file(source: Path, target: Path, recipients: str | Iterable[str], *, armor: bool = False) -> None:
    """Encrypts a file into a new one, of any length; a file that exists is not overwritten."""
    _ringsmith.encrypt_file(source, target, _texts(recipients), armor)


def decrypt_file(source: Path, target: Path, identities: str | Iterable[str]) -> None:
    """Decrypts a file into a new one, which appears only when all is well."""
    _ringsmith.decrypt_file(source, target, _texts(identities))
