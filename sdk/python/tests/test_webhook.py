import base64
import hashlib
import hmac
import json
import unittest
from typing import Dict

from barograph_client import SignatureError, verify_webhook

KEY = bytes(range(32))
SECRET = base64.b64encode(KEY).decode()
NOW = 1_772_461_800.0
BODY = json.dumps({"event_id": "evt_1", "seq": 1, "event": "model.version", "timestamp": "t", "data": {}}).encode()


def sign(at: float = NOW, key: bytes = KEY, body: bytes = BODY) -> Dict[str, str]:
    mac = hmac.new(key, f"evt_1.{int(at)}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(mac).decode()
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(int(at)), "Webhook-Signature": signature}


class WebhookTest(unittest.TestCase):
    def refused(
        self, reason: str, headers: Dict[str, str], body: bytes = BODY, secret: str = SECRET, undated: bool = False
    ) -> None:
        with self.assertRaises(SignatureError) as caught:
            verify_webhook(body, headers, secret, now=NOW, undated=undated)
        self.assertEqual(caught.exception.reason, reason)

    def test_a_signed_delivery_is_its_event(self) -> None:
        self.assertEqual(verify_webhook(BODY, sign(), SECRET, now=NOW).event_id, "evt_1")
        self.assertEqual(verify_webhook(BODY, sign(), "whsec_" + SECRET, now=NOW).event, "model.version")

    def test_one_of_several_signatures_is_enough(self) -> None:
        both = {**sign(), "Webhook-Signature": "v1,AAAA " + sign()["Webhook-Signature"]}
        self.assertEqual(verify_webhook(BODY, both, SECRET, now=NOW).seq, 1)

    def test_anything_else_is_refused(self) -> None:
        self.refused("wrong_signature", sign(), body=BODY + b" ")
        self.refused("wrong_signature", sign(key=bytes(32)))
        self.refused("wrong_signature", {**sign(NOW - 3600), "Webhook-Timestamp": str(int(NOW))})
        self.refused("wrong_signature", sign(), secret="")
        self.refused("wrong_signature", sign(), secret="no base64!")
        self.refused("wrong_signature", {**sign(), "Webhook-Signature": "v1,\u00e4"})
        self.refused("too_old", sign(NOW - 301))
        self.refused("ahead", sign(NOW + 301))
        self.refused("unsigned", {})
        self.refused("unreadable", sign(body=b"[]"), body=b"[]")

    def test_a_signature_without_a_time_needs_consent(self) -> None:
        own = {"X-Service-Signature": hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()}
        self.refused("unsigned", own)
        self.assertEqual(verify_webhook(BODY, own, SECRET, undated=True).event_id, "evt_1")
        self.refused("wrong_signature", own, body=BODY + b" ", undated=True)
        self.refused("too_old", {**sign(NOW - 301), **own}, undated=True)
