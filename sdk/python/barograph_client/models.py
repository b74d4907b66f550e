"""The records of the service. Generated: see sdk/generator."""

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Literal, Optional, Union

# Words: those that this version knows, and any that a newer service adds.
State = Union[Literal[0, 1, 2], int]
AssetClass = Union[Literal["equity", "etf", "index", "crypto", "fx"], str]
BriefingType = Union[Literal["pre-market", "midday", "after-hours", "weekly", "transition", "deep"], str]
ConfidenceOf = Union[Literal["event", "further_fall"], str]
DataHealth = Union[Literal["current", "stale", "delayed", "halted", "gap", "question", "quarantined", "unlisted"], str]
DeliveryKind = Union[Literal["event", "replay", "test"], str]
DeliveryStatus = Union[Literal["pending", "delivered", "failed"], str]
DeskActKind = Union[Literal["taken", "released", "noted"], str]
Environment = Union[Literal["sandbox", "production"], str]
EventName = Union[
    Literal[
        "signal.high_risk",
        "signal.elevated",
        "signal.normal",
        "regime.flip",
        "briefing.published",
        "model.version",
        "signal.created",
    ],
    str,
]
FactorCode = Union[
    Literal[
        "D-01",
        "D-02",
        "D-03",
        "D-04",
        "D-05",
        "D-06",
        "D-07",
        "D-08",
        "D-09",
        "D-10",
        "D-11",
        "D-12",
    ],
    str,
]
FeedStatus = Union[Literal["following", "failing", "refused"], str]
HeldBy = Union[
    Literal[
        "none",
        "probability",
        "drawdown",
        "breach",
        "exit_bounds",
        "five_closes",
        "pending",
        "question",
        "request",
    ],
    str,
]
InQuestion = Union[Literal["open", "withdrawn"], str]
KeyScope = Union[Literal["read", "webhooks", "account"], str]
KeyStatus = Union[Literal["live", "ended", "revoked"], str]
Plan = Union[Literal["pro", "desk", "institutional"], str]
PriceDecision = Union[Literal["price", "split", "no_price"], str]
PriceHoleKind = Union[Literal["gap", "quarantined"], str]
PriceQuestionDoubt = Union[Literal["split", "level", "stray"], str]
ScheduleSourcesCoversKind = Union[Literal["earnings", "dividend", "split", "central_bank", "inflation", "other"], str]
ScheduledEventKind = Union[Literal["earnings", "dividend", "split", "central_bank", "inflation", "other"], str]
ScheduledEventPart = Union[Literal["before_open", "during", "after_close"], str]
SentimentLabel = Union[Literal["negative", "neutral", "positive"], str]
SignalExchange = Union[
    Literal[
        "us",
        "fx",
        "always",
        "toronto",
        "london",
        "frankfurt",
        "paris",
        "amsterdam",
        "zurich",
        "milan",
        "madrid",
        "stockholm",
        "tokyo",
        "hong_kong",
        "shanghai",
        "shenzhen",
        "singapore",
        "sydney",
        "seoul",
        "mumbai",
        "sao_paulo",
        "johannesburg",
        "unknown",
    ],
    str,
]
StateName = Union[Literal["normal", "elevated", "high_risk"], str]
SubscriptionStatus = Union[Literal["active", "paused"], str]
WaitsFor = Union[Literal["closes", "normal_state", "volatility", "trend", "hold"], str]


@dataclass
class Account:
    """An account: who owns it, and on which terms it calls."""

    id: str
    """Name of the account."""

    plan: Plan
    """Plan of the account."""

    burst: int
    """Calls that may arrive at once."""

    sustained: int
    """Calls per minute over all endpoints."""

    hard_cap: bool
    """True: calls beyond the quota are refused. False: they are counted as overage."""

    owner_email: Optional[str] = None
    """Where notices about the account are mailed; null: the operator of the service gets them."""

    quota: Optional[int] = None
    """Calls of a month that the plan includes; null: no quota."""


@dataclass
class AlertEpisode:
    """An alert: an episode of one symbol out of Normal."""

    id: str
    """Id of the record; it never changes."""

    symbol: str
    """Symbol, in upper case."""

    asset_class: AssetClass
    """Kind of instrument."""

    peak_state: State
    """The riskiest state so far: 1 Elevated, 2 High Risk."""

    state_name: StateName
    """The peak state by its name."""

    started_at: datetime
    """When the symbol left Normal, however long ago."""

    active: bool
    """True while the episode is open."""

    transitions: List[str]
    """event_ids of its transitions, oldest first."""

    note: str
    """Why, in a sentence."""

    began_before_log: Optional[bool] = None
    """true: it began before the event log. started_at is then the close at which the symbol left Normal, from the
    prices, and transitions has only those of the log.
    """

    ended_at: Optional[datetime] = None
    """When the symbol came back to Normal; null while the episode is open."""

    duration_seconds: Optional[int] = None
    """From beginning to end, seconds; null while the episode is open."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    confidence: Optional[float] = None
    """That of entering the peak state, in percent: that what confidence_of names follows. null while the model has
    none.
    """

    confidence_of: Optional[ConfidenceOf] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an event lasts (a breach
    within the last 21 bars), a fall of at least half a threshold more within the next 21 bars. Either means wider
    moves, not a lower price on average.
    """


@dataclass
class NamedPowers:
    """Power of each dimension, by its name in lower case; all twelve are always there, null only while warming up."""

    liquidity: Optional[float] = None
    """Trading volume and market depth."""

    relationships: Optional[float] = None
    """Sector and asset correlations."""

    volatility: Optional[float] = None
    """Market volatility regime."""

    economics: Optional[float] = None
    """Economic cycle positioning."""

    risk_premium: Optional[float] = None
    """Risk assessment and pricing."""

    clarity: Optional[float] = None
    """Price discovery efficiency."""

    protection: Optional[float] = None
    """Defensive positioning demand."""

    momentum: Optional[float] = None
    """Price momentum strength."""

    structure: Optional[float] = None
    """Technical analysis patterns."""

    sentiment: Optional[float] = None
    """Investor sentiment indicators."""

    velocity: Optional[float] = None
    """Market speed and tempo."""

    chaos: Optional[float] = None
    """Extreme events and tail risk."""


@dataclass
class Dimension:
    """One of the twelve factor dimensions."""

    code: FactorCode
    """Code of the dimension, D-01 to D-12."""

    name: str
    """Name, for people."""

    description: str
    """What the dimension is, in a few words."""

    domain: str
    """The market indicators that it is measured from."""

    icon: str
    """Identifier of an icon; fixed and documented."""

    color: str
    """Fixed documented string; never to be used as CSS."""

    power: Optional[float] = None
    """0 to 1, higher means stronger influence; null only while warming up."""


@dataclass
class Archetypes:
    """Present power of the twelve dimensions of one symbol."""

    symbol: str
    """Symbol, in upper case."""

    timestamp: datetime
    """Time of the values."""

    powers: NamedPowers

    dimensions: List[Dimension]
    """The twelve dimensions as rows, in D-order."""

    data_health: Optional[DataHealth] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and every value is as of
    the last price. delayed: the feed sends prices late. halted: trading is suspended; the state is kept. gap:
    sessions are missing among the last 21; the service does not fill them. question: a price may be a fault of
    the data (price_question says which); it counts until a decision. quarantined: the newest price is a fault of
    the data and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its last state.
    Read an unknown value as not current.
    """

    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends none."""


@dataclass
class Briefing:
    """A briefing of the archive, without its text."""

    id: str
    """Id of the record; it never changes."""

    type: BriefingType
    """Kind of briefing."""

    title: str
    """Its title."""

    author: str
    """A desk, or the author of an editorial."""

    date: datetime
    """When it was published."""

    summary: str
    """Summary in a few sentences; may be empty."""

    symbols: List[str]
    """Symbols that it is about; may be empty."""

    reading_minutes: int
    """Minutes that it takes to read."""


