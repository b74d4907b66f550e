// Service, market feeds, test: faults of a vendor change neither the tape nor the events.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionOn } from '../../../shared/domain/sessions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { type FakeAction, faultsOf, seeded } from '../../../test/harness/fake-price-feed.ts';
import { expectTruth, type FeedScenario, runFeed, type Trouble } from '../../../test/harness/feed-run.ts';
import { folderInMemory, type TemporaryFolder } from '../../../test/harness/folders.ts';
import { IS_WHOLE } from '../../../test/harness/run-length.ts';

const START = Date.parse('2026-03-02T22:20:00Z');
/** Faults end here; the run ends an hour later. */
const FAULTS_END = START + 150 * MINUTE_MS;
const COINS: FeedScenario = { symbols: ['ADA', 'BTC', 'ETH'], start: START, end: FAULTS_END + HOUR_MS };
const MINUTES = { since: START - HOUR_MS, until: COINS.end - 2 * MINUTE_MS, minutes: 200 };
const FIRST = Number(process.env.BAROGRAPH_SEED ?? 0);
const SEEDS = Array.from({ length: Number(process.env.BAROGRAPH_SAMPLES ?? 1) }, (_, index) => FIRST + index);
/** Each of these seeds takes several times as long. */
const SHARE_SEEDS = SEEDS.slice(0, Math.ceil(SEEDS.length / 3));
/** Seeds that once found a fault of the service. */
const found = (seed: number): readonly number[] => (IS_WHOLE ? [seed] : []);

let folder: TemporaryFolder;
beforeEach(() => {
  folder = folderInMemory();
});
afterEach(() => folder.remove());

test('without faults: five years, every minute, transitions, one connection until it is renewed', {
  tags: ['long'],
}, async () => {
  const calm = await runFeed(1, COINS, { faults: [], folder });
  expectTruth(calm, COINS, MINUTES);
  expect(calm.events.length).toBeGreaterThan(10);
  expect(calm.feed.counts.connections).toBe(2);
  expect(calm.health).toEqual(['current']);
  calm.tape.close();
});

describe('for any faults, the tape equals the vendor’s history and the events equal those of a run without faults', () => {
  // In seed 461 the last minute of a session and its close come at once.
  test.each([...SEEDS, ...found(461)])('seed %i', async (seed) => {
    const random = seeded(seed + 500);
    const faults = faultsOf(seed, START + 20 * MINUTE_MS, FAULTS_END);
    const restart =
      random() < 0.4
        ? { at: START + HOUR_MS + Math.floor(random() * HOUR_MS), away: Math.floor(random() * 40 * MINUTE_MS) }
        : null;
    const calm = await runFeed(seed, COINS, { faults: [] });
    const faulty = await runFeed(seed, COINS, { faults, restart, ...(seed % 6 === 0 ? { folder } : {}) });
    try {
      expect(faulty.failures).toEqual([]);
      expect(faulty.events).toEqual(calm.events);
      expectTruth(faulty, COINS, MINUTES);
    } finally {
      calm.tape.close();
      faulty.tape.close();
    }
  });
});

/** The last session before a weekend or a holiday, and the next one. */
const WEEKENDS = [
  // The clocks of New York change between them.
  ['2026-03-06', '2026-03-09'],
  ['2026-10-30', '2026-11-02'],
  // Half days: the day after Thanksgiving, as the second and as the first one; Christmas Eve.
  ['2026-11-25', '2026-11-27'],
  ['2026-11-27', '2026-11-30'],
  ['2026-12-23', '2026-12-24'],
] as const;
const SHARES = ['AAPL', 'GE', 'KO'];
const SPLIT_SHARE = 'GE';
const RATIOS = [1 / 2, 1 / 4, 1 / 10, 2, 8];

/**
 * The last 40 minutes of a session, the closed time asleep, the last 100 minutes of the next session and 40
 * more.
 */
function sharesOver([friday, monday]: readonly [string, string], actions: readonly FakeAction[]): FeedScenario {
  const [first, second] = [sessionOn('us', friday), sessionOn('us', monday)];
  return {
    ...{ symbols: SHARES, calendar: 'us', actions },
    start: first.close - 40 * MINUTE_MS,
    sleep: { at: first.close + 10 * MINUTE_MS, to: second.close - 100 * MINUTE_MS },
    end: second.close + 40 * MINUTE_MS,
  };
}

/** Faults on both days or on the second one, a clock that is up to 25 s wrong, and sometimes a restart. */
function troubleOf(seed: number, random: () => number, start: number, close: number): Trouble {
  const from = random() < 0.5 ? start + 5 * MINUTE_MS : close - 95 * MINUTE_MS;
  const faults = faultsOf(seed, from, close + 5 * MINUTE_MS);
  const skewMs = Math.round((random() - 0.5) * 50) * SECOND_MS;
  const restart = random() < 0.3 ? { at: close - 80 * MINUTE_MS, away: Math.floor(random() * 40 * MINUTE_MS) } : null;
  return { faults, skewMs, restart };
}

