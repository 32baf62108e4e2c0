"""ML-DSA against the program `openssl` of 3.5 or later, in both directions: openssl_signatures.py OPENSSL COMMAND.

Either side makes the keys; the public halves are the same. OpenSSL's three forms of private keys are read here, ours there. Each
verifies the other's signatures, with contexts and without, and none that was altered or is of another message or context;
deterministic signatures are the same bytes. OpenSSL shows and verifies our certificates, our command those of OpenSSL, and
certificates that OpenSSL makes with our keys are a chain.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from ours import SETS, Command, altered
from tls import commands

FORMS = ["seed-only", "priv-only", "seed-priv"]
SUBJECT = "CN=Alice,O=Example,C=CH"


class Openssl:
    """The program, in the folder of ours."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def finish(self, *arguments):
        # Without a configuration: its algorithms are its own.
        environment = os.environ | {"OPENSSL_CONF": os.devnull}
        return subprocess.run([self.program, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True)

    def run(self, *arguments):
        done = self.finish(*arguments)
        assert done.returncode == 0, (arguments, done)
        return done.stdout

    def sign(self, message, context, *options):
        (self.folder / "message").write_bytes(message)
        return self.run("pkeyutl", "-sign", "-rawin", "-inkey", "private", "-in", "message", *of(context), *options)

    def verifies(self, signature, message, context, key=("-pubin", "-inkey", "public")):
        (self.folder / "message").write_bytes(message)
        (self.folder / "signature").write_bytes(signature)
        done = self.finish("pkeyutl", "-verify", "-rawin", *key, "-in", "message", "-sigfile", "signature", *of(context))
        said = {0: b"Signature Verified Successfully", 1: b"Signature Verification Failure"}
        assert done.stdout.strip() == said[done.returncode], done
        return done.returncode == 0


def of(context):
    """A context as an option: as digits, which any bytes have."""
    return ["-pkeyopt", f"hexcontext-string:{context.hex()}"] if context else []


def signatures(ours, theirs, message, context):
    """A message, signed here and verified there, and the other way round."""
    other = context[1:] if context else b"another"
    for verifier, made in [*((theirs, made) for made in ours.signatures(message, context)), (ours, theirs.sign(message, context))]:
        assert verifier.verifies(made, message, context) and not verifier.verifies(altered(made), message, context)
        assert not verifier.verifies(made, message + b"a", context) and not verifier.verifies(made, message, other)
    deterministic = theirs.sign(message, context, "-pkeyopt", "deterministic:1")
    assert deterministic == ours.sign(message, context, "--deterministic")


def context_as_text(ours, theirs):
    """The option that people write."""
    (theirs.folder / "message").write_bytes(b"a letter")
    option = ["-pkeyopt", "context-string:letters", "-pkeyopt", "deterministic:1"]
    made = theirs.run("pkeyutl", "-sign", "-rawin", "-inkey", "private", "-in", "message", *option)
    assert made == ours.sign(b"a letter", b"letters", "--deterministic")


def forms(ours, theirs):
    """The key pair in each form that OpenSSL writes is the same pair, and signs alike; its PEM of a seed is ours."""
    expected = ours.sign(b"a letter", b"", "--deterministic")
    for form in FORMS:
        ours.write(form=theirs.run("pkey", "-in", "private", "-provparam", f"ml-dsa.output_formats={form}"))
        assert ours.public("form") == ours.public()
        assert ours.run("sign", "-i", "form", "--deterministic", given=b"a letter") == expected
        der = theirs.run("pkey", "-in", "form", "-outform", "DER", "-provparam", f"ml-dsa.output_formats={form}")
        ours.write(form=der)
        assert ours.public("form") == ours.public()


def pair(ours, theirs, private):
    """Takes a key pair of either side: both read the same public half of it, and write it alike."""
    public = ours.hold(private)
    assert theirs.run("pkey", "-in", "private", "-pubout") == public
    assert theirs.run("pkey", "-pubin", "-in", "public") == public


def exchange(ours, theirs, private):
    pair(ours, theirs, private)
    forms(ours, theirs)
    context_as_text(ours, theirs)
    for context in ours.CONTEXTS:
        # The program reads no empty file.
        for length in filter(None, ours.LENGTHS):
            signatures(ours, theirs, os.urandom(length), context)


def our_certificate(ours, theirs):
    """A certificate of ours, there; a signature by its key, verified by the certificate."""
    ours.write(ours=ours.certificate(SUBJECT))
    assert theirs.run("verify", "-CAfile", "ours", "ours") == b"ours: OK\n"
    # The same with every check of form that the manual has, the signature of a certificate that signs itself among them.
    assert theirs.run("verify", "-x509_strict", "-check_ss_sig", "-purpose", "any", "-CAfile", "ours", "ours") == b"ours: OK\n"
    text = theirs.run("x509", "-in", "ours", "-noout", "-text").decode()
    assert f"Signature Algorithm: {ours.name}\n" in text and f"Public Key Algorithm: {ours.name}\n" in text, text
    assert theirs.run("x509", "-in", "ours", "-noout", "-pubkey") == ours.public()
    assert theirs.verifies(ours.sign(b"a letter", b""), b"a letter", b"", ("-certin", "-inkey", "ours"))


def their_certificate(ours, theirs):
    """A request and a certificate that OpenSSL makes of a key, here: it signs itself."""
    ours.write(theirs=theirs.run("req", "-x509", "-new", "-key", "private", "-subj", "/C=CH/O=Example/CN=Alice", "-days", "2"))
    ours.write(good=ours.sign(b"a letter", b""))
    said = ours.run("verify", "--public", "theirs", "-s", "good", given=b"a letter")
    assert said.endswith(f", by the key of {SUBJECT}\n".encode()), said


def chain(ours, theirs):
    """An authority with one of our keys signs a certificate of another."""
    ours.write(authority=(ours.folder / "private").read_bytes())
    ours.write(root=theirs.run("req", "-x509", "-new", "-key", "authority", "-subj", "/CN=Authority", "-days", "2",
                                "-addext", "basicConstraints=critical,CA:TRUE"))
    ours.hold(ours.generate())
    ours.write(request=theirs.run("req", "-new", "-key", "private", "-subj", "/CN=Bob"))
    theirs.run("req", "-in", "request", "-verify", "-noout")
    ours.write(leaf=theirs.run("x509", "-req", "-in", "request", "-CA", "root", "-CAkey", "authority", "-days", "1"))
    assert theirs.run("verify", "-check_ss_sig", "-CAfile", "root", "leaf") == b"leaf: OK\n"
    ours.write(good=ours.sign(b"a letter", b""))
    done = ours.finish("verify", "--public", "leaf", "-s", "good", given=b"a letter")
    assert done.returncode == 0 and done.stdout.endswith(b", by the key of CN=Bob\n") and b"CN=Authority" in done.stderr, done


def certificates(ours, theirs):
    our_certificate(ours, theirs)
    their_certificate(ours, theirs)
    chain(ours, theirs)


def guide(ours, openssl):
    """The commands of the page, as they stand there, where its other files are."""
    ours.hold(ours.generate())
    crt = ours.certificate(SUBJECT)
    ours.write(**{"alice.key": (ours.folder / "private").read_bytes(), "alice.pub": ours.public(), "alice.crt": crt})
    ours.write(**{"letter.txt": b"a letter", "letter.sig": ours.sign(b"a letter", b"")})
    path = f"{pathlib.Path(openssl).parent}:{ours.program.parent}:{os.environ['PATH']}"
    said = commands("docs/signatures.md", "Other programs")
    for line in said:
        subprocess.run(["sh", "-ec", line], cwd=ours.folder, check=True, capture_output=True,
                       env=os.environ | {"PATH": path, "OPENSSL_CONF": os.devnull})
    return len(said)


def main(openssl, command):
    openssl = str(pathlib.Path(openssl).resolve())
    with tempfile.TemporaryDirectory() as folder:
        theirs = Openssl(openssl, pathlib.Path(folder))
        version = theirs.run("version").decode().split()[1]
        for name in SETS:
            ours = Command(command, folder, name)
            exchange(ours, theirs, theirs.run("genpkey", "-algorithm", name))
            certificates(ours, theirs)
            exchange(ours, theirs, ours.generate())
            certificates(ours, theirs)
            print(f"{name} with openssl {version}: keys in {len(FORMS)} forms, signatures, certificates: agreed both ways")
        print(f"docs/signatures.md: {guide(Command(command, folder, 'ML-DSA-65'), openssl)} commands: run")


main(*sys.argv[1:])