@dataclass
class BriefingText:
    """A briefing with its text."""

    id: str
    """Id of the record; it never changes."""

    type: BriefingType
    """Kind of briefing."""

    title: str
    """Its title."""

    author: str
    """A desk, or the author of an editorial."""

    date: datetime
    """When it was published."""

    summary: str
    """Summary in a few sentences; may be empty."""

    symbols: List[str]
    """Symbols that it is about; may be empty."""

    reading_minutes: int
    """Minutes that it takes to read."""

    body: str
    """The text: Markdown (CommonMark with tables), without HTML."""

    content_type: str
    """Media type of the body."""


@dataclass
class DeleteSubscriptionReply:
    """A part of what the service answers."""

    id: str
    """Id of the record; it never changes."""

    deleted: bool
    """Always true."""


@dataclass
class DeliveryRequest:
    """What is sent."""

    method: str
    """Always POST."""

    url: str
    """Address."""

    body: Optional[str] = None
    """Exactly the bytes that are sent; null when the event log keeps the event no longer."""


@dataclass
class DeliveryAttempts:
    """A part of what the service answers."""

    number: int
    """Number of the attempt, from 1."""

    at: datetime
    """When the attempt began."""

    latency_ms: int
    """Milliseconds to the status line and headers, or until it failed."""

    status: Optional[int] = None
    """HTTP status; null when there was none."""

    error: Optional[str] = None
    """Why the attempt does not count as delivered; null when it does."""

    response: Optional[str] = None
    """Beginning of the answer's body."""


@dataclass
class Delivery:
    """An event on its way to one webhook subscription, with every attempt."""

    id: str
    """Id of the record; it never changes."""

    subscription_id: str
    """Id of the subscription."""

    event_id: str
    """Id of the event, the same in the stream, in webhooks, in /events and in /alert-transitions; sortable by time,
    unique for ever.
    """

    seq: int
    """Place in the service's event log, from 1, without holes."""

    event: str
    """Name of the event."""

    kind: DeliveryKind
    """Why it was sent: because it happened, because a replay was asked for, or as a test."""

    status: DeliveryStatus
    """pending until it is delivered or given up."""

    created_at: datetime
    """When it was made."""

    request: DeliveryRequest
    """What is sent."""

    attempts: List[DeliveryAttempts]
    """Every attempt so far, oldest first."""

    next_attempt_at: Optional[datetime] = None
    """When it is tried next; null unless pending."""

    settled_at: Optional[datetime] = None
    """When it was delivered or given up; null while pending."""


@dataclass
class DeskAct:
    """What a member of a desk did with an alert. The service keeps it for 90 days."""

    id: str
    """Id of the act, given by the monitor: a repeated request adds nothing."""

    event_id: str
    """Event whose alert it is about."""

    act: DeskActKind
    """taken: somebody deals with the alert. released: nobody does any more. noted: a note of hand-over."""

    by: str
    """Who did it."""

    at: datetime
    """When, by the clock of the monitor. A time ahead of the service becomes that of its arrival."""

    note: str
    """Text of a note; else empty."""

    releases: List[str]
    """Of released: ids of the acts that it ends. One that the monitor does not know yet goes on."""


@dataclass
class EventData:
    """One change of state of one symbol."""

    event_id: Optional[str] = None
    """Id of the event, the same in the stream, in webhooks, in /events and in /alert-transitions; sortable by time,
    unique for ever.
    """

    symbol: Optional[str] = None
    """Symbol, in upper case."""

    asset_class: Optional[AssetClass] = None
    """Kind of instrument."""

    state: Optional[State] = None
    """State that was entered, as in a signal and always equal to to_state: 0 Normal, 1 Elevated, 2 High Risk."""

    from_state: Optional[State] = None
    """State before: 0 Normal, 1 Elevated, 2 High Risk."""

    to_state: Optional[State] = None
    """State that was entered: 0 Normal, 1 Elevated, 2 High Risk."""

    state_name: Optional[StateName] = None
    """The state that was entered, by its name."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of names follows, in Normal
    that it does not. null while the model has none.
    """

    confidence_of: Optional[ConfidenceOf] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an event lasts (a breach
    within the last 21 bars), a fall of at least half a threshold more within the next 21 bars. Either means wider
    moves, not a lower price on average.
    """

    held_by: Optional[HeldBy] = None
    """The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound for entering. breach:
    the warned fall has happened, whatever the probability. exit_bounds: below the bounds for entering, above
    those for leaving. five_closes: a state of the closes lasts for five of them. pending: the rule has let it go,
    and it changes with the next decision, five minutes after the last change at the earliest. question: the price
    that would end it may be a fault of the data, and needs a decision. request: triggered in the sandbox. It says
    why a High Risk may have a confidence below its base rate.
    """

    in_question: Optional[InQuestion] = None
    """open: the state rests on a price that may be a fault of the data and needs a decision (price_question of the
    signal). withdrawn: an earlier state rested on such a price, which turned out to be a fault; the note says
    which. Left out otherwise.
    """

    note: Optional[str] = None
    """Why, in a sentence."""

    occurred_at: Optional[datetime] = None
    """When it happened, in the time of the world."""

    model_version: Optional[str] = None
    """Version of the model that decided."""

    from_regime: Optional[str] = None
    """Regime before. Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """

    to_regime: Optional[str] = None
    """Regime since. Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """

    id: Optional[str] = None
    """Id of the record; it never changes."""

    type: Optional[BriefingType] = None
    """Kind of briefing."""

    title: Optional[str] = None
    """Its title."""

    author: Optional[str] = None
    """A desk, or the author of an editorial."""

    date: Optional[datetime] = None
    """When it was published."""

    version: Optional[str] = None
    """Version that decides from now on."""

    previous: Optional[str] = None
    """Version before; null for the first one."""

    effective_at: Optional[datetime] = None
    """From when on the version decides."""


@dataclass
class Event:
    """An event: the one envelope that webhooks, /stream and /events share."""

    event_id: str
    """Id of the event, the same in the stream, in webhooks, in /events and in /alert-transitions; sortable by time,
    unique for ever.
    """

    seq: int
    """Place in the service's event log, from 1, without holes."""

    event: EventName
    """Name of the event."""

    timestamp: datetime
    """When it happened, in the time of the world."""

    data: EventData
    """One change of state of one symbol."""


@dataclass
class FactorPoint:
    """Powers of one symbol at one close."""

    symbol: str
    """Symbol, in upper case."""

    timestamp: datetime
    """Time of the values."""

    powers: NamedPowers


@dataclass
class FactorsReplyFactors:
    """A part of what the service answers."""

    code: FactorCode
    """Code of the dimension, D-01 to D-12."""

    name: str
    """Name, for people."""

    description: str
    """What the dimension is, in a few words."""

    domain: str
    """The market indicators that it is measured from."""

    icon: str
    """Identifier of an icon; fixed and documented."""

    color: str
    """Fixed documented string; never to be used as CSS."""

    power: Optional[float] = None
    """0 to 1, higher means stronger influence; null only while warming up."""

    contribution: Optional[float] = None
    """Signed share of the present risk score; the shares sum to 1 in absolute value."""


@dataclass
class FactorsReplyExposures:
    """Factor code to beta against the market proxy's same dimension over a year; null with too few common days."""

    D_01: Optional[float] = None
    """Liquidity."""

    D_02: Optional[float] = None
    """Relationships."""

    D_03: Optional[float] = None
    """Volatility."""

    D_04: Optional[float] = None
    """Economics."""

    D_05: Optional[float] = None
    """Risk Premium."""

    D_06: Optional[float] = None
    """Clarity."""

    D_07: Optional[float] = None
    """Protection."""

    D_08: Optional[float] = None
    """Momentum."""

    D_09: Optional[float] = None
    """Structure."""

    D_10: Optional[float] = None
    """Sentiment."""

    D_11: Optional[float] = None
    """Velocity."""

    D_12: Optional[float] = None
    """Chaos."""


