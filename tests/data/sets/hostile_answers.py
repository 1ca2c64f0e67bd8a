"""Answers that a server has no right to give, byte by byte, and what a user is told of each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import NamedTuple

CRLF = b"\r\n"
WHOLE = "the whole file"  # may be accepted: the bytes are right


class Answer(NamedTuple):
    """What the server sends, `pause` seconds between the pieces, and what a user may be told."""

    pieces: Callable[[bytes], Iterable[bytes]]
    told: str  # a regular expression, or WHOLE
    pause: float = 0.0


def ok(*headers: str, status: str = "200 OK") -> bytes:
    """Return a head with these headers."""
    return (
        CRLF.join([f"HTTP/1.1 {status}".encode(), *(h.encode("latin-1") for h in headers)])
        + CRLF * 2
    )


def head(*headers: str, status: str = "200 OK", told: str, body: bool = True) -> Answer:
    """Return an answer with these headers and the right content."""
    return Answer(lambda content: [ok(*headers, status=status), content * body], told)


def chunks(content: bytes) -> list[bytes]:
    """Return the content in one chunk, and the last one."""
    return [b"%x\r\n" % len(content), content, b"\r\n0\r\n\r\n"]


def length(value: str, told: str) -> Answer:
    return head(f"Content-Length: {value}", told=told)


def to(location: str, told: str, status: str = "302 Found") -> Answer:
    return head(f"Location: {location}", "Content-Length: 0", status=status, told=told, body=False)


def chunked(*parts: bytes, told: str, pause: float = 0.0) -> Answer:
    return Answer(lambda content: [ok("Transfer-Encoding: chunked"), *parts], told, pause)


def endless(start: bytes, again: bytes, told: str, pause: float = 0.0) -> Answer:
    """Return an answer that begins somehow and then never stops saying the same."""
    return Answer(lambda content: itertools.chain([start], itertools.repeat(again)), told, pause)


def drip(text: bytes, again: bytes, told: str) -> Answer:
    """Return an answer that comes a byte at a time, steadily enough for any pause."""
    return Answer(
        lambda content: (bytes([b]) for b in itertools.chain(text, itertools.cycle(again))),
        told,
        pause=0.03,
    )


CHUNKED = ok("Transfer-Encoding: chunked")
SLOW = r"could not be downloaded \(only 0 bytes in 0\.3 s\)"
TOO_SLOW = r"could not be downloaded \(only [\d,]+ bytes in 0\.3 s\)"
BROKEN = "could not be downloaded"
NO_LENGTH = r"announces a length of"
LARGE = b"x" * 65536
LINE = b"X-Header: " + b"y" * 1000 + CRLF
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n"
SIZE = 120_011  # of the content that the tests serve

ANSWERS: dict[str, Answer] = {
    # never an answer
    "says_nothing": Answer(lambda c: iter(()), BROKEN),
    "hangs_up_in_the_status": Answer(lambda c: [b"HTTP/1."], BROKEN),
    "hangs_up_in_the_head": Answer(lambda c: [b"HTTP/1.1 200 OK\r\nContent-Le"], BROKEN),
    "status_drips": drip(b"HTTP/1.1 200 ", b"O", SLOW),
    "head_drips": drip(b"HTTP/1.1 200 OK\r\nX-A: ", b"b", SLOW),
    "head_drips_in_lines": endless(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", SLOW, 0.03),
    "interim_drips": endless(b"", INTERIM, SLOW, 0.03),
    "interim_endless": endless(b"", INTERIM * 2000, SLOW),
    "interim_with_endless_head": endless(b"HTTP/1.1 100 Continue\r\n", LINE * 60, BROKEN),
    "early_hints_endless": endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 9, "answers 103"),
    "status_line_endless": endless(b"HTTP/1.1 200 ", LARGE, BROKEN),
    "status_line_of_escapes": endless(b"", b"\x1b[2J\x1b]0;evil\x07" * 99, BROKEN),
    "one_header_endless": endless(b"HTTP/1.1 200 OK\r\nX: ", LARGE, BROKEN),
    "headers_endless": endless(b"HTTP/1.1 200 OK\r\n", LINE, BROKEN),
    "headers_long": endless(b"HTTP/1.1 200 OK\r\n", b"X: " + LARGE[:65000] + CRLF, BROKEN),
    "headers_a_thousand": head(*[f"X-{n}: 1" for n in range(1000)], told=BROKEN),
    "nul_bytes": endless(b"", bytes(4096), BROKEN),
    # what is no HTTP
    "http_0_9": Answer(lambda content: [content], BROKEN),
    "ftp": Answer(lambda c: [b"220 ProFTPD ready\r\n"], BROKEN),
    "ssh": Answer(lambda c: [b"SSH-2.0-OpenSSH_9.6\r\n"], BROKEN),
    "tls": Answer(lambda c: [b"\x15\x03\x01\x00\x02\x02\x46"], BROKEN),
    "http_2": Answer(lambda c: [b"\x00\x00\x12\x04\x00\x00\x00\x00\x00"], BROKEN),
    "http_9_9": Answer(lambda c: [b"HTTP/9.9 200 OK\r\n\r\n", c], BROKEN),
    "http_1_0": Answer(lambda c: [b"HTTP/1.0 200 OK\r\n\r\n", c], WHOLE),
    "line_feeds_only": Answer(lambda c: [b"HTTP/1.1 200 OK\n\n", c], WHOLE),
    "no_reason": Answer(lambda c: [b"HTTP/1.1 200\r\n\r\n", c], WHOLE),
    "lower_case": Answer(lambda c: [b"http/1.1 200 OK\r\n\r\n", c], BROKEN),
    # odd statuses
    "status_0": head(status="0 Zero", told=BROKEN),
    "status_99": head(status="99 Low", told=BROKEN),
    "status_1000": head(status="1000 High", told=BROKEN),
    "status_negative": head(status="-200 OK", told=BROKEN),
    "status_of_letters": head(status="abc OK", told=BROKEN),
    "status_superscript": Answer(
        lambda c: ["HTTP/1.1 2²0 OK\r\n\r\n".encode("latin-1"), c], BROKEN
    ),
    "status_of_5000_digits": head(status="2" * 5000 + " OK", told=BROKEN),
    "status_101": head(status="101 Switching", told="answers 101"),
    "status_201": head(status="201 Created", told="answers 201"),
    "status_204": head(status="204 No Content", told="answers 204"),
    "status_206_unasked": head(status="206 Partial", told="from byte unknown, not 0"),
    "status_226": head(status="226 IM Used", told="answers 226"),
    "status_300": head(status="300 Choices", told="answers 300"),
    "status_304": head(status="304 Not Modified", told="answers 304"),
    "status_305": to("http://127.0.0.1:9/", "answers 305", status="305 Use Proxy"),
    "status_400": head(status="400 Bad", told="answers 400"),
    "status_401": head("WWW-Authenticate: Basic realm=x", status="401 No", told="answers 401"),
    "status_403": head(status="403 Forbidden", told="answers 403"),
    "status_407": head("Proxy-Authenticate: Basic", status="407 No", told="answers 407"),
    "status_410": head(status="410 Gone", told="answers 410"),
    "status_416_unasked": head(status="416 Range", told="cannot send that range"),
    "status_429": head("Retry-After: 999999999", status="429 Slow down", told="answers 429 Slow"),
    "status_451": head(status="451 Legal", told="answers 451"),
    "status_500": head(status="500 Oops", told="answers 500 Oops"),
    "status_503": head(status="503 Busy", told="answers 503 Busy"),
    "status_999": head(status="999 Denied", told="answers 999 Denied"),
    "reason_of_escapes": head(status="404 \x1b[31mred\x1b[0m\x07\x9b2J", told="answers 404 .*red"),
    "reason_of_30_kB": head(
        status="404 " + "long" * 7500, told=r"answers 404 (long){20,50} \.\.\."
    ),
    "reason_right_to_left": head(status="404 \x85\xad\xa0", told="answers 404"),
    "error_body_endless": endless(ok(status="404 Not Found"), LARGE, "answers 404"),
    "error_body_drips": endless(ok(status="500 Oops"), b"x", "answers 500", 0.03),
    # lengths
    "length_right": length(str(SIZE), WHOLE),
    "length_zero": length("0", "announces 0 bytes, not"),
    "length_negative": length("-5", NO_LENGTH),
    "length_plus": length(f"+{SIZE}", NO_LENGTH),
    "length_superscript": length("²", NO_LENGTH),
    "length_of_5000_digits": length("9" * 5000, NO_LENGTH),
    "length_of_18_digits": length("9" * 18, NO_LENGTH),
    "length_of_15_digits": length("9" * 15, "announces 999,999,999,999,999 bytes"),
    "length_of_letters": length("many", NO_LENGTH),
    "length_of_escapes": length("\x1b[2J", NO_LENGTH),
    "length_hexadecimal": length("0x1d4cb", NO_LENGTH),
    "length_underscore": length("120_011", NO_LENGTH),
    "length_fraction": length("120011.0", NO_LENGTH),
    "length_listed_twice": length(f"{SIZE}, {SIZE}", NO_LENGTH),
    "length_empty": length("", NO_LENGTH),
    "length_less": length(str(SIZE - 7), "announces 120,004 bytes"),
    "length_more": length(str(SIZE + 7), "announces 120,018 bytes"),
    "length_twice_differing": head(f"Content-Length: {SIZE}", "Content-Length: 5", told=WHOLE),
    "length_and_chunks": Answer(
        lambda c: [ok(f"Content-Length: {SIZE}", "Transfer-Encoding: chunked"), *chunks(c)], WHOLE
    ),
    "no_length_endless": endless(ok(), LARGE, "sends more than 120,011 bytes"),
    "no_length_drips": endless(ok(), b"x", TOO_SLOW, 0.03),
    "body_drips": endless(ok(f"Content-Length: {SIZE}"), b"x", TOO_SLOW, 0.03),
    "other_content": Answer(
        lambda c: [ok(f"Content-Length: {SIZE}"), c[::-1]], "not the published"
    ),
    "captive_portal": Answer(
        lambda c: [ok("Content-Type: text/html"), b"<html>Please log in</html>"], BROKEN
    ),
    # chunks
    "chunks_right": Answer(lambda c: [CHUNKED, *chunks(c)], WHOLE),
    "chunks_of_one_byte": Answer(
        lambda c: [CHUNKED, b"".join(b"1\r\n%c\r\n" % byte for byte in c), b"0\r\n\r\n"], WHOLE
    ),
    "chunk_of_no_number": chunked(b"many\r\n", b"x" * 99, told=BROKEN),
    "chunk_negative": chunked(b"-5\r\n", b"x" * 99, told=BROKEN),
    "chunk_huge": chunked(b"f" * 60 + CRLF, b"x" * 99, told=BROKEN),
    "chunk_size_line_endless": endless(CHUNKED, b"0" * 65536, BROKEN),
    "chunk_extension_endless": endless(CHUNKED + b"5;", LARGE, BROKEN),
    "chunk_size_drips": endless(CHUNKED, b"0", SLOW, 0.03),
    "chunk_without_end": chunked(b"5\r\nabcdefgh", told=BROKEN),
    "chunks_empty_body": chunked(b"0\r\n\r\n", told=BROKEN),
    "trailers_drip": endless(CHUNKED + b"5\r\nabcde\r\n0\r\n", b"A: b\r\n", TOO_SLOW, 0.03),
    "trailers_endless": endless(CHUNKED + b"5\r\nabcde\r\n0\r\n", LINE * 60, TOO_SLOW),
    "trailer_line_endless": endless(CHUNKED + b"5\r\nabcde\r\n0\r\n", LARGE, BROKEN),
    "chunks_endless": endless(CHUNKED, b"10000\r\n" + LARGE + CRLF, "sends more than 120,011"),
    "chunked_and_gzipped": head("Transfer-Encoding: gzip, chunked", told="^((?!Traceback).)*$"),
    # codings
    "coded_gzip": head("Content-Encoding: gzip", told="encoding that was not asked for"),
    "coded_br": head("Content-Encoding: br", told="encoding that was not asked for"),
    "coded_identity": head("Content-Encoding: identity", told=WHOLE),
    "coded_many_times": head("Content-Encoding: " + "gzip, " * 99, told="encoding that was not"),
    # ranges that nobody asked for
    "range_nonsense": head("Content-Range: bytes \x1b[2J-5/7", status="206 P", told="from byte"),
    "range_negative": head("Content-Range: bytes -5", status="206 P", told="from byte unknown"),
    "range_of_other_unit": head("Content-Range: lines 0-5/7", status="206 P", told="from byte"),
    "range_right": head(f"Content-Range: bytes 0-{SIZE - 1}/{SIZE}", status="206 P", told=WHOLE),
    "range_of_5000_digits": head(
        "Content-Range: bytes " + "9" * 5000, status="206 P", told=r"\.\.\."
    ),
    # redirects
    "redirect_nowhere": head(
        "Content-Length: 0", status="302 F", told="without saying where", body=False
    ),
    "redirect_empty": to("", "without saying where"),
    "redirect_to_itself": to("/redirect_to_itself", "more than 5 times"),
    "redirect_301": to("/honest", WHOLE, status="301 Moved"),
    "redirect_303": to("/honest", WHOLE, status="303 Other"),
    "redirect_307": to("/honest", WHOLE, status="307 Again"),
    "redirect_308": to("/honest", WHOLE, status="308 Always"),
    "redirect_relative": to("honest", WHOLE),
    "redirect_with_fragment": to("/honest#part", WHOLE),
    "redirect_to_file": to("file:///etc/hostname", "only http and https are used, not file:"),
    "redirect_to_ftp": to("ftp://127.0.0.1/f", "only http and https are used, not ftp:"),
    "redirect_to_data": to("data:text/plain,hello", "only http and https are used, not data:"),
    "redirect_to_javascript": to("javascript:alert(1)", "only http and https are used"),
    "redirect_to_unclosed_host": to("http://[::1/", "not a valid address"),
    "redirect_to_no_host": to("http:///honest", WHOLE),
    "redirect_to_odd_port": to("http://127.0.0.1:abc/", "not a valid address"),
    "redirect_to_port_99999": to("http://127.0.0.1:99999/", "not a valid address"),
    "redirect_to_port_0": to("http://127.0.0.1:0/", "not a valid address"),
    "redirect_to_negative_port": to("http://127.0.0.1:-1/", "not a valid address"),
    "redirect_to_empty_label": to("http://a..b/", "not a valid address"),
    "redirect_to_long_label": to(f"http://{'a' * 70}.example/", "not a valid address"),
    "redirect_to_latin_1": to(
        "http://\xfc\xff.invalid/", "not a valid address|could not be downloaded"
    ),
    "redirect_to_escapes": to("ftp://\x1b[2J/", "not a valid address"),
    "redirect_of_60_kB": to("/" + "a" * 60_000, "answers 404|could not be downloaded"),
    "redirect_to_spaces": to("/a b c", BROKEN),
    "redirect_to_user": to("http://user:secret@127.0.0.1:9/", BROKEN),
    "redirect_to_a_closed_port": to("http://127.0.0.1:9/", BROKEN),
    "redirect_body_endless": endless(ok("Location: /honest", status="302 F"), LARGE, WHOLE),
    "redirect_body_drips": endless(ok("Location: /honest", status="302 F"), b"x", WHOLE, 0.03),
    "redirect_body_promised": head(
        "Location: /honest", "Content-Length: 99999999999", status="302 F", told=WHOLE
    ),
    "redirect_head_drips": drip(b"HTTP/1.1 302 F\r\nLocation: /honest", b"x", SLOW),
}
