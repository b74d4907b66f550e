"""The event stream, across reconnections: resumed behind the last event, watched for silence."""

import json
from email.message import Message
from typing import Callable, Generator, List, Mapping, Optional, Sequence

from ._decode import decode
from ._request import Core, Request
from ._transport import Transport
from .errors import (
    BadRequest,
    Forbidden,
    NetworkError,
    NotFound,
    NotSent,
    Redirected,
    ServiceError,
    TimedOut,
    Unauthorized,
    Unreadable,
)
from .models import Event

SILENCE = 45.0
"""Three heartbeats of the service, seconds."""
LONGEST_LINE = 4 * 1024 * 1024
FINAL = (NotSent, BadRequest, Unauthorized, Forbidden, NotFound, Redirected)


class Following:
    """How far a stream was followed; what both clients do alike between reading and waiting."""

    def __init__(
        self,
        core: Core,
        query: Mapping[str, Optional[Sequence[str]]],
        after: Optional[str],
        on_connect: Callable[[str], None],
        on_problem: Callable[[ServiceError], None],
    ) -> None:
        self._core, self._query, self._last = core, query, after
        self._on_connect, self._on_problem = on_connect, on_problem
        self._attempt = 0
        self._is_connected = False
        self._id: Optional[str] = None
        self._data: List[str] = []

    def request(self) -> Request:
        self._is_connected = False
        return Request("GET", "/stream", {}, self._query, {"accept": "text/event-stream", "last-event-id": self._last})

    def connected(self, headers: Message) -> None:
        self._is_connected, self._attempt, self._id, self._data = True, 0, None, []
        is_lost = headers.get("x-stream-resume") == "unknown-id"
        self._on_connect("live" if not self._last else "lost" if is_lost else "resumed")

    def read(self, line: bytes) -> Optional[Event]:
        """The event that a line completes."""
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text == "":
            return self._dispatch()
        field, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        return None

    def _dispatch(self) -> Optional[Event]:
        message_id, data = self._id, "\n".join(self._data)
        self._id, self._data = None, []
        event = _event(data) if data else None
        self._last = (event.event_id if event else None) or message_id or self._last
        if data and event is None:
            self._on_problem(Unreadable("The stream sent a message that is no event.", 200))
        return event

    def broken(self, error: ServiceError) -> float:
        """Seconds until the next connection; raises the error where a retry would not help."""
        if isinstance(error, FINAL):
            raise error
        if self._is_connected and isinstance(error, TimedOut):
            error = NetworkError("The stream was silent for too long.")
        self._on_problem(error)
        self._attempt += 1
        return self._core._backoff(1.0, self._attempt - 1, 30.0, error)


def _event(data: str) -> Optional[Event]:
    try:
        event = decode(Event, json.loads(data))
    except (TypeError, ValueError):
        return None
    return event if event.event_id and event.event else None


class Stream(Transport):
    def events(
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
    ) -> Generator[Event, None, None]:
        """Events as they happen. Ends when the client is closed, or by an exception that a retry would not help.

        after: event_id of the last known event; later ones come first.
        silence: seconds without a byte, not even a comment, after which a connection counts as dead.
        on_connect: called with "live", "resumed", or "lost" where the service no longer keeps the last id; then
        ask event_log for what is missing.
        on_problem: called with the reason why a connection ended and will be tried again.
        """
        query = {"symbols": symbols, "severity": severity, "regime": regime, "events": events}
        following = Following(self, query, after, on_connect, on_problem)
        while not self._is_closed:
            problem: ServiceError = NetworkError("The stream ended.")
            try:
                with self._open(following.request(), silence, keep=False) as answer:
                    following.connected(answer.headers)
                    while (line := answer.readline(LONGEST_LINE)).endswith(b"\n"):
                        event = following.read(line)
                        if event is not None:
                            yield event
            except ServiceError as error:
                problem = error
            if not self._is_closed:
                self._sleep(following.broken(problem))
