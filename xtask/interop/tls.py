"""Debian's openssl, curl and nginx do TLS by the provider: with each other, with Go's crypto/tls, and with OpenSSL 3.5's own ML-KEM.

usage: tls.py FOLDER NODE

FOLDER has ringsmith.so, openssl.cnf that loads it, the Go program as `tls` with its certificate, the C program as `provider`, and rustls's client as `client`.
NODE is a Node with OpenSSL 3.5 inside.
"""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

HYBRIDS = {"X25519MLKEM768": "0x11EC", "SecP256r1MLKEM768": "0x11EB", "SecP384r1MLKEM1024": "0x11ED"}
GROUPS = [*HYBRIDS, "MLKEM512", "MLKEM768", "MLKEM1024", "sntrup761x25519"]
LINE = "level\n"  # the same forwards and backwards: `s_server -rev` turns lines round
PATIENCE = 30
ROOT = pathlib.Path(__file__).parents[2]
# What the tool does not follow: instructions of AVX-512.
MEMCHECK = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite,indirect",
            "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=99"]
NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    ssl_protocols TLSv1.3;
    ssl_ecdh_curve {group};
    location / {{ return 200 "level\\n$ssl_curve\\n"; }}
  }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Place:
    """A folder with everything, a program `openssl`, and the environment of programs that find the provider."""

    def __init__(self, folder, openssl="openssl"):
        self.folder, self.openssl = folder, openssl
        self.certificate, self.key = folder / "cert.pem", folder / "key.pem"
        self.configuration = (folder / "openssl.cnf").read_text()

    def environment(self, groups=None, with_provider=True):
        path = self.folder / "openssl.cnf"
        if groups:
            path = self.folder / f"openssl-{groups.replace(':', '-')}.cnf"
            path.write_text(re.sub("(?m)^Groups = .*$", f"Groups = {groups}", self.configuration))
        return os.environ | {"OPENSSL_CONF": str(path if with_provider else os.devnull)}

    def preferring(self, provider, program="openssl"):
        """A configuration of a program by which one provider's algorithms are taken before those of the other."""
        path = self.folder / f"{program}-preferring-{provider}.cnf"
        text = self.configuration.replace("openssl_conf =", f"{program}_conf =")
        text = text.replace("ssl_conf = ssl", "ssl_conf = ssl\nalg_section = properties")
        path.write_text(text + f"\n[properties]\ndefault_properties = ?provider={provider}\n")
        return path

    def run(self, command, check=True, said=None, **environment):
        done = subprocess.run(command, input=said or "", capture_output=True, text=True, timeout=4 * PATIENCE,
                              env=self.environment() | environment)
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    @contextlib.contextmanager
    def server(self, command, port, environment):
        """A program that listens, until the block ends. It may end by itself, and is well then."""
        log = open(self.folder / "server.log", "w+")
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            listening(process, port, log)
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)
            log.close()

    def s_server(self, groups, *more, environment=None):
        port = free_port()
        command = [self.openssl, "s_server", "-accept", f"127.0.0.1:{port}", "-cert", self.certificate, "-key", self.key,
                   "-groups", groups, "-quiet", *more]
        return self.server(command, port, environment or self.environment()), f"127.0.0.1:{port}"

    def s_client(self, address, groups):
        return [self.openssl, "s_client", "-connect", address, "-groups", groups, "-CAfile", self.certificate,
                "-servername", "localhost", "-verify_return_error", "-tls1_3", "-brief"]


def listening(process, port, log):
    """Waits until the kernel says that somebody listens. A connection would be taken for a client's."""
    wanted = f":{port:04X} 00000000:0000 0A"
    for _ in range(100 * PATIENCE):
        if wanted in pathlib.Path("/proc/net/tcp").read_text():
            return
        if process.poll() is not None:
            log.seek(0)
            sys.exit(f"{process.args}: ended with {process.returncode}\n{log.read()}")
        time.sleep(0.01)
    sys.exit(f"{process.args}: does not listen")


def expect(what, done):
    if LINE not in done.stdout:
        sys.exit(f"{what}: no answer\n{done.stdout}{done.stderr}")


def openssl_with_itself(place):
    server, address = place.s_server(":".join(GROUPS), "-www")
    with server:
        for group in GROUPS:
            done = place.run(place.s_client(address, group))
            if "CONNECTION ESTABLISHED" not in done.stderr or "Verification: OK" not in done.stderr:
                sys.exit(f"{group}: {done.stderr}")
        refused = place.run(place.s_client(address, "X25519"), check=False)
        if refused.returncode == 0:
            sys.exit("a server without X25519 took it")
    print(f"openssl with itself: {', '.join(GROUPS)}")


