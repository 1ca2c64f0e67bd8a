"""Where phones can reach this laptop."""

from __future__ import annotations

import ipaddress
import socket

import psutil

ANYWHERE = (
    "10.255.255.255",
    9,
)  # nothing is sent there: the system only says by which way it would


def own_addresses() -> list[str]:
    """Return this machine's numeric addresses that others may reach, the likeliest first."""
    found = [_on_the_way()]
    for name, addresses in psutil.net_if_addrs().items():
        if not name.startswith(("docker", "br-", "veth", "virbr", "vmnet", "vboxnet")):
            found += [each.address for each in addresses if each.family == socket.AF_INET]
    return [*dict.fromkeys(address for address in found if _is_outward(address))]


def _on_the_way() -> str:
    """Return the address that the system would use for other machines, empty without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ANYWHERE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _is_outward(address: str) -> bool:
    if not address:
        return False
    known = ipaddress.ip_address(address)
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)
