"""One request: the address is checked, the key travels in a header and nowhere else, errors are typed."""

import http.client
import ipaddress
import json
import re
import socket
import urllib.error
import urllib.request
from typing import Any, Dict, Iterator, Mapping, Optional, Type, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from ._decode import decode
from ._pace import Pace
from ._proof import ProvenHandler
from .errors import NetworkError, NotSent, ServiceError, TimedOut, Unreadable, error_of

Record = TypeVar("Record")
BODY_LIMIT = 8 * 1024 * 1024
MAX_PAGES = 1000


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


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


class Transport:
    """Raises NotSent where address and key do not fit together.

    opener: replaces urllib's, for proxies or certificates of one's own; it must not follow redirects.
    timeout: seconds without a byte after which a call has failed.
    trusted: send the key over plain http without the proof that the program there knows it. For services that have
    no such proof, where no other program of this computer can take their port.
    """

    def __init__(
        self,
        base_url: str,
        key: str = "",
        *,
        timeout: float = 10.0,
        opener: Optional[urllib.request.OpenerDirector] = None,
        trusted: bool = False,
    ) -> None:
        self._base = _checked(base_url, key)
        is_proven = bool(key) and self._base.startswith("http:") and not trusted
        if is_proven and opener is not None:
            raise NotSent("An opener of your own asks for no proof over plain http: say trusted=True. Nothing was sent.")
        self._key = key
        self._timeout = timeout
        self._opener = opener or _opener_for(self._base, ProvenHandler(self._base, key) if is_proven else None)
        self._pace = Pace()

    def _open(
        self, method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str], body: Any, timeout: float
    ) -> http.client.HTTPResponse:
        """The answer of success, its body unread."""
        given = {name: _text(value) for name, value in query.items() if value is not None}
        url = self._base + path + ("?" + urlencode(given) if given else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"accept": "application/json", **headers}, method=method)
        if data is not None:
            request.add_header("content-type", "application/json")
        if self._key:
            request.add_header("x-api-key", self._key)
        endpoint = f"{method} {path}"
        self._pace.wait(endpoint)
        try:
            answer = self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                self._pace.answered(endpoint, error.code, error.headers)
                raise error_of(error.code, error.headers, error.read(2048)) from None
        except (OSError, http.client.HTTPException) as error:
            raise _broken(error, self._base) from error
        self._pace.answered(endpoint, answer.status, answer.headers)
        return answer

    def _json(
        self,
        method: str,
        path: str,
        place: Mapping[str, str],
        query: Mapping[str, Any],
        header: Mapping[str, Optional[str]],
        body: Optional[Mapping[str, Any]],
    ) -> Any:
        for name, value in place.items():
            path = path.replace("{" + name + "}", quote(value, safe=""))
        sent = {name: value for name, value in header.items() if value is not None}
        content = None if body is None else {name: value for name, value in body.items() if value is not None}
        with self._open(method, path, query, sent, content, self._timeout) as answer:
            try:
                text = answer.read(BODY_LIMIT + 1)
            except (OSError, http.client.HTTPException) as error:
                raise _broken(error, self._base) from error
        if len(text) > BODY_LIMIT:
            raise Unreadable(f"The answer to {path} is larger than 8 MB.", 200)
        try:
            return json.loads(text)
        except ValueError:
            raise Unreadable(f"The answer to {path} is not JSON.", 200) from None

    def _one(
        self,
        record: Type[Record],
        method: str,
        template: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        header: Mapping[str, Optional[str]] = {},
        body: Optional[Mapping[str, Any]] = None,
    ) -> Record:
        return _read(record, template, self._json(method, template, path, query, header, body))

    def _rows(
        self,
        record: Type[Record],
        method: str,
        template: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        page_size: int,
    ) -> Iterator[Record]:
        seen = set()
        asked: Dict[str, Any] = {"limit": page_size, **query}
        for _ in range(MAX_PAGES):
            page = self._json(method, template, path, asked, {}, None)
            rows = page.get("data") if isinstance(page, dict) else None
            if not isinstance(rows, list):
                raise Unreadable(f"The answer to {template} contains no list.", 200)
            for row in rows:
                yield _read(record, template, row)
            cursor = page.get("next_cursor")
            if page.get("has_more") is False or not cursor:
                return
            if cursor in seen:
                raise Unreadable(f"{template} gave the cursor {cursor} twice.", 200)
            seen.add(cursor)
            asked["after"] = cursor
        raise Unreadable(f"{template} did not end within {MAX_PAGES} pages.", 200)


def _opener_for(base: str, proven: Optional[ProvenHandler]) -> urllib.request.OpenerDirector:
    handlers = [_NoRedirects()] + ([] if proven is None else [proven])
    # A proxy of the environment must not see what goes to this computer over plain http.
    direct = [urllib.request.ProxyHandler({})] if base.startswith("http:") else []
    return urllib.request.build_opener(*handlers, *direct)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _read(record: Type[Record], template: str, value: Any) -> Record:
    try:
        return decode(record, value)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"The answer to {template} is not what it should be ({error}).", 200) from None


def _broken(error: Exception, base: str) -> ServiceError:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, socket.timeout):
        return TimedOut(f"The service at {base} did not answer in time.")
    return NetworkError(f"The service at {base} does not answer ({cause}).")
