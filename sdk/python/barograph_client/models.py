"""The records of the service. Generated: see sdk/generator."""

from dataclasses import dataclass
from typing import Optional, List, Dict


@dataclass
class Account:
    """An account: who owns it, and on which terms it calls."""

    burst: int
    """Calls that may arrive at once."""

    hard_cap: bool
    """True: calls beyond the quota are refused. False: they are counted as overage."""

    id: str
    """Name of the account."""

    plan: str
    """Plan of the account."""

    sustained: int
    """Calls per minute over all endpoints."""

    owner_email: Optional[str] = None
    """Where notices about the account are mailed; null: the operator of the service gets them."""

    quota: Optional[int] = None
    """Calls of a month that the plan includes; null: no quota."""


@dataclass
class AlertEpisode:
    """An alert: an episode of one symbol out of Normal."""

    active: bool
    """True while the episode is open."""

    asset_class: str
    """Kind of instrument."""

    id: str
    """Id of the record; it never changes."""

    note: str
    """Why, in a sentence."""

    peak_state: int
    """The riskiest state so far: 1 Elevated, 2 High Risk."""

    started_at: str
    """When the symbol left Normal, however long ago."""

    state_name: str
    """The peak state by its name."""

    symbol: str
    """Symbol, in upper case."""

    transitions: List[str]
    """event_ids of its transitions, oldest first."""

    began_before_log: Optional[bool] = None
    """true: it began before the event log. started_at is then the close at which the symbol
    left Normal, from the prices, and transitions has only those of the log.
    """
    confidence: Optional[float] = None
    """That of entering the peak state, in percent: that what confidence_of names follows. null
    while the model has none.
    """
    confidence_of: Optional[str] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an
    event lasts (a breach within the last 21 bars), a fall of at least half a threshold more
    within the next 21 bars. Either means wider moves, not a lower price on average.
    """
    duration_seconds: Optional[int] = None
    """From beginning to end, seconds; null while the episode is open."""

    ended_at: Optional[str] = None
    """When the symbol came back to Normal; null while the episode is open."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """


@dataclass
class Dimension:
    """One of the twelve factor dimensions."""

    code: str
    """Code of the dimension, D-01 to D-12."""

    color: str
    """Fixed documented string; never to be used as CSS."""

    description: str
    """What the dimension is, in a few words."""

    domain: str
    """The market indicators that it is measured from."""

    icon: str
    """Identifier of an icon; fixed and documented."""

    name: str
    """Name, for people."""

    power: Optional[float] = None
    """0 to 1, higher means stronger influence; null only while warming up."""


@dataclass
class NamedPowers:
    """Power of each dimension, by its name in lower case; all twelve are always there, null
    only while warming up.
    """
    chaos: Optional[float] = None
    """Extreme events and tail risk."""

    clarity: Optional[float] = None
    """Price discovery efficiency."""

    economics: Optional[float] = None
    """Economic cycle positioning."""

    liquidity: Optional[float] = None
    """Trading volume and market depth."""

    momentum: Optional[float] = None
    """Price momentum strength."""

    protection: Optional[float] = None
    """Defensive positioning demand."""

    relationships: Optional[float] = None
    """Sector and asset correlations."""

    risk_premium: Optional[float] = None
    """Risk assessment and pricing."""

    sentiment: Optional[float] = None
    """Investor sentiment indicators."""

    structure: Optional[float] = None
    """Technical analysis patterns."""

    velocity: Optional[float] = None
    """Market speed and tempo."""

    volatility: Optional[float] = None
    """Market volatility regime."""


@dataclass
class Archetypes:
    """Present power of the twelve dimensions of one symbol."""

    dimensions: List[Dimension]
    """The twelve dimensions as rows, in D-order."""

    powers: NamedPowers
    symbol: str
    """Symbol, in upper case."""

    timestamp: str
    """Time of the values."""

    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends
    none.
    """
    data_health: Optional[str] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and
    every value is as of the last price. delayed: the feed sends prices late. halted: trading
    is suspended; the state is kept. gap: sessions are missing among the last 21; the service
    does not fill them. question: a price may be a fault of the data (price_question says
    which); it counts until a decision. quarantined: the newest price is a fault of the data
    and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its
    last state. Read an unknown value as not current.
    """


@dataclass
class Briefing:
    """A briefing of the archive, without its text."""

    author: str
    """A desk, or the author of an editorial."""

    date: str
    """When it was published."""

    id: str
    """Id of the record; it never changes."""

    reading_minutes: int
    """Minutes that it takes to read."""

    summary: str
    """Summary in a few sentences; may be empty."""

    symbols: List[str]
    """Symbols that it is about; may be empty."""

    title: str
    """Its title."""

    type: str
    """Kind of briefing."""


@dataclass
class BriefingText:
    """A briefing with its text."""

    author: str
    """A desk, or the author of an editorial."""

    body: str
    """The text: Markdown (CommonMark with tables), without HTML."""

    content_type: str
    """Media type of the body."""

    date: str
    """When it was published."""

    id: str
    """Id of the record; it never changes."""

    reading_minutes: int
    """Minutes that it takes to read."""

    summary: str
    """Summary in a few sentences; may be empty."""

    symbols: List[str]
    """Symbols that it is about; may be empty."""

    title: str
    """Its title."""

    type: str
    """Kind of briefing."""


@dataclass
class DeleteSubscriptionReply:
    deleted: bool
    """Always true."""

    id: str
    """Id of the record; it never changes."""


@dataclass
class DeliveryAttempts:
    at: str
    """When the attempt began."""

    latency_ms: int
    """Milliseconds to the status line and headers, or until it failed."""

    number: int
    """Number of the attempt, from 1."""

    error: Optional[str] = None
    """Why the attempt does not count as delivered; null when it does."""

    response: Optional[str] = None
    """Beginning of the answer's body."""

    status: Optional[int] = None
    """HTTP status; null when there was none."""


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
class Delivery:
    """An event on its way to one webhook subscription, with every attempt."""

    attempts: List[DeliveryAttempts]
    """Every attempt so far, oldest first."""

    created_at: str
    """When it was made."""

    event: str
    """Name of the event."""

    event_id: str
    """Id of the event, the same in the stream, in webhooks, in /events and in
    /alert-transitions; sortable by time, unique for ever.
    """
    id: str
    """Id of the record; it never changes."""

    kind: str
    """Why it was sent: because it happened, because a replay was asked for, or as a test."""

    request: DeliveryRequest
    """What is sent."""

    seq: int
    """Place in the service's event log, from 1, without holes."""

    status: str
    """pending until it is delivered or given up."""

    subscription_id: str
    """Id of the subscription."""

    next_attempt_at: Optional[str] = None
    """When it is tried next; null unless pending."""

    settled_at: Optional[str] = None
    """When it was delivered or given up; null while pending."""


