"""Our two programs that sign with ML-DSA, as the scripts beside this one use them: `Kit`, the test kit's `sign`, and `Command`, the program `ringsmith`.

Both have a folder with the files `private` and `public`, a key pair in PEM, sign by the first and verify by the second.
"""

import os
import pathlib
import subprocess

SETS = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]


def altered(signature):
    """The same with one bit turned, at a place that the signature itself says."""
    at = (signature[0] << 8 | signature[1]) % len(signature)
    return signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]


class Program:
    """A program of ours in a folder, for one set."""

    def __init__(self, program, folder, name):
        self.program, self.folder, self.name = pathlib.Path(program).resolve(), pathlib.Path(folder), name

    def finish(self, *arguments, given=b""):
        return subprocess.run([self.program, *arguments], cwd=self.folder, input=given, capture_output=True)

    def run(self, *arguments, given=b""):
        """The standard output of what must succeed."""
        done = self.finish(*arguments, given=given)
        assert done.returncode == 0, (arguments, done)
        return done.stdout

    def takes(self, *arguments, given=b""):
        """Whether it verifies; an error is neither."""
        done = self.finish(*arguments, given=given)
        assert done.returncode in (0, 1), (arguments, done)
        return done.returncode == 0

    def write(self, **files):
        """Files that only their owner reads, as the command wants those of private keys."""
        for name, content in files.items():
            path = self.folder / name
            path.unlink(missing_ok=True)
            path.touch(mode=0o600)
            path.write_bytes(content)

    def hold(self, private):
        """Takes a key pair: the private key as PEM. The public one, as it writes it."""
        self.write(private=private)
        public = self.public()
        self.write(public=public)
        return public


class Kit(Program):
    """The test kit's `sign`: contexts of any bytes, signatures without randomness, and of 64 bytes instead of a message."""

    CONTEXTS = [os.urandom(length) for length in (0, 1, 100, 254, 255)]
    LENGTHS = [0, 700]

    def generate(self):
        return self.run("keygen", self.name, os.urandom(32).hex())

    def public(self):
        return self.run("public", self.name, "private")

    def signatures(self, message, context):
        """One of each way that it signs."""
        yield self.run("sign", self.name, "private", context.hex(), given=message)

    def verifies(self, signature, message, context):
        self.write(signature=signature)
        return self.takes("verify", self.name, "public", "signature", context.hex(), given=message)

    def sign_mu(self, mu):
        return self.run("sign-mu", self.name, "private", given=mu)

    def verifies_mu(self, signature, mu):
        self.write(signature=signature)
        return self.takes("verify-mu", self.name, "public", "signature", given=mu)


class Command(Program):
    """The program `ringsmith`: contexts are texts, messages may be longer than a piece of a file that it reads at once."""

    CONTEXTS = ["".encode(), b"a", "release of example 1.0 \N{EURO SIGN}".encode(), b"x" * 255]
    LENGTHS = [0, 1, 1000, (1 << 16) + 1]

    def generate(self):
        return self.run("keygen", "--kind", self.name.lower())

    def public(self, private="private"):
        return self.run("keygen", "-y", private)

    def sign(self, message, context, *how):
        return self.run("sign", "-i", "private", "--context", context.decode(), *how, given=message)

    def signatures(self, message, context):
        """One of each way that it signs."""
        yield self.sign(message, context)
        yield self.sign(message, context, "--deterministic")

    def verifies(self, signature, message, context):
        self.write(signature=signature)
        return self.takes("verify", "--public", "public", "-s", "signature", "--context", context.decode(), given=message)

    def certificate(self, subject):
        return self.run("certificate", "-i", "private", "--subject", subject, "--days", "2")
