"""Proves that a delivery comes from the service, and when it was sent, before it is read."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional

from ._decode import decode
from .models import Event

TOLERANCE = 300.0


class SignatureError(Exception):
    """A delivery is refused. reason: unsigned, wrong_signature, too_old, ahead, or unreadable."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = TOLERANCE,
    now: Optional[float] = None,
    undated: bool = False,
) -> Event:
    """The event of a delivery, or a SignatureError. The same event can arrive twice: its event_id tells.

    body: the bytes as they arrived. tolerance: seconds that the time of the delivery may differ from now.
    undated: accepts X-Service-Signature where the service sends no webhook-signature. It proves no time: whoever
    recorded a delivery can send it again.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if message_id and timestamp and signatures:
        _check_dated(body, secret, message_id, timestamp, signatures, tolerance, time.time() if now is None else now)
    else:
        own = given.get("x-service-signature", "")
        if not undated or not own:
            raise SignatureError("unsigned", "The delivery lacks webhook-id, webhook-timestamp or webhook-signature.")
        expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        value = own[len("sha256=") :] if own.startswith("sha256=") else own
        if not secret or not hmac.compare_digest(expected.encode(), value.lower().encode()):
            raise SignatureError("wrong_signature", "The signature was made with another secret or for another body.")
    try:
        return decode(Event, json.loads(body))
    except (TypeError, ValueError):
        raise SignatureError("unreadable", "The delivery is proven, and is no event.") from None


def _check_dated(
    body: bytes, secret: str, message_id: str, timestamp: str, signatures: str, tolerance: float, now: float
) -> None:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    except (binascii.Error, ValueError):
        key = b""
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    matches = [hmac.compare_digest(expected, one.encode()) for one in signatures.split()]
    if not key or not any(matches):
        raise SignatureError("wrong_signature", "The signature was made with another secret or for another body.")
    try:
        age = now - int(timestamp)
    except ValueError:
        raise SignatureError("ahead", "The time of the delivery is no number of seconds.") from None
    if age < -tolerance:
        raise SignatureError("ahead", "The delivery comes from the future.")
    if age > tolerance:
        raise SignatureError("too_old", "The delivery was sent too long ago.")