@dataclass
class EventData:
    """One change of state of one symbol."""

    asset_class: Optional[str] = None
    """Kind of instrument."""

    author: Optional[str] = None
    """A desk, or the author of an editorial."""

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of
    names follows, in Normal that it does not. null while the model has none.
    """
    confidence_of: Optional[str] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an
    event lasts (a breach within the last 21 bars), a fall of at least half a threshold more
    within the next 21 bars. Either means wider moves, not a lower price on average.
    """
    date: Optional[str] = None
    """When it was published."""

    effective_at: Optional[str] = None
    """From when on the version decides."""

    event_id: Optional[str] = None
    """Id of the event, the same in the stream, in webhooks, in /events and in
    /alert-transitions; sortable by time, unique for ever.
    """
    from_regime: Optional[str] = None
    """Regime before. Name of a regime. The model's own are calm_uptrend, volatile_uptrend,
    calm_downtrend, volatile_downtrend, stress; a name that is not known is data, never an
    error.
    """
    from_state: Optional[int] = None
    """State before: 0 Normal, 1 Elevated, 2 High Risk."""

    held_by: Optional[str] = None
    """The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound
    for entering. breach: the warned fall has happened, whatever the probability.
    exit_bounds: below the bounds for entering, above those for leaving. five_closes: a state
    of the closes lasts for five of them. pending: the rule has let it go, and it changes
    with the next decision, five minutes after the last change at the earliest. question: the
    price that would end it may be a fault of the data, and needs a decision. request:
    triggered in the sandbox. It says why a High Risk may have a confidence below its base
    rate.
    """
    id: Optional[str] = None
    """Id of the record; it never changes."""

    in_question: Optional[str] = None
    """open: the state rests on a price that may be a fault of the data and needs a decision
    (price_question of the signal). withdrawn: an earlier state rested on such a price, which
    turned out to be a fault; the note says which. Left out otherwise.
    """
    model_version: Optional[str] = None
    """Version of the model that decided."""

    note: Optional[str] = None
    """Why, in a sentence."""

    occurred_at: Optional[str] = None
    """When it happened, in the time of the world."""

    previous: Optional[str] = None
    """Version before; null for the first one."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    state: Optional[int] = None
    """State that was entered, as in a signal and always equal to to_state: 0 Normal, 1
    Elevated, 2 High Risk.
    """
    state_name: Optional[str] = None
    """The state that was entered, by its name."""

    symbol: Optional[str] = None
    """Symbol, in upper case."""

    title: Optional[str] = None
    """Its title."""

    to_regime: Optional[str] = None
    """Regime since. Name of a regime. The model's own are calm_uptrend, volatile_uptrend,
    calm_downtrend, volatile_downtrend, stress; a name that is not known is data, never an
    error.
    """
    to_state: Optional[int] = None
    """State that was entered: 0 Normal, 1 Elevated, 2 High Risk."""

    type: Optional[str] = None
    """Kind of briefing."""

    version: Optional[str] = None
    """Version that decides from now on."""


@dataclass
class Event:
    """An event: the one envelope that webhooks, /stream and /events share."""

    data: EventData
    """One change of state of one symbol."""

    event: str
    """Name of the event."""

    event_id: str
    """Id of the event, the same in the stream, in webhooks, in /events and in
    /alert-transitions; sortable by time, unique for ever.
    """
    seq: int
    """Place in the service's event log, from 1, without holes."""

    timestamp: str
    """When it happened, in the time of the world."""


@dataclass
class FactorPoint:
    """Powers of one symbol at one close."""

    powers: NamedPowers
    symbol: str
    """Symbol, in upper case."""

    timestamp: str
    """Time of the values."""


@dataclass
class FactorsReplyExposures:
    """Factor code to beta against the market proxy's same dimension over a year; null with too
    few common days.
    """
    d_01: Optional[float] = None
    """Liquidity."""

    d_02: Optional[float] = None
    """Relationships."""

    d_03: Optional[float] = None
    """Volatility."""

    d_04: Optional[float] = None
    """Economics."""

    d_05: Optional[float] = None
    """Risk Premium."""

    d_06: Optional[float] = None
    """Clarity."""

    d_07: Optional[float] = None
    """Protection."""

    d_08: Optional[float] = None
    """Momentum."""

    d_09: Optional[float] = None
    """Structure."""

    d_10: Optional[float] = None
    """Sentiment."""

    d_11: Optional[float] = None
    """Velocity."""

    d_12: Optional[float] = None
    """Chaos."""


@dataclass
class FactorsReplyFactors:
    code: str
    """Code of the dimension, D-01 to D-12."""

    color: str
    """Fixed documented string; never to be used as CSS."""

    description: str
    """What the dimension is, in a few words."""

    domain: str
    """The market indicators that it is measured from."""

    icon: str
    """Identifier of an icon; fixed and documented."""

    name: str
    """Name, for people."""

    contribution: Optional[float] = None
    """Signed share of the present risk score; the shares sum to 1 in absolute value."""

    power: Optional[float] = None
    """0 to 1, higher means stronger influence; null only while warming up."""


@dataclass
class FactorsReply:
    data: Optional[List[FactorPoint]] = None
    """The rows of this page."""

    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends
    none.
    """
    data_health: Optional[str] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and
    every value is as of the last price. delayed: the feed sends prices late. halted: trading
    is suspended; the state is kept. gap: sessions are missing among the last 21; the service
    does not fill them. question: a price may be a fault of the data (price_question says
    which); it counts until a decision. quarantined: the newest price is a fault of the data
    and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its
    last state. Read an unknown value as not current.
    """
    exposures: Optional[FactorsReplyExposures] = None
    """Factor code to beta against the market proxy's same dimension over a year; null with too
    few common days.
    """
    factors: Optional[List[FactorsReplyFactors]] = None
    """The twelve dimensions in D-order, each with its share of the risk."""

    has_more: Optional[bool] = None
    """True when there is another page."""

    next_cursor: Optional[str] = None
    """What to send as `after` for the next page; null exactly at the end."""

    state: Optional[int] = None
    """0 Normal, 1 Elevated, 2 High Risk."""

    symbol: Optional[str] = None
    """Symbol, in upper case."""

    timestamp: Optional[str] = None
    """Time of the values."""


@dataclass
class FeedBudgets:
    account: str
    """Name of the feed."""

    left: int
    """What may be asked at once."""

    per_minute: int
    """What the service uses of the limit, a minute."""

    waits_until: Optional[str] = None
    """The vendor asked for silence until then; null: it did not."""


@dataclass
class FeedHistory:
    """The first fetch of history."""

    done: int
    """Symbols with their five years of history."""

    stopped: bool
    """Nothing more is fetched until it goes on."""


@dataclass
class FeedLastFault:
    at: str
    """When it went wrong."""

    message: str
    """What went wrong."""


@dataclass
class FeedWithoutPrices:
    reason: str
    """Why."""

    symbol: str
    """Symbol, in upper case."""


