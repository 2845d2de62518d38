"""The deny table: what each address needs to be reached, in every form in which addresses come."""

import pytest

from parley.wire.deny_table import Grant, refusal

PUBLIC, LOOPBACK, PRIVATE, NOTHING = Grant

NEEDED: dict[str, tuple[Grant, str]] = {
    "public IPv4": (
        PUBLIC,
        """
        1.1.1.1 8.8.8.8 126.255.255.255 128.0.0.1 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0
        192.167.255.255 192.169.0.0 100.63.255.255 100.128.0.0 169.253.255.255 169.255.0.0 192.0.1.0
        192.0.3.0 198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 1.0.0.0""",
    ),
    "public IPv6": (
        PUBLIC,
        """
        2606:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888 2001:200::1 2003::1 2620:fe::fe 3ffe:ffff::1
        2606:4700:0000:0000:0000:0000:0000:1111""",
    ),
    "public IPv4, mapped": (PUBLIC, "::ffff:8.8.8.8 ::ffff:808:808 0:0:0:0:0:ffff:8.8.8.8"),
    "ISATAP, public inside": (PUBLIC, "2606:4700::5efe:808:808 2606:4700::200:5efe:8.8.8.8"),
    "loopback": (
        LOOPBACK,
        """
        127.0.0.1 127.0.0.0 127.0.0.2 127.1.2.3 127.255.255.255 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1
        ::ffff:7f00:1 ::FFFF:7F00:1 ::1%lo""",
    ),
    "ISATAP, loopback inside": (LOOPBACK, "2606:4700::5efe:7f00:1 2606:4700::200:5efe:127.0.0.1"),
    "private IPv4": (
        PRIVATE,
        """
        10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 ::ffff:10.0.0.1
        ::ffff:192.168.1.1 2606:4700::5efe:10.0.0.1""",
    ),
    "carrier-grade NAT": (PRIVATE, "100.64.0.0 100.127.255.255 ::ffff:100.64.0.1"),
    "documentation": (PRIVATE, "192.0.2.0 198.51.100.255 203.0.113.7 2001:db8::1 2001:DB8:ffff:: 3fff::1"),
    "benchmarks": (PRIVATE, "198.18.0.0 198.19.255.255 2001:2::1"),
    "6to4 relay": (PRIVATE, "192.88.99.0 192.88.99.255"),
    "unique local": (PRIVATE, "fc00::1 fd00::1 fdff:ffff:ffff:ffff::1"),
    "site-local": (PRIVATE, "fec0::1 feff::1"),
    "NAT64": (PRIVATE, "64:ff9b::808:808 64:ff9b::8.8.8.8 64:ff9b::a00:1 64:ff9b::127.0.0.1 64:ff9b:1::808:808"),
    "6to4": (PRIVATE, "2002:808:808::1 2002:a00:1:: 2002:7f00:1::1 2002:c0a8:101::"),
    "protocols, IPv6": (PRIVATE, "2001:1::1 2001:20::1 2001:1ff:ffff::"),
    "Teredo, public inside": (PRIVATE, "2001:0:4136:e378:8000:63bf:f7f7:f7f7"),
    "unspecified and this network": (NOTHING, "0.0.0.0 0.0.0.1 0.255.255.255 :: ::ffff:0.0.0.0 ::%1"),
    "link-local": (NOTHING, "169.254.0.0 169.254.255.255 fe80::1 febf::1 fe80::1%eth0 fe80::1%25eth0 fe80::a9fe:a9fe"),
    "metadata": (
        NOTHING,
        """
        169.254.169.254 169.254.170.2 169.254.169.123 100.100.100.200 168.63.129.16 192.0.0.192
        fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:42::42 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe
        ::ffff:100.100.100.200""",
    ),
    "metadata, carried": (
        NOTHING,
        """
        64:ff9b::a9fe:a9fe 64:ff9b::169.254.169.254 64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe::1 ::a9fe:a9fe
        ::169.254.169.254 2606:4700::5efe:a9fe:a9fe 2606:4700::200:5efe:169.254.169.254
        2001:0:a9fe:a9fe:8000:63bf:f7f7:f7f7 2001:0:4136:e378:8000:63bf:5601:5601""",
    ),
    "protocols, IPv4": (NOTHING, "192.0.0.0 192.0.0.8 192.0.0.170 192.0.0.255"),
    "multicast": (NOTHING, "224.0.0.1 239.255.255.255 ff02::1 ff0e::1 ff00:: ::ffff:224.0.0.1"),
    "reserved and broadcast": (NOTHING, "240.0.0.0 255.255.255.254 255.255.255.255 ::ffff:255.255.255.255"),
    "IPv4-compatible": (NOTHING, "::127.0.0.1 ::7f00:1 ::8.8.8.8 ::10.0.0.1 ::2"),
    "IPv4-translated": (NOTHING, "::ffff:0:7f00:1 ::ffff:0:808:808"),
    "outside the public internet": (NOTHING, "100::1 5f00::1 4000::1 1fff:: 8000::1 fe00::1 fb00::1"),
    "no address": (
        NOTHING,
        """
        localhost 127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.01 127.0.0.1. 1.2.3 1.2.3.4.5 256.0.0.1
        ::1::1 [::1] 127.0.0.1/8 １２７.0.0.1 1.1.1.1:80 g::1 % %1""",
    ),
}  # fmt: skip

CASES = [
    pytest.param(address, needed, id=f"{family}: {address}")
    for family, (needed, addresses) in NEEDED.items()
    for address in addresses.split()
]


@pytest.mark.parametrize(("address", "needed"), CASES)
def test_an_address_is_reached_with_what_it_needs_and_with_nothing_less(address: str, needed: Grant) -> None:
    reached = [grant for grant in (PUBLIC, LOOPBACK, PRIVATE) if refusal(address, grant) is None]
    assert reached == [grant for grant in (PUBLIC, LOOPBACK, PRIVATE) if grant >= needed]


@pytest.mark.parametrize("address", ["", " ", " 127.0.0.1", "127.0.0.1 ", "127.0.0.1\n", "1.1.1.1\x00"])
def test_what_only_resembles_an_address_is_refused(address: str) -> None:
    assert refusal(address, PRIVATE)