@dataclass
class FactorsReply:
    """A part of what the service answers."""

    symbol: Optional[str] = None
    """Symbol, in upper case."""

    timestamp: Optional[datetime] = None
    """Time of the values."""

    state: Optional[State] = None
    """0 Normal, 1 Elevated, 2 High Risk."""

    factors: Optional[List[FactorsReplyFactors]] = None
    """The twelve dimensions in D-order, each with its share of the risk."""

    exposures: Optional[FactorsReplyExposures] = None
    """Factor code to beta against the market proxy's same dimension over a year; null with too few common days."""

    data_health: Optional[DataHealth] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and every value is as of
    the last price. delayed: the feed sends prices late. halted: trading is suspended; the state is kept. gap:
    sessions are missing among the last 21; the service does not fill them. question: a price may be a fault of
    the data (price_question says which); it counts until a decision. quarantined: the newest price is a fault of
    the data and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its last state.
    Read an unknown value as not current.
    """

    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends none."""

    data: Optional[List[FactorPoint]] = None
    """The rows of this page."""

    has_more: Optional[bool] = None
    """True when there is another page."""

    next_cursor: Optional[str] = None
    """What to send as `after` for the next page; null exactly at the end."""


@dataclass
class FeedBudgets:
    """A part of what the service answers."""

    account: str
    """Name of the feed."""

    per_minute: int
    """What the service uses of the limit, a minute."""

    left: int
    """What may be asked at once."""

    waits_until: Optional[datetime] = None
    """The vendor asked for silence until then; null: it did not."""


@dataclass
class FeedLastFault:
    """The newest error, healed or not; null: none since the start."""

    at: datetime
    """When it went wrong."""

    message: str
    """What went wrong."""


@dataclass
class FeedWithoutPrices:
    """A part of what the service answers."""

    symbol: str
    """Symbol, in upper case."""

    reason: str
    """Why."""


@dataclass
class FeedHistory:
    """The first fetch of history."""

    done: int
    """Symbols with their five years of history."""

    stopped: bool
    """Nothing more is fetched until it goes on."""


@dataclass
class Feed:
    """A feed of prices."""

    name: str
    """Name of the feed."""

    status: FeedStatus
    """following: it answers. failing: it does not, and is tried again. refused: a person must do something (key,
    plan, country); it is tried again in ten minutes.
    """

    symbols: int
    """Symbols that are followed."""

    delay_seconds: int
    """How late prices come by the plan of the account."""

    budgets: List[FeedBudgets]
    """One for each account: of the vendor, and of the hosts of files beside it."""

    without_prices: List[FeedWithoutPrices]
    """Symbols that the vendor does not serve; at most 100."""

    history: FeedHistory
    """The first fetch of history."""

    last_price_at: Optional[datetime] = None
    """When the newest price came, by the clock of this computer; null: none since the start."""

    last_fault: Optional[FeedLastFault] = None
    """The newest error, healed or not; null: none since the start."""


@dataclass
class Health:
    """The service is alive."""

    status: str
    """Always ok."""


