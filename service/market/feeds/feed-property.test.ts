// Service, market feeds, test: faults of a vendor change neither the tape nor the events.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyPowers } from '../../../shared/domain/factors.ts';
import type { State } from '../../../shared/domain/states.ts';
import { every } from '../../../shared/lib/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { FakePriceFeed, type FeedFault, faultsOf, listingOf, seeded } from '../../../test/harness/fake-price-feed.ts';
import { folderInMemory, type TemporaryFolder } from '../../../test/harness/folders.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import type { Bar, Engine, Reading } from '../../engine/types.ts';
import { createEventIds } from '../../signals/event-id.ts';
import { StateDetector } from '../../signals/state-detector.ts';
import type { CurrentState } from '../../store/current-states.ts';
import type { EventDraft } from '../../store/event-log.ts';
import { openTape, type Tape } from '../tape/tape.ts';
import { createTimetable } from '../timetable.ts';
import { createFeedMarket } from './feed-market.ts';
import { FeedSupervisor } from './feed-supervisor.ts';

const SYMBOLS = ['ADA', 'BTC', 'ETH'];
const START = Date.parse('2026-03-02T22:20:00Z');
/** Faults end here; the run ends an hour later. */
const FAULTS_END = START + 150 * MINUTE_MS;
const END = FAULTS_END + HOUR_MS;
/** BAROGRAPH_FEED_SEEDS=100-199 tries those. In 461 the last minute of a session and its close come at once. */
const [FIRST = 0, LAST = process.env.BAROGRAPH_TESTS === 'all' ? 99 : 11] = (process.env.BAROGRAPH_FEED_SEEDS ?? '')
  .split('-')
  .flatMap((text) => (text === '' ? [] : Number(text)));
const SEEDS = [...Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index), 461];
/** What the feed could not go on with. */
const failures: object[] = [];
const logger = {
  ...{ debug: () => undefined, info: () => undefined, warn: () => undefined },
  error: (fields: object) => void failures.push(fields),
};

let folder: TemporaryFolder;
beforeEach(() => {
  folder = folderInMemory();
  failures.length = 0;
});
afterEach(() => folder.remove());

/** Above 101 Elevated, above 101.5 High Risk, with a memory. */
function rule(price: number, from: State): State {
  const entered: State = price >= 101.5 ? 2 : price >= 101 ? 1 : 0;
  if (entered >= from) return entered;
  return price >= 100.8 ? from : entered;
}

function bandEngine(): Engine {
  const readings = new Map<string, Reading>();
  const dates = new Map<string, string>();
  const reading = (bar: Bar, from: State): Reading => ({
    ...{ date: bar.date, close: bar.close, state: rule(bar.close, from), isWithheld: false, rule: null },
    ...{ probability: null, claim: 'event', confidence: 50, baseRate: 12, regime: 'calm_uptrend' },
    ...{ regimeProbabilities: null, powers: emptyPowers(), contributions: emptyPowers() },
    ...{ drawdownFraction: 0.5, breachLevel: 1 },
  });
  return {
    modelVersion: 'band-1',
    closeDay(day, bars) {
      return new Map(
        [...bars].map(([symbol, bar]) => {
          if (day <= (dates.get(symbol) ?? '')) throw new RangeError(`${symbol}: ${day} again`);
          const closed = reading(bar, readings.get(symbol)?.state ?? 0);
          readings.set(symbol, closed);
          dates.set(symbol, day);
          return [symbol, closed];
        }),
      );
    },
    peek: (_symbol, bar, from) => reading(bar, from),
    peekState: (_symbol, price, from) => rule(price, from),
    last: (symbol) => readings.get(symbol) ?? null,
    lastDate: (symbol) => dates.get(symbol) ?? null,
  };
}

interface Stage {
  readonly tape: Tape;
  readonly detector: StateDetector;
  readonly supervisor: FeedSupervisor;
  close(): Promise<void>;
}

interface Run {
  readonly events: readonly string[];
  readonly tape: Tape;
  readonly feed: FakePriceFeed;
  readonly health: readonly string[];
}

const eventText = ({ event, timestamp, data }: EventDraft): string =>
  [timestamp, event, 'symbol' in data ? data.symbol : '', 'to' in data ? data.to : ''].join(' ');

interface Setting {
  readonly clock: ManualClock;
  readonly feed: FakePriceFeed;
  /** Opens the tape, of a file or of the memory of the run. */
  readonly open: () => Tape;
  readonly events: string[];
  readonly health: Set<string>;
}

