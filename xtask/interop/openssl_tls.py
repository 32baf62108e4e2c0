"""The provider in an OpenSSL of 3.5 or later, beside its own ML-KEM: openssl_tls.py FOLDER OPENSSL.

FOLDER is that of tls.py, OPENSSL the program. It loads the provider, twice too; properties choose between the two; each reads
the other's files of keys and decapsulates what the other encapsulated; a server with one does TLS with a client that has the other. Where properties prefer the provider, a profiler sees that it computes.
"""

import os
import pathlib
import sys

from tls import GROUPS, HYBRIDS, Place, commands, spoil

OURS, THEIRS = "ringsmith", "default"
BOTH = [(OURS, THEIRS), (THEIRS, OURS)]
SETS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]
# Those that OpenSSL has itself.
STANDARD = [group for group in GROUPS if group != "sntrup761x25519"]


def providers(place):
    """Both are there, with the same algorithms."""
    said = place.run([place.openssl, "list", "-providers"]).stdout
    algorithms = place.run([place.openssl, "list", "-kem-algorithms"]).stdout.splitlines()
    for name in [*SETS, *HYBRIDS]:
        of = {line.split(" @ ")[1] for line in algorithms if name in line}
        if of != {OURS, THEIRS}:
            sys.exit(f"{name} is of {of}\n{said}")
    if "Ringsmith" not in said:
        sys.exit(f"another name of the provider\n{said}")


def twice(place):
    """The provider under two names: each has its own."""
    path = place.folder / "twice.cnf"
    text = place.configuration.replace("ringsmith = ringsmith_provider", "ringsmith = ringsmith_provider\nagain = again_provider")
    section = text[text.index("[ringsmith_provider]") : text.index("[ssl]")]
    path.write_text(text + "\n" + section.replace("[ringsmith_provider]", "[again_provider]"))
    environment = os.environ | {"OPENSSL_CONF": str(path)}
    said = place.run([place.openssl, "list", "-kem-algorithms"], **environment).stdout
    if any(f"sntrup761x25519 @ {name}" not in said for name in ("ringsmith", "again")):
        sys.exit(f"the provider twice: {said}")
    handshake(place, "sntrup761x25519", environment, environment)


def keys(place, name, made, read):
    """Keys of one provider in files, read by the other, which answers and is answered."""
    at = lambda file: place.folder / f"own-{file}"
    def of(provider, *arguments):
        return place.run([place.openssl, *arguments, "-propquery", f"?provider={provider}"])
    for form in ("PEM", "DER"):
        of(made, "genpkey", "-algorithm", name, "-outform", form, "-out", at("key"))
        for provider in (made, read):
            of(provider, "pkey", "-in", at("key"), "-pubout", "-outform", form, "-out", at(provider))
        if at(made).read_bytes() != at(read).read_bytes():
            sys.exit(f"{name}: a key of {made} has another public key by {read}")
        for one, other in [(made, read), (read, made)]:
            of(one, "pkeyutl", "-encap", "-pubin", "-inkey", at(made), "-secret", at("sent"), "-out", at("ciphertext"))
            of(other, "pkeyutl", "-decap", "-inkey", at("key"), "-secret", at("received"), "-in", at("ciphertext"))
            if at("sent").read_bytes() != at("received").read_bytes():
                sys.exit(f"{name}: {one} and {other} have different secrets")


def handshake(place, group, server, client):
    """Between a server and a client with these environments."""
    listening, address = place.s_server(group, "-www", environment=server)
    with listening:
        heard = place.run(place.s_client(address, group), **client).stderr
        said = ["CONNECTION ESTABLISHED", "Verification: OK", f"Negotiated TLS1.3 group: {group}"]
        if not all(line in heard for line in said):
            sys.exit(f"{group}: {heard}")


def environments(place):
    """That of each provider: ours, where both are there and ours is preferred; OpenSSL alone, without our configuration."""
    return {OURS: os.environ | {"OPENSSL_CONF": str(place.preferring(OURS))}, THEIRS: os.environ | {"OPENSSL_CONF": os.devnull}}


def handshakes(place):
    environment = environments(place)
    for group in STANDARD:
        for server, client in [*BOTH, (OURS, OURS)]:
            handshake(place, group, environment[server], environment[client])


def is_ours(place, configuration):
    """Whether a client with this configuration computes a hybrid by the provider, which hashes: what a profiler saw."""
    group, seen = "X25519MLKEM768", place.folder / "callgrind.out"
    server, address = place.s_server(group, "-www", environment=environments(place)[THEIRS])
    with server:
        profiler = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={seen}"]
        place.run([*profiler, *place.s_client(address, group)], OPENSSL_CONF=str(configuration))
    return "ringsmith_hash" in seen.read_text()


def properties(place):
    """Whose algorithms TLS takes, properties say; where they say nothing, OpenSSL's own."""
    seen = [is_ours(place, file) for file in (place.preferring(OURS), place.preferring(THEIRS), place.folder / "openssl.cnf")]
    if seen != [True, False, False]:
        sys.exit(f"the provider computes where it is preferred, where OpenSSL's own is, where nothing is said: {seen}")


def malformed_shares(place):
    server, address = place.s_server(":".join(STANDARD), environment=environments(place)[OURS])
    with server as process:
        counts = [spoil(place, address.split(":")[1], group) for group in STANDARD]
        if process.poll() is not None:
            sys.exit(f"s_server ended with {process.poll()}")
    return ", ".join(counts)


def guide(place):
    """The commands of the page, as they stand there."""
    home = place.folder / "beside"
    home.mkdir(exist_ok=True)
    said = commands("docs/tls.md", "Beside OpenSSL 3.5")
    path = f"{pathlib.Path(place.openssl).parent}:{os.environ['PATH']}"
    for line in said:
        place.run(["sh", "-ec", f"cd {home}; {line}"], PATH=path)
    return len(said)


def main(folder, openssl):
    place = Place(pathlib.Path(folder).resolve(), str(pathlib.Path(openssl).resolve()))
    version = place.run([place.openssl, "version"]).stdout.split()[1]
    providers(place)
    twice(place)
    print(f"openssl {version} with the provider beside its own ML-KEM: loads, twice too")
    for name in SETS:
        for made, read in BOTH:
            keys(place, name, made, read)
    print(f"keys of {', '.join(SETS)} in PEM and DER, encapsulation: both ways")
    handshakes(place)
    properties(place)
    print(f"TLS with its own: {', '.join(STANDARD)}: both ways; by the provider where properties prefer it")
    print(f"malformed key shares of the same: {malformed_shares(place)} alerts")
    print(f"docs/tls.md: {guide(place)} commands beside OpenSSL's own ML-KEM: run")


if __name__ == "__main__":
    main(*sys.argv[1:])
