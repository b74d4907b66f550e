"""Client of the Market Risk Signal Service. The standard library is all it needs."""

from .calls import Calls
from .errors import (
    BadRequest,
    Forbidden,
    NetworkError,
    NotCovered,
    NotFound,
    NotSent,
    RateLimited,
    Redirected,
    ServerError,
    ServiceError,
    TimedOut,
    Unauthorized,
    Unavailable,
    Unproven,
    Unreadable,
)
from .stream import Stream
from .webhook import SignatureError, verify_webhook


class Client(Calls, Stream):
    """Everything that the service answers.

    >>> client = Client("https://risk.example", key)
    >>> client.signal(symbol="SPY").state_name
    >>> for alert in client.alerts(state=["high_risk"]): ...
    >>> for event in client.events(symbols=["SPY"]): ...

    A client may be used by several threads. Methods raise a ServiceError; its class says what happened.
    """


__all__ = [
    "BadRequest",
    "Client",
    "Forbidden",
    "NetworkError",
    "NotCovered",
    "NotFound",
    "NotSent",
    "RateLimited",
    "Redirected",
    "ServerError",
    "ServiceError",
    "SignatureError",
    "TimedOut",
    "Unauthorized",
    "Unavailable",
    "Unproven",
    "Unreadable",
    "verify_webhook",
]
