// Service, market feeds: the market of a feed: records what arrives, and serves it from the tape.
// A symbol without prices yet is listed, and becomes known when its history comes.
import { isOpen, isSession } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { inferListing } from '../csv/instruments.ts';
import { type FormingDay, formingDay } from '../tape/forming-day.ts';
import { createInspectedMarket, type InspectedMarket } from '../tape/inspected-market.ts';
import type { TapeListing } from '../tape/inspections.ts';
import { type IntradayBar, IntradayBars } from '../tape/intraday-bars.ts';
import type { Arrival } from '../tape/minutes.ts';
import type { Tape } from '../tape/tape.ts';
import type { TapeAction } from '../tape/tape-action.ts';
import type { MarketSource, PriceFault } from '../types.ts';
import type { FeedBar, FeedListing } from './price-feed.ts';
import { disagreement, type SecondSource, secondOpinion } from './second-source.ts';
import { resumptions } from './status-ends.ts';

/** Prices within the day that are kept in memory: the day in progress, and one that closes late. */
const MEMORY_MS = 2 * DAY_MS;

export interface FeedRecord {
  /** Records closed bars, and uses them at once. */
  take(bars: readonly FeedBar[]): void;
  /** Records all daily bars of a symbol from a date on; `publish` puts them to use. */
  takeHistory(symbol: string, bars: readonly FeedBar[], since: string): void;
  /** Uses the recorded history from now on. */
  publish(): void;
  act(actions: readonly TapeAction[]): void;
  /** Symbols whose newest price jumped as no price does without a corporate action, and that wait for what explains it. */
  jumps(): readonly string[];
  /** The name that the vendor gives a symbol. */
  named(symbol: string, name: string): void;
  /** What is known of a symbol already. */
  known(symbol: string): KnownPrices;
}

export interface KnownPrices {
  /** Whether the feed was asked for the whole history, and had one. */
  readonly hasHistory: boolean;
  /** Date of the newest daily bar. */
  readonly lastDay: string | null;
  /** End of the newest bar within the day, ms. */
  readonly lastMinute: number | null;
}

export interface FeedStatus {
  /** Why a symbol's prices are not current, or null. */
  health(symbol: string, now: number): PriceFault | null;
  available(): boolean;
}

export interface FeedMarketOptions {
  /** Name, on the tape and in signals. */
  readonly feed: string;
  readonly listings: readonly FeedListing[];
  readonly tape: Tape;
  readonly clock: Clock;
  /** Daily prices of another source. Absent: there is none. */
  readonly second?: SecondSource;
  /** Called with a sentence for the operator about prices of both that differ. */
  readonly onDisagreement?: (text: string) => void;
}

export interface FeedMarket extends FeedRecord {
  /** Its prices, as far as the feed brings them. */
  market(status: FeedStatus): MarketSource;
  /** Reads what the operator has decided. */
  refresh(): void;
  /** Asks the second source again: it has other prices now. */
  compare(): void;
}

export function createFeedMarket(options: FeedMarketOptions): FeedMarket {
  const { feed, listings: given, tape, clock, second, onDisagreement = () => undefined } = options;
  const names = new Map(given.map(({ symbol, name }) => [symbol, name]));
  const listings = new Map(given.map((listing) => [listing.symbol, tapeListing(listing, names)]));
  const minutes = new MinuteBars();
  for (const { symbol, ...bar } of tape.minutes.since(clock.now() - MEMORY_MS)) minutes.put(symbol, bar);
  const inspected = createInspectedMarket(tape, listings);
  const arrival = (): Arrival => ({ feed, receivedAt: clock.now() });
  /** Symbols whose first bars are recorded and not used yet. */
  const unpublished = new Set<string>();
  const forming = formingDay(listings, inspected, () => minutes);

  const publish = (): void => {
    // The engine takes the first bars of a symbol as a change of the past, and announces none of them.
    for (const symbol of unpublished) tape.derivedAnew(symbol);
    unpublished.clear();
    inspected.inspect();
    compare();
    tape.report(inspected.findings(), arrival());
  };
  const compare = (): void => {
    if (second === undefined) return;
    const found = { ...arrival(), feed: second.name };
    const opinions = [...inspected.questions(clock.now())].flatMap((question) => secondOpinion(question, second) ?? []);
    if (tape.act(opinions, found) > 0) inspected.inspect();
    const differences = [...tape.bars].flatMap(([symbol, bars]) => disagreement(symbol, bars, second) ?? []);
    for (const { note } of tape.report(differences, found)) onDisagreement(note);
  };
  const recordDays = (bars: readonly FeedBar[]): number => {
    const days = new Map<string, Bar[]>();
    for (const [symbol, group] of Map.groupBy(bars, (bar) => bar.symbol)) {
      // A file may begin before the history that was asked for.
      const since = tape.minutes.askedSince(symbol, feed) ?? '';
      const calendar = listings.get(symbol)?.calendar;
      const sound = group.flatMap((bar) =>
        calendar !== undefined && bar.isClosed && bar.date >= since && isSession(calendar, bar.date)
          ? soundBar(bar)
          : [],
      );
      // Of two rows of one date the later counts.
      const byDate = new Map(sound.map((bar) => [bar.date, bar]));
      if (byDate.size === 0) continue;
      if (!tape.bars.has(symbol)) unpublished.add(symbol);
      days.set(
        symbol,
        [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1)),
      );
    }
    return tape.record(days, arrival(), false);
  };
  const recordMinutes = (bars: readonly FeedBar[]): void => {
    const remembered = clock.now() - MEMORY_MS;
    const added = bars.flatMap((bar) => {
      const { symbol, start, end } = bar;
      const [sound] = bar.isClosed && listings.has(symbol) ? soundBar(bar) : [];
      if (sound === undefined) return [];
      const known = minutes.at(symbol, start);
      const row = { ...sound, symbol, start, end, isFirst: known === null && end > remembered };
      return known !== null && isSame(known, row) ? [] : row;
    });
    if (added.length > 0) tape.minutes.record(added, arrival());
    for (const { symbol, isFirst: _, ...bar } of added) minutes.put(symbol, bar);
    minutes.trim(remembered);
  };
  /** Ends what prices contradict. */
  const resume = (symbols: Iterable<string>): void => {
    const today = dateOf(clock.now());
    const ended = [...symbols].flatMap((symbol) => {
      const [statuses, bars] = [tape.statuses(symbol), tape.bars.get(symbol) ?? []];
      if (statuses.length === 0) return [];
      return resumptions(feed, today, { statuses, bars, lastStart: minutes.lastStart(symbol) });
    });
    if (ended.length > 0) tape.act(ended, arrival());
  };

  return {
    take(bars) {
      recordMinutes(bars.filter(({ step }) => step === 'minute'));
      const days = recordDays(bars.filter(({ step }) => step === 'day'));
      const before = tape.version();
      resume(new Set(bars.map(({ symbol }) => symbol)));
      if (days > 0 || tape.version() !== before) publish();
    },
    takeHistory(symbol, bars, since) {
      recordDays(bars);
      tape.minutes.asked(symbol, since, arrival());
      resume([symbol]);
    },
    publish,
    act(actions) {
      const covered = actions.filter(({ symbol }) => listings.has(symbol));
      const before = tape.version();
      tape.act(covered, arrival());
      resume(new Set(covered.map(({ symbol }) => symbol)));
      // A halt changes no bar.
      if (tape.version() !== before) publish();
    },
    jumps() {
      const now = clock.now();
      const jumped = (symbol: string): boolean =>
        inspected.fault(symbol, now)?.kind === 'quarantined' || forming.isJump(symbol, now);
      return [...listings.keys()].filter(jumped);
    },
    named: (symbol, name) => void names.set(symbol, name),
    known: (symbol) => ({
      // One of which nothing came is asked again: its file was away, the plan had no years, or it is listed only now.
      hasHistory: tape.minutes.askedSince(symbol, feed) !== null && tape.bars.has(symbol),
      lastDay: tape.bars.get(symbol)?.at(-1)?.date ?? null,
      lastMinute: minutes.lastEnd(symbol),
    }),
    refresh() {
      if (tape.refresh()) publish();
    },
    compare,
    market: (status) => sourceOf({ feed, listings, inspected, forming, minutes }, status),
  };
}

