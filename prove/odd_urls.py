"""A grammar of addresses as attackers write them, each with what its name leads to."""

import random
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import quote

from prove.scripted_net import CANARIES

PUBLIC = (
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
)
DENIED = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
    "100.100.100.200", "169.254.169.254", "169.254.0.1", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "2001::1", "100::1", "4000::1",
)  # fmt: skip
CARRIED = (*CANARIES[:1], *CANARIES[2:], "169.254.169.254", "10.0.0.1", "0.0.0.0")
NAMES = (
    "good.example", "models.example", "a-b.c_d.example", "localhost", "LOCALHOST", "localhost.localdomain", "metadata",
    "metadata.google.internal", "127.0.0.1.nip.example", "x" * 63 + ".example", "bücher.example",
    "xn--bcher-kva.example", "ｇｏｏｄ.example", "host.docker.internal", "ip6-localhost", "local", "1a", "0xg.example",
)  # fmt: skip
EVIL = "\\\t\n\r \x00%#?@:/[].,;!$&'()*+=<>\"`{}|^~_-0x1⁄．。｡：＠＃％\u200b\u00ad\u2060\ufeffıß①Ⓛ٠"
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
CIRCLED = str.maketrans("0123456789", "⓪①②③④⑤⑥⑦⑧⑨")
BOLD = str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")


@dataclass(frozen=True)
class OddUrl:
    """An address, what its name resolves to, and whether it is plain: written as people write addresses."""

    text: str
    leads_to: tuple[str, ...]
    plain: bool


def odd_url(chance: random.Random, port: int) -> OddUrl:
    """Draw an address; most of them aim at a port of this computer."""
    leads_to = tuple(chance.choice(_pool(chance)) for _ in range(chance.choice((1, 1, 2, 2, 3, 5))))
    if chance.random() < 0.1:
        leads_to = tuple(chance.choice(PUBLIC) for _ in range(chance.randint(1, 3)))
        scheme = chance.choice(("http", "https", "HTTP"))
        return OddUrl(f"{scheme}://{chance.choice(NAMES[:2])}:{port}/v1/models", leads_to, plain=True)
    if chance.random() < 0.1:
        near = tuple(chance.choice(CANARIES) for _ in range(chance.randint(1, 2)))
        host = chance.choice(("127.0.0.1", "[::1]", "localhost", "127.0.0.2"))
        return OddUrl(f"http://{host}:{port}/v1/models", near, plain=False)
    host = chance.choice((_v4, _v4, _v6, _name, _name))(chance)
    user = (
        ""
        if chance.random() < 0.7
        else chance.choice(("good.example@", "good:pw@", "@", ":@", "1.1.1.1@", "a%40b@", "good.example:80@"))
    )
    scheme = chance.choice(("http", "http", "http", "https", "HtTp", "HTTPS"))
    between = "://"
    if chance.random() < 0.15:
        scheme = chance.choice(("ftp", "file", "ws", "", "http+unix", " http", "http\t", "\nhttp"))
    if chance.random() < 0.15:
        between = chance.choice((":", ":/", ":///", ":\\\\", ":/\\", "//", "://\t", "://\r\n", ":////"))
    there = chance.choice(
        (f":{port}", f":{port}", f":{port}", "", ":80", ":443", ":0", ":", f":0{port}", ":65536", ":x")
    )
    path = chance.choice(
        (
            "/v1/models",
            "/",
            "",
            "/@127.0.0.1/",
            "//127.0.0.1/",
            "?x=@127.0.0.1",
            "#@127.0.0.1",
            "/\\@127.0.0.1",
            "/..",
        )
    )
    text = f"{scheme}{between}{user}{host}{there}{path}"
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(EVIL) + text[at + chance.randint(0, 1) :]
    return OddUrl(text, leads_to, plain=False)


