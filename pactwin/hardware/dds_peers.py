"""DDS participants on the robot's network, and the versions that they announce.

CycloneDDS sends an SPDP announcement to a multicast group every 8 s, with ``host/version/system``.
Listening to the group joins no DDS domain, and no participant can notice it.
"""

import os
import re
import socket
import struct
import time
from dataclasses import dataclass

from pactwin.suite import EnvironmentFaultError

LISTEN_S = 9.0
"""Listening time, longer than the announcement interval of CycloneDDS 0.10."""

_GROUP = "239.255.0.1"
_VERSION = re.compile(rb"([\w.-]+)/(\d+\.\d+\.\d+)/\w+")
_SIOCGIFADDR = 0x8915


@dataclass(frozen=True)
class Peer:
    """A DDS participant: its host's name and the version of its CycloneDDS."""

    host: str
    version: str


def peers_on(interface: str, domain: int, seconds: float = LISTEN_S) -> list[Peer]:
    """All CycloneDDS participants of ``domain`` that announce themselves on ``interface``.

    Raises EnvironmentFaultError if the interface has no IPv4 address.
    """
    found: dict[bytes, Peer] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
        heard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        heard.bind((_GROUP, _port(domain)))
        member = socket.inet_aton(_GROUP) + _address(heard, interface)
        heard.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            heard.settimeout(left)
            try:
                data = heard.recv(65536)
            except TimeoutError:
                break
            said = _VERSION.search(data) if data.startswith(b"RTPS") else None
            if said is not None:
                # Bytes 8 to 20 of an RTPS message identify the participant.
                found[data[8:20]] = Peer(*(part.decode("ascii") for part in said.groups()))
    return sorted(found.values(), key=lambda peer: (peer.host, peer.version))


def unused_domain() -> int:
    """A DDS domain from 84 to 101 that no participant on this computer uses.

    Linux gives ports of higher domains to any program. Raises EnvironmentFaultError if all are
    in use.
    """
    domains = range(84, 102)
    first = os.getpid() % len(domains)
    for domain in (*domains[first:], *domains[:first]):
        # Participants share this port with each other, but not with a socket that asks for itself.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            try:
                asked.bind(("", _port(domain)))
            except OSError:
                continue
            return domain
    raise EnvironmentFaultError("DDS domains 84 to 101 are all in use: end another rehearsal")


def _port(domain: int) -> int:
    """The port for discovery by multicast: RTPS specification, section 9.6.1.1."""
    return 7400 + 250 * domain


def _address(socket_: socket.socket, interface: str) -> bytes:
    import fcntl

    asked = struct.pack("256s", interface.encode()[:15])
    try:
        return fcntl.ioctl(socket_.fileno(), _SIOCGIFADDR, asked)[20:24]
    except OSError as error:
        raise EnvironmentFaultError(
            f"network interface {interface!r} is not there or has no IPv4 address: see `ip addr`"
        ) from error
