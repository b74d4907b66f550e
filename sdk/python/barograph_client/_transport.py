"""Requests over connections that are kept. The key travels in a header and nowhere else, errors are typed."""

import http.client
import random
import select
import socket
import ssl
import threading
import time
import urllib.request
from contextlib import contextmanager, suppress
from typing import Any, Callable, Iterator, List, Mapping, Optional, Set, Type
from urllib.parse import urlsplit

from ._proof import ProvenConnection
from ._request import BODY_LIMIT, Core, Pages, Record, Request, read_json, read_record
from .errors import NetworkError, NotSent, ServiceError, TimedOut, error_of


class Transport(Core):
    """A client of the service. Raises NotSent where address and key do not fit together.

    timeout: seconds without a byte after which a call has failed.
    trusted: send the key over plain http without the proof that the program there knows it. For services that have
    no such proof, where no other program of this computer can take their port.
    retries: how often a GET is tried again after a failure that passes: a broken connection, 429 with a Retry-After of
    at most 2 s, 502, 503, 504. Nothing else is sent twice.
    user_agent: the name of your program, "desk/1.4"; it is put in front of the client's own.
    ssl_context: certificates of your own. Over https the proxies of the environment are used.
    jitter, sleep: randomness from 0 to 1, and waiting, for runs that can be repeated.
    """

    def __init__(
        self,
        base_url: str,
        key: str = "",
        *,
        timeout: float = 10.0,
        trusted: bool = False,
        retries: int = 2,
        user_agent: str = "",
        ssl_context: Optional[ssl.SSLContext] = None,
        jitter: Callable[[], float] = random.random,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(base_url, key, timeout, trusted, retries, user_agent, jitter)
        self._ssl = ssl_context
        self._sleep = sleep
        self._lock = threading.Lock()
        self._idle: List[http.client.HTTPConnection] = []
        self._in_use: Set[socket.socket] = set()

    def close(self) -> None:
        """Ends every connection, and with them calls and streams of other threads. Later calls raise NotSent."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for sock in self._in_use:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
        for connection in idle:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        """One that is kept and still open, or a new one, which connects with its first request."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._new_connection()
            # What can be read before anything was asked is its end.
            if connection.sock is not None and not select.select([connection.sock], [], [], 0)[0]:
                return connection
            connection.close()

    def _new_connection(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        # A proxy of the environment must not see what goes to this computer over plain http.
        if self._parts.scheme == "http":
            if self._is_proven:
                return ProvenConnection(host, port, base=self._base, key=self._key)
            return http.client.HTTPConnection(host, port)
        proxy = None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get("https")
        if proxy is None:
            return http.client.HTTPSConnection(host, port, context=self._ssl)
        by = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        connection = http.client.HTTPSConnection(by.hostname or "", by.port, context=self._ssl)
        connection.set_tunnel(host, port or 443)
        return connection

    @contextmanager
    def _open(self, request: Request, timeout: float, keep: bool = True) -> Iterator[http.client.HTTPResponse]:
        """The answer of success, its body unread. The connection may be kept where the body was read to its end."""
        target, headers = self._head(request)
        wait = self._pace.take(request.endpoint)
        if wait > 0:
            self._sleep(wait)
        connection = self._connection()
        connection.timeout = timeout
        sock: Optional[socket.socket] = None
        is_kept = False
        try:
            if connection.sock is None:
                connection.connect()
            sock = connection.sock
            sock.settimeout(timeout)
            with self._lock:
                if self._is_closed:
                    raise NotSent("The client is closed. Nothing was sent.")
                self._in_use.add(sock)
            connection.request(request.method, target, request.data, headers)
            with connection.getresponse() as answer:
                self._pace.answered(request.endpoint, answer.status, answer.headers)
                if not 200 <= answer.status < 300:
                    failure = error_of(answer.status, answer.headers, answer.read(2048))
                    is_kept = answer.isclosed() and not answer.will_close
                    raise failure
                yield answer
                is_kept = answer.isclosed() and not answer.will_close
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, socket.timeout):
                raise TimedOut(f"The service at {self._base} did not answer in time.") from error
            raise NetworkError(f"The service at {self._base} does not answer ({error}).") from error
        finally:
            with self._lock:
                if sock is not None:
                    self._in_use.discard(sock)
                is_kept = is_kept and keep and not self._is_closed
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def _json(self, request: Request) -> Any:
        attempt = 0
        while True:
            try:
                with self._open(request, self._timeout) as answer:
                    text = answer.read(BODY_LIMIT + 1)
                    if answer.length and len(text) <= BODY_LIMIT:
                        raise http.client.IncompleteRead(text, answer.length)
                return read_json(request.template, text)
            except ServiceError as error:
                self._sleep(self._wait_for_retry(request.method, attempt, error))
            attempt += 1

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
        return read_record(record, template, self._json(Request(method, template, path, query, header, body)))

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
        pages = Pages(record, template, query, page_size)
        while pages.query is not None:
            yield from pages.rows(self._json(Request(method, template, path, pages.query)))