async function stageOf({ clock, feed, open, events, health }: Setting, before: StateDetector | null): Promise<Stage> {
  const listings = SYMBOLS.map(listingOf);
  const tape = open();
  const record = createFeedMarket({ feed: 'fake', listings, tape, clock });
  const supervisor = new FeedSupervisor({
    ...{ name: 'fake', feed, listings, record, clock, logger },
    ...{ random: seeded(7), onNotice: () => undefined },
  });
  const market = record.market(supervisor);
  supervisor.start();
  let isReady = false;
  void supervisor.caughtUp(10 * MINUTE_MS).then(() => {
    isReady = true;
  });
  await clock.until(() => isReady, 11 * MINUTE_MS);
  const detector = new StateDetector({
    ...{ market, engine: bandEngine(), newEngine: bandEngine, ids: createEventIds('test') },
  });
  const stored: CurrentState[] =
    before === null ? [] : [...before.tracks.values()].flatMap(({ current }) => current ?? []);
  const take = (drafts: readonly EventDraft[]): void => void events.push(...drafts.map(eventText));
  take(detector.resume(before?.evaluatedTo ?? START - 3 * DAY_MS, stored, before?.decidedWithin() ?? null));
  const { stepEnd } = createTimetable('production');
  const evaluate = (): void => {
    const now = clock.now();
    while (detector.evaluatedTo < now || detector.isRebuilding)
      take(detector.advance(Math.min(now, stepEnd(detector.evaluatedTo))));
    for (const symbol of SYMBOLS) health.add(market.fault?.(symbol, now)?.kind ?? 'current');
  };
  const stop = every(clock, 7 * SECOND_MS, evaluate);
  evaluate();
  return {
    tape,
    detector,
    supervisor,
    async close() {
      stop();
      evaluate();
      await supervisor.close();
      tape.close();
    },
  };
}

interface Trouble {
  readonly faults: readonly FeedFault[];
  /** When the service stops, and for how long it is away. */
  readonly restart?: { readonly at: number; readonly away: number } | null;
  /** Whether the tape is a file. */
  readonly isFile?: boolean;
}

async function run(seed: number, { faults, restart = null, isFile = false }: Trouble): Promise<Run> {
  const clock = createManualClock(START);
  const feed = new FakePriceFeed({ clock, symbols: SYMBOLS, faults, seed });
  const memory = openTape(null);
  const open = (): Tape => (isFile ? openTape(join(folder.path, `${seed}-tape.db`)) : memory);
  const setting: Setting = { clock, feed, open, events: [], health: new Set() };
  let stage = await stageOf(setting, null);
  if (restart !== null) {
    await clock.advance(restart.at - clock.now());
    await stage.close();
    await clock.advance(restart.away);
    stage = await stageOf(setting, stage.detector);
  }
  await clock.advance(END - clock.now());
  await stage.close();
  return { events: setting.events.sort(), tape: open(), feed, health: [...setting.health].sort() };
}

const pricesOf = (bar: Bar) => [bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume];

/** The tape has what the vendor's history has. */
function expectTruth({ tape, feed }: Run, since: number): void {
  for (const symbol of SYMBOLS) {
    const days = feed
      .truth(symbol, 'day', 0, END)
      .filter(({ start, end }) => end <= END && start >= START - 1_836 * DAY_MS);
    expect(tape.bars.get(symbol)?.slice(-1_800).map(pricesOf)).toEqual(days.slice(-1_800).map(pricesOf));
    const newest = new Map<number, Bar>();
    for (const row of tape.minutes.since(0)) if (row.symbol === symbol) newest.set(row.start, row);
    const minutes = feed.truth(symbol, 'minute', since, END - 2 * MINUTE_MS);
    expect(minutes.length).toBeGreaterThan(200);
    expect(minutes.map(({ start }) => [start, ...pricesOf(newest.get(start) as Bar)])).toEqual(
      minutes.map((bar) => [bar.start, ...pricesOf(bar)]),
    );
  }
}

test('without faults: five years, every minute, transitions, one connection until it is renewed', async () => {
  const calm = await run(1, { faults: [], isFile: true });
  expectTruth(calm, START - HOUR_MS);
  expect(calm.events.length).toBeGreaterThan(10);
  expect(calm.feed.counts.connections).toBe(2);
  expect(calm.health).toEqual(['current']);
  calm.tape.close();
});

describe('for any faults, the tape is the vendor’s truth and the events are those of a calm run', () => {
  test.each(SEEDS)('seed %i', async (seed) => {
    const random = seeded(seed + 500);
    const faults = faultsOf(seed, START + 20 * MINUTE_MS, FAULTS_END);
    const restart =
      random() < 0.4
        ? { at: START + HOUR_MS + Math.floor(random() * HOUR_MS), away: Math.floor(random() * 40 * MINUTE_MS) }
        : null;
    const calm = await run(seed, { faults: [] });
    const faulty = await run(seed, { faults, restart, isFile: seed % 6 === 0 });
    try {
      expect(failures).toEqual([]);
      expect(faulty.events).toEqual(calm.events);
      expectTruth(faulty, START - HOUR_MS);
    } finally {
      calm.tape.close();
      faulty.tape.close();
    }
  });
});