@dataclass
class Feed:
    """A feed of prices."""

    budgets: List[FeedBudgets]
    """One for each account: of the vendor, and of the hosts of files beside it."""

    delay_seconds: int
    """How late prices come by the plan of the account."""

    history: FeedHistory
    """The first fetch of history."""

    name: str
    """Name of the feed."""

    status: str
    """following: it answers. failing: it does not, and is tried again. refused: a person must
    do something (key, plan, country); it is tried again in ten minutes.
    """
    symbols: int
    """Symbols that are followed."""

    without_prices: List[FeedWithoutPrices]
    """Symbols that the vendor does not serve; at most 100."""

    last_fault: Optional[FeedLastFault] = None
    """The newest error, healed or not; null: none since the start."""

    last_price_at: Optional[str] = None
    """When the newest price came, by the clock of this computer; null: none since the start."""


@dataclass
class Health:
    """The service is alive."""

    status: str
    """Always ok."""


@dataclass
class HistoryPoint:
    """One session day of one symbol."""

    state: int
    """State at the close as the event log has it; before the log begins, as model_state. 0
    Normal, 1 Elevated, 2 High Risk.
    """
    state_name: str
    """The same state by its name."""

    symbol: str
    """Symbol, in upper case."""

    timestamp: str
    """Time of the values."""

    base_rate: Optional[float] = None
    """How often what confidence_of names follows any bar, percent."""

    breach_level: Optional[float] = None
    """The price at which the warned fall has happened: this far below the highest close of the
    last 21 bars. At or below it the state is High Risk. null while there is not enough
    history.
    """
    breach_progress: Optional[float] = None
    """How far the price has fallen below the highest close of the last 21 bars, in thresholds
    of this instrument: 0 at that close, 1 at the breach level, 2 a whole threshold below it.
    It ranks instruments by risk. null while there is not enough history.
    """
    changes: Optional[int] = None
    """Changes of state since the close before, up to this close: as many as /alert-transitions
    lists. null for days that the log does not cover whole.
    """
    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of
    names follows, in Normal that it does not. null while the model has none.
    """
    confidence_of: Optional[str] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an
    event lasts (a breach within the last 21 bars), a fall of at least half a threshold more
    within the next 21 bars. Either means wider moves, not a lower price on average.
    """
    high: Optional[float] = None
    """High of the day so far; with open and low, or not at all."""

    low: Optional[float] = None
    """Low of the day so far."""

    model_confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of
    names follows, in Normal that it does not. null while the model has none.
    """
    model_state: Optional[int] = None
    """What the model reads from this price alone, from close to close. 0 Normal, 1 Elevated, 2
    High Risk.
    """
    open: Optional[float] = None
    """Open of the day, where the source has more than closes."""

    price: Optional[float] = None
    """Close, or the last price of the day in progress. null: not known."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    volume: Optional[float] = None
    """Shares, contracts or coins of the day so far, where the source knows them."""

    worst_state: Optional[int] = None
    """The riskiest state since the close before, the one it began with included. 0 Normal, 1
    Elevated, 2 High Risk.
    """


@dataclass
class IssuedKey:
    """A key; the answer that makes it shows it, once."""

    created_at: str
    """When it was issued."""

    ending: str
    """Its last four characters."""

    id: str
    """Id of the key; not a secret."""

    prefix: str
    """How the key begins."""

    scope: str
    """What it may do: read, webhooks (also subscriptions), account (also keys and terms)."""

    status: str
    """live; ended after the overlap of a rotation; or revoked."""

    expires_at: Optional[str] = None
    """When it ends after a rotation; null: it does not end by itself."""

    key: Optional[str] = None
    """The key. It is shown here only, and not when a request is repeated; keep it."""

    last_used_at: Optional[str] = None
    """Last request with it, or with a session of the dashboard that began with it; null: none
    yet.
    """
    revoked_at: Optional[str] = None
    """When it was revoked, or null."""


@dataclass
class Key:
    """A key of the account, without the key itself."""

    created_at: str
    """When it was issued."""

    ending: str
    """Its last four characters."""

    id: str
    """Id of the key; not a secret."""

    prefix: str
    """How the key begins."""

    scope: str
    """What it may do: read, webhooks (also subscriptions), account (also keys and terms)."""

    status: str
    """live; ended after the overlap of a rotation; or revoked."""

    expires_at: Optional[str] = None
    """When it ends after a rotation; null: it does not end by itself."""

    last_used_at: Optional[str] = None
    """Last request with it, or with a session of the dashboard that began with it; null: none
    yet.
    """
    revoked_at: Optional[str] = None
    """When it was revoked, or null."""


@dataclass
class NewsSentiment:
    """Sentiment of the words of headline and summary."""

    label: str
    """The score as a word."""

    score: float
    """From -1 (bad) to 1 (good)."""


@dataclass
class News:
    """One piece of market news."""

    headline: str
    """Its headline."""

    id: str
    """Id of the record; it never changes."""

    published_at: str
    """When it was published."""

    sentiment: NewsSentiment
    """Sentiment of the words of headline and summary."""

    source: str
    """Who published it."""

    summary: str
    """Plain text, a few sentences; may be empty."""

    symbols: List[str]
    """Symbols of this service that it names; may be empty."""

    url: str
    """Address, http or https; the service never opens it."""


@dataclass
class PastClosesHighRisk:
    past_closes_high_risk_from: str
    """The first close in High Risk."""

    to: str
    """The last one."""


@dataclass
class PastCloses:
    """The scored closes of one symbol, and which of them were High Risk."""

    closes: List[float]
    """The adjusted close of each day."""

    dates: List[str]
    """Session days that were scored, oldest first; at most those of the last ten years."""

    high_risk: List[PastClosesHighRisk]
    """The periods whose closes were High Risk, by what was known at each close."""

    symbol: str
    """Symbol, in upper case."""


@dataclass
class PriceAnswer:
    """A decision about a price that may be a fault of the data."""

    answer: str
    """What the price is. price: it counts. split: the prices before it are adjusted by ratio.
    no_price: it is not used.
    """
    ratio: Optional[str] = None
    """Of a split: new shares for old ones."""


@dataclass
class PriceHole:
    """A range without prices that count."""

    price_hole_from: str
    """Close of the last price before it."""

    kind: str
    """gap: sessions are missing. quarantined: prices are a fault of the data, and are not used."""

    reason: str
    """A sentence for people."""

    to: Optional[str] = None
    """Close of the first price that counts again; null: it lasts."""


@dataclass
class PriceQuestion:
    """A price that may be a fault of the data, and needs a decision.

    The price that needs a decision. Left out where none does.
    """
    before: float
    """The close before it."""

    counts_as: str
    """How it is used until there is an answer. price: it counts. split: the prices before it
    are adjusted. no_price: it is not used.
    """
    date: str
    """Its session date."""

    doubt: str
    """What it may be. split: all prices of the day are at the level of a split. level: at
    another level, as by a spin-off or a special dividend. stray: a single wrong price.
    """
    price: float
    """The price."""

    reason: str
    """A sentence for people, with the command that answers it."""

    range_times: Optional[float] = None
    """The same of the range."""

    ratio: Optional[str] = None
    """New shares for old ones, if it is a split or a change of level."""

    state_before: Optional[int] = None
    """State at the close before it; null: not known."""

    volume_times: Optional[float] = None
    """Volume of its day as a multiple of the usual one, were it a fault. null: not known."""


