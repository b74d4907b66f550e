// Test harness: a faulty vendor's feed, its tape, and a detector's events, on a manual clock.
import { join } from 'node:path';
import { expect } from 'vitest';
import { PRIOR_STATES } from '../../service/engine/risk/volatility-states.ts';
import type { Bar, Engine, Reading } from '../../service/engine/types.ts';
import { createFeedMarket } from '../../service/market/feeds/feed-market.ts';
import { FeedSupervisor } from '../../service/market/feeds/feed-supervisor.ts';
import { openTape, type Tape } from '../../service/market/tape/tape.ts';
import { createTimetable } from '../../service/market/timetable.ts';
import { createEventIds } from '../../service/signals/event-id.ts';
import { StateDetector } from '../../service/signals/state-detector.ts';
import type { CurrentState } from '../../service/store/current-states.ts';
import type { EventDraft } from '../../service/store/event-log.ts';
import { emptyPowers } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import { every } from '../../shared/lib/clock.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';
import { type FakeFeedOptions, FakePriceFeed, type FeedFault, listingOf, seeded } from './fake-price-feed.ts';
import type { TemporaryFolder } from './folders.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

/** What of the market is run. */
export interface FeedScenario extends Pick<FakeFeedOptions, 'symbols' | 'calendar' | 'actions'> {
  readonly start: number;
  readonly end: number;
  /** The computer sleeps from `at` to `to`. */
  readonly sleep?: { readonly at: number; readonly to: number };
}

export interface Trouble extends Pick<FakeFeedOptions, 'skewMs'> {
  readonly faults: readonly FeedFault[];
  /** When the service stops, and for how long it is away. */
  readonly restart?: { readonly at: number; readonly away: number } | null;
  /** Where the tape is a file; else it is in memory. */
  readonly folder?: TemporaryFolder;
}

export interface FeedRun {
  /** "time event symbol state", sorted. */
  readonly events: readonly string[];
  readonly tape: Tape;
  readonly feed: FakePriceFeed;
  /** All kinds of health that were seen, sorted. */
  readonly health: readonly string[];
  /** What the feed could not go on with. */
  readonly failures: readonly object[];
}

/** Above 101 Elevated, above 101.5 High Risk, with a memory. */
function rule(price: number, from: State): State {
  const entered: State = price >= 101.5 ? 2 : price >= 101 ? 1 : 0;
  if (entered >= from) return entered;
  return price >= 100.8 ? from : entered;
}

/**
 * @param levelOf the present level of a symbol's prices, by its first bar: another one once they are adjusted
 */
export function bandEngine(levelOf: (symbol: string, first: Bar) => number): Engine {
  const readings = new Map<string, Reading>();
  const dates = new Map<string, string>();
  const levels = new Map<string, number>();
  /**
   * Prices that were derived have ten digits; without the last of them a price at a threshold stays there.
   */
  const priceOf = (symbol: string, price: number): number => Number((price / (levels.get(symbol) ?? 1)).toPrecision(8));
  const reading = (symbol: string, bar: Bar, from: State): Reading => ({
    ...{
      date: bar.date,
      close: bar.close,
      state: rule(priceOf(symbol, bar.close), from),
      isWithheld: false,
      rule: null,
    },
    ...{ probability: null, claim: 'event', confidence: 50, baseRate: 12, regime: 'calm_uptrend' },
    ...{ regimeProbabilities: null, powers: emptyPowers(), contributions: emptyPowers() },
    ...{ drawdownFraction: 0.5, breachLevel: 1 },
  });
  return {
    volatilityStates: () => PRIOR_STATES,
    modelVersion: 'band-1',
    closeDay(day, bars) {
      return new Map(
        [...bars].map(([symbol, bar]) => {
          if (day <= (dates.get(symbol) ?? '')) throw new RangeError(`${symbol}: ${day} again`);
          if (!levels.has(symbol)) levels.set(symbol, levelOf(symbol, bar));
          const closed = reading(symbol, bar, readings.get(symbol)?.state ?? 0);
          readings.set(symbol, closed);
          dates.set(symbol, day);
          return [symbol, closed];
        }),
      );
    },
    peek: (symbol, bar, from) => reading(symbol, bar, from),
    peekState: (symbol, price, from) => rule(priceOf(symbol, price), from),
    mayBeginHighRisk: () => true,
    last: (symbol) => readings.get(symbol) ?? null,
    lastDate: (symbol) => dates.get(symbol) ?? null,
    save() {
      throw new Error('a fake has no state to save');
    },
  };
}

interface Setting {
  readonly clock: ManualClock;
  readonly feed: FakePriceFeed;
  readonly scenario: FeedScenario;
  readonly newEngine: () => Engine;
  /** Opens the tape, of a file or of the memory of the run. */
  readonly open: () => Tape;
  readonly events: string[];
  readonly health: Set<string>;
  readonly failures: object[];
}

interface Stage {
  readonly detector: StateDetector;
  close(): Promise<void>;
}