def without_the_provider(place):
    """What shows that the groups are ours: OpenSSL before 3.5 does not know them."""
    version = place.run(["openssl", "version"]).stdout.split()[1]
    if tuple(map(int, version.split(".")[:2])) < (3, 5):
        environment = {"OPENSSL_CONF": os.devnull}
        done = place.run(["openssl", "s_client", "-groups", "X25519MLKEM768"], check=False, **environment)
        if done.returncode == 0 or "X25519MLKEM768" not in done.stderr:
            sys.exit(f"without the provider: {done.stdout}{done.stderr}")
        print(f"openssl {version} without the provider: has no X25519MLKEM768")


def openssl_with_go(place):
    go = place.folder / "tls"
    for group, code_point in HYBRIDS.items():
        server, address = place.s_server(group, "-rev")
        with server:
            place.run([go, "connect", place.folder, code_point, address])
        with subprocess.Popen([go, "serve", place.folder, code_point], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as server:
            address = server.stdout.readline().strip()
            client = place.s_client(address, group)[:-1] + ["-quiet"]
            expect(f"{group}: openssl with Go's server", place.run(client, said=LINE))
            server.stdin.close()
    print(f"openssl with Go, both ways: {', '.join(HYBRIDS)}")


def curl(place, address, group):
    command = ["curl", "-sS", "--fail", "--cacert", place.certificate, f"https://localhost:{address.split(':')[1]}/"]
    return place.run(command, **place.environment(group))


def curl_with_openssl(place):
    server, address = place.s_server(":".join(HYBRIDS), "-www")
    with server:
        for group in HYBRIDS:
            if "s_server" not in curl(place, address, group).stdout:
                sys.exit(f"{group}: curl with openssl's server")
    print(f"curl with openssl: {', '.join(HYBRIDS)}")


def curl_with_go(place):
    """The page of Go's server is the name of the group."""
    for group, code_point in HYBRIDS.items():
        with subprocess.Popen([place.folder / "tls", "pages", place.folder, code_point], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as server:
            said = curl(place, server.stdout.readline().strip(), group).stdout
            if said != f"{group}\n":
                sys.exit(f"{group}: curl with Go's server: {said}")
            server.stdin.close()
    print(f"curl with Go's server: {', '.join(HYBRIDS)}")


@contextlib.contextmanager
def nginx(place, groups, environment):
    """Its process and its port."""
    port = free_port()
    settings = place.folder / "nginx.conf"
    settings.write_text(NGINX.format(folder=place.folder, port=port, group=groups))
    command = ["/usr/sbin/nginx", "-e", place.folder / "nginx.log", "-p", place.folder, "-c", settings]
    with place.server(command, port, environment) as process:
        yield process, port


def clients_with_nginx(place):
    """nginx's page ends with the group: OpenSSL 3.0 has no name of one that a provider adds, but its number."""
    for group, code_point in HYBRIDS.items():
        with nginx(place, group, place.environment(f"{group}:X25519")) as (_, port):
            go = place.run([place.folder / "tls", "fetch", place.folder, code_point, f"127.0.0.1:{port}"])
            for done in [go, *(curl(place, f"localhost:{port}", group) for _ in range(10))]:
                expect(f"{group}: nginx's page", done)
                if done.stdout.split()[-1].lower() not in (group.lower(), code_point.lower()):
                    sys.exit(f"{group}: nginx took another group: {done.stdout}")
    print(f"curl and Go's client with nginx: {', '.join(HYBRIDS)}")


def spoil(place, port, group):
    """Malformed key shares of every length: the server answers each by an alert, and a good one at last."""
    return place.run([place.folder / "client", "spoil", f"127.0.0.1:{port}", group]).stdout.strip()


def malformed_shares(place):
    server, address = place.s_server(":".join(GROUPS))
    with server as process:
        counts = [spoil(place, address.split(":")[1], group) for group in GROUPS]
        if process.poll() is not None:
            sys.exit(f"s_server ended with {process.poll()}")
    print(f"malformed key shares of {', '.join(GROUPS)}: {', '.join(counts)} alerts of openssl")
    log = place.folder / "nginx.log"
    log.unlink(missing_ok=True)
    with nginx(place, ":".join(GROUPS), place.environment()) as (process, port):
        counts = [spoil(place, port, group) for group in GROUPS]
        if process.poll() is not None or "exited" in log.read_text():
            sys.exit(f"nginx: {process.poll()}\n{log.read_text()}")
    print(f"the same of nginx: {', '.join(counts)}")


def commands(page, title):
    """What stands indented under a title, or in a block for the shell."""
    section = (ROOT / page).read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall("(?m)^    (.*)$", section) or re.search("(?s)```sh\n(.*?)\n```", section)[1].split("\n")


def guide(place):
    """The guide's certificate, server and client, as they stand there but for a path and a port. README.md has the same commands."""
    said = commands("docs/tls.md", "A server in five commands")
    if commands("README.md", "TLS and SSH") != said:
        sys.exit("README.md has other commands than docs/tls.md")
    port, home = free_port(), place.folder / "guide"
    home.mkdir(exist_ok=True)
    here = [line.replace("/etc/ssl/ringsmith.cnf", str(place.folder / "openssl.cnf")) for line in said]
    certificate, server, client = (line.replace(":4433", f":{port}") for line in here[-3:])
    place.run(["sh", "-ec", f"cd {home}; {certificate}"])
    variable, program = server.split(" ", 1)
    with place.server(["sh", "-ec", f"cd {home}; export {variable}; exec {program} -accept 127.0.0.1:{port}"], port, os.environ):
        if "X25519MLKEM768" not in place.run(["sh", "-ec", f"cd {home}; {client}"]).stdout:
            sys.exit("the guide's client did not get the server's page, or another group")
    print("the guide's commands: run")


def openssl_with_its_successor(place, node):
    version = place.run([node, "-p", "process.versions.openssl"]).stdout.strip()
    peer = [node, pathlib.Path(__file__).parent / "openssl/peer.js", place.folder]
    # Without our configuration: its ML-KEM is its own.
    environment = os.environ | {"OPENSSL_CONF": os.devnull}
    groups = [group for group in GROUPS if group != "sntrup761x25519"]
    for group in groups:
        server, address = place.s_server(group, "-rev")
        with server:
            place.run([*peer, "connect", group, address.split(":")[1]], OPENSSL_CONF=os.devnull)
        with subprocess.Popen([*peer, "serve", group], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env=environment) as server:
            port = server.stdout.readline().strip()
            client = place.s_client(f"127.0.0.1:{port}", group)[:-1] + ["-quiet"]
            expect(f"{group}: OpenSSL {version}'s server", place.run(client, said=LINE))
            server.stdin.close()
    for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]:
        theirs, ours = place.folder / "theirs", place.folder / "ours"
        place.run(["openssl", "genpkey", "-algorithm", name, "-out", f"{theirs}.key"])
        place.run(["openssl", "pkey", "-in", f"{theirs}.key", "-pubout", "-out", f"{theirs}.pub"])
        place.run([*peer, "keys", name.lower()], OPENSSL_CONF=os.devnull)
        public = place.run(["openssl", "pkey", "-in", f"{ours}.key", "-pubout"]).stdout
        if public != pathlib.Path(f"{ours}.pub").read_text():
            sys.exit(f"{name}: a key of OpenSSL {version} has another public key here")
    print(f"openssl with OpenSSL {version}'s own ML-KEM, both ways: {', '.join(groups)}; files of keys")


def provider_in_its_successor(place, node):
    """OpenSSL 3.5 loads the provider beside its own ML-KEM, and prefers it: the experiment's group shows that it is there."""
    peer = [node, f"--openssl-config={place.preferring('ringsmith', 'nodejs')}", pathlib.Path(__file__).parent / "openssl/peer.js", place.folder]
    groups = ["sntrup761x25519", "X25519MLKEM768"]
    for group in groups:
        server, address = place.s_server(group, "-rev")
        with server:
            place.run([*peer, "connect", group, address.split(":")[1]], OPENSSL_CONF=os.devnull)
    print(f"OpenSSL 3.5 with the provider: {', '.join(groups)}")


def memory(place):
    os.environ["RINGSMITH_CPU"] = "avx2"
    place.run([*MEMCHECK, place.folder / "provider", place.folder])
    group = "X25519MLKEM768"
    server, address = place.s_server(group, "-naccept", "1", "-www")
    with server:
        place.run([*MEMCHECK, *place.s_client(address, group)])
    port = free_port()
    command = [*MEMCHECK, "openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", place.certificate, "-key",
               place.key, "-groups", group, "-naccept", "1", "-www", "-quiet"]
    with place.server(command, port, place.environment()) as server:
        place.run(place.s_client(f"127.0.0.1:{port}", group))
        if server.wait(4 * PATIENCE) != 0:
            sys.exit(f"memcheck of the server: {(place.folder / 'server.log').read_text()}")
    del os.environ["RINGSMITH_CPU"]
    print("valgrind: keys of all kinds, a client and a server: clean")


def main(folder, node):
    place = Place(pathlib.Path(folder).resolve())
    print(place.run([place.folder / "provider", place.folder]).stdout, end="")
    without_the_provider(place)
    openssl_with_itself(place)
    openssl_with_go(place)
    openssl_with_its_successor(place, node)
    provider_in_its_successor(place, node)
    guide(place)
    curl_with_openssl(place)
    curl_with_go(place)
    clients_with_nginx(place)
    malformed_shares(place)
    memory(place)


if __name__ == "__main__":
    main(*sys.argv[1:])
