// Service, market feeds, test: whatever the vendor's faults, the tape becomes its truth, and the events are those of a
// run without faults.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyPowers } from '../../../shared/domain/factors.ts';
import type { State } from '../../../shared/domain/states.ts';
import { every } from '../../../shared/lib/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { FakePriceFeed, type FeedFault, faultsOf, listingOf, seeded } from '../../../test/harness/fake-price-feed.ts';
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
const FAULTS_END = START + 4 * HOUR_MS;
const END = FAULTS_END + HOUR_MS;
const SEEDS = process.env.BAROGRAPH_TESTS === 'all' ? 300 : 12;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (f: object, t: string) => console.log(f, t) };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-feed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

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

async function stageOf(
  clock: ManualClock,
  feed: FakePriceFeed,
  file: string,
  events: string[],
  health: Set<string>,
  before: StateDetector | null,
): Promise<Stage> {
  // biome-ignore format: one line
  const listings = SYMBOLS.map(listingOf);
  const tape = openTape(file);
  const record = createFeedMarket({ feed: 'fake', listings, tape, clock, status: () => supervisor });
  const supervisor = new FeedSupervisor({
    ...{ name: 'fake', feed, listings, record, clock, logger: silent },
    ...{ random: seeded(7), onNotice: () => undefined },
  });
  supervisor.start();
  let isReady = false;
  void supervisor.caughtUp(10 * MINUTE_MS).then(() => {
    isReady = true;
  });
  await clock.until(() => isReady, 11 * MINUTE_MS);
  const detector = new StateDetector({
    ...{ market: record.market, engine: bandEngine(), newEngine: bandEngine, ids: createEventIds('test') },
  });
  const stored: CurrentState[] = before === null ? [] : [...before.tracks.values()].flatMap(({ current }) => current ?? []); // biome-ignore format: one line
  const take = (drafts: readonly EventDraft[]): void => void events.push(...drafts.map(eventText));
  take(detector.resume(before?.evaluatedTo ?? START - 3 * DAY_MS, stored));
  const { stepEnd } = createTimetable('production');
  const evaluate = (): void => {
    const now = clock.now();
    while (detector.evaluatedTo < now || detector.isRebuilding)
      take(detector.advance(Math.min(now, stepEnd(detector.evaluatedTo))));
    for (const symbol of SYMBOLS) health.add(record.market.fault?.(symbol, now)?.kind ?? 'current');
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

/** @param restart when the service stops, and for how long it is away */
async function run(
  seed: number,
  faults: readonly FeedFault[],
  restart: { at: number; away: number } | null,
): Promise<Run> {
  // biome-ignore format: one line
  const clock = createManualClock(START);
  const feed = new FakePriceFeed({ clock, symbols: SYMBOLS, faults, seed });
  const file = join(folder, `${seed}-${faults.length}-tape.db`);
  const [events, health]: [string[], Set<string>] = [[], new Set()];
  let stage = await stageOf(clock, feed, file, events, health, null);
  if (restart !== null) {
    await clock.advance(restart.at - clock.now());
    await stage.close();
    await clock.advance(restart.away);
    stage = await stageOf(clock, feed, file, events, health, stage.detector);
  }
  await clock.advance(END - clock.now());
  await stage.close();
  return { events: events.sort(), tape: openTape(file), feed, health: [...health].sort() };
}

const pricesOf = (bar: Bar) => [bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume];

/** The tape has what the vendor's history has. */
function expectTruth({ tape, feed }: Run, since: number): void {
  for (const symbol of SYMBOLS) {
    const days = feed.truth(symbol, 'day', 0, END).filter(({ start, end }) => end <= END && start >= START - 1_836 * DAY_MS); // biome-ignore format: one line
    expect(tape.bars.get(symbol)?.slice(-1_800).map(pricesOf)).toEqual(days.slice(-1_800).map(pricesOf));
    const newest = new Map<number, Bar>();
    for (const row of tape.minutes.since(0)) if (row.symbol === symbol) newest.set(row.start, row);
    const minutes = feed.truth(symbol, 'minute', since, END - 2 * MINUTE_MS);
    expect(minutes.length).toBeGreaterThan(250);
    expect(minutes.map(({ start }) => [start, ...pricesOf(newest.get(start) as Bar)])).toEqual(
      minutes.map((bar) => [bar.start, ...pricesOf(bar)]),
    );
  }
}

test('without faults: five years, every minute, transitions, one connection until it is renewed', async () => {
  const calm = await run(1, [], null);
  expectTruth(calm, START - HOUR_MS);
  expect(calm.events.length).toBeGreaterThan(10);
  expect(calm.feed.counts.connections).toBe(2);
  expect(calm.health).toEqual(['current']);
  calm.tape.close();
});

describe('for any faults, the tape is the vendor’s truth and the events are those of a calm run', () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed))('seed %i', async (seed) => {
    const random = seeded(seed + 500);
    const faults = faultsOf(seed, START + 20 * MINUTE_MS, FAULTS_END);
    const restart =
      random() < 0.4 ? { at: START + HOUR_MS + random() * 2 * HOUR_MS, away: random() * 40 * MINUTE_MS } : null;
    const calm = await run(seed, [], null);
    const faulty = await run(seed, faults, restart);
    try {
      expect(faulty.events).toEqual(calm.events);
      expectTruth(faulty, START - HOUR_MS);
    } finally {
      calm.tape.close();
      faulty.tape.close();
    }
  });
});