/** High Risk of a symbol at an instant, by its events. */
function isHighRisk(events: readonly string[], symbol: string, at: string): boolean {
  const own = events.filter((text) => text.includes(` signal.`) && text.split(' ')[2] === symbol && text <= `${at} z`);
  return own.at(-1)?.endsWith(' 2') === true;
}

/** Their moves look like those of a market: dividends of 2 and 8 %, splits of 11:10 and 10:11. */
const SMALL = [
  { kind: 'dividend', factor: 0.98 },
  { kind: 'dividend', factor: 0.92 },
  { kind: 'split', factor: 10 / 11 },
  { kind: 'split', factor: 11 / 10 },
] as const;

describe('dividends and small splits announced before their day', { tags: ['long'] }, () => {
  // In seed 17 a split is announced while the computer sleeps, and its prices come before the action.
  test.each([...SHARE_SEEDS, ...found(17)])('seed %i', async (seed) => {
    const random = seeded(seed + 20_000);
    const days = WEEKENDS[seed % WEEKENDS.length] ?? WEEKENDS[0];
    const calmDays = sharesOver(days, []);
    const { open, close } = sessionOn('us', days[1]);
    const small = SMALL[Math.floor(random() * SMALL.length)] ?? SMALL[0];
    // A week before, in the night, or while the computer sleeps.
    const announcedAt = open - ([7 * DAY_MS, 10 * HOUR_MS, MINUTE_MS][Math.floor(random() * 3)] ?? 0);
    const action = { ...small, symbol: SPLIT_SHARE, date: days[1], announcedAt };
    const actionDays = sharesOver(days, [action]);
    const trouble = troubleOf(seed, random, calmDays.start, close);
    const calm = await runFeed(seed, calmDays, { faults: [] });
    const faulty = await runFeed(seed, actionDays, trouble);
    try {
      expect(faulty.failures).toEqual([]);
      expect(faulty.events).toEqual(calm.events);
      const minutes = { since: close - 100 * MINUTE_MS, until: close - 6 * MINUTE_MS, minutes: 90 };
      expectTruth(faulty, actionDays, minutes);
    } finally {
      calm.tape.close();
      faulty.tape.close();
    }
  });
});

describe('shares over weekends, half days and changes of the clocks, with splits and a wrong clock', {
  tags: ['long'],
}, () => {
  // In seed 133 a split rebuilds the engine while minutes and closes of another share are not evaluated yet.
  test.each([...SHARE_SEEDS, ...found(133)])('seed %i', async (seed) => {
    const random = seeded(seed + 9_000);
    const days = WEEKENDS[seed % WEEKENDS.length] ?? WEEKENDS[0];
    const calmDays = sharesOver(days, []);
    const { close } = sessionOn('us', days[1]);
    // Announced a day before, at the opening, or until half an hour after the close of its day.
    const lateness = [-DAY_MS, -6 * HOUR_MS, (random() - 0.7) * 100 * MINUTE_MS][Math.floor(random() * 3)] ?? 0;
    const factor = RATIOS[Math.floor(random() * RATIOS.length)] ?? 1;
    const split = { kind: 'split', symbol: SPLIT_SHARE, date: days[1], factor, announcedAt: close + lateness } as const;
    const splitDays = sharesOver(days, [split]);
    const trouble = troubleOf(seed, random, calmDays.start, close);
    const calm = await runFeed(seed, calmDays, { faults: [] });
    const faulty = await runFeed(seed, splitDays, trouble);
    try {
      expect(faulty.failures).toEqual([]);
      // A minute that is corrected after the close is fetched with the next session.
      const minutes = { since: close - 100 * MINUTE_MS, until: close - 6 * MINUTE_MS, minutes: 90 };
      expectTruth(faulty, splitDays, minutes);
      const isOfSplit = (text: string): boolean => text.split(' ')[2] === SPLIT_SHARE;
      expect(faulty.events.filter((text) => !isOfSplit(text))).toEqual(calm.events.filter((text) => !isOfSplit(text)));
      // The day of a split has no price before its close, and no false price afterwards.
      const alarms = faulty.events.filter((text) => isOfSplit(text) && text.endsWith(' 2'));
      expect(alarms.filter((text) => !isHighRisk(calm.events, SPLIT_SHARE, text.split(' ')[0] ?? ''))).toEqual([]);
    } finally {
      calm.tape.close();
      faulty.tape.close();
    }
  });
});