@dataclass
class HistoryPoint:
    """One session day of one symbol."""

    symbol: str
    """Symbol, in upper case."""

    timestamp: datetime
    """Time of the values."""

    state: State
    """State at the close as the event log has it; before the log begins, as model_state. 0 Normal, 1 Elevated, 2
    High Risk.
    """

    state_name: StateName
    """The same state by its name."""

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of names follows, in Normal
    that it does not. null while the model has none.
    """

    confidence_of: Optional[ConfidenceOf] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an event lasts (a breach
    within the last 21 bars), a fall of at least half a threshold more within the next 21 bars. Either means wider
    moves, not a lower price on average.
    """

    base_rate: Optional[float] = None
    """How often what confidence_of names follows any bar, percent."""

    breach_level: Optional[float] = None
    """The price at which the warned fall has happened: this far below the highest close of the last 21 bars. At or
    below it the state is High Risk. null while there is not enough history.
    """

    breach_progress: Optional[float] = None
    """How far the price has fallen below the highest close of the last 21 bars, in thresholds of this instrument: 0
    at that close, 1 at the breach level, 2 a whole threshold below it. It ranks instruments by risk. null while
    there is not enough history.
    """

    worst_state: Optional[State] = None
    """The riskiest state since the close before, the one it began with included. 0 Normal, 1 Elevated, 2 High Risk."""

    changes: Optional[int] = None
    """Changes of state since the close before, up to this close: as many as /alert-transitions lists. null for days
    that the log does not cover whole.
    """

    model_state: Optional[State] = None
    """What the model reads from this price alone, from close to close. 0 Normal, 1 Elevated, 2 High Risk."""

    model_confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of names follows, in Normal
    that it does not. null while the model has none.
    """

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    price: Optional[float] = None
    """Close, or the last price of the day in progress. null: not known."""

    open: Optional[float] = None
    """Open of the day, where the source has more than closes."""

    high: Optional[float] = None
    """High of the day so far; with open and low, or not at all."""

    low: Optional[float] = None
    """Low of the day so far."""

    volume: Optional[float] = None
    """Shares, contracts or coins of the day so far, where the source knows them."""


@dataclass
class IssuedKey:
    """A key; the answer that makes it shows it, once."""

    id: str
    """Id of the key; not a secret."""

    prefix: str
    """How the key begins."""

    ending: str
    """Its last four characters."""

    scope: KeyScope
    """What it may do: read, webhooks (also subscriptions), account (also keys and terms)."""

    status: KeyStatus
    """live; ended after the overlap of a rotation; or revoked."""

    created_at: datetime
    """When it was issued."""

    last_used_at: Optional[datetime] = None
    """Last request with it, or with a session of the dashboard that began with it; null: none yet."""

    expires_at: Optional[datetime] = None
    """When it ends after a rotation; null: it does not end by itself."""

    revoked_at: Optional[datetime] = None
    """When it was revoked, or null."""

    key: Optional[str] = None
    """The key. It is shown here only, and not when a request is repeated; keep it."""


@dataclass
class Key:
    """A key of the account, without the key itself."""

    id: str
    """Id of the key; not a secret."""

    prefix: str
    """How the key begins."""

    ending: str
    """Its last four characters."""

    scope: KeyScope
    """What it may do: read, webhooks (also subscriptions), account (also keys and terms)."""

    status: KeyStatus
    """live; ended after the overlap of a rotation; or revoked."""

    created_at: datetime
    """When it was issued."""

    last_used_at: Optional[datetime] = None
    """Last request with it, or with a session of the dashboard that began with it; null: none yet."""

    expires_at: Optional[datetime] = None
    """When it ends after a rotation; null: it does not end by itself."""

    revoked_at: Optional[datetime] = None
    """When it was revoked, or null."""


@dataclass
class NewsSentiment:
    """Sentiment of the words of headline and summary."""

    score: float
    """From -1 (bad) to 1 (good)."""

    label: SentimentLabel
    """The score as a word."""


@dataclass
class News:
    """One piece of market news."""

    id: str
    """Id of the record; it never changes."""

    headline: str
    """Its headline."""

    summary: str
    """Plain text, a few sentences; may be empty."""

    source: str
    """Who published it."""

    url: str
    """Address, http or https; the service never opens it."""

    published_at: datetime
    """When it was published."""

    symbols: List[str]
    """Symbols of this service that it names; may be empty."""

    sentiment: NewsSentiment
    """Sentiment of the words of headline and summary."""


@dataclass
class PastClosesHighRisk:
    """A part of what the service answers."""

    from_: str
    """The first close in High Risk."""

    to: str
    """The last one."""


@dataclass
class PastCloses:
    """The scored closes of one symbol, and which of them were High Risk."""

    symbol: str
    """Symbol, in upper case."""

    dates: List[str]
    """Session days that were scored, oldest first; at most those of the last ten years."""

    closes: List[float]
    """The adjusted close of each day."""

    high_risk: List[PastClosesHighRisk]
    """The periods whose closes were High Risk, by what was known at each close."""


@dataclass
class PriceAnswer:
    """A decision about a price that may be a fault of the data."""

    answer: PriceDecision
    """What the price is. price: it counts. split: the prices before it are adjusted by ratio. no_price: it is not
    used.
    """

    ratio: Optional[str] = None
    """Of a split: new shares for old ones."""


@dataclass
class PriceHole:
    """A range without prices that count."""

    kind: PriceHoleKind
    """gap: sessions are missing. quarantined: prices are a fault of the data, and are not used."""

    from_: datetime
    """Close of the last price before it."""

    reason: str
    """A sentence for people."""

    to: Optional[datetime] = None
    """Close of the first price that counts again; null: it lasts."""


@dataclass
class PriceQuestion:
    """A price that may be a fault of the data, and needs a decision."""

    date: str
    """Its session date."""

    price: float
    """The price."""

    before: float
    """The close before it."""

    doubt: PriceQuestionDoubt
    """What it may be. split: all prices of the day are at the level of a split. level: at another level, as by a
    spin-off or a special dividend. stray: a single wrong price.
    """

    counts_as: PriceDecision
    """How it is used until there is an answer. price: it counts. split: the prices before it are adjusted. no_price:
    it is not used.
    """

    reason: str
    """A sentence for people, with the command that answers it."""

    ratio: Optional[str] = None
    """New shares for old ones, if it is a split or a change of level."""

    volume_times: Optional[float] = None
    """Volume of its day as a multiple of the usual one, were it a fault. null: not known."""

    range_times: Optional[float] = None
    """The same of the range."""

    state_before: Optional[int] = None
    """State at the close before it; null: not known."""


@dataclass
class Readiness:
    """Every endpoint answers."""

    status: str
    """Always ready; otherwise the answer is 503."""


@dataclass
class RegimeCandidate:
    """The most probable regime at as_of where that is another one; null where the data favour the regime."""

    regime: str
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    label: str
    """The label for people."""

    confidence: float
    """Percent that the data give it at as_of."""

    probabilities: Dict[str, float]
    """Regime to its probability by the data at as_of, 0 to 1."""

    closes_needed: int
    """Closes that it needs at least to become the regime, if the data stay as they are: a regime lasts for five
    closes, Stress until the state is Normal.
    """

    waits_for: WaitsFor
    """closes: they are all that it needs. normal_state: Stress ends when the state is Normal. volatility, trend: not
    beyond the bound for a change yet. hold: a regime triggered in the sandbox holds for five minutes.
    """


@dataclass
class Regime:
    """Regime of one symbol at an instant."""

    symbol: str
    """Symbol, in upper case."""

    regime: str
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    label: str
    """The label for people."""

    since: datetime
    """When the regime began."""

    as_of: datetime
    """The instant asked for; without one, the time of the answer."""

    model_version: str
    """Version of the model that decided."""

    confidence: Optional[float] = None
    """Percent that the data gave this regime when they confirmed it last (decided_at): always the largest of
    probabilities. null while the model has none, and for a regime that the data have not favoured at any close
    yet.
    """

    decided_at: Optional[datetime] = None
    """When the data confirmed the regime last: as_of itself while there is a price within the day, else the last
    close, or an earlier one while the data favour another regime. null where confidence is.
    """

    probabilities: Optional[Dict[str, float]] = None
    """Regime to its probability at decided_at, 0 to 1; none is larger than that of the regime. null where confidence
    is.
    """

    candidate: Optional[RegimeCandidate] = None
    """The most probable regime at as_of where that is another one; null where the data favour the regime."""

    price: Optional[float] = None
    """The price at as_of, else the last one before it, in the currency of the instrument."""

    change_pct: Optional[float] = None
    """Percent of that price against the previous session's close."""

    data_health: Optional[DataHealth] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and every value is as of
    the last price. delayed: the feed sends prices late. halted: trading is suspended; the state is kept. gap:
    sessions are missing among the last 21; the service does not fill them. question: a price may be a fault of
    the data (price_question says which); it counts until a decision. quarantined: the newest price is a fault of
    the data and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its last state.
    Read an unknown value as not current.
    """

    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends none."""


@dataclass
class RegimePoint:
    """Regime of one symbol at one instant of its history."""

    symbol: str
    """Symbol, in upper case."""

    timestamp: datetime
    """Time of the values."""

    regime: str
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    confidence: Optional[float] = None
    """Percent that the data gave this regime when they confirmed it last (decided_at): always the largest of
    probabilities. null while the model has none, and for a regime that the data have not favoured at any close
    yet.
    """

    price: Optional[float] = None
    """The price at that instant, of a day its close; null where the market has none then."""


@dataclass
class ReplaySubscriptionReply:
    """A part of what the service answers."""

    subscription_id: str
    """Id of the subscription."""

    queued: int
    """How many deliveries were made for it, 1000 at most."""

    has_more: bool
    """True when there may be more of the range behind last_event_id."""

    last_event_id: Optional[str] = None
    """The last event that was scanned, to go on after it; null where there was none."""


@dataclass
class Root:
    """What this service is, and where things are."""

    service: str
    """Name of the service."""

    version: str
    """Version of the service."""

    environment: Environment
    """Which of the two environments this service is."""

    replay: bool
    """True while past prices are replayed on a set clock."""

    time: datetime
    """Time of the world."""

    links: Dict[str, str]
    """Name of an endpoint to its path."""

    speed: Optional[float] = None
    """Seconds of the world a second: 1 in real time, 0 while frozen."""


@dataclass
class ScheduledEvent:
    """Something that is due on a day that was known before."""

    kind: ScheduledEventKind
    """What is due."""

    date: str
    """The day, on the clock of `zone`."""

    title: str
    """As its source names it."""

    source: str
    """The file that it is from, or the feed."""

    symbol: Optional[str] = None
    """The symbol that it concerns; null: every market."""

    at: Optional[datetime] = None
    """The instant, where a time is stated."""

    part: Optional[ScheduledEventPart] = None
    """Before, during or after the session of that day, by its time or as stated; null: not known."""

    zone: Optional[str] = None
    """IANA time zone of `date`; null: that day on the clock of each market."""


@dataclass
class ScheduleSourcesCovers:
    """A part of what the service answers."""

    kind: ScheduleSourcesCoversKind
    """What is due."""

    until: str
    """Day."""


@dataclass
class ScheduleSources:
    """A part of what the service answers."""

    name: str
    """The file or the feed."""

    covers: List[ScheduleSourcesCovers]
    """The last day that it covers of each kind: it says nothing of later ones."""

    refused: int
    """Rows that are not used."""

    error: Optional[str] = None
    """Why it could not be read; then its last contents are given."""


@dataclass
class Schedule:
    """What is due, as files and feeds list it; never computed from prices."""

    events: List[ScheduledEvent]
    """In the order of their days, from 45 days ago to 200 days ahead."""

    sources: List[ScheduleSources]
    """The lists that were read. None: what is due is not known."""