interface Parts {
  readonly feed: string;
  readonly listings: ReadonlyMap<string, TapeListing>;
  readonly inspected: InspectedMarket;
  readonly forming: FormingDay;
  readonly minutes: MinuteBars;
}

/** What the engine reads of them. */
function sourceOf({ feed, listings, inspected, forming, minutes }: Parts, status: FeedStatus): MarketSource {
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
    holes: inspected.holes,
    revisions: inspected.revisions,
    forming: forming.forming,
    decisions: forming.decisions,
    nextDecision(symbol, now) {
      const calendar = listings.get(symbol)?.calendar;
      if (calendar === undefined || !minutes.has(symbol) || !isOpen(calendar, now)) return null;
      return (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    },
    available: () => status.available(),
  };
}

/** Every coin of a feed has a signal, also the largest ones, which are regime-only elsewhere. */
function tapeListing({ symbol, assetClass, calendar }: FeedListing, names: ReadonlyMap<string, string>): TapeListing {
  const { regimeOnly, inputOnly } = inferListing(symbol).instrument;
  return {
    instrument: {
      symbol,
      // The vendor names its symbols only after the start.
      get name() {
        return names.get(symbol) ?? symbol;
      },
      assetClass,
      regimeOnly: regimeOnly && assetClass !== 'crypto',
      inputOnly,
    },
    calendar,
  };
}

/** Open and close may be slightly outside the range; a bar whose high is below its low is refused. */
function soundBar({ date, open, high, low, close, volume }: FeedBar): Bar[] {
  const prices = [open, high, low, close];
  if (high < low || !prices.every((price) => price > 0 && Number.isFinite(price))) return [];
  return [{ date, open, high: Math.max(...prices), low: Math.min(...prices), close, volume }];
}

class MinuteBars extends IntradayBars {
  constructor() {
    super(false, true);
  }

  at(symbol: string, start: number): IntradayBar | null {
    const known = this.bars.get(symbol)?.findLast((bar) => bar.start <= start);
    return known?.start === start ? known : null;
  }

  /** Of two with one start the later counts. */
  put(symbol: string, bar: IntradayBar): void {
    const bars = this.bars.get(symbol) ?? [];
    this.bars.set(symbol, bars);
    const index = bars.findLastIndex(({ start }) => start <= bar.start);
    if (bars[index]?.start === bar.start) bars[index] = bar;
    else bars.splice(index + 1, 0, bar);
  }

  lastStart(symbol: string): number | null {
    return this.bars.get(symbol)?.at(-1)?.start ?? null;
  }

  lastEnd(symbol: string): number | null {
    return this.bars.get(symbol)?.at(-1)?.end ?? null;
  }

  trim(before: number): void {
    for (const bars of this.bars.values()) {
      const first = bars.findIndex(({ end }) => end > before);
      if (first > 0) bars.splice(0, first);
    }
  }
}

const isSame = (a: IntradayBar, b: IntradayBar): boolean =>
  a.close === b.close &&
  a.high === b.high &&
  a.low === b.low &&
  a.open === b.open &&
  a.volume === b.volume &&
  a.end === b.end;