@dataclass
class Readiness:
    """Every endpoint answers."""

    status: str
    """Always ready; otherwise the answer is 503."""


@dataclass
class RegimeCandidate:
    closes_needed: int
    """Closes that it needs at least to become the regime, if the data stay as they are: a
    regime lasts for five closes, Stress until the state is Normal.
    """
    confidence: float
    """Percent that the data give it at as_of."""

    label: str
    """The label for people."""

    probabilities: Dict[str, float]
    """Regime to its probability by the data at as_of, 0 to 1."""

    regime: str
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    waits_for: str
    """closes: they are all that it needs. normal_state: Stress ends when the state is Normal.
    volatility, trend: not beyond the bound for a change yet. hold: a regime triggered in the
    sandbox holds for five minutes.
    """


@dataclass
class Regime:
    """Regime of one symbol at an instant."""

    as_of: str
    """The instant asked for; without one, the time of the answer."""

    label: str
    """The label for people."""

    model_version: str
    """Version of the model that decided."""

    regime: str
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    since: str
    """When the regime began."""

    symbol: str
    """Symbol, in upper case."""

    candidate: Optional[RegimeCandidate] = None
    """The most probable regime at as_of where that is another one; null where the data favour
    the regime.
    """
    change_pct: Optional[float] = None
    """Percent of that price against the previous session's close."""

    confidence: Optional[float] = None
    """Percent that the data gave this regime when they confirmed it last (decided_at): always
    the largest of probabilities. null while the model has none, and for a regime that the
    data have not favoured at any close yet.
    """
    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends
    none.
    """
    data_health: Optional[str] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and
    every value is as of the last price. delayed: the feed sends prices late. halted: trading
    is suspended; the state is kept. gap: sessions are missing among the last 21; the service
    does not fill them. question: a price may be a fault of the data (price_question says
    which); it counts until a decision. quarantined: the newest price is a fault of the data
    and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its
    last state. Read an unknown value as not current.
    """
    decided_at: Optional[str] = None
    """When the data confirmed the regime last: as_of itself while there is a price within the
    day, else the last close, or an earlier one while the data favour another regime. null
    where confidence is.
    """
    price: Optional[float] = None
    """The price at as_of, else the last one before it, in the currency of the instrument."""

    probabilities: Optional[Dict[str, float]] = None
    """Regime to its probability at decided_at, 0 to 1; none is larger than that of the regime.
    null where confidence is.
    """


@dataclass
class RegimePoint:
    """Regime of one symbol at one instant of its history."""

    regime: str
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    symbol: str
    """Symbol, in upper case."""

    timestamp: str
    """Time of the values."""

    confidence: Optional[float] = None
    """Percent that the data gave this regime when they confirmed it last (decided_at): always
    the largest of probabilities. null while the model has none, and for a regime that the
    data have not favoured at any close yet.
    """
    price: Optional[float] = None
    """The price at that instant, of a day its close; null where the market has none then."""


@dataclass
class ReplaySubscriptionReply:
    has_more: bool
    """True when there may be more of the range behind last_event_id."""

    queued: int
    """How many deliveries were made for it, 1000 at most."""

    subscription_id: str
    """Id of the subscription."""

    last_event_id: Optional[str] = None
    """The last event that was scanned, to go on after it; null where there was none."""


@dataclass
class Root:
    """What this service is, and where things are."""

    environment: str
    """Which of the two environments this service is."""

    links: Dict[str, str]
    """Name of an endpoint to its path."""

    replay: bool
    """True while past prices are replayed on a set clock."""

    service: str
    """Name of the service."""

    time: str
    """Time of the world."""

    version: str
    """Version of the service."""

    speed: Optional[float] = None
    """Seconds of the world a second: 1 in real time, 0 while frozen."""


@dataclass
class Signal:
    """Present signal of one instrument."""

    asset_class: str
    """Kind of instrument."""

    decided_at: str
    """When the state was last decided: at a close, or by a price of the day in progress."""

    model_version: str
    """Version of the model that decided."""

    name: str
    """Name, for people."""

    next_decision_at: str
    """When the state is decided next."""

    note: str
    """Why, in a sentence."""

    since: str
    """When the present state was entered."""

    state: int
    """0 Normal, 1 Elevated, 2 High Risk."""

    state_name: str
    """The same state by its name."""

    symbol: str
    """Symbol, in upper case."""

    updated_at: str
    """When the record was made, in the time of the world."""

    base_rate: Optional[float] = None
    """How often what confidence_of names follows any bar, percent."""

    breach_level: Optional[float] = None
    """The price at which the warned fall has happened: this far below the highest close of the
    last 21 bars. At or below it the state is High Risk. null while there is not enough
    history.
    """
    breach_progress: Optional[float] = None
    """How far the price has fallen below the highest close of the last 21 bars, in thresholds
    of this instrument: 0 at that close, 1 at the breach level, 2 a whole threshold below it.
    It ranks instruments by risk. null while there is not enough history.
    """
    change_pct: Optional[float] = None
    """Percent against the previous session's close. null: not known."""

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of
    names follows, in Normal that it does not. null while the model has none.
    """
    confidence_of: Optional[str] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an
    event lasts (a breach within the last 21 bars), a fall of at least half a threshold more
    within the next 21 bars. Either means wider moves, not a lower price on average.
    """
    data_age_seconds: Optional[int] = None
    """Age of the last evaluated price in seconds of the world."""

    data_as_of: Optional[str] = None
    """Time of the last evaluated price, data_age_seconds ago: a close, or a price of the day in
    progress.
    """
    data_delay_seconds: Optional[int] = None
    """Of delayed prices: how far they are behind, by the plan at the vendor or because it sends
    none.
    """
    data_health: Optional[str] = None
    """current: live, no fault is known. stale: a close is overdue by more than five days, and
    every value is as of the last price. delayed: the feed sends prices late. halted: trading
    is suspended; the state is kept. gap: sessions are missing among the last 21; the service
    does not fill them. question: a price may be a fault of the data (price_question says
    which); it counts until a decision. quarantined: the newest price is a fault of the data
    and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its
    last state. Read an unknown value as not current.
    """
    held_by: Optional[str] = None
    """The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound
    for entering. breach: the warned fall has happened, whatever the probability.
    exit_bounds: below the bounds for entering, above those for leaving. five_closes: a state
    of the closes lasts for five of them. pending: the rule has let it go, and it changes
    with the next decision, five minutes after the last change at the earliest. question: the
    price that would end it may be a fault of the data, and needs a decision. request:
    triggered in the sandbox. It says why a High Risk may have a confidence below its base
    rate.
    """
    price: Optional[float] = None
    """Last price, in the currency of the instrument. null: not known."""

    price_question: Optional[PriceQuestion] = None
    """The price that needs a decision. Left out where none does."""

    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    regime_as_of: Optional[str] = None
    """When the regime was decided: at the last close, as prices of the day in progress change
    the state and not the regime. null without a regime.
    """
    source: Optional[str] = None
    """Feed of the prices: sandbox, csv (files of the operator), or the name of a vendor."""


