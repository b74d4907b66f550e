// Service, market feeds: records a feed's bars on the tape, and ends halts that they contradict.
import { dayStatus } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { dateOf, MINUTE_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { BarList } from '../bar-series.ts';
import type { TapeListing } from '../tape/inspections.ts';
import { type FeedReceipt, MINUTES_READ_MS } from '../tape/minutes.ts';
import type { Tape } from '../tape/tape.ts';
import type { TapeAction } from '../tape/tape-action.ts';
import { isSameBar, MinuteBars } from './minute-bars.ts';
import type { FeedBar } from './price-feed.ts';

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
    for (const { symbol, ...bar } of tape.minutes.since(clock.now() - MINUTES_READ_MS)) this.minutes.put(symbol, bar);
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
        calendar !== undefined && bar.isClosed && bar.date >= since && dayStatus(calendar, bar.date) !== 'closed'
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
    const remembered = clock.now() - MINUTES_READ_MS;
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

  /** Takes the minutes that another node has recorded. */
  followMinutes(): void {
    const { tape, clock } = this.#deps;
    for (const { symbol, ...bar } of tape.minutes.added()) this.minutes.put(symbol, bar);
    this.minutes.trim(clock.now() - MINUTES_READ_MS);
  }

  /** Takes the bars and actions that others have recorded. @returns whether there are any */
  follow(): boolean {
    const { listings, tape } = this.#deps;
    const without = [...listings.keys()].filter((symbol) => !tape.bars.has(symbol));
    const isChanged = tape.refresh();
    for (const symbol of without) if (tape.bars.has(symbol)) this.#begun.add(symbol);
    return isChanged;
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

// A resumption may be lost with a connection, and a takeover be postponed.
/** Closes after a delisting that contradict it: a few may come late or by mistake. */
const TRADING_SESSIONS = 5;

/** The recorded statuses and bars of a symbol. */
interface SymbolRecord {
  /** By date. */
  readonly statuses: readonly TapeAction[];
  readonly bars: BarList;
  /** Start of the newest minute, ms; null: none is known. */
  readonly lastStart: number | null;
}

/**
 * Considers only statuses of the feed itself; an operator's remain in force until withdrawn.
 * @returns resumptions for the contradicted statuses
 */
function resumptions(feed: string, today: string, { statuses, bars, lastStart }: SymbolRecord): TapeAction[] {
  const resume = ({ symbol, date }: TapeAction, note: string): TapeAction => {
    return { kind: 'resume', symbol, date, factor: null, note };
  };
  const ended = statuses.flatMap((one, index) => {
    if (one.kind !== 'delisting' || one.feed !== feed) return [];
    const next = statuses[index + 1];
    if (next?.kind === 'delisting' && next.feed === feed) return resume(one, `It ends on ${next.date}.`);
    const before = (date: string): number => countLeading(bars, (bar) => bar.date < date);
    const after = countLeading(bars, ({ date }) => date <= one.date);
    const traded = (next === undefined ? bars.length : before(next.date)) - after;
    return traded >= TRADING_SESSIONS ? resume(one, 'Its prices went on.') : [];
  });
  const halt = statuses.findLast(({ date }) => date <= today);
  if (halt?.kind !== 'halt' || halt.feed !== feed) return ended;
  const { receivedAt = 0 } = halt;
  // At least a minute later, because this computer's clock may be slow.
  const isOver = (bars.at(-1)?.date ?? '') > halt.date || (lastStart !== null && lastStart >= receivedAt + MINUTE_MS);
  return isOver ? [...ended, resume(halt, `Prices went on after ${new Date(receivedAt).toISOString()}.`)] : ended;
}
