"""sntrup761 for SSH clients and servers of Python's: sntrup761x25519-sha512, which OpenSSH prefers since 9.0.

``enable_asyncssh()`` makes AsyncSSH offer the method without liboqs.
"""

from __future__ import annotations

import hashlib
from ringsmith.schemes import kem

#: The names of the method, OpenSSH's and that of RFC 9941.
METHODS = ("sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com")


class SNTRUP:
    """sntrup761 as AsyncSSH calls a scheme of key encapsulation."""

    def __init__(self, alg_name: bytes = b"sntrup761") -> None:
        private, self._public = kem(alg_name.decode())
        self._key = private.generate()
        self.pubkey_bytes: int = self._public.PUBLIC_KEY_BYTES
        self.privkey_bytes: int = private.PRIVATE_KEY_BYTES
        self.ciphertext_bytes: int = self._public.CIPHERTEXT_BYTES
        self.secret_bytes: int = self._public.SHARED_SECRET_BYTES

    def get_public(self) -> bytes:
        """The public key, which is sent."""
        return self._key.public_key().public_bytes_raw()

    def encaps(self, peer_public: bytes) -> tuple[bytes, bytes]:
        """A secret, and its ciphertext for the peer."""
        return self._public.from_public_bytes(peer_public).encapsulate()

    def decaps(self, ciphertext: bytes) -> bytes:
        """The secret of a ciphertext."""
        return self._key.decapsulate(ciphertext)


def enable_asyncssh() -> None:
    """Makes AsyncSSH offer and take sntrup761x25519-sha512, before all methods but those that it has already."""
    from asyncssh import kex, kex_dh
    from asyncssh.crypto import Curve25519DH

    for method in METHODS:
        name = method.encode()
        if name not in kex.get_kex_algs():
            arguments = (SNTRUP, b"sntrup761", Curve25519DH)
            kex.register_kex_alg(name, kex_dh._KexHybridECDH, hashlib.sha512, arguments, True)
