// Bench: the engine from scratch, bar by bar, against loops over whole arrays.
// The values are compared first; where they differ, nothing is timed.
import { FACTOR_CODES } from '../../../shared/domain/factors.ts';
import { batchPanel, batchPowers, columnsOf } from '../../fixtures/batch-engine.ts';
import { compare, interleave, median, timed } from '../measure.ts';
import type { Row } from '../row.ts';
import { dayOf, engineFor, type Market, makeMarket, others, PANEL } from '../support/market.ts';

/** Of the 200: the cost of a symbol does not depend on the others (growth-engine). */
const SYMBOLS = [...PANEL, ...others(12)];
const YEARS = 25;
const DAYS = YEARS * 252;
const CLOSE_ENOUGH = 1e-9;
/** Judged over this long, of symbols of each kind. */
const CHECKED = { days: 1_600, symbols: ['SPY', 'XLK', 'S000', 'S017'] };

/** @throws where the engine's powers and the reference's are not the same */
function assertSame(): number {
  const symbols = [...PANEL, ...CHECKED.symbols.filter((symbol) => symbol.startsWith('S0'))];
  const market = makeMarket(symbols, CHECKED.days);
  const columns = new Map([...market].map(([symbol, bars]) => [symbol, columnsOf(bars)]));
  const panel = batchPanel(columns);
  const expected = new Map(
    CHECKED.symbols.map((symbol) => [symbol, batchPowers(symbol, columnsOf(market.get(symbol) ?? []), panel)]),
  );
  const engine = engineFor(symbols);
  let compared = 0;
  for (let day = 0; day < CHECKED.days; day++) {
    const { date, bars } = dayOf(market, symbols, day);
    const results = engine.closeDay(date, bars);
    for (const [symbol, powers] of expected) {
      for (const [index, code] of FACTOR_CODES.entries()) {
        const product = results.get(symbol)?.powers[code] ?? Number.NaN;
        const reference = powers[index]?.[day] ?? Number.NaN;
        const same = Number.isNaN(product) ? Number.isNaN(reference) : Math.abs(product - reference) <= CLOSE_ENOUGH;
        if (!same)
          throw new Error(
            `nothing is timed: ${symbol} ${date} ${code} is ${product}, and the reference says ${reference}`,
          );
        compared += 1;
      }
    }
  }
  return compared;
}

function throughEngine(market: Market): void {
  const engine = engineFor(SYMBOLS);
  for (let day = 0; day < DAYS; day++) {
    const { date, bars } = dayOf(market, SYMBOLS, day);
    engine.closeDay(date, bars);
  }
}

function throughArrays(market: Market): void {
  const columns = new Map([...market].map(([symbol, bars]) => [symbol, columnsOf(bars)]));
  const panel = batchPanel(columns);
  for (const [symbol, own] of columns) if (symbol !== 'VIX') batchPowers(symbol, own, panel);
}

export const engineBatch: Row = {
  name: 'engine-batch',
  what: `engine from scratch, ${YEARS} years of days, bar by bar: twelve dimensions, regime, probability, state; seconds for 200 symbols`,
  floor:
    'our own batch reference: the twelve dimensions over whole arrays in plain loops, the same values to 1e-9 (neither regime nor state)',
  goal: { atMost: 1 },
  async run() {
    const compared = assertSame();
    const market = makeMarket(SYMBOLS, DAYS);
    const share = 200 / SYMBOLS.length / 1000;
    const pair = await interleave({
      product: async () => (await timed(() => throughEngine(market))) * share,
      floor: async () => (await timed(() => throughArrays(market))) * share,
      warmups: 0,
      rounds: 5,
      budget: 25_000,
    });
    const bars = Math.round((200 * DAYS) / median(pair.product));
    return compare(pair, {
      product: 'engine',
      floor: 'whole arrays',
      unit: 's',
      notes: [
        `${bars.toLocaleString('en-US')} bars/s; ${compared.toLocaleString('en-US')} values compared before`,
        `timed on ${SYMBOLS.length} symbols and scaled to 200`,
      ],
    });
  },
};
