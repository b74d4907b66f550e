// Service, market feeds: records a feed's data on the tape, and serves a market from the tape.
// Lists symbols without prices; they have bars once their history comes.
import { isOpen } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { inferListing } from '../csv/instruments.ts';
import { type FormingDay, formingDay } from '../tape/forming-day.ts';
import { createInspectedMarket, type InspectedMarket } from '../tape/inspected-market.ts';
import type { TapeListing } from '../tape/inspections.ts';
import type { Tape } from '../tape/tape.ts';
import { decidedAction, OPERATOR, type TapeAction } from '../tape/tape-action.ts';
import type { MarketSource, PriceFault } from '../types.ts';
import { FeedRecorder } from './feed-recorder.ts';
import type { MinuteBars } from './minute-bars.ts';
import type { FeedBar, FeedListing } from './price-feed.ts';
import { disagreement, type SecondSource, secondOpinion } from './second-source.ts';

export interface FeedRecord {
  /** Records closed bars and uses them at once. */
  take(bars: readonly FeedBar[]): void;
  /** Records all daily bars of a symbol from a date on, without using them before `publish`. */
  takeHistory(symbol: string, bars: readonly FeedBar[], since: string): void;
  /** Uses the recorded history from now on. */
  publish(): void;
  recordActions(actions: readonly TapeAction[]): void;
  /** Symbols with a price in question, which a corporate action may explain. */
  questioned(): readonly string[];
  /** Sets a symbol's name, as the vendor gives it. */
  named(symbol: string, name: string): void;
  /** The names by symbol; a symbol is its own name until the vendor gives one. */
  names(): Readonly<Record<string, string>>;
  /** The recorded prices of a symbol. */
  known(symbol: string): KnownPrices;
}

export interface KnownPrices {
  /** Whether the feed has sent the whole history. */
  readonly hasHistory: boolean;
  /** Date of the newest daily bar. */
  readonly lastDay: string | null;
  /** End of the newest intraday bar, ms. */
  readonly lastMinute: number | null;
}

export interface FeedStatus {
  /** The reason why a symbol's prices are not current, or null. */
  health(symbol: string, now: number): PriceFault | null;
  /** Wall ms at which a missing price was due; null: none is overdue. Absent: not known. */
  overdueAt?(symbol: string, now: number): number | null;
  available(): boolean;
}

export interface FeedMarketOptions {
  /** Name of the feed, on the tape and in signals. */
  readonly feed: string;
  readonly listings: readonly FeedListing[];
  readonly tape: Tape;
  readonly clock: Clock;
  /** Daily prices of another source. Absent: none. */
  readonly second?: SecondSource;
  /** Called with a sentence for the operator about differing prices. */
  readonly onDisagreement?: (text: string) => void;
  /** Of a node in a cluster. Absent: this process alone records. */
  readonly sharing?: {
    /** Whether this node records; the others follow its rows. */
    leads(): boolean;
    /** Tells the other nodes to use the rows recorded so far. @throws the error of the store */
    published(): void;
    /** The name that the leader knows of a symbol; null: none. */
    nameOf(symbol: string): string | null;
  };
}

export interface FeedMarket extends FeedRecord {
  /** The market source of the recorded prices. */
  market(status: FeedStatus): MarketSource;
  /** Uses the bars and actions that others have recorded: the leader, or an operator's command. */
  refresh(): void;
  /** Uses the minutes that the leader has recorded. */
  followMinutes(): void;
  /** Compares again with the second source, after its prices changed. */
  compare(): void;
}

