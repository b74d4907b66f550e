// Service, market, tape, test: faults inserted at random into sound prices raise no silent High Risk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionClose } from '../../../shared/domain/sessions.ts';
import { INSERTED_FAULTS, insertFaults } from '../../../test/fixtures/faulty-prices.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { createEngine } from '../../engine/engine.ts';
import type { Bar } from '../../engine/types.ts';
import { createEventIds } from '../../signals/event-id.ts';
import { StateDetector } from '../../signals/state-detector.ts';
import type { EventDraft } from '../../store/event-log.ts';
import { openCsvFolder } from '../csv/source.ts';
import { createSyntheticMarket } from '../synthetic/market.ts';

const PLACES = 12;
/** Bars before the first announcement. */
const WARM_UP = 504;
/** Bars after a place in which a High Risk would be its fault, and bars by which a true one may move. */
const AFTER = 30;
const NEAR = 5;

/** The S&P 500 as a share, and shares and funds of the simulated market on working days. */
function soundPrices(): Map<string, Bar[]> {
  const sound = new Map<string, Bar[]>([['SPLIT', sp500().slice(1_500, 3_800)]]);
  const market = createSyntheticMarket({ seed: 11, symbols: 8 });
  const chosen = market.instruments
    .filter(({ assetClass }) => assetClass === 'equity' || assetClass === 'etf')
    .slice(0, 5);
  for (const { date, bars } of market.closedDays(() => '2019-01-01', Date.UTC(2024, 0, 1))) {
    if (new Date(date).getUTCDay() % 6 === 0) continue;
    for (const { symbol } of chosen) {
      const bar = bars.get(symbol);
      if (bar !== undefined) sound.set(symbol, [...(sound.get(symbol) ?? []), bar]);
    }
  }
  return sound;
}

interface HighRisk {
  readonly symbol: string;
  readonly date: string;
  /** Whether it is announced as resting on a price that needs a decision. */
  readonly isAsked: boolean;
}

/** Every High Risk that a service announces, which reads the prices day after day. */
function highRisks(prices: ReadonlyMap<string, readonly Bar[]>, folder: string): HighRisk[] {
  mkdirSync(folder);
  for (const [symbol, bars] of prices) {
    const rows = bars.map(({ date, open, high, low, close, volume }) =>
      [symbol, date, open, high, low, close, volume ?? ''].join(','),
    );
    writeFileSync(join(folder, `${symbol}.csv`), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  }
  const market = openCsvFolder(folder);
  const newEngine = () => createEngine({ instruments: market.instruments });
  const detector = new StateDetector({ market, engine: newEngine(), newEngine, ids: createEventIds('test') });
  const dates = [...new Set([...prices.values()].flatMap((bars) => bars.map(({ date }) => date)))].sort();
  detector.resume(sessionClose('us', dates[WARM_UP] ?? ''), []);
  const advance = (to: number): EventDraft[] => {
    const drafts: EventDraft[] = [];
    // It stops where the past changes.
    while (detector.evaluatedTo < to || detector.isRebuilding) drafts.push(...detector.advance(to));
    return drafts;
  };
  return dates.slice(WARM_UP + 1).flatMap((date) =>
    advance(sessionClose('us', date)).flatMap(({ event, data }) => {
      if (event !== 'signal.high_risk' || !('to_state' in data)) return [];
      const { symbol, in_question } = data;
      return [{ symbol, date, isAsked: in_question === 'open' }];
    }),
  );
}

it('no fault at any place raises a High Risk that does not say that its price is in question', {
  tags: ['long'],
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'insertions-'));
  try {
    const sound = soundPrices();
    const truth = highRisks(sound, join(folder, 'sound'));
    expect(truth.length).toBeGreaterThan(20);
    expect(truth.filter(({ isAsked }) => isAsked)).toEqual([]);
    let asked = 0;
    for (const kind of INSERTED_FAULTS) {
      const { prices, places } = insertFaults(sound, kind, PLACES, 5);
      const found = highRisks(prices, join(folder, kind));
      const indexOf = ({ symbol, date }: HighRisk): number =>
        (sound.get(symbol) ?? []).findIndex((bar) => bar.date >= date);
      const isTrue = (one: HighRisk): boolean =>
        truth.some((other) => other.symbol === one.symbol && Math.abs(indexOf(other) - indexOf(one)) <= NEAR);
      const caused = found.filter(
        (one) =>
          !isTrue(one) &&
          places.some(
            ({ symbol, index }) => symbol === one.symbol && indexOf(one) >= index && indexOf(one) < index + AFTER,
          ),
      );
      expect(
        caused.filter(({ isAsked }) => !isAsked),
        kind,
      ).toEqual([]);
      asked += caused.length;
    }
    expect(asked).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
