"""What both clients share and no socket is needed for: the address, the request, its errors, retries and pages."""

import ipaddress
import json
import platform
import re
from typing import Any, Callable, Dict, Generic, List, Mapping, Optional, Set, Tuple, Type, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from ._decode import decode
from ._pace import PATIENCE, Pace
from .errors import NetworkError, NotSent, RateLimited, ServiceError, TimedOut, Unavailable, Unreadable

VERSION = "0.1.0"
Record = TypeVar("Record")
BODY_LIMIT = 8 * 1024 * 1024
MAX_PAGES = 1000
FIRST_BACKOFF = 0.25


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _checked(base_url: str, key: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotSent(f'"{base_url}" is not a web address. It must begin with https://. Nothing was sent.')
    if parts.username or parts.password:
        raise NotSent("The address contains a password. Remove it. Nothing was sent.")
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise NotSent(f"{parts.netloc} is not this computer, and http would show the key to the network. Use https://.")
    if not re.fullmatch(r"[\x21-\x7e]{0,512}", key):
        raise NotSent("The key contains blanks or signs that no key has. Copy it again. Nothing was sent.")
    return parts.scheme + base_url.split("?")[0].split("#")[0].rstrip("/")[len(parts.scheme) :]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def read_record(record: Type[Record], template: str, value: Any) -> Record:
    try:
        return decode(record, value)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"The answer to {template} is not what it should be ({error}).", 200) from None


def read_json(template: str, text: bytes) -> Any:
    if len(text) > BODY_LIMIT:
        raise Unreadable(f"The answer to {template} is larger than 8 MB.", 200)
    try:
        return json.loads(text)
    except ValueError:
        raise Unreadable(f"The answer to {template} is not JSON.", 200) from None


class Request:
    """A request as it is sent; endpoint names it without its parameters."""

    def __init__(
        self,
        method: str,
        template: str,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        header: Mapping[str, Optional[str]] = {},
        body: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.template = template
        self.endpoint = f"{method} {template}"
        for name, value in path.items():
            template = template.replace("{" + name + "}", quote(value, safe=""))
        given = {name: _text(value) for name, value in query.items() if value is not None}
        self.method = method
        self.target = template + ("?" + urlencode(given) if given else "")
        self.headers = {"accept": "application/json", **{k: v for k, v in header.items() if v is not None}}
        self.data: Optional[bytes] = None
        if body is not None:
            self.data = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
            self.headers["content-type"] = "application/json"


class Pages(Generic[Record]):
    """Reads a list page after page: ask for query until it is None."""

    def __init__(self, record: Type[Record], template: str, query: Mapping[str, Any], page_size: int) -> None:
        self._record, self._template = record, template
        self._seen: Set[str] = set()
        self.query: Optional[Dict[str, Any]] = {"limit": page_size, **query}

    def rows(self, page: Any) -> List[Record]:
        rows = page.get("data") if isinstance(page, dict) else None
        if not isinstance(rows, list):
            raise Unreadable(f"The answer to {self._template} contains no list.", 200)
        cursor = page.get("next_cursor")
        if page.get("has_more") is False or not cursor:
            self.query = None
        elif cursor in self._seen:
            raise Unreadable(f"{self._template} gave the cursor {cursor} twice.", 200)
        elif len(self._seen) == MAX_PAGES - 1:
            raise Unreadable(f"{self._template} did not end within {MAX_PAGES} pages.", 200)
        else:
            self._seen.add(cursor)
            self.query = {**(self.query or {}), "after": cursor}
        return [read_record(self._record, self._template, row) for row in rows]


class Core:
    """Address, key and policy of a client, without a connection."""

    def __init__(
        self,
        base_url: str,
        key: str,
        timeout: float,
        trusted: bool,
        retries: int,
        user_agent: str,
        jitter: Callable[[], float],
    ) -> None:
        self._base = _checked(base_url, key)
        self._parts = urlsplit(self._base)
        self._key = key
        self._timeout = timeout
        self._is_proven = bool(key) and self._parts.scheme == "http" and not trusted
        self._retries = retries
        self._jitter = jitter
        self._pace = Pace()
        self._is_closed = False
        own = f"barograph-python/{VERSION} Python/{platform.python_version()}"
        self._user_agent = f"{user_agent} {own}" if user_agent else own

    def _head(self, request: Request) -> Tuple[str, Dict[str, str]]:
        """The target and the headers as they are sent."""
        if self._is_closed:
            raise NotSent("The client is closed. Nothing was sent.")
        headers = {**request.headers, "user-agent": self._user_agent}
        if self._key:
            headers["x-api-key"] = self._key
        return self._parts.path + request.target, headers

    def _backoff(self, first: float, attempt: int, longest: float, error: ServiceError) -> float:
        """Seconds: between a half and all of first, doubled with every attempt; never less than Retry-After."""
        # Bounded before the power: 2.0**1024 is no float.
        whole = min(longest, first * 2.0 ** min(attempt, 16))
        return max(whole * (0.5 + self._jitter() / 2), error.retry_after or 0.0)

    def _wait_for_retry(self, method: str, attempt: int, error: ServiceError) -> float:
        """Seconds until the call is made again; raises the error where it is not."""
        passes = isinstance(error, (NetworkError, Unavailable, RateLimited)) and not isinstance(error, TimedOut)
        # The client itself held the call back: that is its caller's decision, as is a long wait.
        is_held = isinstance(error, RateLimited) and error.status is None
        is_long = (error.retry_after or 0.0) > PATIENCE
        if method != "GET" or attempt >= self._retries or not passes or is_held or is_long:
            raise error
        return self._backoff(FIRST_BACKOFF, attempt, PATIENCE, error)