@dataclass
class Signal:
    """Present signal of one instrument."""

    symbol: str
    """Symbol, in upper case."""

    name: str
    """Name, for people."""

    asset_class: AssetClass
    """Kind of instrument."""

    state: State
    """0 Normal, 1 Elevated, 2 High Risk."""

    state_name: StateName
    """The same state by its name."""

    note: str
    """Why, in a sentence."""

    since: datetime
    """When the present state was entered."""

    decided_at: datetime
    """When the state was last decided: at a close, or by a price of the day in progress."""

    next_decision_at: datetime
    """When the state is decided next."""

    updated_at: datetime
    """When the record was made, in the time of the world."""

    model_version: str
    """Version of the model that decided."""

    exchange: Optional[SignalExchange] = None
    """Where it trades, and whose days and hours count: a city, us for New York, fx for the hours of currencies,
    always where no market closes, unknown where the service does not know it. Left out: as the symbol says.
    """

    currency: Optional[str] = None
    """Currency of its prices. Left out where it is not known, and for an index."""

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of names follows, in Normal
    that it does not. null while the model has none.
    """

    confidence_of: Optional[ConfidenceOf] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an event lasts (a breach
    within the last 21 bars), a fall of at least half a threshold more within the next 21 bars. Either means wider
    moves, not a lower price on average.
    """

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    regime_as_of: Optional[datetime] = None
    """When the regime was decided: at the last close, as prices of the day in progress change the state and not the
    regime. null without a regime.
    """

    price: Optional[float] = None
    """Last price, in the currency of the instrument. null: not known."""

    change_pct: Optional[float] = None
    """Percent against the previous session's close. null: not known."""

    base_rate: Optional[float] = None
    """How often what confidence_of names follows any bar, percent."""

    held_by: Optional[HeldBy] = None
    """The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound for entering. breach:
    the warned fall has happened, whatever the probability. exit_bounds: below the bounds for entering, above
    those for leaving. five_closes: a state of the closes lasts for five of them. pending: the rule has let it go,
    and it changes with the next decision, five minutes after the last change at the earliest. question: the price
    that would end it may be a fault of the data, and needs a decision. request: triggered in the sandbox. It says
    why a High Risk may have a confidence below its base rate.
    """

    breach_level: Optional[float] = None
    """The price at which the warned fall has happened: this far below the highest close of the last 21 bars. At or
    below it the state is High Risk. null while there is not enough history.
    """

    breach_progress: Optional[float] = None
    """How far the price has fallen below the highest close of the last 21 bars, in thresholds of this instrument: 0
    at that close, 1 at the breach level, 2 a whole threshold below it. It ranks instruments by risk. null while
    there is not enough history.
    """

    data_health: Optional[DataHealth] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and every value is as of
    the last price. delayed: the feed sends prices late. halted: trading is suspended; the state is kept. gap:
    sessions are missing among the last 21; the service does not fill them. question: a price may be a fault of
    the data (price_question says which); it counts until a decision. quarantined: the newest price is a fault of
    the data and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its last state.
    Read an unknown value as not current.
    """

    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends none."""

    data_as_of: Optional[datetime] = None
    """Time of the last evaluated price, data_age_seconds ago: a close, or a price of the day in progress."""

    price_question: Optional[PriceQuestion] = None
    """The price that needs a decision. Left out where none does."""

    source: Optional[str] = None
    """Feed of the prices: sandbox, csv (files of the operator), or the name of a vendor."""


@dataclass
class Subscribed:
    """A webhook subscription; the answer that makes a secret shows it, once."""

    id: str
    """Id of the record; it never changes."""

    url: str
    """Address."""

    events: List[EventName]
    """Names of the events."""

    status: SubscriptionStatus
    """active, or paused after 24 hours of failure."""

    created_at: datetime
    """When it was made."""

    rotating: bool
    """True from rotate-secret until promote-secret."""

    symbols: Optional[List[str]] = None
    """Symbols; null: all."""

    paused_at: Optional[datetime] = None
    """When it was paused; null while active."""

    paused_reason: Optional[str] = None
    """Why it was paused; null while active."""

    failing_since: Optional[datetime] = None
    """First failed delivery with no success since; 24 h after it the subscription pauses. null when the last one
    succeeded.
    """

    signing_secret: Optional[str] = None
    """Base64 of 32 random bytes. It is shown here only; keep it."""


@dataclass
class Subscription:
    """A webhook subscription."""

    id: str
    """Id of the record; it never changes."""

    url: str
    """Address."""

    events: List[EventName]
    """Names of the events."""

    status: SubscriptionStatus
    """active, or paused after 24 hours of failure."""

    created_at: datetime
    """When it was made."""

    rotating: bool
    """True from rotate-secret until promote-secret."""

    symbols: Optional[List[str]] = None
    """Symbols; null: all."""

    paused_at: Optional[datetime] = None
    """When it was paused; null while active."""

    paused_reason: Optional[str] = None
    """Why it was paused; null while active."""

    failing_since: Optional[datetime] = None
    """First failed delivery with no success since; 24 h after it the subscription pauses. null when the last one
    succeeded.
    """


@dataclass
class Transition:
    """One change of state of one symbol."""

    event_id: str
    """Id of the event, the same in the stream, in webhooks, in /events and in /alert-transitions; sortable by time,
    unique for ever.
    """

    symbol: str
    """Symbol, in upper case."""

    asset_class: AssetClass
    """Kind of instrument."""

    from_state: State
    """State before: 0 Normal, 1 Elevated, 2 High Risk."""

    to_state: State
    """State that was entered: 0 Normal, 1 Elevated, 2 High Risk."""

    state_name: StateName
    """The state that was entered, by its name."""

    note: str
    """Why, in a sentence."""

    occurred_at: datetime
    """When it happened, in the time of the world."""

    model_version: str
    """Version of the model that decided."""

    state: Optional[State] = None
    """State that was entered, as in a signal and always equal to to_state: 0 Normal, 1 Elevated, 2 High Risk."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend, volatile_downtrend,
    stress; a name that is not known is data, never an error.
    """

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of names follows, in Normal
    that it does not. null while the model has none.
    """

    confidence_of: Optional[ConfidenceOf] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an event lasts (a breach
    within the last 21 bars), a fall of at least half a threshold more within the next 21 bars. Either means wider
    moves, not a lower price on average.
    """

    held_by: Optional[HeldBy] = None
    """The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound for entering. breach:
    the warned fall has happened, whatever the probability. exit_bounds: below the bounds for entering, above
    those for leaving. five_closes: a state of the closes lasts for five of them. pending: the rule has let it go,
    and it changes with the next decision, five minutes after the last change at the earliest. question: the price
    that would end it may be a fault of the data, and needs a decision. request: triggered in the sandbox. It says
    why a High Risk may have a confidence below its base rate.
    """

    in_question: Optional[InQuestion] = None
    """open: the state rests on a price that may be a fault of the data and needs a decision (price_question of the
    signal). withdrawn: an earlier state rested on such a price, which turned out to be a fault; the note says
    which. Left out otherwise.
    """


@dataclass
class TriggerReply:
    """A part of what the service answers."""

    data: List[Event]
    """The events that were written."""


@dataclass
class Usage:
    """The calls of an account in a month, and how many are beyond its quota."""

    account: str
    """Name of the account."""

    month: str
    """The month, UTC."""

    from_: datetime
    """When it began."""

    to: datetime
    """When it ends, not included."""

    plan: Plan
    """Plan of the account."""

    calls: int
    """Calls of the month, without those that a limit refused."""

    overage: int
    """Calls beyond the quota, by the present plan."""

    hard_cap: bool
    """True: calls beyond the quota are refused. False: they are counted as overage."""

    counted: bool
    """False where calls are free and not counted, as in the sandbox."""

    quota: Optional[int] = None
    """Calls of a month that the plan includes; null: no quota."""


