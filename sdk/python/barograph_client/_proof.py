"""Over plain http a connection carries the key only after the program at its end proved that it knows the key.

Another program may have taken the port of a service that ended; https has the certificate instead.
"""

import hashlib
import hmac
import http.client
import json
import secrets
import socket
from functools import partial
from typing import Any, Dict
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPHandler, Request

from .errors import NetworkError, TimedOut, Unproven, error_of

PROOF_LIMIT = 5.0
"""Seconds for each part of the answer."""
BODY_LIMIT = 2048


def proof_text(origin: str, key_id: str, nonce: str) -> bytes:
    return "\n".join(("barograph service proof 1", origin, key_id, nonce)).encode()


class _ProvenConnection(http.client.HTTPConnection):
    """Asks for the proof on its own socket, so that no other program can get what is sent next."""

    def __init__(self, *args: Any, base: str, key: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._base = base
        self._key = key

    def connect(self) -> None:
        super().connect()
        try:
            self._prove()
        except BaseException:
            self.close()
            raise

    def _prove(self) -> None:
        parts = urlsplit(self._base)
        place = parts.hostname or ""
        host = f"[{place}]" if ":" in place else place
        port = "" if parts.port in (None, 80) else f":{parts.port}"
        origin, nonce = f"http://{host}{port}", secrets.token_hex(32)
        digest = hashlib.sha256(self._key.encode()).hexdigest()
        key_id = f"key_{digest[:12]}"
        asked = urlencode({"key": key_id, "nonce": nonce, "origin": origin}, quote_via=quote)
        head = f"GET {parts.path}/proof?{asked} HTTP/1.1\r\nhost: {host}{port}\r\naccept: application/json\r\n\r\n"
        waits = self.sock.gettimeout()
        self.sock.settimeout(PROOF_LIMIT)
        try:
            self.sock.sendall(head.encode())
            answer = http.client.HTTPResponse(self.sock, method="GET")
            answer.begin()
            body, is_kept = answer.read(BODY_LIMIT), answer.isclosed() and not answer.will_close
        except socket.timeout:
            raise TimedOut(f"The service at {parts.netloc} did not prove itself within 5 s.") from None
        except (OSError, http.client.HTTPException) as error:
            raise NetworkError(f"The service at {parts.netloc} does not answer ({error}).") from error
        if answer.status == 429 or answer.status >= 500:
            raise error_of(answer.status, answer.headers, body)
        expected = hmac.new(digest.encode(), proof_text(origin, key_id, nonce), hashlib.sha256).hexdigest()
        if not is_kept or not hmac.compare_digest(_proof_in(body).encode(), expected.encode()):
            raise Unproven(
                f"The program at {parts.netloc} cannot prove that it knows the key: another one took the address, "
                "the key has ended there, or it has no such proof. Nothing else was sent."
            )
        self.sock.settimeout(waits)


def _proof_in(body: bytes) -> str:
    try:
        found: Dict[str, Any] = json.loads(body)
        return str(found["proof"])
    except (ValueError, KeyError, TypeError):
        return ""


class ProvenHandler(HTTPHandler):
    """Opens http addresses for urllib."""

    def __init__(self, base: str, key: str) -> None:
        super().__init__()
        self._connection = partial(_ProvenConnection, base=base, key=key)

    def http_open(self, request: Request) -> http.client.HTTPResponse:
        return self.do_open(self._connection, request)