def _pool(chance: random.Random) -> tuple[str, ...]:
    return chance.choice((PUBLIC, PUBLIC, CANARIES, DENIED, (_v6(chance)[1:-1].partition("%")[0],)))


def _v4(chance: random.Random) -> str:
    pool = (*CANARIES, *CANARIES, *CARRIED, *DENIED, *PUBLIC)
    address = chance.choice([address for address in pool if ":" not in address])
    number, parts = int(IPv4Address(address)), [int(part) for part in address.split(".")]
    radix = [
        chance.choice((str(part), str(part), hex(part), f"0{part:o}", f"0{part}", f"0x{part:04X}"))
        for part in parts
    ]
    written = chance.choice(
        (
            address,
            ".".join(radix),
            str(number),
            hex(number),
            f"0{number:o}",
            f"{parts[0]}.{number & 0xFFFFFF}",
            f"{parts[0]}.{parts[1]}.{number & 0xFFFF}",
            str(number + (1 << 32)),
            address.translate(WIDE),
            address.translate(CIRCLED),
            address.translate(BOLD),
            address.replace(".", chance.choice("。．｡")),
            "".join(f"%{ord(letter):02x}" for letter in address),
            quote(address).replace(".", "%2e"),
            f"[{address}]",
            f"[::ffff:{address}]",
        )
    )
    return written + chance.choice(("", "", "", "", ".", "..", "%00", "%0a", " "))


def _v6(chance: random.Random) -> str:
    number = int(IPv4Address(chance.choice(CARRIED)))
    last = f"{number >> 16:x}:{number & 0xFFFF:x}"
    address: IPv6Address = IPv6Address(
        chance.choice(
            (
                *("::1", "::1", "::", "fe80::1", "fd00:ec2::254", "2606:4700::1111", "fd00::2"),
                *(
                    f"::ffff:{last}",
                    f"::{last}",
                    f"::ffff:0:{last}",
                    f"64:ff9b::{last}",
                    f"64:ff9b:1::{last}",
                ),
                *(
                    f"2002:{last}::1",
                    f"2001:0:{last}::1",
                    f"2606:4700::5efe:{last}",
                    f"2606:4700::200:5efe:{last}",
                ),
            )
        )
    )
    written = chance.choice((address.compressed, address.exploded, address.compressed.upper()))
    if chance.random() < 0.2 and not written.startswith("2"):
        written = f"::ffff:{IPv4Address(number)}"
    return f"[{written}{chance.choice(('', '', '', '', '%25lo', '%lo', '%1'))}]"


def _name(chance: random.Random) -> str:
    return chance.choice(NAMES) + chance.choice(("", "", "", "."))


def surely_denied(address: str, *, loopback: bool = False) -> bool:
    """Return whether no outsider may lead us there, independently of the product's own table."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return True
    if isinstance(parsed, IPv6Address):
        number = int(parsed)
        last = str(IPv4Address(number & 0xFFFFFFFF))
        if parsed.ipv4_mapped:
            return surely_denied(last, loopback=loopback)
        tunnel = (
            parsed.sixtofour
            or parsed.teredo
            or number >> 32 == 0x64FF9B << 64
            or number >> 80 == 0x64FF9B0001
        )
        isatap = number >> 32 & 0xFDFFFFFF == 0x5EFE and surely_denied(last, loopback=loopback)
        return (
            bool(tunnel or isatap)
            or _special(parsed, loopback)
            or (number >> 125 != 1 and not parsed.is_loopback)
        )
    number = int(parsed)
    shared = number >> 22 == 0x64400000 >> 22
    listed = number == 0xA83F8110 or number >> 8 in (0xC05863, 0xC00000)
    return shared or listed or parsed.packed[0] == 0 or _special(parsed, loopback)


def _special(address: IPv4Address | IPv6Address, loopback: bool) -> bool:
    if address.is_loopback:
        return not loopback
    return not address.is_global or address.is_multicast or address.is_reserved or address.is_link_local
