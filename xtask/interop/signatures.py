"""ML-DSA against PyCA's cryptography, in both directions: signatures.py SIGN COMMAND PAIR NODE.

SIGN is the test kit's program, COMMAND is `ringsmith`. Keys and certificates pass as PEM, signatures as bytes. Either side makes
the keys, and both write them alike; each verifies the other's signatures, with and without a context, and neither takes one that
was altered, or one of another message or context. PAIR is a key and a certificate that our library made and signed: it verifies
with itself here, and with the OpenSSL of the program NODE.
"""

import datetime
import os
import pathlib
import subprocess
import sys
import tempfile

import cryptography
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.backends.openssl.backend import backend
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import mldsa

from ours import SETS, Command, Kit, altered

KEYS = {
    "ML-DSA-44": mldsa.MLDSA44PrivateKey,
    "ML-DSA-65": mldsa.MLDSA65PrivateKey,
    "ML-DSA-87": mldsa.MLDSA87PrivateKey,
}
SUBJECT = "CN=Alice,O=Example,C=CH"
PEER = f"cryptography {cryptography.__version__} ({backend.openssl_version_text()})"


def private_pem(key):
    return key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())


def public_pem(key):
    return key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def taken(verify, *arguments):
    """Whether a signature is one, there."""
    try:
        verify(*arguments)
    except InvalidSignature:
        return False
    return True


def both_ways(ours, key, message, context):
    """A message, signed here and verified there, and the other way round."""
    there, other = key.public_key().verify, context[1:] if context else b"another"
    for made in ours.signatures(message, context):
        assert taken(there, made, message, context) and not taken(there, altered(made), message, context)
        assert not taken(there, made, message + b"a", context) and not taken(there, made, message, other)
    theirs = key.sign(message, context)
    assert ours.verifies(theirs, message, context) and not ours.verifies(altered(theirs), message, context)
    assert not ours.verifies(theirs, message + b"a", context) and not ours.verifies(theirs, message, other)


def digests(ours, key):
    """Signatures of 64 bytes that stand for a message."""
    mu, there = os.urandom(64), key.public_key().verify_mu
    assert taken(there, ours.sign_mu(mu), mu) and not taken(there, altered(ours.sign_mu(mu)), mu)
    assert ours.verifies_mu(key.sign_mu(mu), mu) and not ours.verifies_mu(altered(key.sign_mu(mu)), mu)


def certificates(ours, key):
    """A certificate of either side, read by the other."""
    made = ours.certificate(SUBJECT)
    read = x509.load_pem_x509_certificate(made)
    read.verify_directly_issued_by(read)
    assert read.subject.rfc4514_string() == SUBJECT and read.public_key() == key.public_key()
    assert read.not_valid_after_utc - read.not_valid_before_utc == datetime.timedelta(days=2)
    constraints = read.extensions.get_extension_for_class(x509.BasicConstraints)
    usage = read.extensions.get_extension_for_class(x509.KeyUsage)
    assert constraints.critical and not constraints.value.ca and usage.critical and usage.value.digital_signature
    identifier = read.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
    assert identifier.value.digest == x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest

    name = x509.Name.from_rfc4514_string(SUBJECT)
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
    theirs = builder.sign(key, None).public_bytes(form.Encoding.PEM)
    ours.write(ours=made, theirs=theirs, good=key.sign(b"a letter"))
    for certificate in ("ours", "theirs"):
        said = ours.run("verify", "--public", certificate, "-s", "good", given=b"a letter")
        assert said.endswith(f", by the key of {SUBJECT}\n".encode()), said


def exchange(ours, key, more):
    """Both sides hold the same key pair."""
    assert ours.hold(private_pem(key)) == public_pem(key)
    for context in ours.CONTEXTS:
        for length in ours.LENGTHS:
            both_ways(ours, key, os.urandom(length), context)
    more(ours, key)


def our_pair(pair, node, directory):
    """A certificate that signed itself."""
    text = pathlib.Path(pair).read_text()
    start = text.index("-----BEGIN CERTIFICATE")
    key = form.load_pem_private_key(text[:start].encode(), password=None)
    read = x509.load_pem_x509_certificate(text[start:].encode())
    assert read.public_key() == key.public_key()
    read.verify_directly_issued_by(read)
    path = pathlib.Path(directory) / "certificate.pem"
    path.write_text(text[start:])
    script = """
        const { X509Certificate } = require('crypto');
        const read = new X509Certificate(require('fs').readFileSync(process.argv[1]));
        const good = read.verify(read.publicKey) && read.checkIssued(read);
        console.log(process.versions.openssl, read.publicKey.asymmetricKeyType);
        process.exit(good ? 0 : 1);
    """
    done = subprocess.run([node, "-e", script, path], capture_output=True, check=True, text=True)
    print(f"our certificate, {read.subject.rfc4514_string()}: verified by {PEER}, by the OpenSSL of Node, {done.stdout.strip()}")


def main(sign, command, pair, node):
    with tempfile.TemporaryDirectory() as directory:
        for program, kind, more in [(sign, Kit, digests), (command, Command, certificates)]:
            for name in SETS:
                ours = kind(program, directory, name)
                exchange(ours, KEYS[name].generate(), more)
                private = ours.generate()
                key = form.load_pem_private_key(private, password=None)
                assert private_pem(key) == private
                exchange(ours, key, more)
                print(f"{ours.program.name}, {name}: keys, signatures, {more.__name__} with {PEER}: agreed both ways")
        our_pair(pair, node, directory)


main(*sys.argv[1:])
