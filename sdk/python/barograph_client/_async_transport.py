"""The same for asyncio: HTTP/1.1 over its streams, with the proof on every connection over plain http."""

import asyncio
import http.client
import io
import random
import ssl
from contextlib import asynccontextmanager, suppress
from email.message import Message
from typing import (
    Any,
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Type,
    TypeVar,
)

from ._proof import PROOF_BODY_LIMIT, PROOF_LIMIT, Proof
from ._request import BODY_LIMIT, Core, Pages, Record, Request, read_json, read_record
from .errors import NetworkError, NotSent, ServiceError, TimedOut, error_of
from .models import Event
from .stream import LONGEST_LINE, SILENCE, Following

Result = TypeVar("Result")


async def _timed(step: Awaitable[Result], timeout: float, at: str) -> Result:
    try:
        return await asyncio.wait_for(step, timeout)
    except asyncio.TimeoutError as error:
        raise TimedOut(f"The service at {at} did not answer in time.") from error
    except (OSError, EOFError, asyncio.LimitOverrunError) as error:
        raise NetworkError(f"The service at {at} does not answer ({error}).") from error


class _Connection:
    """A connection, with one request on it at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, at: str) -> None:
        self._reader, self._writer, self._at = reader, writer, at
        self.timeout = PROOF_LIMIT
        self.status = 0
        self.headers: Message = Message()
        self.is_whole = False
        """The answer was read to its end, and another request may follow."""

    async def is_open(self) -> bool:
        """What can be read before anything was asked is its end."""
        probe = asyncio.ensure_future(self._reader.read(1))
        await asyncio.sleep(0)
        if probe.done():
            probe.exception()
            return False
        probe.cancel()
        with suppress(asyncio.CancelledError):
            await probe
        return True

    def close(self) -> None:
        self._writer.close()

    async def _timed(self, step: Awaitable[Result]) -> Result:
        return await _timed(step, self.timeout, self._at)

    def _broken(self, why: str) -> NetworkError:
        return NetworkError(f"The service at {self._at} does not answer ({why}).")

    async def send(self, request: bytes) -> None:
        """Sends, and reads the head of the answer."""
        self.is_whole = False
        self._writer.write(request)
        await self._timed(self._writer.drain())
        self.status = 100
        while 100 <= self.status < 200:
            head = await self._timed(self._reader.readuntil(b"\r\n\r\n"))
            first, _, rest = head.partition(b"\r\n")
            version, status = first.split(b" ", 2)[:2] if first.count(b" ") else (b"", b"")
            if not version.startswith(b"HTTP/1.") or not status.isdigit():
                raise self._broken("it speaks no HTTP")
            self.status, self.headers = int(status), http.client.parse_headers(io.BytesIO(rest))
            keeps = "close" if version == b"HTTP/1.0" else "keep-alive"
        self._is_kept = self.headers.get("connection", keeps).lower() != "close"

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            while size := self._number(await self._timed(self._reader.readuntil(b"\r\n")), 16):
                yield (await self._timed(self._reader.readexactly(size + 2)))[:-2]
            while await self._timed(self._reader.readuntil(b"\r\n")) != b"\r\n":
                pass
        elif "content-length" in self.headers:
            left = self._number(self.headers["content-length"].encode(), 10)
            while left > 0:
                chunk = await self._timed(self._reader.read(min(left, 1 << 16)))
                if not chunk:
                    raise self._broken("the answer broke off")
                left -= len(chunk)
                yield chunk
        elif self.status != 204:
            self._is_kept = False
            while chunk := await self._timed(self._reader.read(1 << 16)):
                yield chunk
        self.is_whole = self._is_kept

    def _number(self, text: bytes, base: int) -> int:
        try:
            return int(text.partition(b";")[0], base)
        except ValueError:
            raise self._broken("it speaks no HTTP") from None

    async def body(self, limit: int) -> bytes:
        text = b""
        async for chunk in self.chunks():
            text += chunk
            if len(text) > limit:
                break
        return text[: limit + 1]

    async def lines(self) -> AsyncIterator[bytes]:
        rest = b""
        async for chunk in self.chunks():
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield line
            if len(rest) > LONGEST_LINE:
                raise self._broken("a line is too long")


class AsyncTransport(Core):
    """A client of the service for asyncio. Raises NotSent where address and key do not fit together.

    The parameters are those of Client, but sleep, which is asyncio's. Proxies are not used.
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
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(base_url, key, timeout, trusted, retries, user_agent, jitter)
        self._ssl = ssl_context
        self._sleep = sleep
        self._idle: List[_Connection] = []
        self._in_use: Set[_Connection] = set()

    async def close(self) -> None:
        """Ends every connection, and with them calls and streams of other tasks. Later calls raise NotSent."""
        self._is_closed = True
        for connection in (*self._idle, *self._in_use):
            connection.close()
        self._idle.clear()

    async def _connection(self, timeout: float) -> _Connection:
        while self._idle:
            connection = self._idle.pop()
            if await connection.is_open():
                connection.timeout = timeout
                return connection
            connection.close()
        is_https = self._parts.scheme == "https"
        context = (self._ssl or ssl.create_default_context()) if is_https else None
        opening = asyncio.open_connection(
            self._parts.hostname, self._parts.port or (443 if is_https else 80), ssl=context
        )
        connection = _Connection(*await _timed(opening, timeout, self._base), self._base)
        try:
            if self._is_proven:
                await self._prove(connection)
        except BaseException:
            connection.close()
            raise
        connection.timeout = timeout
        return connection

    async def _prove(self, connection: _Connection) -> None:
        proof = Proof(self._base, self._key)
        await connection.send(proof.request)
        body = await connection.body(PROOF_BODY_LIMIT)
        proof.check(connection.status, connection.headers, body, connection.is_whole)

    @asynccontextmanager
    async def _open(self, request: Request, timeout: float, keep: bool = True) -> AsyncIterator[_Connection]:
        """A connection with an answer of success, its body unread. It may be kept where that was read to its end."""
        target, headers = self._head(request)
        wait = self._pace.take(request.endpoint)
        if wait > 0:
            await self._sleep(wait)
        connection: Optional[_Connection] = None
        try:
            connection = await self._connection(timeout)
            if self._is_closed:
                raise NotSent("The client is closed. Nothing was sent.")
            self._in_use.add(connection)
            given = {"host": self._parts.netloc, **headers}
            if request.data is not None:
                given["content-length"] = str(len(request.data))
            lines = [f"{request.method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
            await connection.send("\r\n".join([*lines, "", ""]).encode("latin-1") + (request.data or b""))
            self._pace.answered(request.endpoint, connection.status, connection.headers)
            if not 200 <= connection.status < 300:
                raise error_of(connection.status, connection.headers, await connection.body(2048))
            yield connection
        finally:
            if connection is not None:
                self._in_use.discard(connection)
                if connection.is_whole and keep and not self._is_closed:
                    self._idle.append(connection)
                else:
                    connection.close()

    async def _json(self, request: Request) -> Any:
        attempt = 0
        while True:
            try:
                async with self._open(request, self._timeout) as answer:
                    text = await answer.body(BODY_LIMIT)
                return read_json(request.template, text)
            except ServiceError as error:
                await self._sleep(self._wait_for_retry(request.method, attempt, error))
            attempt += 1

    async def _one(
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
        return read_record(record, template, await self._json(Request(method, template, path, query, header, body)))

    async def _rows(
        self,
        record: Type[Record],
        method: str,
        template: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        page_size: int,
    ) -> AsyncIterator[Record]:
        pages = Pages(record, template, query, page_size)
        while pages.query is not None:
            for row in pages.rows(await self._json(Request(method, template, path, pages.query))):
                yield row

    async def events(
        self,
        *,
        symbols: Optional[Sequence[str]] = None,
        severity: Optional[Sequence[str]] = None,
        regime: Optional[Sequence[str]] = None,
        events: Optional[Sequence[str]] = None,
        after: Optional[str] = None,
        silence: float = SILENCE,
        on_connect: Callable[[str], None] = lambda beginning: None,
        on_problem: Callable[[ServiceError], None] = lambda error: None,
    ) -> AsyncGenerator[Event, None]:
        """Events as they happen, as Client.events has them. Ending the task or aclose() ends the connection."""
        query = {"symbols": symbols, "severity": severity, "regime": regime, "events": events}
        following = Following(self, query, after, on_connect, on_problem)
        while not self._is_closed:
            problem: ServiceError = NetworkError("The stream ended.")
            try:
                async with self._open(following.request(), silence, keep=False) as answer:
                    following.connected(answer.headers)
                    async for line in answer.lines():
                        event = following.read(line)
                        if event is not None:
                            yield event
            except ServiceError as error:
                problem = error
            if not self._is_closed:
                await self._sleep(following.broken(problem))