export const eventText = ({ event, timestamp, data }: EventDraft): string =>
  [timestamp, event, 'symbol' in data ? data.symbol : '', 'to' in data ? data.to : ''].join(' ');

async function stageOf(setting: Setting, before: StateDetector | null): Promise<Stage> {
  const { clock, feed, scenario, newEngine, open, events, health, failures } = setting;
  const listings = scenario.symbols.map((symbol) => listingOf(symbol, scenario.calendar));
  const tape = open();
  const record = createFeedMarket({ feed: 'fake', listings, tape, clock });
  const ignored = (): void => undefined;
  const supervisor = new FeedSupervisor({
    ...{ name: 'fake', feed, listings, record, clock, random: seeded(7), onNotice: ignored },
    logger: { debug: ignored, info: ignored, warn: ignored, error: (fields) => void failures.push(Object(fields)) },
  });
  const market = record.market(supervisor);
  supervisor.start();
  let isReady = false;
  void supervisor.caughtUp(10 * MINUTE_MS).then(() => {
    isReady = true;
  });
  await clock.until(() => isReady, 11 * MINUTE_MS);
  const detector = new StateDetector({ ...{ market, engine: newEngine(), newEngine, ids: createEventIds('test') } });
  const stored: CurrentState[] =
    before === null ? [] : [...before.tracks.values()].flatMap(({ current }) => current ?? []);
  const take = (drafts: readonly EventDraft[]): void => void events.push(...drafts.map(eventText));
  take(detector.resume(before?.evaluatedTo ?? scenario.start - 3 * DAY_MS, stored, before?.intradayProgress() ?? null));
  const { stepEnd } = createTimetable('production');
  const evaluate = (): void => {
    const now = clock.now();
    while (detector.evaluatedTo < now || detector.isRebuilding)
      take(detector.advance(Math.min(now, stepEnd(detector.evaluatedTo))));
    for (const symbol of scenario.symbols) health.add(market.fault?.(symbol, now)?.kind ?? 'current');
  };
  const stop = every(clock, 7 * SECOND_MS, evaluate);
  evaluate();
  return {
    detector,
    async close() {
      stop();
      evaluate();
      await supervisor.close();
      tape.close();
    },
  };
}

/** The tape of the result is open, and the caller's to close. */
export async function runFeed(
  seed: number,
  scenario: FeedScenario,
  { faults, restart = null, folder, skewMs = 0 }: Trouble,
): Promise<FeedRun> {
  const clock = createManualClock(scenario.start);
  const feed = new FakePriceFeed({ ...scenario, clock, faults, seed, skewMs });
  const memory = openTape(null);
  const open = (): Tape => (folder === undefined ? memory : openTape(join(folder.path, `${seed}-tape.db`)));
  const newEngine = (): Engine => bandEngine((symbol, first) => first.close / feed.firstLevel(symbol, first.date));
  const setting: Setting = {
    ...{ clock, feed, scenario, newEngine, open, events: [], health: new Set(), failures: [] },
  };
  let stage = await stageOf(setting, null);
  const passTo = async (at: number): Promise<void> => {
    const { sleep } = scenario;
    if (sleep !== undefined && clock.now() < sleep.at && at > sleep.at) {
      await clock.advance(sleep.at - clock.now());
      clock.jump(sleep.to - clock.now());
    }
    await clock.advance(at - clock.now());
  };
  if (restart !== null) {
    await passTo(restart.at);
    await stage.close();
    await passTo(clock.now() + restart.away);
    stage = await stageOf(setting, stage.detector);
  }
  await passTo(scenario.end);
  await stage.close();
  const { events, health, failures } = setting;
  return { events: events.sort(), tape: open(), feed, health: [...health].sort(), failures };
}

const pricesOf = (bar: Bar) => [bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume];

/** The tape has what the vendor's history has, and at least so many minutes between two instants. */
export function expectTruth(
  { tape, feed }: FeedRun,
  { symbols, start, end }: FeedScenario,
  { since, until, minutes: least }: { readonly since: number; readonly until: number; readonly minutes: number },
): void {
  for (const symbol of symbols) {
    const days = feed
      .truth(symbol, 'day', 0, end)
      .filter((bar) => bar.end <= end && bar.start >= start - 1_836 * DAY_MS)
      .slice(-1_200);
    expect([...(tape.bars.get(symbol) ?? [])].slice(-days.length).map(pricesOf)).toEqual(days.map(pricesOf));
    const newest = new Map<number, Bar>();
    for (const row of tape.minutes.since(0)) if (row.symbol === symbol) newest.set(row.start, row);
    const minutes = feed.truth(symbol, 'minute', since, until);
    expect(minutes.length).toBeGreaterThan(least);
    expect(minutes.map(({ start }) => [start, ...pricesOf(newest.get(start) as Bar)])).toEqual(
      minutes.map((bar) => [bar.start, ...pricesOf(bar)]),
    );
  }
}