@dataclass
class Subscribed:
    """A webhook subscription; the answer that makes a secret shows it, once."""

    created_at: str
    """When it was made."""

    events: List[str]
    """Names of the events."""

    id: str
    """Id of the record; it never changes."""

    rotating: bool
    """True from rotate-secret until promote-secret."""

    status: str
    """active, or paused after 24 hours of failure."""

    url: str
    """Address."""

    failing_since: Optional[str] = None
    """First failed delivery with no success since; 24 h after it the subscription pauses. null
    when the last one succeeded.
    """
    paused_at: Optional[str] = None
    """When it was paused; null while active."""

    paused_reason: Optional[str] = None
    """Why it was paused; null while active."""

    signing_secret: Optional[str] = None
    """Base64 of 32 random bytes. It is shown here only; keep it."""

    symbols: Optional[List[str]] = None
    """Symbols; null: all."""


@dataclass
class Subscription:
    """A webhook subscription."""

    created_at: str
    """When it was made."""

    events: List[str]
    """Names of the events."""

    id: str
    """Id of the record; it never changes."""

    rotating: bool
    """True from rotate-secret until promote-secret."""

    status: str
    """active, or paused after 24 hours of failure."""

    url: str
    """Address."""

    failing_since: Optional[str] = None
    """First failed delivery with no success since; 24 h after it the subscription pauses. null
    when the last one succeeded.
    """
    paused_at: Optional[str] = None
    """When it was paused; null while active."""

    paused_reason: Optional[str] = None
    """Why it was paused; null while active."""

    symbols: Optional[List[str]] = None
    """Symbols; null: all."""


@dataclass
class Transition:
    """One change of state of one symbol."""

    asset_class: str
    """Kind of instrument."""

    event_id: str
    """Id of the event, the same in the stream, in webhooks, in /events and in
    /alert-transitions; sortable by time, unique for ever.
    """
    from_state: int
    """State before: 0 Normal, 1 Elevated, 2 High Risk."""

    model_version: str
    """Version of the model that decided."""

    note: str
    """Why, in a sentence."""

    occurred_at: str
    """When it happened, in the time of the world."""

    state_name: str
    """The state that was entered, by its name."""

    symbol: str
    """Symbol, in upper case."""

    to_state: int
    """State that was entered: 0 Normal, 1 Elevated, 2 High Risk."""

    confidence: Optional[float] = None
    """Calibrated probability in percent: in Elevated and High Risk that what confidence_of
    names follows, in Normal that it does not. null while the model has none.
    """
    confidence_of: Optional[str] = None
    """What confidence and base_rate are about. event: the warned event. further_fall: while an
    event lasts (a breach within the last 21 bars), a fall of at least half a threshold more
    within the next 21 bars. Either means wider moves, not a lower price on average.
    """
    held_by: Optional[str] = None
    """The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound
    for entering. breach: the warned fall has happened, whatever the probability.
    exit_bounds: below the bounds for entering, above those for leaving. five_closes: a state
    of the closes lasts for five of them. pending: the rule has let it go, and it changes
    with the next decision, five minutes after the last change at the earliest. question: the
    price that would end it may be a fault of the data, and needs a decision. request:
    triggered in the sandbox. It says why a High Risk may have a confidence below its base
    rate.
    """
    in_question: Optional[str] = None
    """open: the state rests on a price that may be a fault of the data and needs a decision
    (price_question of the signal). withdrawn: an earlier state rested on such a price, which
    turned out to be a fault; the note says which. Left out otherwise.
    """
    regime: Optional[str] = None
    """Name of a regime. The model's own are calm_uptrend, volatile_uptrend, calm_downtrend,
    volatile_downtrend, stress; a name that is not known is data, never an error.
    """
    state: Optional[int] = None
    """State that was entered, as in a signal and always equal to to_state: 0 Normal, 1
    Elevated, 2 High Risk.
    """


@dataclass
class TriggerReply:
    data: List[Event]
    """The events that were written."""


@dataclass
class Usage:
    """The calls of an account in a month, and how many are beyond its quota."""

    account: str
    """Name of the account."""

    calls: int
    """Calls of the month, without those that a limit refused."""

    counted: bool
    """False where calls are free and not counted, as in the sandbox."""

    usage_from: str
    """When it began."""

    hard_cap: bool
    """True: calls beyond the quota are refused. False: they are counted as overage."""

    month: str
    """The month, UTC."""

    overage: int
    """Calls beyond the quota, by the present plan."""

    plan: str
    """Plan of the account."""

    to: str
    """When it ends, not included."""

    quota: Optional[int] = None
    """Calls of a month that the plan includes; null: no quota."""


@dataclass
class ValidationAlertOutcomesPooledFullAfterAlert:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledFullAlertBars:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledFullBarsToBreach:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledFullBarsToTrough:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledFullOtherwise:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledFull:
    """Over the whole window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    after_alert: Optional[ValidationAlertOutcomesPooledFullAfterAlert] = None
    """What came after bars in alert; null without any."""

    alert_bars: Optional[ValidationAlertOutcomesPooledFullAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesPooledFullBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesPooledFullBarsToTrough] = None
    """To the lowest close of the event."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    otherwise: Optional[ValidationAlertOutcomesPooledFullOtherwise] = None
    """What came after all other bars."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutAfterAlert:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutAlertBars:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutBarsToBreach:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutBarsToTrough:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesPooledHoldoutOtherwise:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesPooledHoldout:
    """Over the hold-out window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    after_alert: Optional[ValidationAlertOutcomesPooledHoldoutAfterAlert] = None
    """What came after bars in alert; null without any."""

    alert_bars: Optional[ValidationAlertOutcomesPooledHoldoutAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesPooledHoldoutBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesPooledHoldoutBarsToTrough] = None
    """To the lowest close of the event."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    otherwise: Optional[ValidationAlertOutcomesPooledHoldoutOtherwise] = None
    """What came after all other bars."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""


@dataclass
class ValidationAlertOutcomesPooled:
    """All symbols together."""

    full: ValidationAlertOutcomesPooledFull
    """Over the whole window."""

    holdout: ValidationAlertOutcomesPooledHoldout
    """Over the hold-out window."""


