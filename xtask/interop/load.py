"""Handshakes a second: nginx with the provider and with X25519 alone, and OpenSSL 3.5's own ML-KEM in Node; and whether the server's memory stays.

usage: load.py FOLDER NODE COUNT [OPENSSL]

FOLDER has what tls.py takes, and the program `client`. OPENSSL is a program of 3.5 or later: it is a server with its own ML-KEM and with ours. Each server has done COUNT handshakes at the end, all in rounds that alternate. Nothing here depends on
time: a server that fails a handshake, or whose memory grows, is an error.
"""

import contextlib
import os
import pathlib
import platform
import re
import subprocess
import sys

from tls import NGINX, Place, free_port

ROUNDS = 10
# What a server may grow by in the second half, in KiB. Of 2,000 handshakes that is a key share of X25519MLKEM768 that is lost at every fourth; of 100,000, five
# bytes at each.
GROWTH = 256
# Handshakes of Node at most: its memory is not looked at.
MOST_OF_NODE = 10_000
# Of one round of one server, in seconds.
PATIENCE = 300


def flat(resident):
    """Whether the most memory of the second half is that of the first, in KiB."""
    half = len(resident) // 2
    return max(resident[half:]) <= max(resident[:half]) + GROWTH


def processor_time(process):
    """Seconds that a process and those that it started have been on a CPU."""
    total = 0
    for one in [process, *children(process)]:
        for task in pathlib.Path(f"/proc/{one}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def children(process):
    return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def resident(process):
    """KiB that a process and those that it started have in memory."""
    status = [pathlib.Path(f"/proc/{one}/status").read_text() for one in [process, *children(process)]]
    return sum(int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) for text in status)


class Server:
    """A server that runs, and what was measured of it."""

    def __init__(self, name, group, process, port):
        self.name, self.group, self.process, self.port = name, group, process, port
        self.rates, self.costs, self.memory = [], [], []

    def round(self, place, count):
        before = processor_time(self.process.pid)
        command = [place.folder / "client", "shake", f"127.0.0.1:{self.port}", self.group, str(count)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0 or self.process.poll() is not None:
            sys.exit(f"{self.name}: {done.stdout}{done.stderr}")
        self.rates.append(count / float(done.stdout))
        self.costs.append((processor_time(self.process.pid) - before) / count * 1e6)
        self.memory.append(resident(self.process.pid))


def on_one_cpu():
    """The last CPU is the server's, where there is another for the client."""
    cpus = sorted(os.sched_getaffinity(0))
    return cpus[-1:], cpus[:-1] or cpus


@contextlib.contextmanager
def pinned(cpus):
    """What is started in here runs on these CPUs."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def nginx(place, name, group, environment):
    port = free_port()
    home = place.folder / f"nginx-{port}"
    home.mkdir(exist_ok=True)
    for file in [place.certificate, place.key]:
        (home / file.name).write_bytes(file.read_bytes())
    settings = home / "nginx.conf"
    settings.write_text("worker_processes 1;\n" + NGINX.format(folder=home, port=port, group=group))
    command = ["/usr/sbin/nginx", "-e", home / "nginx.log", "-p", home, "-c", settings]
    with place.server(command, port, environment) as process:
        yield Server(name, group, process, port)


@contextlib.contextmanager
def node(place, name, group, program, configuration=None):
    options = [f"--openssl-config={configuration}"] if configuration else []
    peer = pathlib.Path(__file__).parent / "openssl/peer.js"
    environment = os.environ | {"OPENSSL_CONF": os.devnull}
    with subprocess.Popen([program, *options, peer, place.folder, "serve", group], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield Server(name, group, process, process.stdout.readline().strip())
        process.stdin.close()


@contextlib.contextmanager
def openssl(place, name, group, configuration=os.devnull):
    server, address = place.s_server(group, "-www", environment=os.environ | {"OPENSSL_CONF": str(configuration)})
    with server as process:
        yield Server(name, group, process, address.split(":")[1])


def of_openssl(place, program):
    """The servers of a program `openssl`, if there is one."""
    if program is None:
        return []
    own = Place(place.folder, program)
    return [
        openssl(own, "openssl: X25519", "X25519"),
        openssl(own, "openssl: X25519MLKEM768, its own", "X25519MLKEM768"),
        openssl(own, "openssl: X25519MLKEM768, Ringsmith", "X25519MLKEM768", own.preferring("ringsmith")),
    ]


def cpu():
    lines = pathlib.Path("/proc/cpuinfo").read_text()
    name = re.search(r"model name\s*: (.*)", lines)
    return name[1] if name else platform.machine()


def said(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip()


def table(place, program, own, servers, count):
    version = place.run(["openssl", "version"]).stdout.split()[1]
    web = said(["/usr/sbin/nginx", "-v"]).split("/")[-1]
    print(f"{cpu()}, {os.cpu_count()} CPUs; nginx {web} with OpenSSL {version}; Node {said([program, '--version'])} with "
          f"OpenSSL {said([program, '-p', 'process.versions.openssl'])}; {'openssl ' + said([own, 'version']).split()[1] if own else 'no openssl of 3.5'}")
    print(f"TLS 1.3, ECDSA P-256, {count} full handshakes of each server in {ROUNDS} rounds that alternate; the best round counts")
    print(f"{'server':<8} {'key exchange':<32} {'a second':>9} {'ratio':>6} {'server, us':>11} {'ratio':>6} {'memory, MiB':>14}")
    for kind in dict.fromkeys(server.name.split(":")[0] for server in servers):
        rows = [server for server in servers if server.name.startswith(kind)]
        base = rows[0]
        for row in rows:
            rate, cost = max(row.rates), min(row.costs)
            memory = f"{row.memory[0] / 1024:.1f} - {row.memory[-1] / 1024:.1f}"
            print(f"{kind:<8} {row.name.split(': ')[1]:<32} {rate:9.0f} {rate / max(base.rates):6.2f} {cost:11.1f} "
                  f"{min(base.costs) / cost:6.2f} {memory:>14}")


def main(folder, program, count, own=None):
    assert flat([900, 1000, 990, 1000]) and not flat([1000, 1200, 1400, 1600])
    place, count = Place(pathlib.Path(folder).resolve()), int(count)
    theirs, ours = on_one_cpu()
    hybrid = "X25519MLKEM768"
    plain = os.environ | {"OPENSSL_CONF": os.devnull}
    with contextlib.ExitStack() as stack:
        with pinned(theirs):
            servers = [stack.enter_context(server) for server in [
                nginx(place, "nginx: X25519", "X25519", plain),
                nginx(place, "nginx: X25519MLKEM768, Ringsmith", hybrid, place.environment()),
                nginx(place, "nginx: MLKEM768, Ringsmith", "MLKEM768", place.environment()),
                node(place, "Node: X25519", "X25519", program),
                node(place, "Node: X25519MLKEM768, its own", hybrid, program),
                node(place, "Node: X25519MLKEM768, Ringsmith", hybrid, program, place.preferring("ringsmith", "nodejs")),
                *of_openssl(place, own),
            ]]
        with pinned(ours):
            for _ in range(ROUNDS):
                for server in servers:
                    most = count if server.name.startswith("nginx") else min(count, MOST_OF_NODE)
                    server.round(place, most // ROUNDS)
        table(place, program, own, servers, count)
    for server in servers:
        # Node's memory is that of its collector.
        if server.name.startswith("nginx") and not flat(server.memory):
            sys.exit(f"{server.name}: memory grows: {server.memory} KiB")


if __name__ == "__main__":
    main(*sys.argv[1:])