export function createFeedMarket(options: FeedMarketOptions): FeedMarket {
  const { feed, listings: given, tape, clock, second, onDisagreement = () => undefined, sharing } = options;
  const records = (): boolean => sharing?.leads() ?? true;
  const names = new Map(given.map(({ symbol, name }) => [symbol, name]));
  const nameOf = (symbol: string): string => sharing?.nameOf(symbol) ?? names.get(symbol) ?? symbol;
  const listings = new Map(given.map((listing) => [listing.symbol, tapeListing(listing, nameOf)]));
  const recorder = new FeedRecorder({ feed, listings, tape, clock });
  const { minutes } = recorder;
  const inspected = createInspectedMarket(tape, listings, () => tape.reportsSplits(feed));
  const forming = formingDay(listings, inspected, () => minutes);

  /** Whether there may be rows that the other nodes were not told to use; also those of a former leader. */
  let isUntold = sharing !== undefined;
  const publish = (): void => {
    recorder.beginSymbols();
    inspected.inspect();
    if (!records()) return;
    isUntold = true;
    compare();
    tape.recordFaults(inspected.findings(), recorder.receipt());
    sharing?.published();
    isUntold = false;
  };
  const compare = (): void => {
    if (second === undefined || !records()) return;
    const found = { ...recorder.receipt(), feed: second.name };
    const opinions = [...inspected.questions(clock.now())].flatMap((question) => secondOpinion(question, second) ?? []);
    if (tape.recordActions(opinions, found) > 0) inspected.inspect();
    const differences = [...tape.bars].flatMap(([symbol, bars]) => disagreement(symbol, bars, second) ?? []);
    for (const { note } of tape.recordFaults(differences, found)) onDisagreement(note);
  };

  return {
    take(bars) {
      recorder.recordMinutes(bars.filter(({ step }) => step === 'minute'));
      const days = recorder.recordDays(bars.filter(({ step }) => step === 'day'));
      const before = tape.version();
      recorder.endStatuses(new Set(bars.map(({ symbol }) => symbol)));
      if (days > 0 || tape.version() !== before) publish();
    },
    takeHistory(symbol, bars, since) {
      recorder.recordDays(bars);
      tape.minutes.recordHistory(symbol, since, recorder.receipt());
      recorder.endStatuses([symbol]);
    },
    publish,
    recordActions(actions) {
      const covered = actions.filter(({ symbol }) => listings.has(symbol));
      const before = tape.version();
      tape.recordActions(covered, recorder.receipt());
      recorder.endStatuses(new Set(covered.map(({ symbol }) => symbol)));
      // A halt changes no bar, and needs no new inspection.
      if (tape.version() !== before) publish();
    },
    questioned() {
      const now = clock.now();
      return [...listings.keys()].filter((symbol) => forming.question(symbol, now)?.answer === null);
    },
    named: (symbol, name) => void names.set(symbol, name),
    names: () => Object.fromEntries(names),
    known: (symbol) => ({
      // A symbol without bars is requested again: its file was missing, or the plan or the listing had no
      // history.
      hasHistory: tape.minutes.historySince(symbol, feed) !== null && tape.bars.has(symbol),
      lastDay: tape.bars.get(symbol)?.at(-1)?.date ?? null,
      lastMinute: minutes.lastEnd(symbol),
    }),
    refresh() {
      if (recorder.follow() || (isUntold && records())) publish();
    },
    followMinutes: () => recorder.followMinutes(),
    compare,
    market: (status) => ({
      ...sourceOf({ feed, listings, inspected, forming, minutes }, status),
      decide(decision) {
        tape.recordActions([decidedAction(decision)], { feed: OPERATOR, receivedAt: clock.now() });
        publish();
      },
    }),
  };
}

interface MarketParts {
  readonly feed: string;
  readonly listings: ReadonlyMap<string, TapeListing>;
  readonly inspected: InspectedMarket;
  readonly forming: FormingDay;
  readonly minutes: MinuteBars;
}

/** The market source that the engine reads. */
function sourceOf({ feed, listings, inspected, forming, minutes }: MarketParts, status: FeedStatus): MarketSource {
  return {
    feed,
    instruments: [...listings.values()].map(({ instrument }) => instrument),
    comesLate: true,
    closedDays: inspected.closedDays,
    nextClose: inspected.nextClose,
    fault(symbol, now) {
      const found = forming.fault(symbol, now);
      return found !== null && found.kind !== 'gap' ? found : (status.health(symbol, now) ?? found);
    },
    question: forming.question,
    holes: inspected.holes,
    revisions: inspected.revisions,
    forming: forming.forming,
    lastBar: (symbol, now) => inspected.daily(symbol, now).at(-1) ?? null,
    decisions: forming.decisions,
    nextDecision(symbol, now) {
      // An overdue time is in the past, so that clients do not treat the last state as current.
      const known = forming.fault(symbol, now);
      const isExpected = known === null || known.kind === 'gap';
      const overdueAt = isExpected ? (status.overdueAt?.(symbol, now) ?? null) : null;
      if (overdueAt !== null) return overdueAt;
      const calendar = listings.get(symbol)?.calendar;
      if (calendar === undefined || !minutes.has(symbol) || !isOpen(calendar, now)) return null;
      return (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    },
    available: () => status.available(),
  };
}

function tapeListing(
  { symbol, assetClass, calendar, currency }: FeedListing,
  nameOf: (symbol: string) => string,
): TapeListing {
  return {
    instrument: {
      symbol,
      // The vendor names its symbols only after the start.
      get name() {
        return nameOf(symbol);
      },
      assetClass,
      regimeOnly: false,
      inputOnly: inferListing(symbol).instrument.inputOnly,
      exchange: calendar,
      ...(currency === undefined ? {} : { currency }),
    },
    calendar,
  };
}