@dataclass
class ValidationAlertOutcomesSymbolsFullAfterAlert:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsFullAlertBars:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsFullBarsToBreach:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsFullBarsToTrough:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsFullOtherwise:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsFull:
    """Over the whole window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    after_alert: Optional[ValidationAlertOutcomesSymbolsFullAfterAlert] = None
    """What came after bars in alert; null without any."""

    alert_bars: Optional[ValidationAlertOutcomesSymbolsFullAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesSymbolsFullBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesSymbolsFullBarsToTrough] = None
    """To the lowest close of the event."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    otherwise: Optional[ValidationAlertOutcomesSymbolsFullOtherwise] = None
    """What came after all other bars."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutAfterAlert:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutAlertBars:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutBarsToBreach:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutBarsToTrough:
    lower: float
    """A quarter of them is below."""

    median: float
    """Half of them are below."""

    upper: float
    """Three quarters of them are below."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldoutOtherwise:
    bars: int
    """Bars with a known next month."""

    half_loss: float
    """By half of it."""

    loss: float
    """After this share of them the price fell by the threshold within 21 bars."""

    mean_return: float
    """Mean return of the next 21 bars, percent."""

    volatility: float
    """Mean volatility of the next 21 bars over that of the 252 before."""


@dataclass
class ValidationAlertOutcomesSymbolsHoldout:
    """Over the hold-out window."""

    years: float
    """Years of prices that were scored, over all symbols."""

    after_alert: Optional[ValidationAlertOutcomesSymbolsHoldoutAfterAlert] = None
    """What came after bars in alert; null without any."""

    alert_bars: Optional[ValidationAlertOutcomesSymbolsHoldoutAlertBars] = None
    """Length of an alert, bars; null without any."""

    bars_to_breach: Optional[ValidationAlertOutcomesSymbolsHoldoutBarsToBreach] = None
    """From the announcement of an event to its breach, bars; null without any."""

    bars_to_trough: Optional[ValidationAlertOutcomesSymbolsHoldoutBarsToTrough] = None
    """To the lowest close of the event."""

    before_half_of_fall: Optional[float] = None
    """Share whose first alert came before half of the whole fall."""

    false_alarms_a_year: Optional[float] = None
    """Those that no warned event followed."""

    half_ahead: Optional[float] = None
    """Share of the events that were announced with half of the threshold ahead."""

    on_eve_of_breach: Optional[float] = None
    """Share in alert at the close before the breach."""

    otherwise: Optional[ValidationAlertOutcomesSymbolsHoldoutOtherwise] = None
    """What came after all other bars."""

    signals_a_year: Optional[float] = None
    """Signals a year and symbol."""


@dataclass
class ValidationAlertOutcomesSymbols:
    full: ValidationAlertOutcomesSymbolsFull
    """Over the whole window."""

    holdout: ValidationAlertOutcomesSymbolsHoldout
    """Over the hold-out window."""

    symbol: str
    """Symbol, in upper case."""


@dataclass
class ValidationAlertOutcomes:
    """What to expect of the alerts at closes: how many, how early, and what came after them. An
    alert says that moves get wider, not that prices fall: the mean return after alerts is
    not lower.
    """
    pooled: ValidationAlertOutcomesPooled
    """All symbols together."""

    symbols: List[ValidationAlertOutcomesSymbols]
    """One row per symbol."""


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

    chance: ValidationLivePooledFullChance
    """The same signals at other sessions, as far from the close before."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    held_to_close: int
    """Those that lasted to the close of their session."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    within_day: int
    """Signals that began within a session."""

    lead_bars: Optional[float] = None
    """Mean number of closes from the signal to the event, that of the event included; null
    without any.
    """
    median_minutes: Optional[float] = None
    """Median duration of those, minutes, at most to the close; null without any."""

    strict_precision: Optional[float] = None
    """Share of the signals after which the price fell by a whole threshold: no credit for a
    fall already made. null without any.
    """


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

    chance: ValidationLivePooledHoldoutChance
    """The same signals at other sessions, as far from the close before."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    held_to_close: int
    """Those that lasted to the close of their session."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    within_day: int
    """Signals that began within a session."""

    lead_bars: Optional[float] = None
    """Mean number of closes from the signal to the event, that of the event included; null
    without any.
    """
    median_minutes: Optional[float] = None
    """Median duration of those, minutes, at most to the close; null without any."""

    strict_precision: Optional[float] = None
    """Share of the signals after which the price fell by a whole threshold: no credit for a
    fall already made. null without any.
    """


@dataclass
class ValidationLivePooled:
    """All symbols together."""

    full: ValidationLivePooledFull
    """Over the whole window."""

    holdout: ValidationLivePooledHoldout
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationLiveSymbolsFull:
    """Over the whole window."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationLiveSymbolsHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationLiveSymbols:
    full: ValidationLiveSymbolsFull
    """Over the whole window."""

    holdout: ValidationLiveSymbolsHoldout
    """Over the hold-out window: time that the model was not fitted on."""

    symbol: str
    """Symbol, in upper case."""


@dataclass
class ValidationLiveWindows:
    validation_live_windows_from: str
    """First session day of the window."""

    holdout_from: str
    """First session day of the hold-out window."""

    symbol: str
    """Symbol, in upper case."""

    to: str
    """Last session day of the window."""


@dataclass
class ValidationLive:
    notes: str
    """What was replayed and counted, in words."""

    pooled: ValidationLivePooled
    """All symbols together."""

    symbols: List[ValidationLiveSymbols]
    """One row per symbol."""

    windows: List[ValidationLiveWindows]
    """Which days each symbol was scored on."""


@dataclass
class ValidationProvenanceBaselinesFullStrict:
    """The same with no credit for a fall already made."""

    episodes: int
    """Number of episodes that count."""

    f1: float
    """Harmonic mean of recall and precision."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceBaselinesFull:
    """Over the whole window."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    in_alert: float
    """Share of all bars that were in alert."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    strict: ValidationProvenanceBaselinesFullStrict
    """The same with no credit for a fall already made."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenanceBaselinesHoldoutStrict:
    """The same with no credit for a fall already made."""

    episodes: int
    """Number of episodes that count."""

    f1: float
    """Harmonic mean of recall and precision."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceBaselinesHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    in_alert: float
    """Share of all bars that were in alert."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    strict: ValidationProvenanceBaselinesHoldoutStrict
    """The same with no credit for a fall already made."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

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
class ValidationProvenanceCeilings:
    """One simulated world."""

    day_lift: float
    """Its day lift."""

    f1: float
    """Best f1 of two bounds on the true chance."""

    strict_f1: float
    """Its f1 with no credit for a fall already made."""


@dataclass
class ValidationProvenanceFittedYears:
    fellows: int
    """Bars with the inputs of the other symbols; 0: too few for weights of their own."""

    market: int
    """Bars with inputs of a market panel; 0: the model has none."""

    own: int
    """Bars of which at least the symbol's own inputs are known."""

    year: int
    """The year on whose bars the weights are used."""


@dataclass
class ValidationProvenanceFitted:
    """What was fitted where: the yearly weights of the risk probability."""

    every_nth_bar: int
    """Neighbouring bars say nearly the same: only every third or so is fitted on."""

    inputs: List[str]
    """Names of the inputs of the risk probability, in their order."""

    prices: Dict[str, str]
    """SHA-256 of the prices that were fitted on, by symbol; 16 digits."""

    ridge: float
    """Weight of the squared weights in the fit."""

    seen: List[str]
    """Symbols of this record whose series is exactly one of the fit: each year used earlier
    years of it only.
    """
    version: str
    """Version of the fit."""

    years: List[ValidationProvenanceFittedYears]
    """One row a year: on how many bars, known before the year began, its weights were fitted."""

    left_out: Optional[List[List[str]]] = None
    """Groups of like symbols: only these are scored, each by weights that were fitted on the
    other symbols of these prices. Absent: none.
    """


