"""Client of the Market Risk Signal Service. The standard library is all it needs."""

from ._request import VERSION as __version__
from .async_calls import AsyncCalls
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

    >>> with Client("https://risk.example", key) as client:
    ...     client.signal(symbol="SPY").state_name
    ...     for alert in client.alerts(state=["high_risk"]): ...
    ...     for event in client.events(symbols=["SPY"]): ...

    A client may be used by several threads, and keeps its connections until close(). Methods raise a ServiceError; its
    class says what happened.
    """

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(AsyncCalls):
    """The same for asyncio: calls are awaited, lists and events are for `async for`.

    >>> async with AsyncClient("https://risk.example", key) as client:
    ...     (await client.signal(symbol="SPY")).state_name
    ...     async for alert in client.alerts(state=["high_risk"]): ...
    """

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


__all__ = [
    "AsyncClient",
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
    "__version__",
    "verify_webhook",
]
