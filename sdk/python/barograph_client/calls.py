"""Every request that the service answers. Generated: see sdk/generator."""

from typing import Iterator, Optional, Sequence

from ._transport import Transport
from .models import (
    Account,
    AlertEpisode,
    Archetypes,
    Briefing,
    BriefingText,
    DeleteSubscriptionReply,
    Delivery,
    DeskAct,
    Event,
    FactorsReply,
    Feed,
    Health,
    HistoryPoint,
    IssuedKey,
    Key,
    News,
    PastCloses,
    PriceAnswer,
    Readiness,
    Regime,
    RegimePoint,
    ReplaySubscriptionReply,
    Root,
    Schedule,
    Signal,
    Subscribed,
    Subscription,
    Transition,
    TriggerReply,
    Usage,
    Validation,
)


class Calls(Transport):
    """One method for each operation; see Transport for what all of them raise."""

    def health(
        self,
    ) -> Health:
        """Liveness."""
        return self._one(
            Health,
            "GET",
            "/health",
        )

    def health_live(
        self,
    ) -> Health:
        """Whether the process answers at all, for what restarts it (extension)."""
        return self._one(
            Health,
            "GET",
            "/health/live",
        )

    def health_ready(
        self,
    ) -> Readiness:
        """Whether every endpoint answers, for balancers; 503 at the start, under overload and before the end (extension)."""
        return self._one(
            Readiness,
            "GET",
            "/health/ready",
        )

    def root(
        self,
    ) -> Root:
        """What this service is."""
        return self._one(
            Root,
            "GET",
            "/",
        )

    def snapshot(
        self,
        *,
        symbol: Optional[str] = None,
        symbols: Optional[Sequence[str]] = None,
        state: Optional[Sequence[str]] = None,
        regime: Optional[Sequence[str]] = None,
        class_: Optional[Sequence[str]] = None,
        include: Optional[Sequence[str]] = None,
        page_size: int = 100,
    ) -> Iterator[Signal]:
        """Current signals of all instruments with current prices."""
        return self._rows(
            Signal,
            "GET",
            "/snapshot",
            query={
                "symbol": symbol,
                "symbols": symbols,
                "state": state,
                "regime": regime,
                "class": class_,
                "include": include,
            },
            page_size=page_size,
        )

    def signal(
        self,
        *,
        symbol: str,
    ) -> Signal:
        """Current signal of one symbol."""
        return self._one(
            Signal,
            "GET",
            "/signal",
            query={"symbol": symbol},
        )

    def answer_price(
        self,
        *,
        symbol: str,
        date: str,
        answer: str,
        ratio: Optional[str] = None,
    ) -> PriceAnswer:
        """Says what a price is that may be a fault of the data; signals use it at once (extension)."""
        return self._one(
            PriceAnswer,
            "POST",
            "/price-questions/{symbol}/{date}",
            path={"symbol": symbol, "date": date},
            body={"answer": answer, "ratio": ratio},
        )

    def history(
        self,
        *,
        symbol: str,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[HistoryPoint]:
        """90 days of one symbol, oldest first."""
        return self._rows(
            HistoryPoint,
            "GET",
            "/history",
            query={"symbol": symbol, "from": from_, "to": to},
            page_size=page_size,
        )

    def alert_transitions(
        self,
        *,
        symbol: Optional[str] = None,
        symbols: Optional[Sequence[str]] = None,
        state: Optional[Sequence[str]] = None,
        regime: Optional[Sequence[str]] = None,
        class_: Optional[Sequence[str]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[Transition]:
        """Changes of state, newest first."""
        return self._rows(
            Transition,
            "GET",
            "/alert-transitions",
            query={
                "symbol": symbol,
                "symbols": symbols,
                "state": state,
                "regime": regime,
                "class": class_,
                "from": from_,
                "to": to,
            },
            page_size=page_size,
        )

    def alerts(
        self,
        *,
        symbol: Optional[str] = None,
        symbols: Optional[Sequence[str]] = None,
        state: Optional[Sequence[str]] = None,
        regime: Optional[Sequence[str]] = None,
        class_: Optional[Sequence[str]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        open_at: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[AlertEpisode]:
        """Episodes out of Normal with their durations, newest first; state filters the peak, from and to the beginning."""
        return self._rows(
            AlertEpisode,
            "GET",
            "/alerts",
            query={
                "symbol": symbol,
                "symbols": symbols,
                "state": state,
                "regime": regime,
                "class": class_,
                "from": from_,
                "to": to,
                "open_at": open_at,
            },
            page_size=page_size,
        )

    def regime(
        self,
        *,
        symbol: str,
        as_of: Optional[str] = None,
    ) -> Regime:
        """Regime of one symbol, now or as of an instant of the past two years; for regime-only symbols too."""
        return self._one(
            Regime,
            "GET",
            "/regime/{symbol}",
            path={"symbol": symbol},
            query={"as_of": as_of},
        )

    def regime_history(
        self,
        *,
        symbol: str,
        from_: str,
        to: Optional[str] = None,
        granularity: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[RegimePoint]:
        """Regimes of the past two years, oldest first; minute is for the Institutional plan."""
        return self._rows(
            RegimePoint,
            "GET",
            "/regime/{symbol}/history",
            path={"symbol": symbol},
            query={"from": from_, "to": to, "granularity": granularity},
            page_size=page_size,
        )

    def factors(
        self,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        symbol: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> FactorsReply:
        """What moves the risk of one symbol; with a range, a list of the powers of the past two years, oldest first."""
        return self._one(
            FactorsReply,
            "GET",
            "/factors",
            query={"limit": limit, "after": after, "symbol": symbol, "from": from_, "to": to},
        )

    def archetypes(
        self,
        *,
        symbol: Optional[str] = None,
    ) -> Archetypes:
        """Present power of the twelve dimensions."""
        return self._one(
            Archetypes,
            "GET",
            "/api/archetypes/current",
            query={"symbol": symbol},
        )

    def validation(
        self,
    ) -> Validation:
        """How often the signals were right, in the full and the hold-out window; expensive, so keep the answer and send its ETag."""
        return self._one(
            Validation,
            "GET",
            "/api/validation/metrics",
        )

    def past_closes(
        self,
        *,
        symbol: Optional[str] = None,
        symbols: Optional[Sequence[str]] = None,
        page_size: int = 100,
    ) -> Iterator[PastCloses]:
        """The closes that the validation scored, and which of them were High Risk, by symbol (extension)."""
        return self._rows(
            PastCloses,
            "GET",
            "/api/validation/closes",
            query={"symbol": symbol, "symbols": symbols},
            page_size=page_size,
        )

    def scheduled(
        self,
    ) -> Schedule:
        """What is due: earnings, dividends, splits, central banks, inflation; from files and feeds (extension)."""
        return self._one(
            Schedule,
            "GET",
            "/api/scheduled",
        )

    def briefings(
        self,
        *,
        type: Optional[Sequence[str]] = None,
        author: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[Briefing]:
        """The archive of briefings, newest first; the text is at /api/briefings/{id}."""
        return self._rows(
            Briefing,
            "GET",
            "/api/briefings",
            query={"type": type, "author": author, "from": from_, "to": to},
            page_size=page_size,
        )

    def briefing(
        self,
        *,
        id: str,
    ) -> BriefingText:
        """One briefing with its text, as Markdown."""
        return self._one(
            BriefingText,
            "GET",
            "/api/briefings/{id}",
            path={"id": id},
        )

    def market_news(
        self,
        *,
        symbol: Optional[str] = None,
        symbols: Optional[Sequence[str]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[News]:
        """Market news with sentiment, newest first."""
        return self._rows(
            News,
            "GET",
            "/market-news",
            query={"symbol": symbol, "symbols": symbols, "from": from_, "to": to},
            page_size=page_size,
        )

    def event_log(
        self,
        *,
        page_size: int = 100,
    ) -> Iterator[Event]:
        """The event log in its own order: how a client proves that it missed nothing."""
        return self._rows(
            Event,
            "GET",
            "/events",
            page_size=page_size,
        )

    def trigger(
        self,
        *,
        event: str,
        symbol: Optional[str] = None,
        state: Optional[int] = None,
        confidence: Optional[float] = None,
        note: Optional[str] = None,
    ) -> TriggerReply:
        """Makes an event happen now, through the ordinary path."""
        return self._one(
            TriggerReply,
            "POST",
            "/sandbox/trigger",
            body={"event": event, "symbol": symbol, "state": state, "confidence": confidence, "note": note},
        )

    def subscribe(
        self,
        *,
        url: str,
        idempotency_key: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        symbols: Optional[Sequence[str]] = None,
    ) -> Subscribed:
        """Registers a webhook endpoint; the answer that creates it shows the signing secret, once."""
        return self._one(
            Subscribed,
            "POST",
            "/signals/subscribe",
            header={"idempotency-key": idempotency_key},
            body={"url": url, "events": events, "symbols": symbols},
        )

    def subscriptions(
        self,
        *,
        page_size: int = 100,
    ) -> Iterator[Subscription]:
        """Webhook subscriptions, newest first (extension)."""
        return self._rows(
            Subscription,
            "GET",
            "/signals/subscriptions",
            page_size=page_size,
        )

    def subscription(
        self,
        *,
        id: str,
    ) -> Subscription:
        """One webhook subscription (extension)."""
        return self._one(
            Subscription,
            "GET",
            "/signals/subscriptions/{id}",
            path={"id": id},
        )

    def delete_subscription(
        self,
        *,
        id: str,
    ) -> DeleteSubscriptionReply:
        """Ends a webhook subscription and forgets its deliveries (extension)."""
        return self._one(
            DeleteSubscriptionReply,
            "DELETE",
            "/signals/subscriptions/{id}",
            path={"id": id},
        )

    def resume_subscription(
        self,
        *,
        id: str,
        since: Optional[str] = None,
    ) -> Subscription:
        """Makes a subscription active and sends what it missed, of the last 7 days at most (extension)."""
        return self._one(
            Subscription,
            "POST",
            "/signals/subscriptions/{id}/resume",
            path={"id": id},
            body={"since": since},
        )

    def rotate_secret(
        self,
        *,
        id: str,
    ) -> Subscribed:
        """Makes a second signing secret, shown once; webhook-signature carries both signatures from now on (extension)."""
        return self._one(
            Subscribed,
            "POST",
            "/signals/subscriptions/{id}/rotate-secret",
            path={"id": id},
        )

    def promote_secret(
        self,
        *,
        id: str,
    ) -> Subscription:
        """Ends a rotation: the second secret is the only one (extension)."""
        return self._one(
            Subscription,
            "POST",
            "/signals/subscriptions/{id}/promote-secret",
            path={"id": id},
        )

    def test_subscription(
        self,
        *,
        id: str,
    ) -> Delivery:
        """Sends the newest fitting event once more, now, and says what the endpoint answered (extension)."""
        return self._one(
            Delivery,
            "POST",
            "/signals/subscriptions/{id}/test",
            path={"id": id},
        )

    def deliveries(
        self,
        *,
        id: str,
        status: Optional[str] = None,
        page_size: int = 100,
    ) -> Iterator[Delivery]:
        """What was sent, what came back, what is still to be sent; newest first, 7 days (extension)."""
        return self._rows(
            Delivery,
            "GET",
            "/signals/subscriptions/{id}/deliveries",
            path={"id": id},
            query={"status": status},
            page_size=page_size,
        )

    def replay_subscription(
        self,
        *,
        id: str,
        from_: str,
        to: Optional[str] = None,
        after: Optional[str] = None,
    ) -> ReplaySubscriptionReply:
        """Sends the events of a range once more, in their order, as far back as the log goes; 1000 at a time (extension)."""
        return self._one(
            ReplaySubscriptionReply,
            "POST",
            "/signals/subscriptions/{id}/replay",
            path={"id": id},
            body={"from": from_, "to": to, "after": after},
        )

    def replay_delivery(
        self,
        *,
        id: str,
        delivery: str,
    ) -> Delivery:
        """Sends the event of a delivery once more, the same bytes (extension)."""
        return self._one(
            Delivery,
            "POST",
            "/signals/subscriptions/{id}/deliveries/{delivery}/replay",
            path={"id": id, "delivery": delivery},
        )

    def account(
        self,
    ) -> Account:
        """The account: its owner, plan and hard cap (extension)."""
        return self._one(
            Account,
            "GET",
            "/account",
        )

    def set_hard_cap(
        self,
        *,
        hard_cap: bool,
    ) -> Account:
        """Sets whether calls beyond the quota are refused or counted as overage (extension)."""
        return self._one(
            Account,
            "POST",
            "/account/hard-cap",
            body={"hard_cap": hard_cap},
        )

    def usage(
        self,
        *,
        month: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Usage:
        """Calls of the account in a month, and its overage; as JSON or CSV (extension)."""
        return self._one(
            Usage,
            "GET",
            "/account/usage",
            query={"month": month, "format": format},
        )

    def keys(
        self,
        *,
        page_size: int = 100,
    ) -> Iterator[Key]:
        """Keys of the account, newest first, also those that have ended; never the keys themselves (extension)."""
        return self._rows(
            Key,
            "GET",
            "/account/keys",
            page_size=page_size,
        )

    def issue_key(
        self,
        *,
        scope: str,
        idempotency_key: Optional[str] = None,
    ) -> IssuedKey:
        """Issues a key and shows it, once (extension)."""
        return self._one(
            IssuedKey,
            "POST",
            "/account/keys",
            header={"idempotency-key": idempotency_key},
            body={"scope": scope},
        )

    def rotate_key(
        self,
        *,
        id: str,
        idempotency_key: Optional[str] = None,
        overlap_seconds: Optional[int] = None,
    ) -> IssuedKey:
        """Issues a key of the same scope and shows it, once; the old one ends after an overlap (extension)."""
        return self._one(
            IssuedKey,
            "POST",
            "/account/keys/{id}/rotate",
            path={"id": id},
            header={"idempotency-key": idempotency_key},
            body={"overlap_seconds": overlap_seconds},
        )

    def revoke_key(
        self,
        *,
        id: str,
    ) -> Key:
        """Ends a key at once, with its streams and the sessions that began with it (extension)."""
        return self._one(
            Key,
            "DELETE",
            "/account/keys/{id}",
            path={"id": id},
        )

    def feeds(
        self,
        *,
        page_size: int = 100,
    ) -> Iterator[Feed]:
        """Feeds of prices: whether they answer, budget, last error, progress of their history (extension)."""
        return self._rows(
            Feed,
            "GET",
            "/feeds",
            page_size=page_size,
        )

    def set_feed_history(
        self,
        *,
        name: str,
        stopped: bool,
    ) -> Feed:
        """Stops the first fetch of history of a feed, or lets it go on where it was (extension)."""
        return self._one(
            Feed,
            "POST",
            "/feeds/{name}/history",
            path={"name": name},
            body={"stopped": stopped},
        )

    def desk_acts(
        self,
        *,
        page_size: int = 100,
    ) -> Iterator[DeskAct]:
        """What members of the desk of this account did with alerts, in the order of their arrival (extension)."""
        return self._rows(
            DeskAct,
            "GET",
            "/desk/acts",
            page_size=page_size,
        )

    def add_desk_act(
        self,
        *,
        id: str,
        event_id: str,
        act: str,
        by: str,
        at: str,
        note: str,
        releases: Sequence[str],
    ) -> DeskAct:
        """Adds an act, once: a repeated id is answered with the act that is kept (extension)."""
        return self._one(
            DeskAct,
            "POST",
            "/desk/acts",
            body={"id": id, "event_id": event_id, "act": act, "by": by, "at": at, "note": note, "releases": releases},
        )
