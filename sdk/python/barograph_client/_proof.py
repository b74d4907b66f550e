"""Over plain http a connection carries the key only after the program at its end proved that it knows the key.

Another program may have taken the port of a service that ended; https has the certificate instead.
"""

import hashlib
import hmac
import http.client
import json
import secrets
import socket
from email.message import Message
from typing import Any, Dict, Optional
from urllib.parse import quote, urlencode, urlsplit

from .errors import NetworkError, TimedOut, Unproven, error_of

PROOF_LIMIT = 5.0
"""Seconds for each part of the answer."""
PROOF_BODY_LIMIT = 2048


def proof_text(origin: str, key_id: str, nonce: str) -> bytes:
    return "\n".join(("barograph service proof 1", origin, key_id, nonce)).encode()


class Proof:
    """One question for a proof, and the check of its answer."""

    def __init__(self, base: str, key: str) -> None:
        parts = urlsplit(base)
        name = parts.hostname or ""
        host = f"[{name}]" if ":" in name else name
        port = "" if parts.port in (None, 80) else f":{parts.port}"
        origin, nonce = f"http://{host}{port}", secrets.token_hex(32)
        digest = hashlib.sha256(key.encode()).hexdigest()
        key_id = f"key_{digest[:12]}"
        asked = urlencode({"key": key_id, "nonce": nonce, "origin": origin}, quote_via=quote)
        head = f"GET {parts.path}/proof?{asked} HTTP/1.1\r\nhost: {host}{port}\r\naccept: application/json\r\n\r\n"
        self.request = head.encode()
        self._at = parts.netloc
        self._expected = hmac.new(digest.encode(), proof_text(origin, key_id, nonce), hashlib.sha256).hexdigest()

    def check(self, status: int, headers: Message, body: bytes, is_kept: bool) -> None:
        """is_kept: the connection goes on, and the answer was all that came over it."""
        if status == 429 or status >= 500:
            raise error_of(status, headers, body)
        if not is_kept or not hmac.compare_digest(_proof_in(body).encode(), self._expected.encode()):
            raise Unproven(
                f"The program at {self._at} cannot prove that it knows the key: another one took the address, "
                "the key has ended there, or it has no such proof. Nothing else was sent."
            )


class ProvenConnection(http.client.HTTPConnection):
    """Asks for the proof on its own socket, so that no other program can get what is sent next."""

    def __init__(self, host: str, port: Optional[int], *, base: str, key: str) -> None:
        super().__init__(host, port)
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
        proof = Proof(self._base, self._key)
        waits = self.sock.gettimeout()
        self.sock.settimeout(PROOF_LIMIT)
        try:
            self.sock.sendall(proof.request)
            answer = http.client.HTTPResponse(self.sock, method="GET")
            answer.begin()
            body, is_kept = answer.read(PROOF_BODY_LIMIT), answer.isclosed() and not answer.will_close
        except socket.timeout:
            raise TimedOut(f"The service at {self._base} did not prove itself within 5 s.") from None
        except (OSError, http.client.HTTPException) as error:
            raise NetworkError(f"The service at {self._base} does not answer ({error}).") from error
        proof.check(answer.status, answer.headers, body, is_kept)
        self.sock.settimeout(waits)


def _proof_in(body: bytes) -> str:
    try:
        found: Dict[str, Any] = json.loads(body)
        return str(found["proof"])
    except (ValueError, KeyError, TypeError):
        return ""
