// Service, market feeds: records a feed's bars on the tape, and ends halts that they contradict.
import { isSession } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import type { TapeListing } from '../tape/inspections.ts';
import type { FeedReceipt } from '../tape/minutes.ts';
import type { Tape } from '../tape/tape.ts';
import { isSameBar, MinuteBars } from './minute-bars.ts';
import type { FeedBar } from './price-feed.ts';
import { resumptions } from './status-ends.ts';

/** Intraday bars kept in memory: those of the forming day, and of a day that closes late. */
const MEMORY_MS = 2 * DAY_MS;

export interface FeedRecorderDeps {
  readonly feed: string;
  readonly listings: ReadonlyMap<string, TapeListing>;
  readonly tape: Tape;
  readonly clock: Clock;
}

export class FeedRecorder {
  /** Intraday bars of the last two days. */
  readonly minutes = new MinuteBars();
  readonly #deps: FeedRecorderDeps;
  /** Symbols whose first bars are recorded but not used yet. */
  readonly #begun = new Set<string>();

  constructor(deps: FeedRecorderDeps) {
    this.#deps = deps;
    const { tape, clock } = deps;
    for (const { symbol, ...bar } of tape.minutes.since(clock.now() - MEMORY_MS)) this.minutes.put(symbol, bar);
  }

  receipt(): FeedReceipt {
    return { feed: this.#deps.feed, receivedAt: this.#deps.clock.now() };
  }

  /** @returns the number of rows new to the tape */
  recordDays(bars: readonly FeedBar[]): number {
    const { feed, listings, tape } = this.#deps;
    const days = new Map<string, Bar[]>();
    for (const [symbol, group] of Map.groupBy(bars, (bar) => bar.symbol)) {
      // A file may begin before the requested history.
      const since = tape.minutes.historySince(symbol, feed) ?? '';
      const calendar = listings.get(symbol)?.calendar;
      const sound = group.flatMap((bar) =>
        calendar !== undefined && bar.isClosed && bar.date >= since && isSession(calendar, bar.date)
          ? soundBar(bar)
          : [],
      );
      // The last row of a date wins.
      const byDate = new Map(sound.map((bar) => [bar.date, bar]));
      if (byDate.size === 0) continue;
      if (!tape.bars.has(symbol)) this.#begun.add(symbol);
      days.set(
        symbol,
        [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1)),
      );
    }
    return tape.record(days, this.receipt(), false);
  }

  recordMinutes(bars: readonly FeedBar[]): void {
    const { listings, tape, clock } = this.#deps;
    const remembered = clock.now() - MEMORY_MS;
    const added = bars.flatMap((bar) => {
      const { symbol, start, end } = bar;
      const [sound] = bar.isClosed && listings.has(symbol) ? soundBar(bar) : [];
      if (sound === undefined) return [];
      const known = this.minutes.at(symbol, start);
      const minute = { ...sound, start, end };
      if (known !== null && isSameBar(known, minute)) return [];
      return { symbol, minute, isFirst: known === null && end > remembered };
    });
    if (added.length > 0) tape.minutes.record(added, this.receipt());
    for (const { symbol, minute } of added) this.minutes.put(symbol, minute);
    this.minutes.trim(remembered);
  }

  /** Records resumptions for halts and delistings that prices contradict. */
  endStatuses(symbols: Iterable<string>): void {
    const { feed, tape, clock } = this.#deps;
    const today = dateOf(clock.now());
    const ended = [...symbols].flatMap((symbol) => {
      const [statuses, bars] = [tape.statuses(symbol), tape.bars.get(symbol) ?? []];
      if (statuses.length === 0) return [];
      return resumptions(feed, today, { statuses, bars, lastStart: this.minutes.lastStart(symbol) });
    });
    if (ended.length > 0) tape.recordActions(ended, this.receipt());
  }

  /** Marks the first bars of new symbols as changes of the past, for which no events are drafted. */
  beginSymbols(): void {
    for (const symbol of this.#begun) this.#deps.tape.markChanged(symbol);
    this.#begun.clear();
  }
}

/** Widens the range to contain open and close. @returns nothing for an invalid bar */
function soundBar({ date, open, high, low, close, volume }: FeedBar): Bar[] {
  const prices = [open, high, low, close];
  if (high < low || !prices.every((price) => price > 0 && Number.isFinite(price))) return [];
  return [{ date, open, high: Math.max(...prices), low: Math.min(...prices), close, volume }];
}
