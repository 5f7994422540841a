"""Change bytes at random, as a disk, an editor or an attacker might."""

from __future__ import annotations

import random
import re
import struct

_NUMBERS = (0, 1, -1, 127, 255, 65535, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63), 10**6, 10**12)
_WORDS = (
    *(b"nan", b"-inf", b"1e999", b"5e-324", b"0x10", b"9" * 20, b"9" * 5000, b"1_0", b"null", b"true"),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\r\n", b"\r", b"\n\n", b'"', b"'", b"\\"),
    *(b",", b";", b"\t", b" ", b"#", b"%", b"=", b"[", b"]" * 9, b"{", b"}", b"[" * 3000, b'{"a":' * 2000),
    *(b"|S0", b"|O", b"<U9999999", b"<f8", b"V8", b"-1", b"(", b")", b"../..", b"[/]", b"\x1b[2J"),
)
_DIGITS = re.compile(rb"-?\d+")


def mutated(seed: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return the seed after one to six changes."""
    data = bytearray(seed)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        rng.choice(_CHANGES)(data, others, rng)
    return bytes(data[: 1 << 20])


def _flip(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _set(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, 0x20, rng.randrange(256)))


def _number(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    size = rng.choice((2, 4, 8))
    if len(data) >= size:
        at = rng.randrange(len(data) - size + 1)
        value = rng.choice(_NUMBERS) % (1 << 8 * size)
        data[at : at + size] = struct.pack("<Q", value)[:size]


def _digits(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    found = list(_DIGITS.finditer(data[:100_000]))
    if found:
        start, end = rng.choice(found).span()
        value = rng.choice((*_NUMBERS, 10**19, 10**40))
        data[start:end] = b"%d" % value if rng.random() < 0.8 else rng.choice(_WORDS)


def _insert(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.choice(_WORDS) if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 9))


def _delete(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    if data:
        at = rng.randrange(len(data))
        del data[at : at + rng.choice((1, 2, 8, 64, len(data)))]


def _repeat(data: bytearray, _: list[bytes], rng: random.Random) -> None:
    if data:
        at = rng.randrange(len(data))
        part = data[at : at + rng.choice((1, 4, 16, 64))]
        data[at:at] = part * rng.choice((1, 2, 100))


def _splice(data: bytearray, others: list[bytes], rng: random.Random) -> None:
    other = rng.choice(others)
    if other and data:
        at, there = rng.randrange(len(data)), rng.randrange(len(other))
        data[at : at + rng.randrange(64)] = other[there : there + rng.randrange(64)]


_CHANGES = (_flip, _flip, _set, _number, _digits, _digits, _insert, _delete, _repeat, _splice)