@dataclass
class ValidationSymbolsFull:
    """Over the whole window."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationSymbolsHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationSymbols:
    """A part of what the service answers."""

    symbol: str
    """Symbol, in upper case."""

    full: ValidationSymbolsFull
    """Over the whole window."""

    holdout: ValidationSymbolsHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationLiveSymbolsFull:
    """Over the whole window."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationLiveSymbolsHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationLiveSymbols:
    """A part of what the service answers."""

    symbol: str
    """Symbol, in upper case."""

    full: ValidationLiveSymbolsFull
    """Over the whole window."""

    holdout: ValidationLiveSymbolsHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationLiveWindows:
    """A part of what the service answers."""

    symbol: str
    """Symbol, in upper case."""

    from_: str
    """First session day of the window."""

    holdout_from: str
    """First session day of the hold-out window."""

    to: str
    """Last session day of the window."""


@dataclass
class ValidationLivePooledFullChance:
    """The same signals at other sessions, as far from the close before."""

    precision: Optional[float] = None
    """`precision` of these signals; null without any."""

    strict_precision: Optional[float] = None
    """`strict_precision` of these signals; null without any."""


@dataclass
class ValidationLivePooledFull:
    """Over the whole window."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    chance: ValidationLivePooledFullChance
    """The same signals at other sessions, as far from the close before."""

    within_day: int
    """Signals that began within a session."""

    held_to_close: int
    """Those that lasted to the close of their session."""

    lead_bars: Optional[float] = None
    """Mean number of closes from the signal to the event, that of the event included; null without any."""

    strict_precision: Optional[float] = None
    """Share of the signals after which the price fell by a whole threshold: no credit for a fall already made. null
    without any.
    """

    median_minutes: Optional[float] = None
    """Median duration of those, minutes, at most to the close; null without any."""


@dataclass
class ValidationLivePooledHoldoutChance:
    """The same signals at other sessions, as far from the close before."""

    precision: Optional[float] = None
    """`precision` of these signals; null without any."""

    strict_precision: Optional[float] = None
    """`strict_precision` of these signals; null without any."""


@dataclass
class ValidationLivePooledHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    chance: ValidationLivePooledHoldoutChance
    """The same signals at other sessions, as far from the close before."""

    within_day: int
    """Signals that began within a session."""

    held_to_close: int
    """Those that lasted to the close of their session."""

    lead_bars: Optional[float] = None
    """Mean number of closes from the signal to the event, that of the event included; null without any."""

    strict_precision: Optional[float] = None
    """Share of the signals after which the price fell by a whole threshold: no credit for a fall already made. null
    without any.
    """

    median_minutes: Optional[float] = None
    """Median duration of those, minutes, at most to the close; null without any."""


@dataclass
class ValidationLivePooled:
    """All symbols together."""

    full: ValidationLivePooledFull
    """Over the whole window."""

    holdout: ValidationLivePooledHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationLive:
    """The same for alerts within the day: the rule that announces them, replayed over all prices within the day. A
    signal is the first High Risk of a session, at its price, at most one in 21 sessions. null: no symbol has a
    year of prices within the day. Symbols that are not in it are announced at closes, and `symbols` beside it is
    their record.
    """

    symbols: List[ValidationLiveSymbols]
    """One row per symbol."""

    windows: List[ValidationLiveWindows]
    """Which days each symbol was scored on."""

    pooled: ValidationLivePooled
    """All symbols together."""

    notes: str
    """What was replayed and counted, in words."""


@dataclass
class ValidationAlertOutcomesSymbolsFullAlertBars:
    """Length of an alert, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsFullBarsToBreach:
    """From the announcement of an event to its breach, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsFullBarsToTrough:
    """To the lowest close of the event."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsFullAfterAlert:
    """What came after bars in alert; null without any."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsFullOtherwise:
    """What came after all other bars."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsFull:
    """Over the whole window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    alert_bars: Optional[ValidationAlertOutcomesSymbolsFullAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesSymbolsFullBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesSymbolsFullBarsToTrough] = None
    """To the lowest close of the event."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    after_alert: Optional[ValidationAlertOutcomesSymbolsFullAfterAlert] = None
    """What came after bars in alert; null without any."""

    otherwise: Optional[ValidationAlertOutcomesSymbolsFullOtherwise] = None
    """What came after all other bars."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutAlertBars:
    """Length of an alert, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutBarsToBreach:
    """From the announcement of an event to its breach, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutBarsToTrough:
    """To the lowest close of the event."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutAfterAlert:
    """What came after bars in alert; null without any."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutOtherwise:
    """What came after all other bars."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldout:
    """Over the hold-out window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    alert_bars: Optional[ValidationAlertOutcomesSymbolsHoldoutAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesSymbolsHoldoutBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesSymbolsHoldoutBarsToTrough] = None
    """To the lowest close of the event."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    after_alert: Optional[ValidationAlertOutcomesSymbolsHoldoutAfterAlert] = None
    """What came after bars in alert; null without any."""

    otherwise: Optional[ValidationAlertOutcomesSymbolsHoldoutOtherwise] = None
    """What came after all other bars."""


@dataclass
class ValidationAlertOutcomesSymbols:
    """A part of what the service answers."""

    symbol: str
    """Symbol, in upper case."""

    full: ValidationAlertOutcomesSymbolsFull
    """Over the whole window."""

    holdout: ValidationAlertOutcomesSymbolsHoldout
    """Over the hold-out window."""


@dataclass
class ValidationAlertOutcomesPooledFullAlertBars:
    """Length of an alert, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledFullBarsToBreach:
    """From the announcement of an event to its breach, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledFullBarsToTrough:
    """To the lowest close of the event."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledFullAfterAlert:
    """What came after bars in alert; null without any."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledFullOtherwise:
    """What came after all other bars."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledFull:
    """Over the whole window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    alert_bars: Optional[ValidationAlertOutcomesPooledFullAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesPooledFullBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesPooledFullBarsToTrough] = None
    """To the lowest close of the event."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    after_alert: Optional[ValidationAlertOutcomesPooledFullAfterAlert] = None
    """What came after bars in alert; null without any."""

    otherwise: Optional[ValidationAlertOutcomesPooledFullOtherwise] = None
    """What came after all other bars."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutAlertBars:
    """Length of an alert, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutBarsToBreach:
    """From the announcement of an event to its breach, bars; null without any."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutBarsToTrough:
    """To the lowest close of the event."""

    median: float
    """Half of them are below."""

    lower: float
    """A quarter of them is below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutAfterAlert:
    """What came after bars in alert; null without any."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutOtherwise:
    """What came after all other bars."""

    bars: int
    """Bars with a known next month."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    half_loss: float
    """By half of it."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledHoldout:
    """Over the hold-out window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    alert_bars: Optional[ValidationAlertOutcomesPooledHoldoutAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesPooledHoldoutBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesPooledHoldoutBarsToTrough] = None
    """To the lowest close of the event."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    after_alert: Optional[ValidationAlertOutcomesPooledHoldoutAfterAlert] = None
    """What came after bars in alert; null without any."""

    otherwise: Optional[ValidationAlertOutcomesPooledHoldoutOtherwise] = None
    """What came after all other bars."""


@dataclass
class ValidationAlertOutcomesPooled:
    """All symbols together."""

    full: ValidationAlertOutcomesPooledFull
    """Over the whole window."""

    holdout: ValidationAlertOutcomesPooledHoldout
    """Over the hold-out window."""


@dataclass
class ValidationAlertOutcomes:
    """What to expect of the alerts at closes: how many, how early, and what came after them. An alert says that
    moves get wider, not that prices fall: the mean return after alerts is not lower.
    """

    symbols: List[ValidationAlertOutcomesSymbols]
    """One row per symbol."""

    pooled: ValidationAlertOutcomesPooled
    """All symbols together."""