@dataclass
class ValidationProvenanceHighRiskReliabilityFullBinsInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFullBins:
    bars: int
    """Number of bars counted."""

    observed: float
    """Share of the bars that the warned event did follow."""

    predicted: float
    """Mean predicted probability of the bin."""

    interval: Optional[ValidationProvenanceHighRiskReliabilityFullBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFullCalibrationInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceHighRiskReliabilityFull:
    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceHighRiskReliabilityFullBins]
    """Bars sorted by predicted probability and cut into groups."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    calibration_interval: Optional[ValidationProvenanceHighRiskReliabilityFullCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise
    only adds to a mean distance.
    """


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldoutBinsInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldoutBins:
    bars: int
    """Number of bars counted."""

    observed: float
    """Share of the bars that the warned event did follow."""

    predicted: float
    """Mean predicted probability of the bin."""

    interval: Optional[ValidationProvenanceHighRiskReliabilityHoldoutBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldoutCalibrationInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceHighRiskReliabilityHoldout:
    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceHighRiskReliabilityHoldoutBins]
    """Bars sorted by predicted probability and cut into groups."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    calibration_interval: Optional[ValidationProvenanceHighRiskReliabilityHoldoutCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise
    only adds to a mean distance.
    """


@dataclass
class ValidationProvenanceHighRiskReliability:
    """The same for the published chance at bars in High Risk, of whichever fall it claims."""

    full: Optional[ValidationProvenanceHighRiskReliabilityFull] = None
    """Over the whole window."""

    holdout: Optional[ValidationProvenanceHighRiskReliabilityHoldout] = None
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

    episodes: int
    """Number of episodes that count."""

    f1: float
    """Harmonic mean of recall and precision."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceNullsShuffledFull:
    """Over the whole window."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    in_alert: float
    """Share of all bars that were in alert."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    strict: ValidationProvenanceNullsShuffledFullStrict
    """The same with no credit for a fall already made."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenanceNullsShuffledHoldoutStrict:
    """The same with no credit for a fall already made."""

    episodes: int
    """Number of episodes that count."""

    f1: float
    """Harmonic mean of recall and precision."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenanceNullsShuffledHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    in_alert: float
    """Share of all bars that were in alert."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    strict: ValidationProvenanceNullsShuffledHoldoutStrict
    """The same with no credit for a fall already made."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

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
class ValidationProvenancePooledFullStrict:
    """The same with no credit for a fall already made."""

    episodes: int
    """Number of episodes that count."""

    f1: float
    """Harmonic mean of recall and precision."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenancePooledFull:
    """Over the whole window."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    in_alert: float
    """Share of all bars that were in alert."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    strict: ValidationProvenancePooledFullStrict
    """The same with no credit for a fall already made."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

    lead_bars: Optional[float] = None
    """Mean number of bars between signal and event; null without any."""


@dataclass
class ValidationProvenancePooledHoldoutStrict:
    """The same with no credit for a fall already made."""

    episodes: int
    """Number of episodes that count."""

    f1: float
    """Harmonic mean of recall and precision."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    day_lift: Optional[float] = None
    """How much likelier the event is on a day in alert than on any day."""


@dataclass
class ValidationProvenancePooledHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    false_alarms_a_year: float
    """Signals a year that no warned event followed, per symbol."""

    fp: int
    """Signals that no warned event followed."""

    in_alert: float
    """Share of all bars that were in alert."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    strict: ValidationProvenancePooledHoldoutStrict
    """The same with no credit for a fall already made."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""

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
class ValidationProvenanceReliabilityFullBinsInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceReliabilityFullBins:
    bars: int
    """Number of bars counted."""

    observed: float
    """Share of the bars that the warned event did follow."""

    predicted: float
    """Mean predicted probability of the bin."""

    interval: Optional[ValidationProvenanceReliabilityFullBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceReliabilityFullCalibrationInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceReliabilityFull:
    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceReliabilityFullBins]
    """Bars sorted by predicted probability and cut into groups."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    calibration_interval: Optional[ValidationProvenanceReliabilityFullCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise
    only adds to a mean distance.
    """


@dataclass
class ValidationProvenanceReliabilityHoldoutBinsInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceReliabilityHoldoutBins:
    bars: int
    """Number of bars counted."""

    observed: float
    """Share of the bars that the warned event did follow."""

    predicted: float
    """Mean predicted probability of the bin."""

    interval: Optional[ValidationProvenanceReliabilityHoldoutBinsInterval] = None
    """Of the observed share: 90 % of resamples of symbols and years; null with too few years."""


@dataclass
class ValidationProvenanceReliabilityHoldoutCalibrationInterval:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceReliabilityHoldout:
    bars: int
    """Number of bars counted."""

    base_rate: float
    """How often the warned event follows any bar, 0 to 1."""

    bins: List[ValidationProvenanceReliabilityHoldoutBins]
    """Bars sorted by predicted probability and cut into groups."""

    brier_skill: float
    """Brier skill score against the base rate: above 0 is better than it."""

    calibration_error: float
    """Mean distance of predicted and observed share over the bins."""

    calibration_interval: Optional[ValidationProvenanceReliabilityHoldoutCalibrationInterval] = None
    """Of the calibration error, as for each bin; moved down by the mean growth, because noise
    only adds to a mean distance.
    """


@dataclass
class ValidationProvenanceReliability:
    """How predicted and observed shares compare: the probability of a new event, at all bars
    outside one; null without bars.
    """
    full: Optional[ValidationProvenanceReliabilityFull] = None
    """Over the whole window."""

    holdout: Optional[ValidationProvenanceReliabilityHoldout] = None
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesBrierSkill:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesDayLift:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesLossInAlert:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesLossOtherwise:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferencesStrictF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullDifferences:
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the
    two cannot be told apart.
    """
    brier_skill: Optional[ValidationProvenanceUncertaintyFullDifferencesBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    day_lift: Optional[ValidationProvenanceUncertaintyFullDifferencesDayLift] = None
    """Of the day lift."""

    f1: Optional[ValidationProvenanceUncertaintyFullDifferencesF1] = None
    """Of f1."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyFullDifferencesLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyFullDifferencesLossOtherwise] = None
    """Of `loss` after all other bars."""

    strict_f1: Optional[ValidationProvenanceUncertaintyFullDifferencesStrictF1] = None
    """Of the strict f1."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsBrierSkill:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsDayLift:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsLossInAlert:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsLossOtherwise:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervalsStrictF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyFullIntervals:
    """90 % of the resamples are within; null without data."""

    brier_skill: Optional[ValidationProvenanceUncertaintyFullIntervalsBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    day_lift: Optional[ValidationProvenanceUncertaintyFullIntervalsDayLift] = None
    """Of the day lift."""

    f1: Optional[ValidationProvenanceUncertaintyFullIntervalsF1] = None
    """Of f1."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyFullIntervalsLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyFullIntervalsLossOtherwise] = None
    """Of `loss` after all other bars."""

    strict_f1: Optional[ValidationProvenanceUncertaintyFullIntervalsStrictF1] = None
    """Of the strict f1."""


