"""Holds calls back that the service would refuse, by what its limit headers said last."""

import re
import threading
import time
from email.message import Message
from typing import Callable, Dict, Optional

from .errors import RateLimited, retry_after

PATIENCE = 2.0
"""A call waits this long for its place, seconds; a longer wait is the caller's decision."""
LONGEST_WINDOW = 120.0
_PLAN = ""
_ITEM = re.compile(r'"([^"]+)"((?:\s*;\s*[a-z]+=\d+)*)')


def _items(header: Optional[str]) -> Dict[str, Dict[str, int]]:
    found = _ITEM.findall(header or "")
    return {name: {key: int(value) for key, value in re.findall(r"([a-z]+)=(\d+)", rest)} for name, rest in found}


class Pace:
    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._free_at: Dict[str, float] = {}

    def take(self, path: str) -> float:
        """Seconds until the call may be sent; raises RateLimited where they are too many."""
        with self._lock:
            free_at = max(self._free_at.get(path, 0.0), self._free_at.get(_PLAN, 0.0))
            wait = min(free_at - self._now(), LONGEST_WINDOW)
        if wait > PATIENCE:
            raise RateLimited(f"The service takes no call to {path} for {wait:.0f} s. None was sent.", retry_after=wait)
        return max(0.0, wait)

    def answered(self, path: str, status: int, headers: Message) -> None:
        left, policy = _items(headers.get("ratelimit")), _items(headers.get("ratelimit-policy"))
        is_enforced = policy.get("endpoint", {}).get("enforced") != 0
        endpoint, plan, terms = left.get("endpoint", {}), left.get("plan", {}), policy.get("plan", {})
        wait = 0.0
        if status == 429:
            wait = retry_after(headers) or 0.0
        elif is_enforced and endpoint.get("r") == 0:
            wait = float(endpoint.get("t", 0))
        with self._lock:
            # A longer wait is no minute's: a month says what is left, and refuses nothing by itself.
            self._free_at[path] = self._now() + wait if wait <= LONGEST_WINDOW else 0.0
            # The bucket of the plan, which all endpoints share, is filled at the rate of its terms.
            if is_enforced and plan.get("r") == 0 and terms.get("q"):
                self._free_at[_PLAN] = self._now() + terms.get("w", 0) / terms["q"]