@dataclass
class ValidationProvenanceFittedYears:
    """A part of what the service answers."""

    year: int
    """The year on whose bars the weights are used."""

    own: int
    """Bars of which at least the symbol's own inputs are known."""

    fellows: int
    """Bars with the inputs of the other symbols; 0: too few for weights of their own."""

    market: int
    """Bars with inputs of a market panel; 0: the model has none."""


@dataclass
class ValidationProvenanceFitted:
    """What was fitted where: the yearly weights of the risk probability."""

    version: str
    """Version of the fit."""

    inputs: List[str]
    """Names of the inputs of the risk probability, in their order."""

    ridge: float
    """Weight of the squared weights in the fit."""

    every_nth_bar: int
    """Neighbouring bars say nearly the same: only every third or so is fitted on."""

    years: List[ValidationProvenanceFittedYears]
    """One row a year: on how many bars, known before the year began, its weights were fitted."""

    prices: Dict[str, str]
    """SHA-256 of the prices that were fitted on, by symbol; 16 digits."""

    seen: List[str]
    """Symbols of this record whose series is exactly one of the fit: each year used earlier years of it only."""

    left_out: Optional[List[List[str]]] = None
    """Groups of like symbols: only these are scored, each by weights that were fitted on the other symbols of these
    prices. Absent: none.
    """


@dataclass
class ValidationProvenanceWindows:
    """A part of what the service answers."""

    symbol: str
    """Symbol, in upper case."""

    from_: str
    """First session day of the window."""

    holdout_from: str
    """First session day of the hold-out window."""

    to: str
    """Last session day of the window."""


@dataclass
class ValidationProvenancePooledFullStrict:
    """The same with no credit for a fall already made."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    episodes: int
    """Number of episodes that count."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenancePooledFull:
    """Over the whole window."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    in_alert: float
    """Share of all bars that were in alert."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    strict: ValidationProvenancePooledFullStrict
    """The same with no credit for a fall already made."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenancePooledHoldoutStrict:
    """The same with no credit for a fall already made."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    episodes: int
    """Number of episodes that count."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenancePooledHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    in_alert: float
    """Share of all bars that were in alert."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    strict: ValidationProvenancePooledHoldoutStrict
    """The same with no credit for a fall already made."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenancePooled:
    """All symbols together."""

    full: ValidationProvenancePooledFull
    """Over the whole window."""

    holdout: ValidationProvenancePooledHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceBaselinesFullStrict:
    """The same with no credit for a fall already made."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    episodes: int
    """Number of episodes that count."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceBaselinesFull:
    """Over the whole window."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    in_alert: float
    """Share of all bars that were in alert."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    strict: ValidationProvenanceBaselinesFullStrict
    """The same with no credit for a fall already made."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenanceBaselinesHoldoutStrict:
    """The same with no credit for a fall already made."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    episodes: int
    """Number of episodes that count."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceBaselinesHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    in_alert: float
    """Share of all bars that were in alert."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    strict: ValidationProvenanceBaselinesHoldoutStrict
    """The same with no credit for a fall already made."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenanceBaselines:
    """One simple rule."""

    full: ValidationProvenanceBaselinesFull
    """Over the whole window."""

    holdout: ValidationProvenanceBaselinesHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceNullsShiftedFull:
    """Over the whole window."""

    f1: float
    """Harmonic mean of recall and precision."""

    strict_f1: float
    """f1 with no credit for a fall already made."""


@dataclass
class ValidationProvenanceNullsShiftedHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    f1: float
    """Harmonic mean of recall and precision."""

    strict_f1: float
    """f1 with no credit for a fall already made."""


@dataclass
class ValidationProvenanceNullsShifted:
    """The same alerts at other times."""

    full: ValidationProvenanceNullsShiftedFull
    """Over the whole window."""

    holdout: ValidationProvenanceNullsShiftedHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceNullsShuffledFullStrict:
    """The same with no credit for a fall already made."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    episodes: int
    """Number of episodes that count."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceNullsShuffledFull:
    """Over the whole window."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    in_alert: float
    """Share of all bars that were in alert."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    strict: ValidationProvenanceNullsShuffledFullStrict
    """The same with no credit for a fall already made."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenanceNullsShuffledHoldoutStrict:
    """The same with no credit for a fall already made."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    episodes: int
    """Number of episodes that count."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceNullsShuffledHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    f1: float
    """Harmonic mean of recall and precision."""

    n_signals: int
    """Number of signals in the window."""

    events: int
    """Number of warned events in the window."""

    tp: int
    """Signals that the warned event followed."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    in_alert: float
    """Share of all bars that were in alert."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    strict: ValidationProvenanceNullsShuffledHoldoutStrict
    """The same with no credit for a fall already made."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenanceNullsShuffled:
    """The same rule on prices whose order is shuffled: what is mechanical."""

    full: ValidationProvenanceNullsShuffledFull
    """Over the whole window."""

    holdout: ValidationProvenanceNullsShuffledHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceNulls:
    """What chance alone scores by the same rules."""

    shifted: ValidationProvenanceNullsShifted
    """The same alerts at other times."""

    shuffled: ValidationProvenanceNullsShuffled
    """The same rule on prices whose order is shuffled: what is mechanical."""


@dataclass
class ValidationProvenanceReliabilityFullBinsInterval:
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceReliabilityFullBins:
    """A part of what the service answers."""

    predicted: float
    """Mean predicted probability of the bin."""

    observed: float
    """Share of the bars that the warned event did follow."""

    bars: int
    """Number of bars counted."""

    interval: Optional[ValidationProvenanceReliabilityFullBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceReliabilityFullCalibrationInterval:
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceReliabilityFull:
    """Over the whole window."""

    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceReliabilityFullBins]
    """Bars sorted by predicted probability and cut into groups."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_interval: Optional[ValidationProvenanceReliabilityFullCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """


@dataclass
class ValidationProvenanceReliabilityHoldoutBinsInterval:
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceReliabilityHoldoutBins:
    """A part of what the service answers."""

    predicted: float
    """Mean predicted probability of the bin."""

    observed: float
    """Share of the bars that the warned event did follow."""

    bars: int
    """Number of bars counted."""

    interval: Optional[ValidationProvenanceReliabilityHoldoutBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceReliabilityHoldoutCalibrationInterval:
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceReliabilityHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceReliabilityHoldoutBins]
    """Bars sorted by predicted probability and cut into groups."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_interval: Optional[ValidationProvenanceReliabilityHoldoutCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """


@dataclass
class ValidationProvenanceReliability:
    """How predicted and observed shares compare: the probability of a new event, at all bars outside one; null
    without bars.
    """

    full: Optional[ValidationProvenanceReliabilityFull] = None
    """Over the whole window."""

    holdout: Optional[ValidationProvenanceReliabilityHoldout] = None
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFullBinsInterval:
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFullBins:
    """A part of what the service answers."""

    predicted: float
    """Mean predicted probability of the bin."""

    observed: float
    """Share of the bars that the warned event did follow."""

    bars: int
    """Number of bars counted."""

    interval: Optional[ValidationProvenanceHighRiskReliabilityFullBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFullCalibrationInterval:
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFull:
    """Over the whole window."""

    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceHighRiskReliabilityFullBins]
    """Bars sorted by predicted probability and cut into groups."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_interval: Optional[ValidationProvenanceHighRiskReliabilityFullCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldoutBinsInterval:
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldoutBins:
    """A part of what the service answers."""

    predicted: float
    """Mean predicted probability of the bin."""

    observed: float
    """Share of the bars that the warned event did follow."""

    bars: int
    """Number of bars counted."""

    interval: Optional[ValidationProvenanceHighRiskReliabilityHoldoutBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldoutCalibrationInterval:
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceHighRiskReliabilityHoldoutBins]
    """Bars sorted by predicted probability and cut into groups."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_interval: Optional[ValidationProvenanceHighRiskReliabilityHoldoutCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean
    distance.
    """


@dataclass
class ValidationProvenanceHighRiskReliability:
    """The same for the published chance at bars in High Risk, of whichever fall it claims."""

    full: Optional[ValidationProvenanceHighRiskReliabilityFull] = None
    """Over the whole window."""

    holdout: Optional[ValidationProvenanceHighRiskReliabilityHoldout] = None
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsF1:
    """Of f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsStrictF1:
    """Of the strict f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsDayLift:
    """Of the day lift."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsBrierSkill:
    """Of the Brier skill; null for a rule without probabilities."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsLossInAlert:
    """Of `loss` after bars in alert."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsLossOtherwise:
    """Of `loss` after all other bars."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervals:
    """90 % of the resamples are within; null without data."""

    f1: Optional[ValidationProvenanceUncertaintyFullIntervalsF1] = None
    """Of f1."""

    strict_f1: Optional[ValidationProvenanceUncertaintyFullIntervalsStrictF1] = None
    """Of the strict f1."""

    day_lift: Optional[ValidationProvenanceUncertaintyFullIntervalsDayLift] = None
    """Of the day lift."""

    brier_skill: Optional[ValidationProvenanceUncertaintyFullIntervalsBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyFullIntervalsLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyFullIntervalsLossOtherwise] = None
    """Of `loss` after all other bars."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesF1:
    """Of f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesStrictF1:
    """Of the strict f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesDayLift:
    """Of the day lift."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesBrierSkill:
    """Of the Brier skill; null for a rule without probabilities."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesLossInAlert:
    """Of `loss` after bars in alert."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesLossOtherwise:
    """Of `loss` after all other bars."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferences:
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the two cannot be told
    apart.
    """

    f1: Optional[ValidationProvenanceUncertaintyFullDifferencesF1] = None
    """Of f1."""

    strict_f1: Optional[ValidationProvenanceUncertaintyFullDifferencesStrictF1] = None
    """Of the strict f1."""

    day_lift: Optional[ValidationProvenanceUncertaintyFullDifferencesDayLift] = None
    """Of the day lift."""

    brier_skill: Optional[ValidationProvenanceUncertaintyFullDifferencesBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyFullDifferencesLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyFullDifferencesLossOtherwise] = None
    """Of `loss` after all other bars."""


@dataclass
class ValidationProvenanceUncertaintyFull:
    """Over the whole window."""

    years: int
    """Calendar years that were resampled."""

    resamples: int
    """Number of resamples, of symbols and years together."""

    intervals: ValidationProvenanceUncertaintyFullIntervals
    """90 % of the resamples are within; null without data."""

    against: str
    """The baseline of `differences`."""

    differences: ValidationProvenanceUncertaintyFullDifferences
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the two cannot be told
    apart.
    """


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsF1:
    """Of f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsStrictF1:
    """Of the strict f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsDayLift:
    """Of the day lift."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsBrierSkill:
    """Of the Brier skill; null for a rule without probabilities."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsLossInAlert:
    """Of `loss` after bars in alert."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsLossOtherwise:
    """Of `loss` after all other bars."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervals:
    """90 % of the resamples are within; null without data."""

    f1: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsF1] = None
    """Of f1."""

    strict_f1: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsStrictF1] = None
    """Of the strict f1."""

    day_lift: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsDayLift] = None
    """Of the day lift."""

    brier_skill: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsLossOtherwise] = None
    """Of `loss` after all other bars."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesF1:
    """Of f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesStrictF1:
    """Of the strict f1."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesDayLift:
    """Of the day lift."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesBrierSkill:
    """Of the Brier skill; null for a rule without probabilities."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesLossInAlert:
    """Of `loss` after bars in alert."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesLossOtherwise:
    """Of `loss` after all other bars."""

    low: float
    """A twentieth of the resamples is below."""

    high: float
    """A twentieth of the resamples is above."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferences:
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the two cannot be told
    apart.
    """

    f1: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesF1] = None
    """Of f1."""

    strict_f1: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesStrictF1] = None
    """Of the strict f1."""

    day_lift: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesDayLift] = None
    """Of the day lift."""

    brier_skill: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesLossOtherwise] = None
    """Of `loss` after all other bars."""


@dataclass
class ValidationProvenanceUncertaintyHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    years: int
    """Calendar years that were resampled."""

    resamples: int
    """Number of resamples, of symbols and years together."""

    intervals: ValidationProvenanceUncertaintyHoldoutIntervals
    """90 % of the resamples are within; null without data."""

    against: str
    """The baseline of `differences`."""

    differences: ValidationProvenanceUncertaintyHoldoutDifferences
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the two cannot be told
    apart.
    """


@dataclass
class ValidationProvenanceUncertainty:
    """How uncertain the figures are: symbols and years resampled together; null with fewer than three years."""

    full: Optional[ValidationProvenanceUncertaintyFull] = None
    """Over the whole window."""

    holdout: Optional[ValidationProvenanceUncertaintyHoldout] = None
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceCeilings:
    """One simulated world."""

    f1: float
    """Best f1 of two bounds on the true chance."""

    strict_f1: float
    """Its f1 with no credit for a fall already made."""

    day_lift: float
    """Its day lift."""


@dataclass
class ValidationProvenance:
    """Where the artifact comes from and how it was computed."""

    notes: str
    """Origin and computation, in words."""

    model_version: str
    """Version of the model that decided."""

    scorer: Dict[str, float]
    """The scorer's parameters."""

    fitted: ValidationProvenanceFitted
    """What was fitted where: the yearly weights of the risk probability."""

    data_hash: str
    """SHA-256 of the prices that were used."""

    windows: List[ValidationProvenanceWindows]
    """Which days each symbol was scored on."""

    too_short: List[str]
    """Symbols with too little history to be scored."""

    pooled: ValidationProvenancePooled
    """All symbols together."""

    baselines: Dict[str, ValidationProvenanceBaselines]
    """The same figures for simple rules, by the name of the rule."""

    nulls: ValidationProvenanceNulls
    """What chance alone scores by the same rules."""

    reliability: ValidationProvenanceReliability
    """How predicted and observed shares compare: the probability of a new event, at all bars outside one; null
    without bars.
    """

    high_risk_reliability: Optional[ValidationProvenanceHighRiskReliability] = None
    """The same for the published chance at bars in High Risk, of whichever fall it claims."""

    uncertainty: Optional[ValidationProvenanceUncertainty] = None
    """How uncertain the figures are: symbols and years resampled together; null with fewer than three years."""

    ceilings: Optional[Dict[str, ValidationProvenanceCeilings]] = None
    """What an observer who knows the true volatility ahead scores in simulated worlds without information on
    direction, by the name of the world: more than that is no skill, or look-ahead.
    """


@dataclass
class Validation:
    """How often the signals were right, and what is needed to doubt the numbers."""

    computed_at: datetime
    """When the metrics were computed, in the time of the world."""

    symbols: List[ValidationSymbols]
    """One row per symbol."""

    provenance: ValidationProvenance
    """Where the artifact comes from and how it was computed."""

    live: Optional[ValidationLive] = None
    """The same for alerts within the day: the rule that announces them, replayed over all prices within the day. A
    signal is the first High Risk of a session, at its price, at most one in 21 sessions. null: no symbol has a
    year of prices within the day. Symbols that are not in it are announced at closes, and `symbols` beside it is
    their record.
    """

    alert_outcomes: Optional[ValidationAlertOutcomes] = None
    """What to expect of the alerts at closes: how many, how early, and what came after them. An alert says that
    moves get wider, not that prices fall: the mean return after alerts is not lower.
    """
