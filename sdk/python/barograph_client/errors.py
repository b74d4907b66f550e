"""Why a request failed, as exceptions."""

import json
import math
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Dict, Optional, Type

LONGEST_WAIT = 3600.0


class ServiceError(Exception):
    """A request failed. status is None where there was no answer; retry_after is in seconds."""

    kind = "error"

    def __init__(
        self, message: str, status: Optional[int] = None, code: str = "", retry_after: Optional[float] = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after


class NotSent(ServiceError):
    """Nothing was sent: the address and the key do not fit together."""

    kind = "not_sent"


class Unproven(ServiceError):
    """Over plain http, the program at the address did not prove that it knows the key: the key was not sent."""

    kind = "unproven"


class NetworkError(ServiceError):
    """The service could not be reached, or the connection broke."""

    kind = "network"


class TimedOut(NetworkError):
    """No answer in time."""

    kind = "timeout"


class BadRequest(ServiceError):
    kind = "bad_request"


class Unauthorized(ServiceError):
    kind = "unauthorized"


class Forbidden(ServiceError):
    kind = "forbidden"


class NotFound(ServiceError):
    kind = "not_found"


class NotCovered(NotFound):
    """The service has no signals of this symbol."""

    kind = "not_covered"


class RateLimited(ServiceError):
    """Too many calls. status is None where the client held the call back itself."""

    kind = "rate_limited"


class Unavailable(ServiceError):
    kind = "unavailable"


class ServerError(ServiceError):
    kind = "server"


class Redirected(ServiceError):
    """The service sent the request on to another address; the key stays with this one."""

    kind = "redirected"


class Unreadable(ServiceError):
    """Success, but the body is not what it should be."""

    kind = "unreadable"


_BY_STATUS: Dict[int, Type[ServiceError]] = {
    401: Unauthorized,
    402: Forbidden,
    403: Forbidden,
    404: NotFound,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def error_of(status: int, headers: Message, body: bytes) -> ServiceError:
    """The exception of an answer that is none of success."""
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    fields = parsed if isinstance(parsed, dict) else {}
    code = str(fields.get("code") or "").lower()
    message = str(fields.get("message") or fields.get("detail") or f"The service answered {status}.")[:500]
    if 300 <= status < 400:
        return Redirected("The service sends this request on. The key stays here.", status)
    if code in ("symbol_not_covered", "invalid_symbol"):
        made: Type[ServiceError] = NotCovered
    else:
        made = _BY_STATUS.get(status, ServerError if status >= 500 else BadRequest)
    return made(message, status, code, retry_after(headers))


def retry_after(headers: Message) -> Optional[float]:
    """Seconds that the service asks to wait; a date counts from the service's own clock."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - parsedate_to_datetime(headers["date"])).total_seconds()
        except (TypeError, ValueError, AttributeError):
            return None
    return min(max(0.0, seconds), LONGEST_WAIT) if math.isfinite(seconds) else None
