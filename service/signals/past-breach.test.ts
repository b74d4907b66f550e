// Service, signals, test: a signal never contradicts its breach level, in any world and at any pace.
import { array, assert, constantFrom, integer, property } from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { CRASHES, MARKET_SCENARIOS } from '../../shared/domain/scenarios.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';
import type { Signal } from '../../shared/wire/records.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { writeRandomPrices } from '../../test/harness/random-prices.ts';
import { createEngine } from '../engine/engine.ts';
import { openCsvFolder } from '../market/csv/source.ts';
import { createSyntheticMarket, type SyntheticMarketOptions } from '../market/synthetic/market.ts';
import type { MarketSource } from '../market/types.ts';
import type { CurrentState } from '../store/current-states.ts';
import { createEventIds } from './event-id.ts';
import { signalOf } from './records.ts';
import { StateDetector } from './state-detector.ts';

const RUNS = Number(process.env.BAROGRAPH_SAMPLES ?? 3);
/** Of falls: less than the smallest split, and as deep as those that are asked about. */
const DEEPEST = [0.07, 0.6];
const QUESTIONED = [4, 8].map((seed): [number, number, number[]] => [
  seed,
  0.6,
  Array.from({ length: 50 }, () => HOUR_MS),
]);
const BEGIN = Date.parse('2026-03-02T14:30:00Z');

/** A sandbox whose history begins three years before, which suffices for every rule but that of turbulence. */
function sandbox(options: SyntheticMarketOptions): MarketSource {
  const market = createSyntheticMarket(options);
  return { ...market, closedDays: (after, now) => market.closedDays((symbol) => after(symbol) ?? '2023-03-01', now) };
}

function detectorAt(market: MarketSource, instant: number, stored: readonly CurrentState[] = []): StateDetector {
  const newEngine = () => createEngine({ instruments: market.instruments, factorsFrom: '9999' });
  const detector = new StateDetector({ market, engine: newEngine(), newEngine, ids: createEventIds('test') });
  detector.resume(instant, stored);
  return detector;
}

/** As after a night without the service: its next decision is the first of the prices since. */
const restarted = ({ tracks, evaluatedTo }: StateDetector, market: MarketSource): StateDetector =>
  detectorAt(
    market,
    evaluatedTo + 9 * HOUR_MS,
    [...tracks.values()].flatMap(({ current }) => current ?? []),
  );

const signalsOf = (detector: StateDetector, market: MarketSource): Signal[] =>
  [...detector.tracks.values()].flatMap(
    (track) => signalOf(detector, market, track, detector.evaluatedTo, detector.evaluatedTo) ?? [],
  );

const isPast = ({ price, breach_level: level }: Signal): boolean => price !== null && level != null && price <= level;

/** Every way in which a signal can contradict its own breach level. */
const contradictions = (signals: readonly Signal[]): Signal[] =>
  signals.filter(
    (signal) =>
      (isPast(signal) && (signal.state !== 2 || !['breach', 'drawdown'].includes(signal.held_by ?? ''))) ||
      (!isPast(signal) && signal.held_by === 'breach') ||
      signal.note.includes('past the breach level') !== isPast(signal),
  );

let folder: TemporaryFolder | null = null;
afterEach(() => folder?.remove());

function folderMarket(seed: number, deepest: number): MarketSource {
  folder?.remove();
  folder = temporaryFolder();
  const from = BEGIN - 730 * DAY_MS;
  writeRandomPrices(folder.path, { seed, deepest, from, to: BEGIN + 30 * DAY_MS, hoursFrom: BEGIN - 30 * DAY_MS });
  return openCsvFolder(folder.path, { isReplay: true });
}

describe('past its breach level', () => {
  const seeds = integer({ min: 1, max: 1e6 });
  /** From a clock at its own pace to a replay of days a second. */
  const steps = array(constantFrom(250, SECOND_MS, 17 * SECOND_MS, MINUTE_MS, 7 * MINUTE_MS, HOUR_MS, DAY_MS), {
    minLength: 30,
    maxLength: 60,
  });

  test('a symbol of the sandbox is High Risk in every scenario, at any pace of its clock', {
    tags: ['long'],
  }, async () => {
    let past = 0;
    await assert(
      property(seeds, constantFrom(undefined, ...MARKET_SCENARIOS), steps, (seed, scenario, paces) => {
        const market = sandbox({ seed, symbols: 4, ...(scenario !== undefined && { scenario }) });
        const detector = detectorAt(market, BEGIN);
        for (const pace of paces) {
          detector.advance(detector.evaluatedTo + pace);
          const signals = signalsOf(detector, market);
          past += signals.filter(isPast).length;
          expect(contradictions(signals)).toEqual([]);
        }
      }),
      { numRuns: RUNS, examples: [[7, 'crash', Array.from({ length: 60 }, () => 17 * SECOND_MS)]] },
    );
    expect(past).toBeGreaterThan(50);
  });

  test('a symbol of a replayed folder is High Risk at any pace, across restarts, and while its price is in question', async () => {
    let [past, asked] = [0, 0];
    await assert(
      property(seeds, constantFrom(...DEEPEST), steps, (seed, deepest, paces) => {
        const market = folderMarket(seed, deepest);
        let detector = detectorAt(market, BEGIN - 60 * DAY_MS);
        for (const [step, pace] of paces.entries()) {
          if (step % 20 === 19) detector = restarted(detector, market);
          detector.advance(detector.evaluatedTo + pace);
          const signals = signalsOf(detector, market);
          past += signals.filter(isPast).length;
          asked += signals.filter((signal) => isPast(signal) && signal.price_question !== undefined).length;
          expect(contradictions(signals)).toEqual([]);
        }
      }),
      { numRuns: RUNS, examples: QUESTIONED },
    );
    expect(past).toBeGreaterThan(50);
    expect(asked).toBeGreaterThan(10);
  });

  test('none of 42 symbols is Normal in the first 90 seconds of a crash', { tags: ['long'] }, () => {
    const market = sandbox({ seed: 7, symbols: 42, scenario: 'crash' });
    const fall = Math.ceil(BEGIN / CRASHES.every) * CRASHES.every + CRASHES.after;
    const detector = detectorAt(market, fall);
    let past = 0;
    for (let second = 0; second < 240; second += 4) {
      detector.advance(detector.evaluatedTo + 4 * SECOND_MS);
      const signals = signalsOf(detector, market);
      past = Math.max(past, signals.filter(isPast).length);
      expect(signals.filter((signal) => isPast(signal) && signal.state < 2).map(({ symbol }) => symbol)).toEqual([]);
    }
    expect(past).toBeGreaterThan(30);
  });
});