@dataclass
class ValidationProvenanceUncertaintyFull:
    against: str
    """The baseline of `differences`."""

    differences: ValidationProvenanceUncertaintyFullDifferences
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the
    two cannot be told apart.
    """
    intervals: ValidationProvenanceUncertaintyFullIntervals
    """90 % of the resamples are within; null without data."""

    resamples: int
    """Number of resamples, of symbols and years together."""

    years: int
    """Calendar years that were resampled."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesBrierSkill:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesDayLift:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesLossInAlert:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesLossOtherwise:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferencesStrictF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutDifferences:
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the
    two cannot be told apart.
    """
    brier_skill: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    day_lift: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesDayLift] = None
    """Of the day lift."""

    f1: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesF1] = None
    """Of f1."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesLossOtherwise] = None
    """Of `loss` after all other bars."""

    strict_f1: Optional[ValidationProvenanceUncertaintyHoldoutDifferencesStrictF1] = None
    """Of the strict f1."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsBrierSkill:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsDayLift:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsLossInAlert:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsLossOtherwise:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervalsStrictF1:
    high: float
    """A twentieth of the resamples is above."""

    low: float
    """A twentieth of the resamples is below."""


@dataclass
class ValidationProvenanceUncertaintyHoldoutIntervals:
    """90 % of the resamples are within; null without data."""

    brier_skill: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsBrierSkill] = None
    """Of the Brier skill; null for a rule without probabilities."""

    day_lift: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsDayLift] = None
    """Of the day lift."""

    f1: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsF1] = None
    """Of f1."""

    loss_in_alert: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsLossInAlert] = None
    """Of `loss` after bars in alert."""

    loss_otherwise: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsLossOtherwise] = None
    """Of `loss` after all other bars."""

    strict_f1: Optional[ValidationProvenanceUncertaintyHoldoutIntervalsStrictF1] = None
    """Of the strict f1."""


@dataclass
class ValidationProvenanceUncertaintyHoldout:
    against: str
    """The baseline of `differences`."""

    differences: ValidationProvenanceUncertaintyHoldoutDifferences
    """Of the figure minus that of the baseline, on the same resamples. With zero within it the
    two cannot be told apart.
    """
    intervals: ValidationProvenanceUncertaintyHoldoutIntervals
    """90 % of the resamples are within; null without data."""

    resamples: int
    """Number of resamples, of symbols and years together."""

    years: int
    """Calendar years that were resampled."""


@dataclass
class ValidationProvenanceUncertainty:
    """How uncertain the figures are: symbols and years resampled together; null with fewer than
    three years.
    """
    full: Optional[ValidationProvenanceUncertaintyFull] = None
    """Over the whole window."""

    holdout: Optional[ValidationProvenanceUncertaintyHoldout] = None
    """Over the hold-out window: time that the model was not fitted on."""


@dataclass
class ValidationProvenanceWindows:
    validation_provenance_windows_from: str
    """First session day of the window."""

    holdout_from: str
    """First session day of the hold-out window."""

    symbol: str
    """Symbol, in upper case."""

    to: str
    """Last session day of the window."""


@dataclass
class ValidationProvenance:
    """Where the artifact comes from and how it was computed."""

    baselines: Dict[str, ValidationProvenanceBaselines]
    """The same figures for simple rules, by the name of the rule."""

    data_hash: str
    """SHA-256 of the prices that were used."""

    fitted: ValidationProvenanceFitted
    """What was fitted where: the yearly weights of the risk probability."""

    model_version: str
    """Version of the model that decided."""

    notes: str
    """Origin and computation, in words."""

    nulls: ValidationProvenanceNulls
    """What chance alone scores by the same rules."""

    pooled: ValidationProvenancePooled
    """All symbols together."""

    reliability: ValidationProvenanceReliability
    """How predicted and observed shares compare: the probability of a new event, at all bars
    outside one; null without bars.
    """
    scorer: Dict[str, float]
    """The scorer's parameters."""

    too_short: List[str]
    """Symbols with too little history to be scored."""

    windows: List[ValidationProvenanceWindows]
    """Which days each symbol was scored on."""

    ceilings: Optional[Dict[str, ValidationProvenanceCeilings]] = None
    """What an observer who knows the true volatility ahead scores in simulated worlds without
    information on direction, by the name of the world: more than that is no skill, or
    look-ahead.
    """
    high_risk_reliability: Optional[ValidationProvenanceHighRiskReliability] = None
    """The same for the published chance at bars in High Risk, of whichever fall it claims."""

    uncertainty: Optional[ValidationProvenanceUncertainty] = None
    """How uncertain the figures are: symbols and years resampled together; null with fewer than
    three years.
    """


@dataclass
class ValidationSymbolsFull:
    """Over the whole window."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationSymbolsHoldout:
    """Over the hold-out window: time that the model was not fitted on."""

    events: int
    """Number of warned events in the window."""

    f1: float
    """Harmonic mean of recall and precision."""

    fp: int
    """Signals that no warned event followed."""

    late: int
    """Signals that came after more than half of the fall."""

    n_signals: int
    """Number of signals in the window."""

    precision: float
    """Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp)."""

    recall: float
    """Share of the warned events that were announced, 0 to 1."""

    tp: int
    """Signals that the warned event followed."""

    unresolved: int
    """Signals whose outcome is not known yet."""


@dataclass
class ValidationSymbols:
    full: ValidationSymbolsFull
    """Over the whole window."""

    holdout: ValidationSymbolsHoldout
    """Over the hold-out window: time that the model was not fitted on."""

    symbol: str
    """Symbol, in upper case."""


@dataclass
class Validation:
    """How often the signals were right, and what is needed to doubt the numbers."""

    computed_at: str
    """When the metrics were computed, in the time of the world."""

    provenance: ValidationProvenance
    """Where the artifact comes from and how it was computed."""

    symbols: List[ValidationSymbols]
    """One row per symbol."""

    alert_outcomes: Optional[ValidationAlertOutcomes] = None
    """What to expect of the alerts at closes: how many, how early, and what came after them. An
    alert says that moves get wider, not that prices fall: the mean return after alerts is
    not lower.
    """
    live: Optional[ValidationLive] = None
    """The same for alerts within the day: the rule that announces them, replayed over all
    prices within the day. A signal is the first High Risk of a session, at its price, at
    most one in 21 sessions. null: no symbol has a year of prices within the day. Symbols
    that are not in it are announced at closes, and `symbols` beside it is their record.
    """
