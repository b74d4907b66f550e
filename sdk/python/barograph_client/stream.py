"""The event stream, across reconnections: resumed behind the last event, watched for silence."""

import http.client
import json
import random
import time
from typing import Callable, Iterator, Optional, Sequence, Tuple

from ._decode import decode
from ._transport import Transport
from .errors import (
    BadRequest,
    Forbidden,
    NetworkError,
    NotFound,
    NotSent,
    Redirected,
    ServiceError,
    Unauthorized,
    Unreadable,
)
from .models import Event

SILENCE = 45.0
"""Three heartbeats of the service, seconds."""
LONGEST_LINE = 4 * 1024 * 1024
FINAL = (NotSent, BadRequest, Unauthorized, Forbidden, NotFound, Redirected)


def messages(answer: http.client.HTTPResponse) -> Iterator[Tuple[Optional[str], str]]:
    """The id and the data of every message of an event stream."""
    last_id: Optional[str] = None
    data = []
    while True:
        line = answer.readline(LONGEST_LINE)
        if not line.endswith(b"\n"):
            return
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text == "":
            if data or last_id is not None:
                yield last_id, "\n".join(data)
            last_id, data = None, []
            continue
        field, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            data.append(value)
        elif field == "id" and "\0" not in value:
            last_id = value


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
    ) -> Iterator[Event]:
        """Events as they happen. Ends only by an exception that a retry would not help, or by close().

        after: event_id of the last known event; later ones come first.
        silence: seconds without a byte, not even a comment, after which a connection counts as dead.
        on_connect: called with "live", "resumed", or "lost" where the service no longer keeps the last id; then
        ask event_log for what is missing.
        on_problem: called with the reason why a connection ended and will be tried again.
        """
        query = {"symbols": symbols, "severity": severity, "regime": regime, "events": events}
        last, attempt = after, 0
        while True:
            found: ServiceError = NetworkError("The stream ended.")
            try:
                headers = {"accept": "text/event-stream", **({"last-event-id": last} if last else {})}
                with self._open("GET", "/stream", query, headers, None, silence) as answer:
                    attempt = 0
                    on_connect(_beginning(answer, last))
                    for message_id, data in messages(answer):
                        event = _event(data) if data else None
                        last = (event.event_id if event else None) or message_id or last
                        if event is not None:
                            yield event
                        elif data:
                            on_problem(Unreadable("The stream sent a message that is no event.", 200))
            except FINAL:
                raise
            except ServiceError as error:
                found = error
            except (OSError, http.client.HTTPException) as error:
                found = NetworkError(f"The stream broke off ({error}).")
            on_problem(found)
            # Bounded before the power: 2.0**1024 is no float.
            backoff = min(30.0, 2.0 ** min(attempt, 5)) * random.uniform(0.5, 1.0)
            time.sleep(max(backoff, found.retry_after or 0.0))
            attempt += 1


def _beginning(answer: http.client.HTTPResponse, last: Optional[str]) -> str:
    if not last:
        return "live"
    return "lost" if answer.headers.get("x-stream-resume") == "unknown-id" else "resumed"


def _event(data: str) -> Optional[Event]:
    try:
        event = decode(Event, json.loads(data))
    except (TypeError, ValueError):
        return None
    return event if event.event_id and event.event else None
