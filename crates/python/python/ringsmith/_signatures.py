"""The classes of signatures, which those of every set are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from ringsmith import _ringsmith
from ringsmith._keys import PublicKey, StoredPrivateKey, as_bytes

PREHASHES: tuple[str, ...] = tuple(_ringsmith.PREHASHES)
"""The hashes whose digests are signed, by the names of ``hashlib``."""

#: Bytes that are copied at a time of an object that may change.
_PIECE = 1 << 18


def pieces(data: Any) -> Iterable[bytes]:
    """Data as bytes: themselves, or copies of pieces, so that nothing that changes is read without a lock."""
    if type(data) is bytes:
        return (data,)
    view = memoryview(data)
    if view.ndim != 1 or view.itemsize != 1:
        return (view.tobytes(),)
    return (view[at : at + _PIECE].tobytes() for at in range(0, len(view), _PIECE))


class SignaturePublicKey(PublicKey):
    """A public key of signatures."""

    __slots__ = ()
    _scheme: ClassVar[_ringsmith.Signature]
    #: Bytes of a signature.
    SIGNATURE_BYTES: ClassVar[int]

    def verify(self, signature: bytes, data: bytes, context: bytes | None = None) -> None:
        """Returns where a signature was made of these data with this key and context, else it is an
        ``InvalidSignature``, also where it has another length."""
        self.verify_mu(signature, self._mu(data, context))

    def verify_prehashed(self, signature: bytes, digest: bytes, algorithm: str, context: bytes | None = None) -> None:
        """The same of a digest that was signed (HashML-DSA), by a hash that ``PREHASHES`` names."""
        self.verify_mu(signature, self._digest_mu(digest, algorithm, context))

    def verify_mu(self, signature: bytes, mu: bytes) -> None:
        """The same of 64 bytes, which ``MLDSAMuHasher`` makes."""
        self._scheme.verify(self._bytes, as_bytes(mu), as_bytes(signature))

    def _message(self, context: bytes | None) -> _ringsmith.Message:
        return self._scheme.message(self._bytes, b"" if context is None else as_bytes(context))

    def _mu(self, data: bytes, context: bytes | None) -> bytes:
        message = self._message(context)
        for piece in pieces(data):
            message.update(piece)
        return message.finish()

    def _digest_mu(self, digest: bytes, algorithm: str, context: bytes | None) -> bytes:
        given = b"" if context is None else as_bytes(context)
        return self._scheme.prehashed(self._bytes, given, algorithm, as_bytes(digest))


class SignaturePrivateKey(StoredPrivateKey):
    """A private key of signatures. They are made with randomness of the operating system's; with
    ``deterministic`` without any, the same one each time."""

    __slots__ = ("_public_key",)
    _key: _ringsmith.SignatureKey
    _scheme: ClassVar[_ringsmith.Signature]
    _public: ClassVar[type[SignaturePublicKey]]

    def __init__(self, key: _ringsmith.SignatureKey) -> None:
        super().__init__(key)
        self._public_key = self._public(key.public)

    def public_key(self) -> SignaturePublicKey:
        """Its public key."""
        return self._public_key

    def sign(self, data: bytes, context: bytes | None = None, *, deterministic: bool = False) -> bytes:
        """The signature of data of any length. Whoever verifies it gives the same context: up to 255 bytes that
        say what the signature is for."""
        return self.sign_mu(self._public_key._mu(data, context), deterministic=deterministic)

    def sign_prehashed(
        self, digest: bytes, algorithm: str, context: bytes | None = None, *, deterministic: bool = False
    ) -> bytes:
        """The signature of a digest (HashML-DSA), by a hash that ``PREHASHES`` names. It is none of the data themselves."""
        return self.sign_mu(self._public_key._digest_mu(digest, algorithm, context), deterministic=deterministic)

    def sign_mu(self, mu: bytes, *, deterministic: bool = False) -> bytes:
        """The signature of 64 bytes, which ``MLDSAMuHasher`` makes, here or elsewhere."""
        return self._key.sign(as_bytes(mu), deterministic)


class MLDSAMuHasher:
    """Data that come in pieces: what is signed of them with a key in a context.

    >>> from ringsmith.schemes import MLDSA44PrivateKey
    >>> key = MLDSA44PrivateKey.generate()
    >>> hasher = MLDSAMuHasher(key.public_key(), b"backups")
    >>> for piece in (b"a long ", b"file"):
    ...     hasher.update(piece)
    >>> key.public_key().verify(key.sign_mu(hasher.finalize()), b"a long file", b"backups")
    """

    __slots__ = ("_message",)

    def __init__(self, public_key: SignaturePublicKey, context: bytes | None = None) -> None:
        if not isinstance(public_key, SignaturePublicKey):
            raise TypeError(f"a public key of signatures is needed, not {type(public_key).__name__}")
        self._message = public_key._message(context)

    def update(self, data: bytes) -> None:
        """Takes the next piece."""
        for piece in pieces(data):
            self._message.update(piece)

    def finalize(self) -> bytes:
        """Ends the data: 64 bytes, which are no secret."""
        return self._message.finish()
